"""Which memory a statement takes the place of: one that tells the same attribute of the same subjects, said to hold since before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from governance.errors import PolicyRejected, ServiceError
from governance.policy.decision import Effect
from memdb.storage import claims, forgotten

if TYPE_CHECKING:
    from memdb.formation.stages import Decided
    from memdb.storage.database import WriteConn


async def lock_claims(conn: WriteConn, items: Sequence[Decided]) -> None:
    """One writer at a time says what an attribute of some subjects is, so that two who say it at once do not both add."""
    names = {_name(item, item.claim.attribute) for item in items if item.claim is not None and item.claim.attribute is not None}
    await claims.lock_names(conn, sorted(names))


@dataclass(frozen=True, slots=True)
class Settled:
    """What becomes of a claim: `former` gets a new version by it, `kept` says it already, or else it is a memory of its own."""

    item: Decided
    former: UUID | None = None
    kept: UUID | None = None


async def settle(conn: WriteConn, item: Decided, now: datetime) -> Settled:
    """Where a statement stands among those on the same attribute. What is held changes nothing that is served.

    What is said late of an earlier time ends where the next value began, and what held then ends where it begins: two periods that were
    both true stay two, in whatever order they are told.
    """
    claim = item.claim
    if claim is None or claim.attribute is None or not item.about or item.decision.effect is Effect.HOLD:
        return Settled(item)
    where, since = (item.principal.org_id, item.brain_id, item.kind), item.valid_from or claim.since or now
    told = (where, item.about, claim.attribute, since)
    former, later = await claims.find(conn, *told), await claims.find_next(conn, *told)
    if later is not None:
        next_id, began = later
        if former is None and next_id in claim.known:
            return Settled(item, kept=next_id)
        item = replace(item, valid_to=began if item.valid_to is None else min(item.valid_to, began))
    if former is None:
        await claims.end_past(conn, *told)
    return Settled(item, former=former)


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


def _name(item: Decided, attribute: str) -> str:
    return f"memdb.claim.{item.brain_id}.{item.kind.value}.{attribute}.{','.join(map(str, item.about))}"
