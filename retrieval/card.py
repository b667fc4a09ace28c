"""The context card: what a prompt needs that fits a token budget. The front of the subjects in play, the evidence, what else there is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final
from uuid import UUID

from memdb.models.memory import Kind, Memory
from memdb.text.normalise import fold
from memdb.text.tokens import count_tokens, cut_to_tokens
from retrieval.evidence import Evidence
from retrieval.front import Drawer, Front
from retrieval.standing import Entry, remarks_of

CUT_MARK: Final = " […cut]"
INDENT: Final = "\n  "
FRONT: Final = "To keep in mind"
HEADINGS: Final = {
    Kind.SEMANTIC: "Facts",
    Kind.PROCEDURAL: "How things are done",
    Kind.TAXONOMIC: "Terms",
    Kind.EPISODIC: "What happened",
    Kind.WORKING: "Working notes",
}
_ORDER: Final = (FRONT, *HEADINGS.values())
DRAWERS_SHARE: Final = 4
"""Lines on drawers take at most a fourth of the budget, or are left out."""

Line = tuple[str, str]
"""Heading and line."""


@dataclass(frozen=True, slots=True)
class Card:
    """Text of at most `token_budget` tokens (o200k); `front`: the memories shown as such; `over_budget` counts those of front and evidence
    that did not fit.
    """

    text: str = field(repr=False)
    tokens: int
    token_budget: int
    front: tuple[UUID, ...]
    over_budget: int


def compose(
    evidence: Sequence[Evidence],
    token_budget: int,
    front: Front = Front(),  # noqa: B008 - frozen and empty
    names: Mapping[UUID, str] = MappingProxyType({}),
) -> Card:
    """Fill the budget: the best hit, the front, the rest of the evidence; then show the front first, evidence by kind, drawers last.

    A best hit that is too long by itself is cut with a marker, never skipped silently; later ones that do not fit are counted. What stands
    at the front is not said twice.

    Args:
        evidence: best first.
        token_budget: at most so many tokens.
        front: of the subjects in play.
        names: of the subjects that memories are about; a line that does not name them says whom it is about.
    """
    known = {entry.memory.id for entry in front.entries}
    drawers = _drawers(front.drawers, token_budget // DRAWERS_SHARE)
    items = [(item.memory.id, (HEADINGS[item.memory.kind], _line(item, names))) for item in evidence if item.memory.id not in known]
    items[1:1] = [(entry.memory.id, (FRONT, _front_line(entry, names))) for entry in front.entries]
    lines: list[Line] = []
    shown: set[UUID] = set()
    for memory_id, line in items:
        if _size([*lines, line], drawers) <= token_budget:
            lines.append(line)
        elif not lines and (cut := _cut(line, drawers, token_budget)):
            lines.append((line[0], cut))
        else:
            continue
        shown.add(memory_id)
    text = _render(lines, _left(front.drawers, drawers, [item for item in evidence if item.memory.id in shown]))
    kept = tuple(entry.memory.id for entry in front.entries if entry.memory.id in shown)
    return Card(text, count_tokens(text) if text else 0, token_budget, kept, len(items) - len(shown))


def _line(item: Evidence, names: Mapping[UUID, str]) -> str:
    notes = _about(item.memory, names)
    moment = item.memory.event_from or (item.sources[0].said_at if item.sources else None)
    if moment is not None:
        notes.append(moment.date().isoformat())
    speaker = next((s.speaker for s in item.sources if s.speaker), None)
    if speaker:
        notes.append(f"said by {speaker}")
    if not item.current:
        notes.append("no longer current")
    return _remarked(item.memory.content, [*notes, *remarks_of(item.freshness, item.conflict)])


def _front_line(entry: Entry, names: Mapping[UUID, str]) -> str:
    return _remarked(entry.memory.content, [*_about(entry.memory, names), *remarks_of(entry.freshness, entry.conflict)])


def _about(memory: Memory, names: Mapping[UUID, str]) -> list[str]:
    """Whom a memory is about, unless its text says so: "allergic to latex" must not be taken for whoever was asked about."""
    text = fold(memory.content)
    unnamed = [" ".join(names[s].split()) for s in memory.about if s in names and fold(names[s]) not in text]
    return [f"about {' and '.join(unnamed)}"] if unnamed else []


def _remarked(content: str, remarks: Sequence[str]) -> str:
    # SECURITY: what somebody wrote over several lines stays under its own dash, and cannot pass for a heading or another memory.
    text = INDENT.join(content.splitlines())
    return f"- {text}" + (f" ({', '.join(remarks)})" if remarks else "")


def _drawers(drawers: Sequence[Drawer], room: int) -> list[str]:
    lines = [drawer_line(drawer) for drawer in drawers]
    while lines and count_tokens("\n".join(lines)) > room:
        lines.pop()
    return lines


def _left(drawers: Sequence[Drawer], lines: Sequence[str], shown: Sequence[Evidence]) -> list[str]:
    """The lines without what the card shows already. They never take more room; a drawer with nothing left is not named."""
    left = []
    for drawer, line in zip(drawers, lines, strict=False):  # lines that found no room are the last ones
        count = drawer.count - sum(item.current and drawer.holds(item.memory) for item in shown)
        smaller = drawer_line(replace(drawer, count=count))
        if count > 0:
            left.append(smaller if count_tokens(smaller) <= count_tokens(line) else line)
    return left


def drawer_line(drawer: Drawer) -> str:
    """The line that tells of a drawer: how much, on what, since when, and the call that opens it."""
    who = drawer.label or str(drawer.subject_id)
    memories = "1 memory" if drawer.count == 1 else f"{drawer.count} memories"
    topics = f" on {', '.join(drawer.topics)}" if drawer.topics else ""
    # What found no room at the front is no drawer to grep, unless one asks for both.
    overflow = f' ({drawer.overflow} of them from the front: "placement": "all")' if drawer.overflow else ""
    return f"More about {who}: {memories}{topics}, last change {drawer.changed_at.date().isoformat()}; {drawer.call}{overflow}"


def _render(lines: Sequence[Line], drawers: Sequence[str]) -> str:
    parts = []
    for heading in _ORDER:
        under = [line for of, line in lines if of == heading]
        if under:
            parts.append("\n".join([f"{heading}:", *under]))
    return "\n".join([*parts, *drawers])


def _size(lines: Sequence[Line], drawers: Sequence[str]) -> int:
    return count_tokens(_render(lines, drawers))


def _cut(line: Line, drawers: Sequence[str], token_budget: int) -> str | None:
    """The longest start of a line that fits with its heading and the marker; None when not even some words do."""
    heading, text = line
    room = token_budget - _size([(heading, CUT_MARK)], drawers)
    while room > 0:
        start, _ = cut_to_tokens(text, room)
        cut = start.rstrip() + CUT_MARK
        if _size([(heading, cut)], drawers) <= token_budget:
            return cut
        room -= 1  # joining text and marker can make one token more than the sum
    return None
