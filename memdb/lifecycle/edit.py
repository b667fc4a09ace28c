"""Edits: a new version of a memory, through the same path as a new memory. What an edit does not name stays byte for byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from governance.errors import NotFound
from governance.principals import Role
from governance.redaction.findings import JsonValue
from governance.scopes import ScopeFilter, readable_by, require_role
from governance.trust import Trust
from memdb.errors import IntegrityFailed, VersionConflict
from memdb.formation.batch import Batch
from memdb.formation.check import check
from memdb.formation.pipeline import Formed, Writer, form_authorised
from memdb.formation.stages import Authorised, UnitTerms
from memdb.formation.store import Beside
from memdb.keyring import Keyring
from memdb.models.memory import Kind, Memory, Placement
from memdb.models.submission import Submission
from memdb.runtime import Runtime
from memdb.storage import memories, topics
from memdb.storage.database import ReadConn, identity_of
from memdb.storage.memories import Stored

EDIT_TRIES: Final = 5
"""How often an edit that names no version is made anew when another write came between."""


class Unset:
    """The type of UNSET: a field that the edit does not name. None is a value: it clears the field."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSET"


UNSET: Final = Unset()


@dataclass(frozen=True, slots=True)
class Change:
    """The fields that an edit names."""

    content: str | Unset = UNSET
    topic: str | Unset | None = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    data: Mapping[str, JsonValue] | Unset = UNSET
    about: tuple[UUID, ...] | Unset = UNSET
    valid_from: datetime | Unset | None = UNSET
    valid_to: datetime | Unset | None = UNSET
    ttl_seconds: int | Unset = UNSET
    placement: Placement | Unset = UNSET
    trust: Trust | None = None  # of what else the new text is from


async def edit(
    runtime: Runtime, writer: Writer, memory_id: UUID, change: Change, expected_version: int | None, *, settles: bool = False
) -> Formed:
    """Make a new version. Of a unit it is flagged like any other write of it.

    Args:
        runtime: what the process holds.
        writer: the authorised caller.
        memory_id: of a memory that is served.
        change: what is named.
        expected_version: refuse when the memory is at another one.
        settles: it settles a conflict, so that it is none itself.

    Raises:
        NotFound: unknown, deleted, held or in a brain that the caller may not read.
        AccessDenied: the caller may read it but not write.
        IntegrityFailed: the row was changed behind the product's back.
    """
    terms = _Terms(expected_version, settles=settles)
    for _ in range(EDIT_TRIES - 1):
        formed = await _edit(runtime, writer, memory_id, change, terms)
        # Another write came between reading the memory and writing it: what this edit does not name has to be read again.
        if expected_version is not None or not isinstance(formed.outcomes[0], VersionConflict):
            return formed
    return await _edit(runtime, writer, memory_id, change, terms)


async def edit_beside(runtime: Runtime, writer: Writer, memory_id: UUID, change: Change, expected_version: int, beside: Beside) -> Formed:
    """The same once, and `beside` in the transaction that stores it. Raises as `edit`."""
    return await _edit(runtime, writer, memory_id, change, _Terms(expected_version, beside=beside))


@dataclass(frozen=True, slots=True)
class _Terms:
    """Of one edit: the version that it is of, whether it settles a conflict, and what is done with it."""

    expected_version: int | None
    settles: bool = False
    beside: Beside | None = None


async def _edit(runtime: Runtime, writer: Writer, memory_id: UUID, change: Change, terms: _Terms) -> Formed:
    now = runtime.clock.now()
    scope = readable_by(writer.principal, writer.access)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        current = (await find_served(conn, scope, memory_id, runtime.keyring, now)).memory
        unit = current.topic is not None and await topics.is_unit(conn, current.org_id, memory_id)
    require_role(writer.principal, writer.access, current.brain_id, Role.WRITER)
    window = None if terms.settles else timedelta(seconds=writer.memory.conflict_window_s)

    def authorised(submission: Submission) -> Authorised:
        return Authorised(
            principal=writer.principal,
            submission=check(submission, edit=True),
            brain_id=current.brain_id,
            now=now,
            replaces=current,
            expected_version=terms.expected_version,
            unit=UnitTerms(window=window) if unit else None,
        )

    submitted = Batch.of([edited(current, change)]).each(authorised)
    return await form_authorised(runtime, writer, submitted, None, now, beside=terms.beside)


async def get_served(runtime: Runtime, writer: Writer, memory_id: UUID, now: datetime) -> Memory:
    """A memory that a door may show to this caller. Raises NotFound and IntegrityFailed as `edit`."""
    scope = readable_by(writer.principal, writer.access)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        return (await find_served(conn, scope, memory_id, runtime.keyring, now)).memory


async def find_served(conn: ReadConn, scope: ScopeFilter, memory_id: UUID, keyring: Keyring, now: datetime) -> Stored:
    """The same within a transaction, as the row that it was read from."""
    found = (await memories.list_by_id(conn, scope, [memory_id], keyring)).get(memory_id)
    if found is None or found.held or (found.memory.expires_at is not None and found.memory.expires_at <= now):
        raise NotFound("no such memory among those that this key may read")
    if not found.intact:
        raise IntegrityFailed(f"memory {memory_id} does not match its seal and is not served")
    return found


def edited(before: Memory, change: Change) -> Submission:
    """The memory as it is submitted anew: what the edit names, and the rest as it was."""
    data = before.data if isinstance(change.data, Unset) else change.data
    return Submission(
        content=before.content if isinstance(change.content, Unset) else change.content,
        kind=Kind(before.kind),
        brain_id=before.brain_id,
        topic=before.topic if isinstance(change.topic, Unset) else change.topic,
        tags=before.tags if isinstance(change.tags, Unset) else change.tags,
        data=data if isinstance(data, Mapping) else {},
        about=before.about if isinstance(change.about, Unset) else change.about,
        said_by=before.said_by,
        source=None,
        valid_from=before.valid_from if isinstance(change.valid_from, Unset) else change.valid_from,
        valid_to=before.valid_to if isinstance(change.valid_to, Unset) else change.valid_to,
        ttl_seconds=None if isinstance(change.ttl_seconds, Unset) else change.ttl_seconds,
        placement=None if isinstance(change.placement, Unset) else change.placement,
        trust=change.trust,
    )
