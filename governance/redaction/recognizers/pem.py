"""Private keys in PEM form, also with escaped line breaks, also without their end."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import PRIVATE_KEY
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import CHECKED

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEGIN: Final = re.compile(r"-{3,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{3,5}")
_END: Final = re.compile(r"-{3,5} ?END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)? ?-{3,5}")
_BODY: Final = re.compile(
    r"(?:[ \t]{0,8}(?:\\n|\\r|\n|\r)+|[ \t]{0,8}[A-Za-z0-9+/=]{20,}|[ \t]{0,8}[A-Za-z-]{4,20}: [^\n]{1,120}\n)*[ \t]{0,8}[A-Za-z0-9+/=]*"
)


class PemRecognizer:
    """From the first marker to its end marker; where that was cut off, to the end of what looks like key material."""

    name = "pem"
    entities: tuple[EntityType, ...] = (PRIVATE_KEY,)

    def find(self, text: str) -> Iterator[Finding]:
        if "PRIVATE KEY" not in text:
            return
        ends = [(match.start(), match.end()) for match in _END.finditer(text)]
        index = 0
        position = 0
        while (begin := _BEGIN.search(text, position)) is not None:
            while index < len(ends) and ends[index][0] < begin.end():
                index += 1
            position = ends[index][1] if index < len(ends) else self._body_end(text, begin.end())
            yield Finding(PRIVATE_KEY, begin.start(), position, CHECKED)

    @staticmethod
    def _body_end(text: str, start: int) -> int:
        body = _BODY.match(text, start)
        return start if body is None else body.end()


RECOGNIZER: Final = PemRecognizer()
