"""What happened in an org, for its auditors."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from governance.errors import InvalidInput
from memdb.directory.authentication import Authenticated
from memdb.runtime import Runtime
from memdb.storage import audit
from memdb.storage.audit import EventFilter, PlacedEvent, ReadRow
from memdb.storage.database import identity_of


async def list_events(runtime: Runtime, who: Authenticated, wanted: EventFilter, *, before: UUID | None, limit: int) -> list[PlacedEvent]:
    """Events of the caller's org, newest first; at most `limit` of those older than `before`. The door asks for the capability.

    Raises:
        StorageUnavailable: the database is away.
    """
    async with runtime.database.read(identity_of(who.principal)) as conn:
        return await audit.list_events(conn, who.principal.org_id, wanted, before=before, limit=limit)


async def list_reads(
    runtime: Runtime, who: Authenticated, memory_id: UUID, span: tuple[datetime, datetime], *, before: UUID | None, limit: int
) -> list[ReadRow]:
    """Who was shown a memory of the caller's org from one moment until another, newest first; at most `limit` of those older than `before`.
    The door asks for the capability.

    Raises:
        InvalidInput: the moments are the wrong way round.
        StorageUnavailable: the database is away, or the time is too long to be looked through at once.
    """
    if span[0] >= span[1]:
        raise InvalidInput("since must lie before until", field="until")
    async with runtime.database.read(identity_of(who.principal)) as conn:
        return await audit.list_reads(conn, who.principal.org_id, memory_id, span, before=before, limit=limit)
