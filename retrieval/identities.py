"""Who is one with whom: a question about a merged person is about all of their identities, as of the transaction that answers it."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from memdb.storage.database import ReadConn
from memdb.storage.subjects import Groups, expand
from retrieval.query import Question


async def identify(conn: ReadConn, org_id: UUID, question: Question) -> Question:
    """The question with filters that name every identity, and names that mean people: two labels of one person are not two people."""
    filters = question.filters
    asked = {*(filters.about or ()), *(filters.said_by or ()), *(s for name in question.names for s in name.subject_ids)}
    if not asked:
        return question
    same = await expand(conn, org_id, asked)
    if all(same.group(s) == {s} for s in asked):
        return question
    narrowed = replace(filters, about=_members(same, filters.about), said_by=_members(same, filters.said_by))
    names = tuple(replace(name, subject_ids=tuple(sorted({same.root(s) for s in name.subject_ids}))) for name in question.names)
    return replace(question, filters=narrowed, names=names, same=same)


def _members(same: Groups, ids: tuple[UUID, ...] | None) -> tuple[UUID, ...] | None:
    return None if ids is None else tuple(sorted({member for subject_id in ids for member in same.group(subject_id)}))
