"""Embedding spaces of a database: which there are, which one is in use, and bringing the configured one into use.

Vectors of two spaces are never compared. A space with rows is left only by re-embedding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from psycopg import sql

from memdb.errors import DimensionMismatch, SchemaMismatch
from memdb.providers.embedding.base import EmbeddingSpace

if TYPE_CHECKING:
    from datetime import datetime

    from memdb.storage.owner import Connection


@dataclass(frozen=True, slots=True)
class KnownSpace:
    """A row of mem.embedding_spaces."""

    space: EmbeddingSpace
    active: bool


def list_spaces(conn: Connection) -> tuple[KnownSpace, ...]:
    """Every space of the database, by name."""
    rows = conn.execute("SELECT name, provider, model, dimension, recipe, active FROM mem.embedding_spaces ORDER BY name").fetchall()
    return tuple(KnownSpace(EmbeddingSpace(*row[:5]), row[5]) for row in rows)


def find_active(spaces: tuple[KnownSpace, ...]) -> EmbeddingSpace | None:
    """The space that writes and queries use; None before the first migration."""
    return next((known.space for known in spaces if known.active), None)


def use_space(conn: Connection, space: EmbeddingSpace, now: datetime) -> tuple[str, ...]:
    """Make the tables of a space if need be and mark it active; needs the owner and a transaction. Says what it did.

    Raises:
        DimensionMismatch: another space is active, has rows, and its vectors have another dimension.
        SchemaMismatch: another space is active and has rows, or a space of this name was made with other parts.
    """
    spaces = list_spaces(conn)
    same = next((known for known in spaces if known.space.name == space.name), None)
    if same is not None and same.space != space:
        raise differing(same.space, space)
    active = find_active(spaces)
    if active == space:
        return ()
    if active is not None and _has_rows(conn, active):
        raise differing(active, space)
    done: list[str] = []
    if same is None:
        conn.execute("SELECT mem.make_vector_space(%s, %s)", (space.name, space.dimension))
        conn.execute(
            "INSERT INTO mem.embedding_spaces (name, provider, model, dimension, recipe, active, created_at)"
            " VALUES (%s, %s, %s, %s, %s, false, %s)",
            (space.name, space.provider, space.model, space.dimension, space.recipe, now),
        )
        done.append(f"embedding space {space.name} made ({space.dimension} dimensions)")
    conn.execute("UPDATE mem.embedding_spaces SET active = (name = %s)", (space.name,))
    done.append(f"embedding space {space.name} is active")
    if active is not None:
        _move_pending(conn, active, space)
    return tuple(done)


def differing(stored: EmbeddingSpace, configured: EmbeddingSpace) -> DimensionMismatch | SchemaMismatch:
    """The error for a configured space that is not the stored one; names both and what to do."""
    message = (
        f"this database holds vectors of {_named(stored)}, but {_named(configured)} is configured; "
        "configure the former, or use another database: vectors of two spaces are never compared"
    )
    kind = SchemaMismatch if stored.dimension == configured.dimension else DimensionMismatch
    return kind(message)


def vector_tables(space_name: str) -> tuple[str, str]:
    """Names of the two tables of a space in schema mem: current memories, superseded versions."""
    return f"memory_vectors_{space_name}", f"memory_version_vectors_{space_name}"


def _named(space: EmbeddingSpace) -> str:
    return f"space {space.name} ({space.provider}, {space.model}, {space.dimension} dimensions, recipe {space.recipe})"


def _has_rows(conn: Connection, space: EmbeddingSpace) -> bool:
    return any(
        conn.execute(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier("mem", table))).fetchone() is not None
        for table in vector_tables(space.name)
    )


def _move_pending(conn: Connection, old: EmbeddingSpace, new: EmbeddingSpace) -> None:
    # Memories that wait for a vector wait for one of the new space from now on.
    conn.execute(
        "INSERT INTO mem.embedding_pending (org_id, space, memory_id, brain_id, attempts, next_try_at)"
        " SELECT p.org_id, %s, p.memory_id, p.brain_id, 0, p.next_try_at FROM mem.embedding_pending p WHERE p.space = %s"
        " ON CONFLICT DO NOTHING",
        (new.name, old.name),
    )
    conn.execute("DELETE FROM mem.embedding_pending WHERE space = %s", (old.name,))
