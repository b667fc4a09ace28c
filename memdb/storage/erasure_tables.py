"""The tables of erasures for SQLAlchemy Core, beside those of `tables.py`; schema.sql defines them, and a test compares the two."""

from __future__ import annotations

from sqlalchemy import Column, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import BYTEA, JSONB

from memdb.storage.tables import TIME, UUIDS, metadata

__all__ = ["erasure_decisions", "erasure_ledger", "erasures", "metadata"]

_NULLABLE_JSON = JSONB(none_as_null=True)

erasures = Table(
    "erasures",
    metadata,
    Column("org_id", Uuid(), primary_key=True),
    Column("id", Uuid(), primary_key=True),
    Column("kind", Text(), nullable=False),
    Column("target_id", Uuid(), nullable=False),
    Column("state", Text(), nullable=False),
    Column("subject_ids", UUIDS, nullable=False),
    Column("brain_ids", UUIDS, nullable=False),
    Column("labels", _NULLABLE_JSON),
    Column("position", JSONB(), nullable=False),
    Column("counts", JSONB(), nullable=False),
    Column("requested_by", Uuid()),
    Column("requested_key", Text()),
    Column("created_at", TIME, nullable=False),
    Column("changed_at", TIME, nullable=False),
    Column("worked_until", TIME),
    Column("completed_at", TIME),
    Column("receipt", _NULLABLE_JSON),
)

erasure_decisions = Table(
    "erasure_decisions",
    metadata,
    Column("org_id", Uuid(), primary_key=True),
    Column("erasure_id", Uuid(), primary_key=True),
    Column("object_kind", Text(), primary_key=True),
    Column("object_id", Uuid(), primary_key=True),
    Column("brain_id", Uuid()),
    Column("reason", Text(), nullable=False),
    Column("decision", Text()),
    Column("decided_by", Uuid()),
    Column("decided_at", TIME),
)

erasure_ledger = Table(
    "erasure_ledger",
    metadata,
    Column("org_id", Uuid(), primary_key=True),
    Column("kind", Text(), primary_key=True),
    Column("digest", BYTEA(), primary_key=True),
    Column("key_id", Text(), nullable=False),
    Column("erased_at", TIME, nullable=False),
)
