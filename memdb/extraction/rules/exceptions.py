"""What a statement leaves out: "every day except on Sundays". It belongs to what is kept, or the statement says too much. Pure."""

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.values import is_readable

_BEGINS: Final = re.compile(r",? (?:except|apart from|other than|but not|exceto|menos|salvo|a nao ser)\b")
_EXCEPTION: Final = re.compile(
    _BEGINS.pattern
    + r"(?: (?:for|on|at|in|with|when|during|aos?|as|às?|n[ao]s?|em|d[aeo]s?|quando|com))?(?: [\w'-]+){1,5}?(?=\s*(?:$|[.,;!)]))"
)


def exception_at(plain: str, shown: str, at: int) -> str | None:
    """The exception that stands at `at`, as written, with the space before it; empty where none does, None for one that cannot be read."""
    if _BEGINS.match(plain, at) is None:
        return ""
    match = _EXCEPTION.match(plain, at)
    if match is None or not is_readable(match[0]):
        return None
    return shown[slice(*match.span())]
