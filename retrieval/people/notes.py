"""The whole folder of a subject as plain Markdown. Pure: equal contents make equal bytes.

SECURITY: what memories say is untrusted. Each stays inside its own list item: further lines are indented, and nothing in them can begin a
heading, a list, a quotation, a fence, a comment or HTML.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from memdb.models.memory import Placement
from memdb.text.normalise import fold
from retrieval.people.folder import Contents
from retrieval.standing import Entry

MARK: Final = "<!-- memdb notes of "
"""How every such file begins; `memdb people export` overwrites no other."""
UNTOPICED: Final = "(no topic)"

_EVERYWHERE: Final = re.compile(r"[\\<`]")
_INLINE: Final = re.compile(r"[\\<`*_\[\]#!|~]")
_BEGINS_BLOCK: Final = re.compile(r"[#>\-+*=|~\[_:]")
_NUMBERED: Final = re.compile(r"(\d{1,9})([.)])")


def write_notes(contents: Contents) -> str:
    """The folder: name, labels, front, drawer by topic, those without one last; each newest first."""
    folder, entries = contents.folder, contents.entries
    front = [e for e in entries if e.memory.placement is Placement.FRONT]
    drawer = [e for e in entries if e.memory.placement is Placement.DRAWER]
    lines = [f"{MARK}{folder.subject_id}, memories: {len(entries)} -->", f"# {_inline(folder.title)}", ""]
    if contents.labels:
        lines += [f"Also known as: {', '.join(map(_inline, contents.labels))}", ""]
    lines += ["## Front", "", *_items(front), "## Drawer", ""]
    by_topic: dict[str, list[Entry]] = {}
    for entry in drawer:
        by_topic.setdefault("" if entry.memory.topic is None else fold(entry.memory.topic), []).append(entry)
    rest = by_topic.pop("", [])
    for topic, under in sorted(by_topic.items()):
        lines += [f"### {_inline(topic)}", "", *_items(under)]
    if rest and by_topic:
        lines += [f"### {UNTOPICED}", ""]
    lines += _items(rest)
    if contents.more:
        lines += ["There are older memories that are not listed.", ""]
    return "\n".join(lines).rstrip("\n") + "\n"


def _items(entries: Sequence[Entry]) -> list[str]:
    lines = []
    for entry in entries:
        memory = entry.memory
        first, *further = [_escape(line) for line in memory.content.splitlines()] or [""]
        state = entry.freshness.value + (", contested" if entry.conflict is not None else "")
        lines.append(f"- {memory.updated_at.date().isoformat()}, {state}, version {memory.version}: {first}".rstrip())
        lines += [f"  {line}".rstrip() for line in further]
        lines.append(f"  <!-- {memory.id} -->")
    return [*lines, ""] if entries else []


def _escape(line: str) -> str:
    r"""A line that is only text, wherever it stands in an item.

    >>> _escape("  ## not <b>a</b> heading"), _escape("1. no list")
    ('\\## not \\<b>a\\</b> heading', '1\\. no list')
    """
    text = _EVERYWHERE.sub(lambda m: "\\" + m[0], line.strip())
    if _BEGINS_BLOCK.match(text):
        return "\\" + text
    return _NUMBERED.sub(r"\1\\\2", text, count=1) if _NUMBERED.match(text) else text


def _inline(text: str) -> str:
    """Text on one line of a heading or sentence."""
    return _INLINE.sub(lambda m: "\\" + m[0], " ".join(text.split()))
