"""The tables of archived logs for SQLAlchemy Core, beside those of `tables.py`; schema.sql defines them, and a test compares the two."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Table, Text, Uuid
from sqlalchemy.dialects.postgresql import BYTEA, JSONB

from memdb.storage.tables import TIME, metadata

__all__ = ["audit_archives", "audit_carried", "metadata"]

audit_archives = Table(
    "audit_archives",
    metadata,
    Column("org_id", Uuid(), primary_key=True),
    Column("last_position", BigInteger(), primary_key=True),
    Column("first_position", BigInteger(), nullable=False),
    Column("statement", JSONB(), nullable=False),
    Column("archived_at", TIME, nullable=False),
)

audit_carried = Table(
    "audit_carried",
    metadata,
    Column("org_id", Uuid(), primary_key=True),
    Column("object_kind", Text(), primary_key=True),
    Column("object_id", Text(), primary_key=True),
    Column("place", Text(), primary_key=True),
    Column("position", BigInteger(), nullable=False),
    Column("commitment", BYTEA()),
)
