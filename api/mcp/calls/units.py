"""What the tools on topics and units do: each calls what its HTTP route calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from api.callers import MCP, only, reader_of, writer_of
from api.mcp.replies import Reply, cut, dump, fit
from memdb.lifecycle import conflicts, units
from memdb.models.memory import Kind
from memdb.models.submission import Submission
from memdb.text.tokens import count_tokens
from retrieval.topics import LIMIT_MAX, TopicQuery, query_topic

if TYPE_CHECKING:
    from datetime import datetime

    from api.mcp.arguments import Arguments
    from api.mcp.caller import Caller
    from memdb.lifecycle.conflicts import Side
    from retrieval.topics import Pointer

QUERY_TOKENS: Final = 1_000
"""Of a list of pointers: some ten to twelve."""
UNIT_TOKENS: Final = 8_000
"""Of a unit with the sides of its conflict. Its own content is whole, whatever it takes."""
SIDE_CHARACTERS: Final = 2_000
"""Of each side, where all of them whole would be too much."""
_MORE_POINTERS = "read_unit with an id gives one whole; ask for a narrower topic to see the others"
_MORE_SIDES = "GET /v1/memories/{id} over HTTP shows every side whole"
_SETTLE = (
    "two texts contradict each other; rely on neither alone. write_unit does not settle it, not even with a text for both: whoever may "
    "write in the brain decides, over HTTP with POST /v1/memories/{id}:resolve"
)
_CONFLICTED = "somebody else had written meanwhile; read_unit shows both sides and what settles it"


async def query_brain(caller: Caller, given: Arguments) -> str:
    """Pointers, never bodies."""
    query = TopicQuery(given.get_id("brain_id"), given.get_text("topic"), limit=LIMIT_MAX)
    answer = await query_topic(caller.runtime, reader_of(caller.who), query)
    items = [_pointer(pointer) for pointer in answer.pointers]
    fields: dict[str, object] = {"suggestions": list(answer.suggestions) or None}
    if len(items) == LIMIT_MAX:
        fields["note"] = f"the first {LIMIT_MAX} were looked at; there may be more"
    return fit(Reply(fields, _MORE_POINTERS, items_name="pointers", items=items), QUERY_TOKENS)


async def write_unit(caller: Caller, given: Arguments) -> str:
    """Say what a topic holds."""
    content, topic = given.get_text("content"), given.get_text("topic")
    submission = Submission(content=content, kind=Kind.SEMANTIC, brain_id=given.get_id("brain_id"), topic=topic)
    write = units.UnitWrite(submission, given.find_integer("base_version"))
    receipt = only((await units.write_unit(caller.runtime, writer_of(caller.who, MCP), write)).outcomes)
    caller.metrics.writes.labels(receipt.action.value, receipt.status).inc()
    return dump(
        {
            "id": receipt.id,
            "version": receipt.version,
            "action": receipt.action,
            "conflicted": receipt.conflicted,
            "status": receipt.status,
            "redacted": sorted({redaction.entity for redaction in receipt.redactions}) or None,
            "reasons": list(receipt.reasons) or None,
            "next": _CONFLICTED if receipt.conflicted else None,
        }
    )


async def read_unit(caller: Caller, given: Arguments) -> str:
    """The whole content, and both sides while they contradict each other."""
    writer = writer_of(caller.who, MCP)
    served = await units.read_unit(caller.runtime, writer, given.get_id("brain_id"), given.get_id("unit_id"))
    memory = served.memory
    fields: dict[str, object] = {
        "id": memory.id,
        "topic": memory.topic,
        "version": memory.version,
        "freshness": served.freshness,
        "updated_at": _moment(memory.updated_at),
        "writer": memory.writer_label,
        "content": memory.content,
    }
    if served.conflict is None:
        return dump(fields)
    contested = served.conflict
    fields["conflict"] = [str(reason) for reason in contested.reasons]
    fields["notes"] = list(contested.notes) or None
    fields["next"] = _SETTLE
    fields["sides_not_shown"] = contested.more or None
    sides = [_side(side) for side in contested.sides]
    if count_tokens(dump({**fields, "sides": sides})) > UNIT_TOKENS:
        sides = [_side(side, SIDE_CHARACTERS) for side in contested.sides]
        fields["sides_cut"] = f"at {SIDE_CHARACTERS} characters; {_MORE_SIDES}"
    return fit(Reply(fields, _MORE_SIDES, items_name="sides", items=sides), UNIT_TOKENS)


async def report_conflict(caller: Caller, given: Arguments) -> str:
    """Flag that two memories cannot both hold."""
    memory_id, other_id = given.get_id("memory_id"), given.get_id("other_id")
    found = await conflicts.report(caller.runtime, writer_of(caller.who, MCP), memory_id, other_id, given.find_text("note"))
    return dump({"conflict_id": found})


def _pointer(pointer: Pointer) -> dict[str, object]:
    return {
        "id": pointer.id,
        "topic": pointer.topic,
        "preview": pointer.preview,
        "freshness": pointer.freshness,
        "conflict": pointer.conflict,
        "updated_at": _moment(pointer.updated_at),
        "unit": pointer.unit,
        "match": pointer.match,
    }


def _side(side: Side, characters: int | None = None) -> dict[str, object]:
    return {
        "memory_id": side.memory_id,
        "version": side.version,
        "writer": side.writer_label,
        "recorded_at": _moment(side.recorded_at),
        "content": side.content if characters is None else cut(side.content, characters),
    }


def _moment(at: datetime) -> str:
    """To the second: a model compares days."""
    return at.replace(microsecond=0).isoformat().replace("+00:00", "Z")
