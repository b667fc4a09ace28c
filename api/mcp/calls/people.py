"""What the tools on subjects do: each calls what its HTTP route calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from api.callers import reader_of
from api.mcp.replies import Reply, dump, fit, name_tool
from api.mcp.tools.memories import BUDGET_DEFAULT
from api.mcp.tools.people import LINES_DEFAULT
from memdb.directory.resolving import Asked, resolve
from retrieval.people.card import read_card
from retrieval.people.folder import Wanted
from retrieval.people.grep import GrepRequest, grep

if TYPE_CHECKING:
    from api.mcp.arguments import Arguments
    from api.mcp.caller import Caller
    from memdb.directory.resolving import Candidate
    from retrieval.people.grep import GrepLine

CARD_SHARE: Final = 0.85
"""Of the budget; the rest is for what JSON adds to a text, and for ids."""
GREP_TOKENS: Final = 2_000
_MORE_CARD = "raise token_budget, or grep_memory with a word that you look for"
_MORE_LINES = "a narrower pattern, or the brain_id of one brain; recall with a memory_id as the query gives this memory whole"
_AMBIGUOUS = "several may be meant; ask, or tell them apart by what stands beside them"
_UNKNOWN = "nobody is known by this name or by one near it"
_MORE_CANDIDATES = "a longer name, or the brain_id of the room where it was said"
_TRUNCATED = "there may be more lines: raise limit, or narrow the pattern"


async def resolve_subject(caller: Caller, given: Arguments) -> str:
    """One subject, or candidates and what tells them apart."""
    found = await resolve(caller.runtime, caller.who, Asked(given.get_text("name"), brain_id=given.find_id("brain_id")))
    if found.subject is not None:
        row = found.subject.row
        subject: dict[str, object] = {"subject_id": row.id, "kind": row.kind.value, "name": row.name}
        return dump({"subject": subject, "candidates": []})
    fields: dict[str, object] = {"subject": None, "note": _AMBIGUOUS if found.candidates else _UNKNOWN}
    items = [_candidate(candidate) for candidate in found.candidates]
    return fit(Reply(fields, _MORE_CANDIDATES, items_name="candidates", items=items, beyond=found.left_out), GREP_TOKENS)


async def get_card(caller: Caller, given: Arguments) -> str:
    """The card of a subject, ready to be read."""
    budget = given.find_integer("token_budget") or BUDGET_DEFAULT
    card = await read_card(caller.runtime, reader_of(caller.who), _wanted(given), int(budget * CARD_SHARE))
    fields = {"subject_id": card.folder.subject_id, "name": card.folder.name, "in_drawer": 0 if card.drawer is None else card.drawer.count}
    return fit(Reply(fields, _MORE_CARD, text_name="card", text=name_tool(card.text)), budget)


async def grep_memory(caller: Caller, given: Arguments) -> str:
    """Lines of front and drawer that hold a text or match an expression."""
    request = GrepRequest(
        pattern=given.get_text("pattern"),
        regex=given.has_flag("regex"),
        placement=None,
        limit=given.find_integer("limit") or LINES_DEFAULT,
    )
    found = await grep(caller.runtime, reader_of(caller.who), _wanted(given), request)
    fields: dict[str, object] = {"subject_id": found.folder.subject_id, "searched": found.searched}
    if found.truncated:
        fields["note"] = _TRUNCATED
    return fit(Reply(fields, _MORE_LINES, items_name="lines", items=[_line(line) for line in found.lines]), GREP_TOKENS)


def _candidate(candidate: Candidate) -> dict[str, object]:
    tells = candidate.tells_apart
    told: dict[str, object] = {"subject_id": candidate.row.id, "kind": candidate.row.kind.value, "name": candidate.row.name}
    told["match"] = candidate.match.value
    if candidate.aliases:
        told["known_as"] = list(candidate.aliases)
    if tells.platforms:
        told["platforms"] = [f"{one.platform}: {one.label}" for one in tells.platforms]
    if tells.brains:
        told["brains"] = [name for _, name in tells.brains]
    return told


def _wanted(given: Arguments) -> Wanted:
    brain_id = given.find_id("brain_id")
    return Wanted(given.get_id("subject_id"), None if brain_id is None else frozenset({brain_id}), given.find_ids("audience"))


def _line(found: GrepLine) -> dict[str, object]:
    memory = found.memory
    told: dict[str, object] = {"memory_id": memory.id, "line": found.line.number, "text": found.line.text}
    if memory.topic is not None:
        told["topic"] = memory.topic
    return told
