"""The tables of schema.sql for SQLAlchemy Core: columns, types, nullability, primary keys.

schema.sql defines them; a test compares the two. Foreign keys, checks, indexes and policies stand there alone.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import REAL, BigInteger, Boolean, Column, DateTime, Integer, MetaData, Table, Text, Uuid, cast
from sqlalchemy.dialects.postgresql import ARRAY, BYTEA, JSONB
from sqlalchemy.types import UserDefinedType

from memdb.storage.spaces import vector_tables

if TYPE_CHECKING:
    from sqlalchemy.sql.elements import BindParameter, ColumnElement
    from sqlalchemy.types import TypeEngine


class Lexemes(UserDefinedType[str]):
    """A tsvector. Bound as its text form (`'sky':1,4 'blue':3`), which Postgres parses; no text search configuration takes part."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "TSVECTOR"

    def bind_expression(self, bindvalue: BindParameter[str]) -> ColumnElement[str]:
        # Without the cast a parameter inside VALUES is text, and Postgres has no assignment from text to tsvector.
        return cast(bindvalue, self)


metadata = MetaData(schema="mem")

TIME = DateTime(timezone=True)
TEXTS = ARRAY(Text())
UUIDS = ARRAY(Uuid())
REALS: ARRAY[float] = ARRAY(REAL())
LEXEMES = Lexemes()


def _key(name: str, kind: TypeEngine[Any]) -> Column[Any]:
    return Column(name, kind, primary_key=True, autoincrement=False)


def _required(name: str, kind: TypeEngine[Any]) -> Column[Any]:
    return Column(name, kind, nullable=False)


def _optional(name: str, kind: TypeEngine[Any]) -> Column[Any]:
    return Column(name, kind, nullable=True)


schema_versions = Table(
    "schema_versions",
    metadata,
    _key("version", Integer()),
    _required("applied_at", TIME),
)

secret_keys = Table(
    "secret_keys",
    metadata,
    _key("key_id", Text()),
    _required("first_used_at", TIME),
)

embedding_spaces = Table(
    "embedding_spaces",
    metadata,
    _key("name", Text()),
    _required("provider", Text()),
    _required("model", Text()),
    _required("dimension", Integer()),
    _required("recipe", Text()),
    _required("active", Boolean()),
    _required("created_at", TIME),
)

orgs = Table(
    "orgs",
    metadata,
    _key("id", Uuid()),
    _required("name", Text()),
    _required("created_at", TIME),
)

subjects = Table(
    "subjects",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("kind", Text()),
    _optional("name", Text()),
    _optional("home_brain_id", Uuid()),
    _required("created_at", TIME),
    _optional("created_by", Uuid()),
)

subject_identities = Table(
    "subject_identities",
    metadata,
    _key("org_id", Uuid()),
    _key("platform", Text()),
    _key("external_hash", BYTEA()),
    _required("subject_id", Uuid()),
    _required("label", Text()),
    _required("created_at", TIME),
)

subject_aliases = Table(
    "subject_aliases",
    metadata,
    _key("org_id", Uuid()),
    _key("folded", Text()),
    _key("subject_id", Uuid()),
    _required("alias", Text()),
    _required("created_at", TIME),
)

team_members = Table(
    "team_members",
    metadata,
    _key("org_id", Uuid()),
    _key("team_id", Uuid()),
    _key("subject_id", Uuid()),
    _required("created_at", TIME),
)

brains = Table(
    "brains",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("kind", Text()),
    _required("name", Text()),
    _required("created_at", TIME),
    _optional("created_by", Uuid()),
)

brain_members = Table(
    "brain_members",
    metadata,
    _key("org_id", Uuid()),
    _key("brain_id", Uuid()),
    _key("member_id", Uuid()),
    _required("role", Text()),
    _required("created_at", TIME),
    _optional("created_by", Uuid()),
)

brain_access = Table(
    "brain_access",
    metadata,
    _key("org_id", Uuid()),
    _key("subject_id", Uuid()),
    _key("brain_id", Uuid()),
    _required("role", Text()),
)

api_keys = Table(
    "api_keys",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Text()),
    _required("subject_id", Uuid()),
    _required("writer_label", Text()),
    _required("secret_sha256", BYTEA()),
    _required("max_role", Text()),
    _required("capabilities", TEXTS),
    _optional("brains", UUIDS),
    _required("act_as_subjects", UUIDS),
    _required("act_as_brains", UUIDS),
    _required("trust", Text()),
    _required("created_at", TIME),
    _optional("created_by", Text()),
    _optional("expires_at", TIME),
    _optional("revoked_at", TIME),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    _key("org_id", Uuid()),
    _key("key_id", Text()),
    _key("route", Text()),
    _key("key_hash", BYTEA()),
    _required("body_hash", BYTEA()),
    _required("result", JSONB()),
    _required("created_at", TIME),
)

memories = Table(
    "memories",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("brain_id", Uuid()),
    _required("kind", Text()),
    _required("version", Integer()),
    _required("status", Text()),
    _optional("topic", Text()),
    _optional("content", Text()),
    _required("data", JSONB()),
    _required("tags", TEXTS),
    _required("about", UUIDS),
    _optional("said_by", Uuid()),
    _required("language", Text()),
    _required("placement", Text()),
    _required("importance", REAL()),
    _required("trust", Text()),
    _optional("source_kind", Text()),
    _optional("valid_from", TIME),
    _optional("valid_to", TIME),
    _optional("event_from", TIME),
    _optional("event_to", TIME),
    _optional("expires_at", TIME),
    _required("redactions", JSONB()),
    _required("text_cut", Boolean()),
    _optional("duplicate_key", BYTEA()),
    _required("written_by", Uuid()),
    _required("written_key", Text()),
    _required("writer_label", Text()),
    _required("created_at", TIME),
    _required("updated_at", TIME),
    _required("confirmed_at", TIME),
    _required("mac_key_id", Text()),
    _required("mac_version", BYTEA()),
    _required("mac_state", BYTEA()),
)

memory_versions = Table(
    "memory_versions",
    metadata,
    _key("org_id", Uuid()),
    _key("memory_id", Uuid()),
    _key("version", Integer()),
    _required("brain_id", Uuid()),
    _required("kind", Text()),
    _optional("topic", Text()),
    _required("content", Text()),
    _required("data", JSONB()),
    _required("tags", TEXTS),
    _required("about", UUIDS),
    _optional("said_by", Uuid()),
    _required("language", Text()),
    _required("placement", Text()),
    _required("importance", REAL()),
    _required("trust", Text()),
    _optional("source_kind", Text()),
    _optional("valid_from", TIME),
    _optional("valid_to", TIME),
    _optional("event_from", TIME),
    _optional("event_to", TIME),
    _optional("expires_at", TIME),
    _required("redactions", JSONB()),
    _required("text_cut", Boolean()),
    _required("written_by", Uuid()),
    _required("written_key", Text()),
    _required("writer_label", Text()),
    _required("recorded_from", TIME),
    _required("recorded_to", TIME),
    _required("replaced_by", Text()),
    _required("mac_key_id", Text()),
    _required("mac_version", BYTEA()),
)

memory_index = Table(
    "memory_index",
    metadata,
    _key("org_id", Uuid()),
    _key("memory_id", Uuid()),
    _required("brain_id", Uuid()),
    _required("kind", Text()),
    _optional("topic", Text()),
    _required("about", UUIDS),
    _optional("said_by", Uuid()),
    _required("tags", TEXTS),
    _required("facets", TEXTS),
    _required("language", Text()),
    _required("words", LEXEMES),
    _required("word_count", Integer()),
    _required("context", LEXEMES),
    _required("context_count", Integer()),
    _required("context_fragments", UUIDS),
    _required("status", Text()),
    _required("held", Boolean()),
    _optional("valid_from", TIME),
    _optional("valid_to", TIME),
    _optional("event_from", TIME),
    _optional("event_to", TIME),
    _optional("expires_at", TIME),
    _required("recorded_from", TIME),
    _required("created_at", TIME),
)

memory_version_index = Table(
    "memory_version_index",
    metadata,
    _key("org_id", Uuid()),
    _key("memory_id", Uuid()),
    _key("version", Integer()),
    _required("brain_id", Uuid()),
    _required("kind", Text()),
    _optional("topic", Text()),
    _required("about", UUIDS),
    _optional("said_by", Uuid()),
    _required("tags", TEXTS),
    _required("facets", TEXTS),
    _required("language", Text()),
    _required("words", LEXEMES),
    _required("word_count", Integer()),
    _optional("valid_from", TIME),
    _optional("valid_to", TIME),
    _optional("expires_at", TIME),
    _required("recorded_from", TIME),
    _required("recorded_to", TIME),
    _required("created_at", TIME),
)

memory_stats = Table(
    "memory_stats",
    metadata,
    _key("org_id", Uuid()),
    _key("memory_id", Uuid()),
    _required("brain_id", Uuid()),
    _required("reinforced", Integer()),
    _required("accessed", Integer()),
    _optional("last_access_at", TIME),
)

embedding_pending = Table(
    "embedding_pending",
    metadata,
    _key("org_id", Uuid()),
    _key("space", Text()),
    _key("memory_id", Uuid()),
    _required("brain_id", Uuid()),
    _required("attempts", Integer()),
    _required("next_try_at", TIME),
)

episodes = Table(
    "episodes",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("brain_id", Uuid()),
    _optional("external_id", Text()),
    _optional("started_at", TIME),
    _required("created_at", TIME),
)

fragments = Table(
    "fragments",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("brain_id", Uuid()),
    _required("episode_id", Uuid()),
    _required("position", Integer()),
    _optional("speaker_id", Uuid()),
    _optional("speaker", Text()),
    _optional("said_at", TIME),
    _required("text", Text()),
    _required("redactions", JSONB()),
    _required("text_hash", BYTEA()),
    _required("created_at", TIME),
)

memory_fragments = Table(
    "memory_fragments",
    metadata,
    _key("org_id", Uuid()),
    _key("memory_id", Uuid()),
    _key("fragment_id", Uuid()),
    _required("brain_id", Uuid()),
    _required("created_at", TIME),
)

entities = Table(
    "entities",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("brain_id", Uuid()),
    _required("kind", Text()),
    _required("name", Text()),
    _required("folded", Text()),
    _required("created_at", TIME),
)

memory_entities = Table(
    "memory_entities",
    metadata,
    _key("org_id", Uuid()),
    _key("entity_id", Uuid()),
    _key("memory_id", Uuid()),
    _required("brain_id", Uuid()),
    _required("mentions", Integer()),
)

links = Table(
    "links",
    metadata,
    _key("org_id", Uuid()),
    _key("from_id", Uuid()),
    _key("to_id", Uuid()),
    _key("kind", Text()),
    _required("brain_id", Uuid()),
    _required("weight", REAL()),
    _required("created_at", TIME),
)

term_stats = Table(
    "term_stats",
    metadata,
    _key("org_id", Uuid()),
    _key("brain_id", Uuid()),
    _key("term", Text()),
    _key("language", Text()),
    _required("documents", BigInteger()),
)

corpus_stats = Table(
    "corpus_stats",
    metadata,
    _key("org_id", Uuid()),
    _key("brain_id", Uuid()),
    _key("language", Text()),
    _required("documents", BigInteger()),
    _required("words", BigInteger()),
)

term_deltas = Table(
    "term_deltas",
    metadata,
    _key("org_id", Uuid()),
    _key("brain_id", Uuid()),
    _key("id", Uuid()),
    _required("language", Text()),
    _required("terms", TEXTS),
    _required("documents", Integer()),
    _required("words", Integer()),
)

hold_actions = Table(
    "hold_actions",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("kind", Text()),
    _required("reasons", TEXTS),
    _required("created_at", TIME),
    _optional("created_by", Uuid()),
)

holds = Table(
    "holds",
    metadata,
    _key("org_id", Uuid()),
    _key("memory_id", Uuid()),
    _key("action_id", Uuid()),
    _required("brain_id", Uuid()),
    _required("created_at", TIME),
)

audit_events = Table(
    "audit_events",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("at", TIME),
    _required("action", Text()),
    _optional("actor_subject", Uuid()),
    _optional("actor_key", Text()),
    _optional("acting_for", Uuid()),
    _optional("brain_id", Uuid()),
    _required("object_kind", Text()),
    _required("object_id", Text()),
    _required("detail", JSONB()),
    _optional("mac_key_id", Text()),
    _optional("digest", BYTEA()),
    _optional("request_id", Text()),
)

recalls = Table(
    "recalls",
    metadata,
    _key("org_id", Uuid()),
    _key("id", Uuid()),
    _required("subject_id", Uuid()),
    _required("key_id", Text()),
    _optional("acting_for", Uuid()),
    _required("query", Text()),
    _required("filters", JSONB()),
    _optional("purpose", Text()),
    _required("memory_ids", UUIDS),
    _required("scores", REALS),
    _required("degraded", TEXTS),
    _required("took_ms", REAL()),
    _required("created_at", TIME),
    _optional("request_id", Text()),
)


@cache
def vector_table(space: str, dimension: int) -> Table:
    """Vectors of the current memories in one embedding space; one row per memory and field (`text`, `context`)."""
    return Table(
        vector_tables(space)[0],
        MetaData(schema="mem"),
        _key("org_id", Uuid()),
        _required("brain_id", Uuid()),
        _key("memory_id", Uuid()),
        _key("field", Text()),
        _required("embedding", HALFVEC(dimension)),
    )


@cache
def version_vector_table(space: str, dimension: int) -> Table:
    """Vectors of superseded versions in one embedding space; one row per version."""
    return Table(
        vector_tables(space)[1],
        MetaData(schema="mem"),
        _key("org_id", Uuid()),
        _required("brain_id", Uuid()),
        _key("memory_id", Uuid()),
        _key("version", Integer()),
        _required("embedding", HALFVEC(dimension)),
    )
