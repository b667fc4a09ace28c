"""Replies of tools: one text of compact JSON, short enough for a prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from memdb.text.tokens import count_tokens, cut_to_tokens

CUT_MARK: Final = "…"
CONTENT_CHARACTERS: Final = 160
"""Of each memory in a list; the card above it has the whole text of the first ones."""
_ITEM_TOKENS_MAX: Final = 200
"""More than one item of a list has, so that several are left out at once where many do not fit, and never one too many."""

_DRAWER_CALL: Final = re.compile(r'POST /v1/subjects/([0-9a-f-]{36})/drawer:grep(?: \((\d+) of them from the front: "placement": "all"\))?')
"""The call that a card names, over HTTP."""


def dump(fields: Mapping[str, object]) -> str:
    """Compact JSON; what is None stays out."""
    kept = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"), default=str)


def cut(text: str, characters: int = CONTENT_CHARACTERS) -> str:
    """The start of a text, with a mark where it was cut.

    >>> cut("a long story", 6)
    'a long…'
    """
    return text if len(text) <= characters else text[:characters].rstrip() + CUT_MARK


def name_tool(card: str) -> str:
    """A card with the tool in place of the call that opens a drawer; the tool looks through front and drawer."""
    return _DRAWER_CALL.sub(r"grep_memory with subject_id \1", card)


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply before it is cut to its budget. `text` and `items` stand under these names; without a name they stay out.

    `more` says how to get the rest, and is said when something was left out. `beyond`: items behind those given, left out already.
    """

    fields: Mapping[str, object]
    more: str
    text_name: str = ""
    text: str = ""
    items_name: str = ""
    items: Sequence[Mapping[str, object]] = ()
    beyond: int = 0


def fit(reply: Reply, budget: int) -> str:
    """The reply in at most `budget` tokens (o200k): last items are left out first, then the text is cut with a mark."""
    count, text = len(reply.items), reply.text
    while count and (excess := count_tokens(_render(reply, count, text)) - budget) > 0:
        count = max(0, count - max(1, excess // _ITEM_TOKENS_MAX))
    while text and (excess := count_tokens(_render(reply, count, text)) - budget) > 0:
        start, _ = cut_to_tokens(text, count_tokens(text) - excess - 2)
        text = start.rstrip() + CUT_MARK if start.strip() else ""
    return _render(reply, count, text)


def _render(reply: Reply, count: int, text: str) -> str:
    left = reply.beyond + len(reply.items) - count
    shown = dict(reply.fields)
    if reply.text_name:
        shown[reply.text_name] = text
    if reply.items_name:
        shown[reply.items_name] = list(reply.items[:count])
    more = reply.more if left or text != reply.text else None
    return dump({**shown, "left_out": left or None, "more": more})
