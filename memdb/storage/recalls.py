"""Recalls: one row each, which is the audit event of the read as well. Queries are stored as redacted."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from governance.principals import Principal
from governance.redaction.findings import RedactedText
from memdb.storage.database import WriteConn
from memdb.storage.sending import run_with_next
from memdb.storage.statements import load

_STATEMENTS = load("memdb.storage.sql")


@dataclass(frozen=True, slots=True)
class RecallRow:
    """What is kept of a recall; `looks` are those into brains that it searched."""

    id: UUID
    query: RedactedText = field(repr=False)
    filters: dict[str, object] = field(repr=False)
    purpose: RedactedText | None = field(repr=False)
    results: Sequence[tuple[UUID, float]]
    degraded: Sequence[str]
    took_ms: float
    created_at: datetime
    request_id: str | None
    looks: Sequence[UUID] = ()


async def record(conn: WriteConn, principal: Principal, row: RecallRow) -> None:
    """Store one recall, by the commit at the latest: it fails if the row cannot be stored."""
    values = {
        "org_id": principal.org_id,
        "id": row.id,
        "subject_id": principal.subject_id,
        "key_id": principal.key_id,
        "acting_for": principal.subject_id if principal.acting else None,
        "query": row.query.text,
        "filters": json.dumps(row.filters),
        "purpose": None if row.purpose is None else row.purpose.text,
        "memory_ids": [memory_id for memory_id, _ in row.results],
        "scores": [score for _, score in row.results],
        "degraded": list(row.degraded),
        "took_ms": row.took_ms,
        "created_at": row.created_at,
        "request_id": row.request_id,
        "looks": list(row.looks) or None,
    }
    await run_with_next(conn, _STATEMENTS["record_recall"].sql, values)
