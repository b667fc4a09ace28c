"""Which memory a statement takes the place of: one that tells the same of the same subjects, said to hold since before.

Who says it counts. A person takes back or changes what they said, and says of themselves what counts for more than what others say of them.
Others who name another value contradict, and both are kept; unless they say since when it is otherwise, for that is a new period. How
something is done is nobody's own: the last who tells it tells it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from governance.errors import PolicyRejected, ServiceError
from governance.policy.decision import Effect
from memdb.models.memory import Kind, WriteAction
from memdb.models.reconciling import Reason, Refused
from memdb.storage import claims, forgotten
from memdb.storage.rows import named_facet
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.formation.stages import Compared, Decided
    from memdb.storage.claims import Holder
    from memdb.storage.database import WriteConn

REASONS = {Kind.SEMANTIC: Reason.OTHER_VALUE, Kind.PROCEDURAL: Reason.OTHER_STEPS, Kind.TAXONOMIC: Reason.OTHER_DEFINITION}


async def lock_claims(conn: WriteConn, items: Sequence[Decided]) -> None:
    """One writer at a time says what an attribute of some subjects is, so that two who say it at once do not both add."""
    names = {_name(item, facet) for item in items if (facet := facet_of(item)) is not None}
    await claims.lock_names(conn, sorted(names))


@dataclass(frozen=True, slots=True)
class Settled:
    """What becomes of a claim: `former` gets a new version by it, `kept` says it already, or else it is a memory of its own.

    over: memories that end by it. against: those that it contradicts, and that count for as much.
    """

    item: Compared
    former: UUID | None = None
    kept: UUID | None = None
    over: tuple[UUID, ...] = ()
    against: tuple[UUID, ...] = ()


async def settle(conn: WriteConn, item: Compared, now: datetime) -> Settled:
    """Where a statement stands among those on the same thing. What is held changes nothing that is served.

    What is said late of an earlier time ends where the next value began, and what held then ends where it begins: two periods that were
    both true stay two, in whatever order they are told.
    """
    facet, claim = facet_of(item), item.claim
    if facet is None or claim is None or item.decision.effect is Effect.HOLD:
        return Settled(item)
    where, since = (item.principal.org_id, item.brain_id, item.kind), since_of(item, now)
    told = (where, item.about, facet, since)
    holders, later = await claims.list_holders(conn, *told), await claims.find_next(conn, *told)
    if later is not None:
        next_id, began = later
        if not holders and next_id in claim.known:
            return Settled(item, kept=next_id)
        item = replace(item, valid_to=began if item.valid_to is None else min(item.valid_to, began))
    if not holders:
        await claims.end_past(conn, *told)
    # What its speaker said before becomes the former version of it; what others said of it ends beside that.
    replaced = sorted((one for one in holders if gives_way(item, one)), key=lambda one: one.said_by != item.said_by)
    against = tuple(one.memory_id for one in holders if one not in replaced and not _agrees(item, one))
    if replaced:
        return Settled(item, former=replaced[0].memory_id, over=tuple(one.memory_id for one in replaced[1:]), against=against)
    return Settled(item, against=against)


async def list_over(conn: WriteConn, item: Compared, twin: UUID, now: datetime) -> list[UUID]:
    """What ends because a statement that is known already, as `twin`, is said once more: other values that give way to it."""
    facet = facet_of(item)
    if facet is None or item.decision.effect is Effect.HOLD:
        return []
    where = (item.principal.org_id, item.brain_id, item.kind)
    holders = await claims.list_holders(conn, where, item.about, facet, since_of(item, now))
    return [one.memory_id for one in holders if one.memory_id != twin and gives_way(item, one) and not _agrees(item, one)]


def since_of(item: Decided, now: datetime) -> datetime:
    """Since when a statement says that it holds."""
    return item.valid_from or (item.claim.since if item.claim is not None else None) or now


def gives_way(item: Decided, holder: Holder) -> bool:
    """True when the statement counts for more than what is known."""
    if item.kind is Kind.PROCEDURAL or item.said_by == holder.said_by:
        return True
    if holder.said_by in item.about:
        return False
    began_before = holder.valid_from is None or (item.valid_from is not None and holder.valid_from < item.valid_from)
    return item.said_by in item.about or (item.valid_from is not None and began_before)


def _agrees(item: Decided, holder: Holder) -> bool:
    value = item.data.value.get("value") if isinstance(item.data.value, dict) else None
    return holder.value is not None and isinstance(value, str) and fold(value) == holder.value


def facet_of(item: Decided) -> str | None:
    """What a statement that was learned tells and only one memory at a time does; None for what may be told beside others."""
    if item.claim is None:
        return None
    if item.kind is not Kind.SEMANTIC:
        return named_facet(item.kind, item.data.value)
    return claims.attribute_facet(item.claim.attribute) if item.claim.attribute is not None and item.about else None


async def refuse_forgotten(conn: WriteConn, items: Sequence[Decided]) -> dict[int, ServiceError]:
    """What somebody has deleted since it was said is not learned from that conversation again; an error by place."""
    keys = {place: key for place, item in enumerate(items) if item.claim is not None and (key := key_of(item)) is not None}
    gone = await forgotten.find(conn, items[0].principal.org_id, set(keys.values())) if keys else {}
    refused: dict[int, ServiceError] = {}
    for place, key in keys.items():
        claim = items[place].claim
        if key in gone and claim is not None and claim.recorded_at is not None and claim.recorded_at <= gone[key]:
            refused[place] = PolicyRejected("this statement was deleted after it was said")
    return refused


def key_of(item: Decided) -> tuple[UUID, str, bytes] | None:
    """Brain, kind and key under which a statement is held once; None for what may repeat."""
    return None if item.duplicate_key is None else (item.brain_id, item.kind.value, item.duplicate_key)


def claim_of(item: Decided) -> tuple[object, ...] | None:
    """What only one memory of a brain tells at a time; None for what may be told beside others."""
    facet = facet_of(item)
    return None if facet is None else (item.brain_id, item.kind.value, item.about, facet)


def is_obeyed(one: Settled) -> bool:
    """True when a model's decision is to be done: nothing else says what the statement belongs to."""
    verdict = one.item.verdict
    return verdict is not None and verdict.action is not WriteAction.ADD and not one.against and one.item.decision.effect is not Effect.HOLD


def contradicted(item: Compared) -> tuple[UUID, ...]:
    """What a statement would replace by the word of a model, were it not somebody else's who counts for as much."""
    verdict = item.verdict
    if verdict is None or verdict.refused is not Refused.SAID_BY_ANOTHER or verdict.neighbour_id is None:
        return ()
    return (verdict.neighbour_id,)


def _name(item: Decided, facet: str) -> str:
    return f"memdb.claim.{item.brain_id}.{item.kind.value}.{facet}.{','.join(map(str, item.about))}"
