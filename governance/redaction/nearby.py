"""Which word names a value: the last one before it ("RG dele: 12.345.678-9"), else one right behind it ("12.345.678-9 é o RG dele").

The words of all kinds of number are looked up together, names of other things among them ("pedido", "invoice"), so that a number is
taken for what the nearest word says and for nothing else. Portuguese and English stand side by side: people mix them.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from governance.redaction.recognizers.base import BLANK
from governance.redaction.vocabulary import NUMBER, OTHER

if TYPE_CHECKING:
    from governance.redaction.reading import Phrase, Reading

LOOK_BACK: Final = 80  # characters before a value: a word, a name of three or four parts and a verb fit
LOOK_AHEAD: Final = 40
ITEM_DIGITS_MIN: Final = 4

_SENTENCE_END: Final = re.compile(r"(?<![A-Za-z])([A-Za-z]{0,40})[.!][\"')\]]?\s{1,4}[A-Z]")
# A word of one letter before a full stop is an initial.
_ABBREVIATIONS: Final = frozenset(
    (
        "sr", "sra", "srs", "sras", "srta", "dr", "dra", "drs", "prof", "profa", "mr", "mrs", "ms", "mx", "no", "nr", "num",
        "st", "av", "eng", "adv", "exmo", "exma", "ilmo", "ilma", "des", "min", "cia", "ltda", "inc", "ltd", "corp", "jr",
    )
)  # fmt: skip
# "Charge my credit card. The number is …": the next sentence takes up what the last one named.
_TAKEN_UP: Final = re.compile(
    r"(?:(?:the|its|his|her|my|o|meu|seu) )?(?:number|numero|it|its|this|that|here|esse|este|aqui|segue|anota|eh?)(?![a-z])", re.IGNORECASE
)
_ITEM_BREAK: Final = re.compile(r"\s{0,3}(?:[,;|/\n]|(?<![a-z])(?:e|ou|and|or|&)(?![a-z]))\s{0,3}")
_VALUE_INSIDE: Final = re.compile(rf"[0-9]{{3}}|{BLANK}")
_THREE_LETTERS: Final = re.compile(r"[a-z]{3}")
_DIGIT: Final = re.compile(r"[0-9]")
_MODIFIES: Final = re.compile(
    r" (?:d[aeo]s?|n[ao]s?|of|for|on|in)(?: (?:the|this|that|my|your|our|his|her|their|a|o|meu|minha|seu|sua|nosso|nossa))? ", re.IGNORECASE
)
_MODIFYING: Final = frozenset({OTHER, "vehicle"})
_LINKS: Final = "is|was|era|foi|eh|the|my|his|her|their|our|your|o|a|meu|minha|seu|sua|nosso|nossa|do|da|de|no|num|numero"
_BEHIND: Final = re.compile(rf"[ \t]{{0,2}}(?:[(\[/-]|é(?= ))?[ \t]{{0,2}}(?:(?:{_LINKS})[ \t]{{1,2}}){{0,4}}", re.IGNORECASE)
_NUMBER_FOLLOWS: Final = re.compile(r"[^0-9\n,;.)]{0,40}[0-9]")


@dataclass(frozen=True, slots=True)
class Named:
    """The kind that a word gives a value, and the folded text between the two; `gap` is empty where the word stands behind the value.

    `further`: where the nearest word is only a name of something that is nobody's, the kind of the last other word before it.
    """

    kind: str
    gap: str
    further: str | None = None


def naming(text: Reading, start: int, end: int) -> Named | None:
    """Return what names the value at `start`..`end`: the nearest word before it in its sentence or list, else one right behind it."""
    return named_before(text, start) or named_behind(text, end)


def kind_of(text: Reading, start: int, end: int) -> str | None:
    """Return the kind that the nearest word gives the value at `start`..`end`."""
    named = naming(text, start, end)
    return None if named is None else named.kind


def named_before(text: Reading, start: int) -> Named | None:
    """Return what the nearest word before `start`, in the same sentence or list, names a value there."""
    index = bisect_right(text.phrases, start, key=attrgetter("end")) - 1
    if index < 0 or text.phrases[index].start < start - LOOK_BACK:
        return None
    # "CPF do pedido" names a CPF still, and "placa do carro" a plate.
    while index and text.phrases[index].kind in _MODIFYING and _is_modified(text, index):
        index -= 1
    if text.phrases[index].kind == NUMBER and index:
        earlier = text.phrases[index - 1]
        if earlier.start >= start - LOOK_BACK and _reaches(text.folded[earlier.end : start]):
            index -= 1
    nearest = text.phrases[index]
    gap = text.folded[nearest.end : start]
    if not _reaches(gap):
        return None
    return Named(nearest.kind, gap.lower(), _further(text, index, start) if nearest.kind == OTHER else nearest.kind)


def _is_modified(text: Reading, index: int) -> bool:
    return _MODIFIES.fullmatch(text.folded, text.phrases[index - 1].end, text.phrases[index].start) is not None


def _further(text: Reading, index: int, start: int) -> str | None:
    while index >= 0 and text.phrases[index].start >= start - LOOK_BACK:
        if text.phrases[index].kind != OTHER:
            return text.phrases[index].kind
        index -= 1
    return None


def named_behind(text: Reading, end: int) -> Named | None:
    """Return what a word right behind the value that ends at `end` names it: "… é o RG dele", "… (fax)"."""
    link = _BEHIND.match(text, end)
    if link is None or link.end() == end:
        return None
    phrase = _phrase_at(text, link.end())
    # Where another number follows in the same clause, the word belongs to that one.
    return None if phrase is None or _NUMBER_FOLLOWS.match(text, phrase.end) else Named(phrase.kind, "")


def _phrase_at(text: Reading, start: int) -> Phrase | None:
    index = bisect_left(text.phrases, start, key=attrgetter("start"))
    return text.phrases[index] if index < len(text.phrases) and text.phrases[index].start == start else None


def _reaches(gap: str) -> bool:
    """Tell whether a word still speaks of what stands behind this gap: same sentence, and no other value between but items of one list."""
    for end in _SENTENCE_END.finditer(gap):
        if len(end[1]) != 1 and end[1].lower() not in _ABBREVIATIONS and not _TAKEN_UP.match(gap, end.end() - 1):
            return False
    inside = _VALUE_INSIDE.search(gap)
    if inside is None:
        return True
    *items, rest = _ITEM_BREAK.split(gap[inside.start() :].lower())
    return not rest and all(map(_is_item, items))


def _is_item(piece: str) -> bool:
    return BLANK in piece or (len(_DIGIT.findall(piece)) >= ITEM_DIGITS_MIN and _THREE_LETTERS.search(piece) is None)
