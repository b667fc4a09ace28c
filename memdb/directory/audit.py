"""What happened in an org, for its auditors."""

from __future__ import annotations

from uuid import UUID

from memdb.directory.authentication import Authenticated
from memdb.runtime import Runtime
from memdb.storage import audit
from memdb.storage.audit import EventFilter, PlacedEvent
from memdb.storage.database import identity_of


async def list_events(runtime: Runtime, who: Authenticated, wanted: EventFilter, *, before: UUID | None, limit: int) -> list[PlacedEvent]:
    """Events of the caller's org, newest first; at most `limit` of those older than `before`. The door asks for the capability.

    Raises:
        StorageUnavailable: the database is away.
    """
    async with runtime.database.read(identity_of(who.principal)) as conn:
        return await audit.list_events(conn, who.principal.org_id, wanted, before=before, limit=limit)
