"""Rows of `memories` and `memory_versions` to values and back, in one place."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from memdb.models.memory import Kind, Memory, Placement, Status, StoredRedaction
from memdb.text.normalise import fold

# Columns that a version has in common with the current row, in one order for both tables.
SHARED = (
    "org_id", "brain_id", "kind", "version", "topic", "content", "data", "tags", "about", "said_by", "language", "placement", "importance",
    "trust", "source_kind", "valid_from", "valid_to", "event_from", "event_to", "expires_at", "redactions", "text_cut", "written_by",
    "written_key", "writer_label", "mac_key_id", "mac_version",
)  # fmt: skip


def memory_of(row: Any, *, past: bool = False) -> Memory:  # noqa: ANN401 - a database row
    """The value of a row; of a past version the moments are those at which it was recorded."""
    return Memory(
        org_id=row.org_id,
        id=row.memory_id if past else row.id,
        brain_id=row.brain_id,
        kind=Kind(row.kind),
        version=row.version,
        status=Status.SUPERSEDED if past else Status(row.status),
        topic=row.topic,
        content=row.content or "",
        data=row.data,
        tags=tuple(row.tags),
        about=tuple(row.about),
        said_by=row.said_by,
        language=row.language,
        placement=Placement(row.placement),
        importance=row.importance,
        trust=row.trust,
        source_kind=row.source_kind,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        event_from=row.event_from,
        event_to=row.event_to,
        expires_at=row.expires_at,
        redactions=tuple(StoredRedaction(**r) for r in row.redactions),
        text_cut=row.text_cut,
        written_by=row.written_by,
        written_key=row.written_key,
        writer_label=row.writer_label,
        created_at=row.recorded_from if past else row.created_at,
        updated_at=row.recorded_from if past else row.updated_at,
        confirmed_at=row.recorded_from if past else row.confirmed_at,
    )


def values_of(memory: Memory) -> dict[str, object]:
    """The columns of `memories` without seals and duplicate key."""
    return {
        "org_id": memory.org_id,
        "id": memory.id,
        "brain_id": memory.brain_id,
        "kind": memory.kind.value,
        "version": memory.version,
        "status": memory.status.value,
        "topic": memory.topic,
        "content": memory.content,
        "data": memory.data,
        "tags": list(memory.tags),
        "about": list(memory.about),
        "said_by": memory.said_by,
        "language": memory.language,
        "placement": memory.placement.value,
        "importance": memory.importance,
        "trust": memory.trust,
        "source_kind": memory.source_kind,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "event_from": memory.event_from,
        "event_to": memory.event_to,
        "expires_at": memory.expires_at,
        "redactions": [redaction_json(r) for r in memory.redactions],
        "text_cut": memory.text_cut,
        "written_by": memory.written_by,
        "written_key": memory.written_key,
        "writer_label": memory.writer_label,
        "created_at": memory.created_at,
        "updated_at": memory.updated_at,
        "confirmed_at": memory.confirmed_at,
    }


def redaction_json(r: StoredRedaction) -> dict[str, object]:
    """A redaction as it is kept; the token stays inside the database."""
    return {"field": r.field, "entity": r.entity, "action": r.action, "start": r.start, "end": r.end, "token": r.token}


def facets_of(data: object, path: str = "") -> list[str]:
    """`path=json` of every scalar leaf, sorted; what a search by data matches exactly.

    >>> facets_of({"a": {"b": 1}, "c": ["x", True]})
    ['a.b=1', 'c="x"', 'c=true']
    """
    if isinstance(data, dict):
        found = [f for key, value in data.items() for f in facets_of(value, f"{path}.{key}" if path else str(key))]
    elif isinstance(data, list):
        found = [f for value in data for f in facets_of(value, path)]
    else:
        found = [f"{path}={json.dumps(data, ensure_ascii=False)}"]
    return sorted(set(found))


def named_facet(kind: Kind, data: object) -> str | None:
    """What of its kind a procedure or a term is, however its name is spelt; None for what has no name.

    >>> named_facet(Kind.TAXONOMIC, {"term": "P0", "definition": "nobody can log in"})
    '#term=p0'
    """
    if not isinstance(data, dict):
        return None
    if kind is Kind.TAXONOMIC:
        term = data.get("term")
        return f"#term={fold(term)}" if isinstance(term, str) else None
    name, when = data.get("name"), data.get("use_when")
    if kind is not Kind.PROCEDURAL or not isinstance(name, str):
        return None
    return f"#how-to={fold(name)}" + (f" #when={fold(when)}" if isinstance(when, str) else "")


def index_facets(kind: Kind, data: object) -> list[str]:
    """All facets of a memory: what a search by data matches, and what it is the only one of."""
    named = named_facet(kind, data)
    return [*(facets_of(data) if data else []), *([] if named is None else [named])]


def to_json(rows: Sequence[Mapping[str, object]]) -> str:
    """Rows as the JSON that `jsonb_populate_recordset` reads: bytes in Postgres' hex form, times in ISO 8601."""
    return json.dumps(rows, default=_plain, ensure_ascii=False, allow_nan=False)


def _plain(value: object) -> str:
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    if isinstance(value, datetime):
        return value.isoformat()
    assert isinstance(value, UUID), "a column of another type"
    return str(value)
