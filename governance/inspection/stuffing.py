"""Texts made to be found instead of to say something: the words of many questions in a row, over and over, around whatever is to be read.

Nobody speaks like that: a sentence joins its words by small ones, and says the same thing once.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from governance.inspection.signals import Signal, SignalCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from governance.inspection.folding import Folded

SCORE: Final = 0.8
RUN_WORDS_MIN: Final = 16
WINDOW_WORDS: Final = 80  # of a long run; it is looked at in overlapping halves
SMALL_SHARE_MAX: Final = 0.25  # of the words that join others; in speech they are a third to a half
REPEATED_MIN: Final = 3  # a word that stands so often is said over and over
REPEATED_TIMES_MIN: Final = 8  # of all such words together
REPEATED_SHARE_MIN: Final = 0.18  # of all words; fillers between them thin this out

# Tables and code say the same word often, and have their signs between.
_RUN: Final = re.compile(r"[^.!?:;\n|`(){}\[\]<>=/\\]+")
_WORD: Final = re.compile(r"[a-z]+")
_SMALL: Final = frozenset(
    """
    a an the of to in on at for from with by and or but if that this these those is are was were be been am i you he she it we
    they my your his her its our their me him us them not no do does did have has had will would can could should may might must
    what which who when where how why as so than then there here up out about into over after before just very too also because o
    os um uma uns umas de da dos das em na nos nas para por com sem e ou mas se que isto isso este esta esse essa eu ele ela eles
    elas meu minha seu sua nosso nossa nao sim foi era sao ser estar estou tem tinha ha vai vou pode deve qual quem quando onde
    como porque ao aos pela pelo pelas pelos ate mais muito ja tambem entao la aqui
    """.split()  # noqa: SIM905 - two hundred quoted words, one a line, read worse
)


def find_stuffing(folded: Folded) -> Iterator[Signal]:
    """Yield a signal for each run of words without an end of a sentence that says few words over and over. Linear in the text."""
    for run in _RUN.finditer(folded.text):
        words = list(_WORD.finditer(run[0]))
        if len(words) < RUN_WORDS_MIN:
            continue
        step = WINDOW_WORDS // 2
        for begun in range(0, max(1, len(words) - step), step):
            window = words[begun : begun + WINDOW_WORDS]
            if _is_stuffed([word[0] for word in window]):
                yield Signal(
                    SignalCode.STUFFING, SCORE, *folded.original_span(run.start() + window[0].start(), run.start() + window[-1].end())
                )


def _is_stuffed(words: list[str]) -> bool:
    said = [word for word in words if word not in _SMALL]
    if len(words) < RUN_WORDS_MIN or len(words) - len(said) > SMALL_SHARE_MAX * len(words):
        return False
    repeated = [count for word, count in Counter(said).items() if count >= REPEATED_MIN and len(word) > 1]
    return sum(repeated) >= REPEATED_TIMES_MIN and sum(repeated) >= REPEATED_SHARE_MIN * len(words)
