"""Text that people do not see and models do: invisible characters, comments and invisible markup."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.inspection.signals import Signal, SignalCode

if TYPE_CHECKING:
    from collections.abc import Iterator

ZERO_WIDTH_MIN: Final = 3  # one or two come out of word processors

# The flags of England, Scotland and Wales are spelled with tag characters.
_TAGS: Final = re.compile("(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0001\U000e0020-\U000e007f]{2,}")
_OVERRIDES: Final = re.compile("[\u202a-\u202e]")
_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_ZERO_WIDTH_IN_WORD: Final = re.compile("(?<=[A-Za-zÀ-ɏ])[\u200b\u2060\u2062-\u2064\ufeff\u00ad]+(?=[A-Za-zÀ-ɏ])")
_LINK_COMMENT: Final = re.compile(r"\[//\]: # \((?P<body>[^)\n]{3,1000})\)")
_INVISIBLE_STYLE: Final = re.compile(
    r"<[a-z]{1,10}\s[^<>]{0,200}?(?:display\s?:\s?none|visibility\s?:\s?hidden|font-size\s?:\s?0|opacity\s?:\s?0(?![.\d])|color\s?:\s?(?:white|#fff))[^<>]{0,200}>"
    r"(?P<body>[^<]{3,2000})",
    re.IGNORECASE,
)


def find_hidden(text: str) -> Iterator[Signal]:
    """Yield signals for invisible characters, whatever they say."""
    if text.isascii():
        return
    for match in _TAGS.finditer(text):
        yield Signal(SignalCode.HIDDEN_TEXT, 0.9, *match.span())
    if _RIGHT_TO_LEFT.search(text) is None:
        overrides = list(_OVERRIDES.finditer(text))
        if overrides:
            yield Signal(SignalCode.HIDDEN_TEXT, 0.7, overrides[0].start(), overrides[-1].end())
    broken = list(_ZERO_WIDTH_IN_WORD.finditer(text))
    if len(broken) >= ZERO_WIDTH_MIN:
        yield Signal(SignalCode.HIDDEN_TEXT, 0.6, broken[0].start(), broken[-1].end())


def comments(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and content of markup that is not rendered."""
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        yield start, end + 3, text[start + 4 : end]
        position = end + 3
    for pattern in (_LINK_COMMENT, _INVISIBLE_STYLE):
        for match in pattern.finditer(text):
            yield match.start(), match.end(), match["body"]
