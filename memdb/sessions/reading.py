"""Reading a session back: its turns, its snapshots and what the handlers made of them, what came of a turn."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING
from uuid import UUID

from governance.errors import NotFound
from governance.scopes import readable_by
from memdb.models.turn import Snapshot, Turn
from memdb.sessions.opening import require_session
from memdb.storage import extractions, memories, sessions, subjects, turns
from memdb.storage.database import identity_of

if TYPE_CHECKING:
    from memdb.formation.pipeline import Writer
    from memdb.runtime import Runtime
    from memdb.storage.extractions import Derivation, Extraction


async def read_turns(runtime: Runtime, writer: Writer, session_id: UUID, *, after: int, limit: int) -> list[tuple[Turn, str | None]]:
    """Turns of a session in order, each with the name of who spoke: as the org knows the subject now, else as it was recorded; at most
    `limit` of those behind position `after`.

    Raises:
        NotFound: the session is in no brain that the caller may read.
    """
    scope = readable_by(writer.principal, writer.access)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        session = await require_session(conn, scope, session_id)
        said = await turns.list_turns(conn, scope.org_id, session.id, first=after + 1, last=after + limit)
        # Names of subjects are for everybody in the org to see, as in the directory and in a context.
        names = await subjects.list_names(conn, scope.org_id, {turn.speaker_id for turn in said if turn.speaker_id is not None})
    return [(turn, (None if turn.speaker_id is None else names.get(turn.speaker_id)) or turn.speaker) for turn in said]


async def read_snapshots(
    runtime: Runtime, writer: Writer, session_id: UUID, *, after: int, limit: int
) -> list[tuple[Snapshot, list[Extraction]]]:
    """Snapshots of a session in order with their extractions; at most `limit` of those that begin behind position `after`.

    Raises:
        NotFound: the session is in no brain that the caller may read.
    """
    scope = readable_by(writer.principal, writer.access)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        session = await require_session(conn, scope, session_id)
        found = await sessions.list_snapshots(conn, scope.org_id, session.id, after=after, limit=limit)
        states = await extractions.list_of_snapshots(conn, scope.org_id, [one.id for one in found])
    return [(one, states.get(one.id, [])) for one in found]


async def read_extractions(runtime: Runtime, writer: Writer, snapshot_ids: Collection[UUID]) -> dict[UUID, list[Extraction]]:
    """Extractions by snapshot, of brains that the caller may read."""
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        return await extractions.list_of_snapshots(conn, writer.principal.org_id, snapshot_ids)


async def read_learned(runtime: Runtime, writer: Writer, session_id: UUID, turn_id: UUID) -> list[Derivation]:
    """What came of a turn, of memories that a door may show; the earliest first.

    Raises:
        NotFound: the session is in no brain that the caller may read, or has no such turn.
    """
    scope = readable_by(writer.principal, writer.access)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        session = await require_session(conn, scope, session_id)
        turn = await turns.find_turn(conn, scope.org_id, turn_id)
        if turn is None or turn.session_id != session.id:
            raise NotFound("this session has no such turn", field="turn_id")
        within = await sessions.find_snapshots_of(conn, scope.org_id, session.id, [turn.position])
        found: list[Derivation] = []
        for snapshot_id in within.values():
            rows = await extractions.list_of_snapshot(conn, scope.org_id, snapshot_id)
            found += [row for row in rows if turn_id in row.turn_ids]
        shown = await memories.list_by_id(conn, scope, {row.memory_id for row in found}, runtime.keyring)
    return [row for row in found if (memory := shown.get(row.memory_id)) is not None and not memory.held]
