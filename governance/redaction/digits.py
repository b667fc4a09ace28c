"""Numbers as people write them: groups of digits with blanks, line breaks, dots, hyphens or slashes between.

Recognizers of numbers with check digits look at windows of whole groups, so that a number is found however it was split.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from governance.redaction.reading import Group, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

_TOKEN_BEFORE: Final = re.compile(r"[A-Za-z0-9_-]{0,40}\Z")
_TOKEN_BEHIND: Final = re.compile(r"[A-Za-z0-9_-]{0,40}")
_HEX: Final = frozenset("abcdefABCDEF")


@dataclass(frozen=True, slots=True)
class Window:
    """Consecutive groups of one run of digits. `lengths` are digits per group, `separators` what stands between them.

    `alone`: no other group of the run stands before or behind.
    """

    start: int
    end: int
    digits: str
    lengths: tuple[int, ...]
    separators: tuple[str, ...]
    alone: bool


def windows(text: Reading, total: int) -> Iterator[Window]:
    """Yield every window of whole groups that has `total` digits, in order of start.

    >>> [window.digits for window in windows(read("a 12-34 56"), 4)]
    ['1234', '3456']
    """
    for run in text.runs:
        for first in range(len(run)):
            count = 0
            for last in range(first, min(len(run), first + total)):
                count += run[last][1] - run[last][0]
                if count >= total:
                    if count == total:
                        yield _window(text, run[first : last + 1], alone=last - first == len(run) - 1)
                    break


def _window(text: str, groups: tuple[Group, ...], *, alone: bool) -> Window:
    return Window(
        groups[0][0],
        groups[-1][1],
        "".join(text[a:b] for a, b in groups),
        tuple(b - a for a, b in groups),
        tuple(text[left[1] : right[0]] for left, right in pairwise(groups)),
        alone,
    )


def stands_apart(text: str, start: int, end: int) -> bool:
    """Tell whether a bare number is a word of its own, or has only letters or underscores beside it ("user_52998224725").

    It is not where it may be part of a UUID, a hash or a longer code: other digits in the same token, a hyphen, letters a to f alone.
    """
    before = _TOKEN_BEFORE.search(text, max(0, start - 40), start)
    behind = _TOKEN_BEHIND.match(text, end)
    rest = (before[0] if before else "") + (behind[0] if behind else "")
    letters = rest.replace("_", "")
    if not letters:
        return "-" not in rest
    return letters.isalpha() and not _HEX.issuperset(letters)
