"""What stands at the front of cards: counted under a lock, so that concurrent writers never fill a front beyond its cap."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from sqlalchemy import BigInteger, ColumnElement, any_, func, literal, literal_column, or_, select
from sqlalchemy import column as sql_column
from sqlalchemy.dialects.postgresql import ARRAY

from memdb.models.memory import Placement, Status
from memdb.storage import tables as t
from memdb.storage.database import WriteConn

# The index holds these rows alone, which a parameter would not say.
_AT_FRONT: ColumnElement[str] = literal_column(f"'{Placement.FRONT.value}'")

FrontKey = tuple[UUID, UUID]
"""Brain and subject: each brain holds a front of its own of each subject."""


@dataclass(slots=True)
class Standing:
    """Entries of one front, newest first, and their characters all together."""

    entries: list[UUID] = field(default_factory=list)
    characters: int = 0


async def lock_fronts(conn: WriteConn, org_id: UUID, fronts: Collection[FrontKey]) -> None:
    """Let this transaction alone add to these fronts until it ends.

    INVARIANT: locks are taken in the order of their numbers, before anything else of the transaction; so nobody who waits here holds
    anything that somebody else waits for. Two fronts that share a number wait for each other, which is all that it does.
    """
    if not fronts:
        return
    numbers = sorted({_number(org_id, *front) for front in fronts})
    taken = func.unnest(literal(numbers, ARRAY(BigInteger()))).table_valued("number").render_derived(name="taken")
    await conn.execute(select(func.pg_advisory_xact_lock(taken.c.number)))


async def list_standing(conn: WriteConn, org_id: UUID, fronts: Collection[FrontKey], now: datetime) -> dict[FrontKey, Standing]:
    """What stands at each of these fronts: memories that are active, not held, not expired and not over; in statements after the lock,
    whatever others had added by then.
    """
    found = {front: Standing() for front in fronts}
    if not found:
        return found
    m, i = t.memories.c, t.memory_index.c
    brains, people = zip(*sorted(found), strict=True)
    pairs = func.unnest(literal([*brains], t.UUIDS), literal([*people], t.UUIDS)).table_valued(
        sql_column("brain_id", t.UUIDS.item_type), sql_column("subject_id", t.UUIDS.item_type)
    )
    asked = pairs.render_derived(name="asked")
    a = asked.c
    query = (
        select(a.brain_id, a.subject_id, i.memory_id, func.char_length(m.content).label("characters"))
        .join_from(t.memory_index, asked, i.brain_id == a.brain_id)
        .join(t.memories, (m.org_id == i.org_id) & (m.id == i.memory_id))
        .where(i.org_id == org_id, m.org_id == org_id, i.brain_id == any_(literal(sorted(set(brains)), t.UUIDS)))
        .where(i.placement == _AT_FRONT, a.subject_id == any_(i.about), i.status == Status.ACTIVE.value, ~i.held)
        .where(or_(i.expires_at.is_(None), i.expires_at > now), or_(i.valid_to.is_(None), i.valid_to > now))
        .order_by(i.memory_id.desc())
    )
    for brain_id, subject_id, memory_id, characters in await conn.execute(query):
        standing = found[brain_id, subject_id]
        standing.entries.append(memory_id)
        standing.characters += characters
    return found


def _number(org_id: UUID, brain_id: UUID, subject_id: UUID) -> int:
    digest = hashlib.blake2b(b"front" + org_id.bytes + brain_id.bytes + subject_id.bytes, digest_size=8).digest()
    return int.from_bytes(digest, signed=True)
