"""Step 3 of formation: signals of stored instructions. What follows from them is policy's business."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from governance.inspection.concealed import comments, find_hidden
from governance.inspection.decoding import decodings
from governance.inspection.features import STRETCH_WORDS_MIN
from governance.inspection.folding import fold
from governance.inspection.learned import find_learned
from governance.inspection.payloads import PAYLOADS
from governance.inspection.phrases import PHRASES
from governance.inspection.signals import Signal, SignalCode
from governance.inspection.standing_send import find_standing_send

if TYPE_CHECKING:
    from collections.abc import Iterator

    from governance.inspection.learned import Model

CONCEALED_SCORE_MIN: Final = 0.85  # an instruction that was also hidden from people


def inspect(text: str, model: Model | None = None) -> tuple[Signal, ...]:
    """Return what looks like an instruction to whoever reads the text back, in order of place, worst first at one place.

    Rules and the learned screen read the text, what it conceals in comments, and what it says once decoded. Linear in the length of the
    text; no network. Benign text gives an empty tuple.

    Args:
        text: redacted text.
        model: another than the packaged one, for measuring.
    """
    signals = [*find_hidden(text), *_spoken(text, model), *_concealed(text, model)]
    return tuple(sorted(_strongest(signals), key=lambda signal: (signal.start, -signal.score, signal.code)))


def _spoken(text: str, model: Model | None) -> Iterator[Signal]:
    folded = fold(text)
    for phrase in (*PHRASES, *PAYLOADS):
        for match in phrase.finditer(folded.text):
            yield Signal(phrase.code, phrase.score, *folded.original_span(*match.span()))
    yield from find_standing_send(folded)
    yield from find_learned(folded, model)


def _concealed(text: str, model: Model | None) -> Iterator[Signal]:
    for code, found in ((SignalCode.ENCODED, decodings(text)), (SignalCode.MARKUP, comments(text))):
        for start, end, content in found:
            guess = len(content.split()) >= STRETCH_WORDS_MIN  # a word or two, such as a directive to a tool, is too little to guess at
            signals = [signal for signal in _spoken(content, model) if guess or signal.code is not SignalCode.LEARNED]
            worst = max((signal.score for signal in signals), default=0.0)
            if any(signal.code is not SignalCode.LEARNED for signal in signals):
                worst = max(worst, CONCEALED_SCORE_MIN)
            if worst:
                yield Signal(code, worst, start, end)


def _strongest(signals: list[Signal]) -> list[Signal]:
    """Keep the strongest of every chain of overlapping signals of one code."""
    kept: list[Signal] = []
    end = 0
    for signal in sorted(signals, key=lambda item: (item.code, item.start, -item.end)):
        if kept and kept[-1].code is signal.code and signal.start < end:
            end = max(end, signal.end)
            kept[-1] = max(kept[-1], signal, key=lambda item: item.score)
        else:
            kept.append(signal)
            end = signal.end
    return kept
