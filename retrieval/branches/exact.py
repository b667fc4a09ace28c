"""Exact look-up: memories whose id, topic or very words the question gives. No branch of its own weight: what it finds comes first, and may
be all that is looked for, see `retrieval.routing`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.ext.asyncio import AsyncConnection

from memdb.storage.sending import Row, fetch
from memdb.storage.statements import load
from retrieval.branches.base import EXACT, HITS_MAX, KINDS, Asked, Hit
from retrieval.branches.binding import filter_parameters, scope_parameters

_STATEMENTS = load("retrieval.sql")


class ExactBranch:
    """Ids, a topic, or words between quotation marks."""

    name = EXACT
    looks_up = False

    async def find(self, conn: AsyncConnection, asked: Asked) -> list[Hit]:
        question, scope = asked.question, asked.scope
        exact = question.exact
        if question.filters.past:
            return []  # the branches know what was true then
        bound = scope_parameters(scope) | filter_parameters(question.filters) | {"limit": HITS_MAX}
        if exact.ids:
            rows = await fetch(conn, _STATEMENTS["exact_ids"].sql, bound | {"ids": list(exact.ids)})
            return _hits("id", sorted(rows, key=lambda row: exact.ids.index(row.memory_id)))
        if exact.phrase:
            return _hits("phrase", await fetch(conn, _STATEMENTS["exact_phrase"].sql, bound | {"phrase": exact.phrase}))
        if exact.topic:
            return _hits("topic", await fetch(conn, _STATEMENTS["exact_topic"].sql, bound | {"path": exact.topic}))
        return []


def _hits(what: str, rows: Sequence[Row]) -> list[Hit]:
    return [
        Hit(memory_id=row.memory_id, version=0, kind=KINDS[row.kind], rank=rank, raw=1.0, strength=1.0, found=(what,))
        for rank, row in enumerate(rows, 1)
    ]
