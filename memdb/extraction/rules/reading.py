"""What of a turn may be read as a plain statement of its speaker. Everything else is passed over in silence.

Not read: other roles, read-only and untrusted turns, turns that look like stored instructions, jokes, turns taken back, pasted text; and of
what is left quotes, code, markup, questions, hypotheses, hearsay. Lengths are bounded, so that hostile text costs little.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from governance.inspection.inspect import inspect
from governance.inspection.signals import SignalCode
from memdb.extraction.rules.guards import JOKE, OPENS_CORRECTION, PASTED, TAKEN_BACK, UNSURE, WITHDRAWN
from memdb.extraction.transcript import TurnRole, Utterance
from memdb.text.sentences import is_abbreviated, split_sentences
from memdb.text.times import fold_in_place

TEXT_MAX: Final = 4_000
"""Characters of a turn; a longer one was pasted, not said."""
SENTENCE_MAX: Final = 500
SUSPICION: Final = 0.5
"""Score of a signal from which a turn teaches nothing."""
_MASK: Final = "\ufffc"
_LINES_SAID: Final = 14
"""Lines of a turn that is not a list; more were pasted."""
_SENTENCE_BREAK = re.compile(r"(?<=[.!?…;])\s+|\s+[-–—]+\s+|\n+|\s*[\U0001f300-\U0001faff\u2600-\u27bf\ufe0f\u200d]+\s*")
_CLAUSE_BREAK = re.compile(
    r"[,:]\s+|\s(?=(?:and|but|because|cause|so|since|e|mas|porque|pq|entao|pois)\s)|(?<=\band )(?=(?:i|i'm|my)\b)"
    r"|\sque\s(?=(?:amanha|hoje|semana|dia|depois)\b)|\s(?=(?:podem|pode) me chamar\b)"
)
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{0,200}`|<!--.*?(?:-->|\Z)|^[ \t]*>.*$", re.DOTALL | re.MULTILINE)
_CODE_LINES = re.compile(r"^[ \t]*>.*$", re.MULTILINE)
_QUOTE = re.compile(r'"[^"]*+"|“[^”]*+”|«[^»]*+»|„[^“]*+“|(?<!\w)\'[^\'\n]{2,200}\'(?!\w)')
_OPEN_QUOTE = re.compile(r'["“«][^"”»]*\Z')
_QUOTED_TERM_WORDS: Final = 4
_E = re.compile(r"(?<![^\W_])[éÉ](?![^\W_])")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a turn. `shown` is as written, `plain` the same without case and accents (but "é", which is not "e"), of one length;
    what may not be read is masked in `plain`. `start`: where it begins in the turn.
    """

    utterance: Utterance
    start: int
    shown: str = field(repr=False)
    plain: str = field(repr=False)

    def clauses(self) -> Iterator[int]:
        """Offsets at which a clause begins, in order."""
        yield 0
        for match in _CLAUSE_BREAK.finditer(self.plain):
            yield match.end()


def plain_of(text: str) -> str:
    """Take case and accents away and keep the length; a lone "é" keeps its accent, because it is another word than "e".

    >>> plain_of("Ana É alérgica")
    'ana é alergica'
    """
    folded = fold_in_place(text)
    for match in _E.finditer(text):
        folded = folded[: match.start()] + "é" + folded[match.end() :]
    return folded


def is_spoken(utterance: Utterance) -> bool:
    """Tell whether a turn is a person's own words to the room, which something may be learned from."""
    if utterance.role is not TurnRole.USER or utterance.read_only or not utterance.trusted:
        return False
    if len(utterance.text) > TEXT_MAX or not utterance.text.strip():
        return False
    return _is_plain_talk(utterance.text)


def _is_plain_talk(text: str) -> bool:
    plain = plain_of(text)
    if JOKE.search(plain) or TAKEN_BACK.search(plain):
        return False
    return not is_suspicious(text)


def is_suspicious(text: str) -> bool:
    """Tell whether rules find an instruction that was put there to be stored.

    The learned screen is not asked here: its guess would cost the whole turn, while policy weighs it for the memory that is made of it.
    """
    return any(signal.score >= SUSPICION for signal in inspect(text) if signal.code is not SignalCode.LEARNED)


def read(utterance: Utterance) -> list[Sentence]:
    """Sentences of a turn that state something, in order; none of a turn that may not be read."""
    return [sentence for sentence in spoken(utterance) if not is_unsure(sentence.plain)]


def spoken(utterance: Utterance) -> list[Sentence]:
    """All sentences of a turn that may be read, questions and doubts among them."""
    return sentences(utterance) if is_spoken(utterance) else []


def sentences(utterance: Utterance) -> list[Sentence]:
    """Sentences of any turn, also of one that nothing is learned from: what was asked there tells what an answer means."""
    if len(utterance.text) > TEXT_MAX or utterance.text.count("\n") > _LINES_SAID:
        return []
    plain = _masked(utterance.text)
    return [
        Sentence(utterance, start, utterance.text[start:end], plain[start:end])
        for start, end in _pieces(utterance.text)
        if end - start <= SENTENCE_MAX
    ]


def is_unsure(plain: str) -> bool:
    """Tell whether a sentence asks, supposes, wishes, or passes on what others say."""
    return plain.endswith("?") or UNSURE.search(plain) is not None


def is_correction(plain: str) -> bool:
    """Tell whether a stretch of text takes back what was said before it."""
    return OPENS_CORRECTION.match(plain) is not None or has_correction(plain)


def has_correction(plain: str) -> bool:
    """Tell whether a statement corrects itself."""
    return WITHDRAWN.search(plain) is not None


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Sentences as people write them in chat: a stop ends one also before a small letter."""
    for start, end in split_sentences(text):
        at = start
        for gap in _SENTENCE_BREAK.finditer(text, start, end):
            if _binds(text, gap):
                continue
            if gap.start() > at:
                yield at, gap.start()
            at = gap.end()
        if end > at:
            yield at, end


def _binds(text: str, gap: re.Match[str]) -> bool:
    """True for the space in "St. Louis" and "J. P. Morgan", which ends no sentence."""
    stop, following = gap.start() - 1, text[gap.end() : gap.end() + 1]
    if "\n" in gap[0] or not text.endswith(".", 0, stop + 1) or text.endswith("..", 0, stop + 1) or not following.isalnum():
        return False
    return not following.islower() and is_abbreviated(text, stop, following)


def _masked(text: str) -> str:
    """The plain form, with what is not the speaker's own words replaced, character by character; short quoted terms stay."""
    plain = plain_of(text)
    spans = [match.span() for pattern in (_CODE, _CODE_LINES) for match in pattern.finditer(text)]
    spans += [match.span() for match in _QUOTE.finditer(text) if len(match[0].split()) > _QUOTED_TERM_WORDS or "\n" in match[0]]
    pasted = PASTED.search(plain)
    if pasted is not None:
        spans.append((pasted.end(), len(text)))
    last = _OPEN_QUOTE.search(_QUOTE.sub(lambda match: _MASK * len(match[0]), text))
    if last is not None:
        spans.append(last.span())
    for start, end in spans:
        plain = plain[:start] + _MASK * (end - start) + plain[end:]
    return plain
