"""Memories whose text is near that of a statement, and the links to them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final
from uuid import UUID

from sqlalchemy import case, or_, select

from memdb.models.reconciling import Neighbour
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn
from memdb.storage.rows import to_json
from memdb.storage.seals import halfvec
from memdb.storage.sending import Row, run_with_next
from memdb.storage.statements import load

if TYPE_CHECKING:
    from memdb.providers.embedding.base import EmbeddingSpace, Vector

LOOKED_AT_MAX: Final = 128
"""Memories of one brain, kind and set of subjects that a statement is compared with, the newest."""
NEIGHBOURS_MAX: Final = 5
"""Near ones that are kept of a statement."""

_STATEMENTS = load("memdb.storage.sql")


@dataclass(frozen=True, slots=True)
class Near:
    """A statement to find neighbours of, among what holds from one moment to another. `but`: the memory that it is a version of."""

    place: int
    brain_id: UUID
    kind: str
    about: tuple[UUID, ...]
    vector: Vector = field(repr=False)
    holds_from: datetime | None
    holds_to: datetime | None
    but: UUID | None = None


Search = Callable[[str, Mapping[str, object]], Awaitable[list[Row]]]
"""Runs a statement as the search role, with values by name."""


async def find_neighbours(
    search: Search, org_id: UUID, space: EmbeddingSpace, asked: Sequence[Near], now: datetime, similarity_min: float
) -> dict[int, list[Neighbour]]:
    """Served memories near each statement by its place, the nearest first, at most NEIGHBOURS_MAX; a place without any is absent."""
    rows = [
        {
            "place": one.place, "brain_id": one.brain_id, "kind": one.kind, "about": list(one.about), "but": one.but,
            "vector": halfvec(one.vector), "holds_from": one.holds_from, "holds_to": one.holds_to,
        }
        for one in asked
    ]  # fmt: skip
    table = t.vector_table(space.name, space.dimension)
    statement = _STATEMENTS["find_neighbours"].sql.replace("{vectors}", table.name)
    bound = {
        "org_id": org_id, "brain_ids": sorted({one.brain_id for one in asked}), "asked": to_json(rows), "now": now,
        "looked_at_max": LOOKED_AT_MAX, "nearest_max": NEIGHBOURS_MAX, "distance_max": 1 - similarity_min,
    }  # fmt: skip
    found: dict[int, list[Neighbour]] = {}
    for row in await search(statement, bound):
        found.setdefault(row.place, []).append(Neighbour(row.memory_id, row.similarity))
    return found


@dataclass(frozen=True, slots=True)
class Link:
    """From a later memory to an earlier one of its brain, with the weight that the graph gives it."""

    from_id: UUID
    to_id: UUID
    brain_id: UUID
    weight: float


async def add_similar(conn: WriteConn, org_id: UUID, links: Sequence[Link], now: datetime) -> None:
    """Link memories to those that they are near, with the next statement of the transaction; one that is gone is left out.

    Who takes links away has locked and read the memory first (`memories.lock`), which sends what waits here.
    """
    if links:
        rows = [{"from_id": one.from_id, "to_id": one.to_id, "brain_id": one.brain_id, "weight": one.weight} for one in links]
        sent = {"org_id": org_id, "links": to_json(rows), "created_at": now}
        await run_with_next(conn, _STATEMENTS["add_similar"].sql, sent)


async def list_similar(conn: ReadConn, org_id: UUID, memory_id: UUID, limit: int) -> list[UUID]:
    """Memories that one is linked with because they are near, the nearest first. Indexes: links_pk, links_to_idx."""
    c = t.links.c
    other = case((c.from_id == memory_id, c.to_id), else_=c.from_id).label("other")
    query = select(other).where(c.org_id == org_id, or_(c.from_id == memory_id, c.to_id == memory_id), c.kind == "similar")
    return list((await conn.execute(query.order_by(c.weight.desc(), other).limit(limit))).scalars())
