"""The tables of quarantine and review for SQLAlchemy Core, beside those of `tables.py`; schema.sql defines them, a test compares both."""

from __future__ import annotations

from sqlalchemy import Column, Integer, Table, Text, Uuid

from memdb.storage.tables import TEXTS, TIME, metadata

__all__ = ["hold_targets", "metadata", "review_requests", "session_holds"]

hold_targets = Table(
    "hold_targets",
    metadata,
    Column("org_id", Uuid(), primary_key=True),
    Column("action_id", Uuid(), primary_key=True),
    Column("brain_id", Uuid(), primary_key=True),
    Column("memory_id", Uuid(), primary_key=True),
)

session_holds = Table(
    "session_holds",
    metadata,
    Column("org_id", Uuid(), primary_key=True),
    Column("session_id", Uuid(), primary_key=True),
    Column("action_id", Uuid(), primary_key=True),
    Column("brain_id", Uuid(), nullable=False),
    Column("created_at", TIME, nullable=False),
)

review_requests = Table(
    "review_requests",
    metadata,
    Column("org_id", Uuid(), primary_key=True),
    Column("memory_id", Uuid(), primary_key=True),
    Column("cause", Text(), primary_key=True),
    Column("brain_id", Uuid(), nullable=False),
    Column("reasons", TEXTS, nullable=False),
    Column("times", Integer(), nullable=False),
    Column("opened_at", TIME, nullable=False),
    Column("changed_at", TIME, nullable=False),
)
