"""The context card: the evidence that fits a token budget, as text for a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from memdb.models.memory import Kind
from memdb.text.tokens import count_tokens, cut_to_tokens
from retrieval.evidence import Evidence

CUT_MARK = " […cut]"
HEADINGS = {
    Kind.SEMANTIC: "Facts",
    Kind.PROCEDURAL: "How things are done",
    Kind.TAXONOMIC: "Terms",
    Kind.EPISODIC: "What happened",
    Kind.WORKING: "Working notes",
}


@dataclass(frozen=True, slots=True)
class Card:
    """Text of at most `token_budget` tokens (o200k); `over_budget` counts evidence that did not fit."""

    text: str = field(repr=False)
    tokens: int
    token_budget: int
    over_budget: int


def compose(evidence: Sequence[Evidence], token_budget: int) -> Card:
    """Fill the budget with the best evidence first, then show it by kind.

    A best hit that is too long by itself is cut with a marker, never skipped silently; later ones that do not fit are counted.
    """
    lines: list[tuple[Kind, str]] = []
    left_out = 0
    for item in evidence:
        line = _line(item)
        if count_tokens(_render([*lines, (item.memory.kind, line)])) <= token_budget:
            lines.append((item.memory.kind, line))
        elif not lines:
            cut = _cut(item.memory.kind, line, token_budget)
            lines += [(item.memory.kind, cut)] if cut else []
            left_out += not cut
        else:
            left_out += 1
    text = _render(lines)
    return Card(text=text, tokens=count_tokens(text) if text else 0, token_budget=token_budget, over_budget=left_out)


def _line(item: Evidence) -> str:
    notes = []
    moment = item.memory.event_from or (item.sources[0].said_at if item.sources else None)
    if moment is not None:
        notes.append(moment.date().isoformat())
    speaker = next((s.speaker for s in item.sources if s.speaker), None)
    if speaker:
        notes.append(f"said by {speaker}")
    if not item.current:
        notes.append("no longer current")
    return f"- {item.memory.content}" + (f" ({', '.join(notes)})" if notes else "")


def _render(lines: Sequence[tuple[Kind, str]]) -> str:
    parts = []
    for kind, heading in HEADINGS.items():
        of_kind = [line for k, line in lines if k is kind]
        if of_kind:
            parts.append("\n".join([f"{heading}:", *of_kind]))
    return "\n".join(parts)


def _cut(kind: Kind, line: str, token_budget: int) -> str | None:
    """The longest start of a line that fits with its heading and the marker; None when not even some words do."""
    room = token_budget - count_tokens(_render([(kind, CUT_MARK)]))
    while room > 0:
        start, _ = cut_to_tokens(line, room)
        cut = start.rstrip() + CUT_MARK
        if count_tokens(_render([(kind, cut)])) <= token_budget:
            return cut
        room -= 1  # joining text and marker can make one token more than the sum
    return None
