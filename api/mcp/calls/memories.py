"""What the tools on memories do: each calls what its HTTP route calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from api.callers import MCP, count_recall, only, reader_of, voter_of, writer_of
from api.mcp.replies import Reply, cut, dump, fit, name_tool
from api.mcp.tools.memories import BUDGET_DEFAULT, LIMIT_DEFAULT
from governance.errors import InvalidInput
from memdb.formation.pipeline import form
from memdb.lifecycle.delete import delete
from memdb.lifecycle.edit import UNSET, Change, edit
from memdb.lifecycle.feedback import Feedback, give
from memdb.models.memory import Kind
from memdb.models.outcome import Outcome
from memdb.models.submission import Submission
from retrieval.context import ContextRequest
from retrieval.context import get_context as session_context
from retrieval.engine import recall as engine_recall
from retrieval.query import RecallRequest

if TYPE_CHECKING:
    from api.mcp.arguments import Arguments
    from api.mcp.caller import Caller
    from memdb.formation.stages import Receipt
    from retrieval.engine import Recall
    from retrieval.evidence import Evidence

CARD_SHARE: Final = 0.6
"""Of the budget of a recall; the list of evidence has the rest, which is some ten memories of the default budget."""
CONTEXT_SHARE: Final = 0.9
"""Of the budget of a context; the rest is for what JSON adds to a text."""
_MORE = "raise token_budget, narrow the question by brain_id or about, or recall with the id of one memory as the query"
_MORE_CONTEXT = "raise token_budget, or narrow the question by brain_id or about"


async def remember(caller: Caller, given: Arguments) -> str:
    """Write one memory."""
    kind = given.find_text("kind")
    submission = Submission(
        content=given.get_text("content"),
        kind=Kind.SEMANTIC if kind is None else Kind(kind),
        brain_id=given.find_id("brain_id"),
        topic=given.find_text("topic"),
        tags=given.find_texts("tags") or (),
        about=given.find_ids("about") or (),
    )
    receipt = only((await form(caller.runtime, writer_of(caller.who, MCP), [submission], None)).outcomes)
    caller.metrics.writes.labels(receipt.action.value, receipt.status).inc()
    return _receipt(receipt)


async def update_memory(caller: Caller, given: Arguments) -> str:
    """Make a new version of a memory."""
    content, topic, tags, about = (
        given.find_text("content"),
        given.find_text("topic"),
        given.find_texts("tags"),
        given.find_ids("about"),
    )
    change = Change(
        content=UNSET if content is None else content,
        topic=UNSET if topic is None else topic,
        tags=UNSET if tags is None else tags,
        about=UNSET if about is None else about,
    )
    if change == Change():
        raise InvalidInput("nothing to change; give content, topic, tags or about")
    writer, memory_id = writer_of(caller.who, MCP), given.get_id("memory_id")
    receipt = only((await edit(caller.runtime, writer, memory_id, change, given.find_integer("expected_version"))).outcomes)
    caller.metrics.writes.labels("EDIT", receipt.status).inc()
    return _receipt(receipt)


async def forget_memory(caller: Caller, given: Arguments) -> str:
    """Delete a memory."""
    memory_id = given.get_id("memory_id")
    await delete(caller.runtime, writer_of(caller.who, MCP), memory_id, given.find_integer("expected_version"))
    caller.metrics.writes.labels("DELETE", "deleted").inc()
    return dump({"id": memory_id, "deleted": True})


async def recall(caller: Caller, given: Arguments) -> str:
    """The card and the evidence behind it."""
    budget = given.find_integer("token_budget") or BUDGET_DEFAULT
    answer = await _ask(caller, given, given.find_integer("limit") or LIMIT_DEFAULT, int(budget * CARD_SHARE))
    fields = {"recall_id": answer.id, "degraded": answer.degraded or None, "weak_matches_dropped": answer.dropped.below_floor or None}
    items = [_evidence(evidence) for evidence in answer.evidence]
    return fit(Reply(fields, _MORE, text_name="card", text=_card(answer), items_name="evidence", items=items), budget)


async def get_context(caller: Caller, given: Arguments) -> str:
    """The card alone."""
    budget = given.find_integer("token_budget") or BUDGET_DEFAULT
    if given.find_id("session_id") is not None:
        return await _session_context(caller, given, budget)
    if given.find_text("query") is None:
        raise InvalidInput("query is required where no session_id is given", field="query")
    answer = await _ask(caller, given, LIMIT_DEFAULT, int(budget * CONTEXT_SHARE))
    over = 0 if answer.card is None else answer.card.over_budget
    fields = {"recall_id": answer.id, "degraded": answer.degraded or None, "over_budget": over or None}
    return fit(Reply(fields, _MORE_CONTEXT, text_name="context", text=_card(answer)), budget)


async def _session_context(caller: Caller, given: Arguments, budget: int) -> str:
    """What was said lately, then the card; half of the budget each."""
    brain_id, session_id = given.find_id("brain_id"), given.get_id("session_id")
    share = int(budget * CONTEXT_SHARE / 2)
    request = ContextRequest(
        session_id=session_id,
        query=given.find_text("query"),
        turns_budget=share,
        card_budget=share,
        audience=given.find_ids("audience"),
        brains=None if brain_id is None else frozenset({brain_id}),
        about=given.find_ids("about"),
    )
    found = await session_context(caller.runtime, reader_of(caller.who), request)
    if found.answer is not None:
        count_recall(caller.metrics, found.answer)
    said = [f"{recent.speaker or recent.turn.role.value}: {recent.text}" for recent in found.turns]
    parts = ["\n".join(["Said lately:", *said])] if said else []
    parts += [_card(found.answer)] if found.answer is not None and _card(found.answer) else []
    fields = {
        "recall_id": None if found.answer is None else found.answer.id,
        "degraded": (None if found.answer is None else found.answer.degraded) or None,
        "earlier_turns": found.earlier_turns or None,
    }
    return fit(Reply(fields, _MORE_CONTEXT, text_name="context", text="\n\n".join(parts)), budget)


async def give_feedback(caller: Caller, given: Arguments) -> str:
    """Keep an outcome."""
    said = Feedback(given.get_id("recall_id"), given.get_id("memory_id"), Outcome(given.get_text("outcome")), given.find_text("note"))
    replaced = await give(caller.runtime, voter_of(caller.who), said)
    return dump({"memory_id": said.memory_id, "outcome": said.outcome, "replaced": replaced})


async def _ask(caller: Caller, given: Arguments, limit: int, card_tokens: int) -> Recall:
    brain_id = given.find_id("brain_id")
    request = RecallRequest(
        query=given.get_text("query"),
        brains=None if brain_id is None else frozenset({brain_id}),
        about=given.find_ids("about"),
        audience=given.find_ids("audience"),
        session_id=given.find_id("session_id"),
        limit=limit,
        token_budget=card_tokens,
        explain=False,
    )
    answer = await engine_recall(caller.runtime, reader_of(caller.who), request)
    count_recall(caller.metrics, answer)
    return answer


def _card(answer: Recall) -> str:
    return "" if answer.card is None else name_tool(answer.card.text)


def _evidence(evidence: Evidence) -> dict[str, object]:
    memory = evidence.memory
    told: dict[str, object] = {"id": memory.id, "score": round(evidence.score, 2), "content": cut(memory.content)}
    if memory.topic is not None:
        told["topic"] = memory.topic
    if memory.about:
        told["about"] = list(memory.about)
    told["freshness"] = evidence.freshness
    if evidence.conflict is not None:
        told["conflict"] = [str(reason) for reason in evidence.conflict.reasons]
    if not evidence.current:
        told["current"] = False
    return told


def _receipt(receipt: Receipt) -> str:
    return dump(
        {
            "id": receipt.id,
            "version": receipt.version,
            "action": receipt.action,
            "status": receipt.status,
            "brain_id": receipt.brain_id,
            "redacted": sorted({redaction.entity for redaction in receipt.redactions}) or None,
            "reasons": list(receipt.reasons) or None,
            "conflicted": receipt.conflicted or None,
            "embedding": "pending" if receipt.embedding == "pending" else None,
            "suggested_topic": receipt.suggested_topic,
        }
    )
