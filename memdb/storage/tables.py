"""The tables of schema.sql for SQLAlchemy Core: columns, types, nullability, primary keys.

schema.sql defines them; a test compares the two. Foreign keys, checks, indexes and policies stand there alone.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import REAL, BigInteger, Boolean, Column, DateTime, Identity, Integer, MetaData, Table, Text, Uuid, func
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB

from memdb.storage.lexeme_type import Lexemes
from memdb.storage.spaces import vector_tables

if TYPE_CHECKING:
    from sqlalchemy.types import TypeEngine

metadata = MetaData(schema="mem")

TIME = DateTime(timezone=True)
TEXTS = ARRAY(Text())
UUIDS = ARRAY(Uuid())
REALS: ARRAY[float] = ARRAY(REAL())
LEXEMES = Lexemes()


def _keys(kind: TypeEngine[Any], *names: str) -> list[Column[Any]]:
    return [Column(name, kind, primary_key=True, autoincrement=False) for name in names]


def _required(kind: TypeEngine[Any], *names: str) -> list[Column[Any]]:
    return [Column(name, kind, nullable=False) for name in names]


def _optional(kind: TypeEngine[Any], *names: str) -> list[Column[Any]]:
    return [Column(name, kind, nullable=True) for name in names]


def _table(name: str, *columns: Column[Any]) -> Table:
    return Table(name, metadata, *columns)


schema_versions = _table("schema_versions", *_keys(Integer(), "version"), *_required(TIME, "applied_at"))

secret_keys = _table("secret_keys", *_keys(Text(), "key_id"), *_required(TIME, "first_used_at"))

embedding_spaces = _table(
    "embedding_spaces", *_keys(Text(), "name"), *_required(Text(), "provider", "model"), *_required(Integer(), "dimension"),
    *_required(Text(), "recipe"), *_required(Boolean(), "active"), *_required(TIME, "created_at"),
)  # fmt: skip

orgs = _table("orgs", *_keys(Uuid(), "id"), *_required(Text(), "name"), *_required(TIME, "created_at"))

subjects = _table(
    "subjects", *_keys(Uuid(), "org_id", "id"), *_required(Text(), "kind"), *_optional(Text(), "name"),
    *_optional(Uuid(), "home_brain_id"), *_required(TIME, "created_at"), *_optional(Uuid(), "created_by"),
)  # fmt: skip

subject_identities = _table(
    "subject_identities", *_keys(Uuid(), "org_id"), *_keys(Text(), "platform"), *_keys(BYTEA(), "external_hash"),
    *_required(Uuid(), "subject_id"), *_required(Text(), "label"), *_required(TIME, "created_at"),
)  # fmt: skip

subject_aliases = _table(
    "subject_aliases", *_keys(Uuid(), "org_id"), *_keys(Text(), "folded"), *_keys(Uuid(), "subject_id"), *_required(Text(), "alias"),
    *_required(TIME, "created_at"),
)  # fmt: skip

subject_redirects = _table(
    "subject_redirects", *_keys(Uuid(), "org_id", "subject_id"), *_required(Uuid(), "into_id"), *_required(TIME, "created_at"),
    *_optional(Uuid(), "created_by"),
)  # fmt: skip

alias_sightings = _table(
    "alias_sightings", *_keys(Uuid(), "org_id"), *_keys(Text(), "folded"), *_keys(Uuid(), "subject_id"), *_keys(Text(), "place"),
    *_optional(Uuid(), "brain_id"), *_required(TIME, "first_seen_at", "last_seen_at"),
)  # fmt: skip

team_members = _table("team_members", *_keys(Uuid(), "org_id", "team_id", "subject_id"), *_required(TIME, "created_at"))

brains = _table(
    "brains", *_keys(Uuid(), "org_id", "id"), *_required(Text(), "kind", "name"), *_required(TIME, "created_at"),
    *_optional(Uuid(), "created_by"), Column("sharing", Text(), nullable=False, server_default="subjects"),
)  # fmt: skip

brain_members = _table(
    "brain_members", *_keys(Uuid(), "org_id", "brain_id", "member_id"), *_required(Text(), "role"), *_required(TIME, "created_at"),
    *_optional(Uuid(), "created_by"),
)  # fmt: skip

brain_access = _table("brain_access", *_keys(Uuid(), "org_id", "subject_id", "brain_id"), *_required(Text(), "role"))

api_keys = _table(
    "api_keys", *_keys(Uuid(), "org_id"), *_keys(Text(), "id"), *_required(Uuid(), "subject_id"), *_required(Text(), "writer_label"),
    *_required(BYTEA(), "secret_sha256"), *_required(Text(), "max_role"), *_required(TEXTS, "capabilities"), *_optional(UUIDS, "brains"),
    *_required(UUIDS, "act_as_subjects", "act_as_brains"), *_required(Text(), "trust"), *_required(TIME, "created_at"),
    *_optional(Text(), "created_by"), *_optional(TIME, "expires_at", "revoked_at"), *_optional(Text(), "reason"),
    *_optional(Integer(), "requests_per_minute"), *_optional(TIME, "last_used_at"), *_optional(Text(), "replaced_by"),
)  # fmt: skip

looks = _table(
    "looks", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id"), *_required(Text(), "key_id"), *_required(Uuid(), "subject_id"),
    *_required(Text(), "reason"), *_required(TIME, "begins_at", "ends_at"), *_optional(TIME, "ended_at"),
)  # fmt: skip

policies = _table(
    "policies", *_keys(Uuid(), "org_id"), *_keys(Integer(), "version"), *_required(JSONB(), "document"), *_required(TIME, "created_at"),
    *_optional(Uuid(), "created_by"), *_optional(Text(), "created_key"),
)  # fmt: skip

idempotency_keys = _table(
    "idempotency_keys", *_keys(Uuid(), "org_id"), *_keys(Text(), "key_id", "route"), *_keys(BYTEA(), "key_hash"),
    *_required(BYTEA(), "body_hash"), *_required(JSONB(), "result"), *_required(TIME, "created_at"),
)  # fmt: skip

memories = _table(
    "memories",
    *_keys(Uuid(), "org_id", "id"),
    *_required(Uuid(), "brain_id"),
    *_required(Text(), "kind"),
    *_required(Integer(), "version"),
    *_required(Text(), "status"),
    *_optional(Text(), "topic", "content"),
    *_required(JSONB(), "data"),
    *_required(TEXTS, "tags"),
    *_required(UUIDS, "about"),
    *_optional(Uuid(), "said_by"),
    *_required(Text(), "language", "placement"),
    *_required(REAL(), "importance"),
    *_required(Text(), "trust"),
    *_optional(Text(), "source_kind"),
    *_optional(TIME, "valid_from", "valid_to", "event_from", "event_to", "expires_at"),
    *_required(JSONB(), "redactions"),
    *_required(Boolean(), "text_cut"),
    *_optional(BYTEA(), "duplicate_key"),
    *_required(Uuid(), "written_by"),
    *_required(Text(), "written_key", "writer_label"),
    *_required(TIME, "created_at", "updated_at", "confirmed_at"),
    *_required(Text(), "mac_key_id"),
    *_required(BYTEA(), "mac_version", "mac_state"),
)

memory_versions = _table(
    "memory_versions",
    *_keys(Uuid(), "org_id", "memory_id"),
    *_keys(Integer(), "version"),
    *_required(Uuid(), "brain_id"),
    *_required(Text(), "kind"),
    *_optional(Text(), "topic"),
    *_required(Text(), "content"),
    *_required(JSONB(), "data"),
    *_required(TEXTS, "tags"),
    *_required(UUIDS, "about"),
    *_optional(Uuid(), "said_by"),
    *_required(Text(), "language", "placement"),
    *_required(REAL(), "importance"),
    *_required(Text(), "trust"),
    *_optional(Text(), "source_kind"),
    *_optional(TIME, "valid_from", "valid_to", "event_from", "event_to", "expires_at"),
    *_required(JSONB(), "redactions"),
    *_required(Boolean(), "text_cut"),
    *_required(Uuid(), "written_by"),
    *_required(Text(), "written_key", "writer_label"),
    *_required(TIME, "recorded_from", "recorded_to"),
    *_required(Text(), "replaced_by", "mac_key_id"),
    *_required(BYTEA(), "mac_version"),
)

memory_index = _table(
    "memory_index",
    *_keys(Uuid(), "org_id", "memory_id"),
    *_required(Uuid(), "brain_id"),
    *_required(Text(), "kind"),
    *_optional(Text(), "topic"),
    *_required(UUIDS, "about"),
    *_optional(Uuid(), "said_by"),
    *_required(TEXTS, "tags", "facets"),
    *_required(Text(), "language"),
    *_required(LEXEMES, "words"),
    *_required(Integer(), "word_count"),
    *_required(LEXEMES, "context"),
    *_required(Integer(), "context_count"),
    *_required(UUIDS, "context_fragments"),
    *_required(Text(), "status"),
    *_required(Boolean(), "held"),
    *_optional(TIME, "valid_from", "valid_to", "event_from", "event_to", "expires_at"),
    *_required(TIME, "recorded_from", "created_at"),
    *_required(Text(), "placement"),
    *_optional(BYTEA(), "words_mac", "context_mac"),
)

memory_version_index = _table(
    "memory_version_index",
    *_keys(Uuid(), "org_id", "memory_id"),
    *_keys(Integer(), "version"),
    *_required(Uuid(), "brain_id"),
    *_required(Text(), "kind"),
    *_optional(Text(), "topic"),
    *_required(UUIDS, "about"),
    *_optional(Uuid(), "said_by"),
    *_required(TEXTS, "tags", "facets"),
    *_required(Text(), "language"),
    *_required(LEXEMES, "words"),
    *_required(Integer(), "word_count"),
    *_optional(TIME, "valid_from", "valid_to", "expires_at"),
    *_required(TIME, "recorded_from", "recorded_to", "created_at"),
    *_optional(BYTEA(), "words_mac"),
)

memory_stats = _table(
    "memory_stats", *_keys(Uuid(), "org_id", "memory_id"), *_required(Uuid(), "brain_id"),
    *_required(Integer(), "reinforced", "accessed"), *_optional(TIME, "last_access_at"),
    *_required(Integer(), "used", "helpful", "not_helpful", "stale", "wrong", "harmful"),
)  # fmt: skip

embedding_pending = _table(
    "embedding_pending", *_keys(Uuid(), "org_id"), *_keys(Text(), "space"), *_keys(Uuid(), "memory_id"), *_required(Uuid(), "brain_id"),
    *_required(Integer(), "attempts"), *_required(TIME, "next_try_at"),
)  # fmt: skip

episodes = _table(
    "episodes", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id"), *_optional(Text(), "external_id"),
    *_optional(TIME, "started_at"), *_required(TIME, "created_at"),
)  # fmt: skip

fragments = _table(
    "fragments", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id", "episode_id"), *_required(Integer(), "position"),
    *_optional(Uuid(), "speaker_id"), *_optional(Text(), "speaker"), *_optional(TIME, "said_at"), *_required(Text(), "text"),
    *_required(JSONB(), "redactions"), *_required(BYTEA(), "text_hash"), *_required(TIME, "created_at"), *_optional(Uuid(), "turn_id"),
)  # fmt: skip

memory_fragments = _table(
    "memory_fragments",
    *_keys(Uuid(), "org_id", "memory_id", "fragment_id"),
    *_required(Uuid(), "brain_id"),
    *_required(TIME, "created_at"),
    *_required(Integer(), "from_version"),
    *_optional(Integer(), "until_version"),
)

entities = _table(
    "entities", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id"), *_required(Text(), "kind", "name", "folded"),
    *_required(TIME, "created_at"),
)  # fmt: skip

memory_entities = _table(
    "memory_entities", *_keys(Uuid(), "org_id", "entity_id", "memory_id"), *_required(Uuid(), "brain_id"), *_required(Integer(), "mentions")
)

links = _table(
    "links", *_keys(Uuid(), "org_id", "from_id", "to_id"), *_keys(Text(), "kind"), *_required(Uuid(), "brain_id"),
    *_required(REAL(), "weight"), *_required(TIME, "created_at"),
)  # fmt: skip

forgotten = _table(
    "forgotten", *_keys(Uuid(), "org_id", "brain_id"), *_keys(Text(), "kind"), *_keys(BYTEA(), "duplicate_key"),
    *_required(TIME, "forgotten_at"),
)  # fmt: skip

sessions = _table(
    "sessions", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id"), *_optional(Text(), "platform"),
    *_optional(BYTEA(), "external_hash"), *_optional(Text(), "title"),
    *_required(Integer(), "max_messages", "idle_seconds", "overlap", "next_position", "open_from"),
    *_optional(TIME, "last_turn_at", "due_at"), *_required(TIME, "created_at"), *_required(Uuid(), "created_by"),
    *_required(Text(), "created_key"), *_optional(TIME, "closed_at", "open_since"),
)  # fmt: skip

turns = _table(
    "turns", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id", "session_id"), *_required(Integer(), "position"),
    *_required(Text(), "role"), *_optional(Uuid(), "speaker_id"), *_optional(Text(), "speaker"), *_required(Text(), "text"),
    *_required(JSONB(), "redactions", "attachments"), *_optional(TIME, "said_at"), *_optional(Integer(), "utc_offset"),
    *_optional(Uuid(), "reply_to"), *_optional(BYTEA(), "client_hash", "body_hash"), *_required(Text(), "trust"),
    *_optional(Text(), "source_kind"), *_required(Uuid(), "written_by"), *_required(Text(), "written_key", "writer_label"),
    *_required(TIME, "created_at"),
)  # fmt: skip

snapshots = _table(
    "snapshots", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id", "session_id"),
    *_required(Integer(), "first_position", "last_position", "overlap_from"), *_required(Text(), "cause"), *_required(TIME, "created_at"),
)  # fmt: skip

extractions = _table(
    "extractions", *_keys(Uuid(), "org_id", "snapshot_id"), *_keys(Text(), "handler"), *_required(Uuid(), "brain_id", "session_id"),
    *_required(Text(), "state"), *_required(Integer(), "run", "attempts"), *_optional(Text(), "failure", "extractor"),
    *_required(Integer(), "found", "added", "updated", "reinforced", "refused"),
    *_required(BigInteger(), "tokens_in", "tokens_out", "cost_micros"), *_required(TIME, "created_at", "changed_at"),
    *_required(Integer(), "ended"),
)  # fmt: skip

derivations = _table(
    "derivations", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id", "memory_id"), *_required(Integer(), "version"),
    *_required(Uuid(), "snapshot_id"), *_required(Text(), "handler"), *_required(Integer(), "run"), *_required(Text(), "action", "reason"),
    *_required(UUIDS, "turn_ids"), *_required(TIME, "created_at"),
)  # fmt: skip

reconciliations = _table(
    "reconciliations", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id", "memory_id"), *_required(Integer(), "version"),
    *_required(Text(), "action", "reason"), *_required(UUIDS, "neighbour_ids"), *_optional(Text(), "model", "refused"),
    *_required(TIME, "created_at"),
)  # fmt: skip

topics = _table(
    "topics", *_keys(Uuid(), "org_id", "brain_id"), *_keys(Text(collation="C"), "folded"), *_required(Text(), "label"),
    *_required(TEXTS, "words"), *_required(TIME, "created_at"),
)  # fmt: skip

units = _table(
    "units", *_keys(Uuid(), "org_id", "brain_id"), *_keys(Text(collation="C"), "topic"), *_required(Uuid(), "memory_id"),
    *_required(TIME, "created_at"),
)  # fmt: skip

conflicts = _table(
    "conflicts", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "brain_id", "memory_id"), *_required(Integer(), "version"),
    *_required(Uuid(), "other_id"), *_required(Integer(), "other_version"), *_required(Text(), "reason"), *_optional(Text(), "note"),
    *_required(TIME, "raised_at"), *_required(Uuid(), "raised_by"), *_required(Text(), "raised_key"), *_optional(TIME, "resolved_at"),
    *_optional(Uuid(), "resolved_by"), *_optional(Text(), "resolved_key", "resolution"),
)  # fmt: skip

term_stats = _table(
    "term_stats", *_keys(Uuid(), "org_id", "brain_id"), *_keys(Text(), "term", "language"), *_required(BigInteger(), "documents")
)

corpus_stats = _table(
    "corpus_stats", *_keys(Uuid(), "org_id", "brain_id"), *_keys(Text(), "language"), *_required(BigInteger(), "documents", "words")
)

term_deltas = _table(
    "term_deltas", *_keys(Uuid(), "org_id", "brain_id", "id"), *_required(Text(), "language"), *_required(TEXTS, "terms"),
    *_required(Integer(), "documents", "words"),
)  # fmt: skip

hold_actions = _table(
    "hold_actions", *_keys(Uuid(), "org_id", "id"), *_required(Text(), "kind"), *_required(TEXTS, "reasons"),
    *_required(TIME, "created_at"), *_optional(Uuid(), "created_by"), *_optional(Text(), "created_key"),
    Column("state", Text(), nullable=False, server_default="done"), *_optional(Text(), "reason"),
    Column("selection", JSONB(), nullable=False, server_default="{}"), Column("memories", Integer(), nullable=False, server_default="1"),
    Column("sessions", Integer(), nullable=False, server_default="0"), Column("done", Integer(), nullable=False, server_default="1"),
    *_optional(TIME, "changed_at", "released_at"), *_optional(Uuid(), "released_by"), *_optional(Text(), "released_key"),
)  # fmt: skip

holds = _table("holds", *_keys(Uuid(), "org_id", "memory_id", "action_id"), *_required(Uuid(), "brain_id"), *_required(TIME, "created_at"))

audit_events = _table(
    "audit_events", *_keys(Uuid(), "org_id", "id"), *_required(TIME, "at"), *_required(Text(), "action"),
    *_optional(Uuid(), "actor_subject"), *_optional(Text(), "actor_key"), *_optional(Uuid(), "acting_for", "brain_id"),
    *_required(Text(), "object_kind", "object_id"), *_required(JSONB(), "detail"), *_optional(Text(), "mac_key_id"),
    *_optional(BYTEA(), "digest"), *_optional(Text(), "request_id"), *_optional(BYTEA(), "commitment"),
)  # fmt: skip

audit_pending = _table(
    "audit_pending", *_keys(Uuid(), "org_id", "event_id"), Column("seq", BigInteger(), Identity(always=True), nullable=False),
    Column("noted_at", TIME, server_default=func.now(), nullable=False),
)  # fmt: skip

audit_chain = _table(
    "audit_chain", *_keys(Uuid(), "org_id"), *_keys(BigInteger(), "position"), *_required(Uuid(), "event_id"),
    *_required(BYTEA(), "link"), *_required(Text(), "mac_key_id"), *_required(TIME, "sealed_at"),
)  # fmt: skip

recalls = _table(
    "recalls", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "subject_id"), *_required(Text(), "key_id"),
    *_optional(Uuid(), "acting_for"), *_required(Text(), "query"), *_required(JSONB(), "filters"), *_optional(Text(), "purpose"),
    *_required(UUIDS, "memory_ids"), *_required(REALS, "scores"), *_required(TEXTS, "degraded"), *_required(REAL(), "took_ms"),
    *_required(TIME, "created_at"), *_optional(Text(), "request_id"), *_optional(UUIDS, "looks"),
)  # fmt: skip

outcomes = _table(
    "outcomes", *_keys(Uuid(), "org_id", "recall_id", "memory_id"), *_keys(Text(), "key_id"), *_required(Uuid(), "subject_id", "brain_id"),
    *_required(Text(), "outcome"), *_optional(Text(), "note"), *_required(TIME, "created_at"), *_optional(Text(), "counted_as"),
)  # fmt: skip

feedback_queries = _table(
    "feedback_queries", *_keys(Uuid(), "org_id", "id"), *_required(Uuid(), "subject_id"), *_required(Text(), "key_id", "query", "space"),
    *_optional(HALFVEC(), "embedding"), *_required(TIME, "created_at"),
)  # fmt: skip


@cache
def vector_table(space: str, dimension: int) -> Table:
    """Vectors of the current memories in one embedding space; one row per memory and field (`text`, `context`)."""
    return _vectors(vector_tables(space)[0], dimension, Column("field", Text(), primary_key=True))


@cache
def version_vector_table(space: str, dimension: int) -> Table:
    """Vectors of superseded versions in one embedding space; one row per version."""
    return _vectors(vector_tables(space)[1], dimension, Column("version", Integer(), primary_key=True))


def _vectors(name: str, dimension: int, part: Column[Any]) -> Table:
    memory = (*_keys(Uuid(), "org_id"), *_required(Uuid(), "brain_id"), *_keys(Uuid(), "memory_id"))
    return Table(name, MetaData(schema="mem"), *memory, part, *_required(HALFVEC(dimension), "embedding"), *_optional(BYTEA(), "mac"))
