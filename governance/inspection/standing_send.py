"""Standing orders to send something away: an occasion, a verb of sending and an address in one sentence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.inspection.phrases import OCCASION, SEND, SENSITIVE
from governance.inspection.signals import Signal, SignalCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from governance.inspection.folding import Folded

WINDOW: Final = 260  # characters before an address in which the order must stand
WITH_SENSITIVE: Final = 0.85
WITHOUT_SENSITIVE: Final = 0.6  # "whenever a build breaks, mail ops@…" is said in good faith too

# Text arrives redacted, so that most addresses are labels.
_ADDRESS: Final = re.compile(
    r"\[email(?:_\d{1,4})?\]"
    r"|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{2,64}|https?://\S"
    r"|\b(?:external|attacker|webhook|pastebin|ngrok)\b|\b(?:canal|channel) #"
)
_SENTENCE_END: Final = re.compile(r"[.!?]\s|\n")
_OCCASION: Final = re.compile(OCCASION)
_SEND: Final = re.compile(SEND)
_SENSITIVE: Final = re.compile(SENSITIVE)


def find_standing_send(folded: Folded) -> Iterator[Signal]:
    """Yield a signal per address that an order of the same sentence sends to; starts from addresses, which are rare."""
    for address in _ADDRESS.finditer(folded.text):
        start = max(0, address.start() - WINDOW)
        ends = [match.end() for match in _SENTENCE_END.finditer(folded.text, start, address.start())]
        start = ends[-1] if ends else start
        occasion = _OCCASION.search(folded.text, start, address.start())
        if occasion is None or _SEND.search(folded.text, occasion.end(), address.start()) is None:
            continue
        sensitive = _SENSITIVE.search(folded.text, occasion.end(), address.start()) is not None
        span = folded.original_span(occasion.start(), address.end())
        yield Signal(SignalCode.STANDING_SEND, WITH_SENSITIVE if sensitive else WITHOUT_SENSITIVE, *span)
