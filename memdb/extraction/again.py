"""What a snapshot that is read anew takes back: memories that came of it alone, and that nobody else has said, changed or confirmed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from governance.errors import NotFound, UnderLegalHold
from governance.principals import EXTRACTION_LABEL
from governance.scopes import of_job
from memdb.errors import IntegrityFailed, VersionConflict
from memdb.lifecycle.delete import delete
from memdb.lifecycle.edit import find_served
from memdb.models.memory import Kind, WriteAction
from memdb.models.reconciling import END
from memdb.storage import extractions, memories
from memdb.storage.database import Identity, identity_of

if TYPE_CHECKING:
    from memdb.formation.pipeline import Writer
    from memdb.runtime import Runtime
    from memdb.storage.database import ReadConn
    from memdb.storage.extractions import Derivation


async def list_replaced(
    runtime: Runtime, org_id: UUID, brain_id: UUID, made: Sequence[Derivation], said: Collection[UUID]
) -> tuple[UUID, ...]:
    """Of the memories that a snapshot made under one handler, those that go when it no longer says them.

    Args:
        runtime: what the process holds.
        org_id: of all of them.
        brain_id: of all of them.
        made: what the snapshot had to do with memories so far; of the run that counts now as well, where it is stored.
        said: memories that it still says; that one has ended is no statement of it.
    """
    gone = sorted({row.memory_id for row in made} - set(said))
    if not gone:
        return ()
    async with runtime.database.read(Identity(org_id, job_brain_id=brain_id)) as conn:
        own = {row.id for row in made}
        return tuple([memory_id for memory_id in gone if await _is_sole(runtime, conn, (org_id, brain_id), memory_id, own)])


async def remove_replaced(runtime: Runtime, writer: Writer, brain_id: UUID, source: tuple[UUID, Kind], run: int) -> None:
    """Delete them, and forget that the snapshot had to do with any memory that its run `run` did not come to. Again it changes nothing.

    Args:
        runtime: what the process holds.
        writer: a job bound to the brain.
        brain_id: of the snapshot.
        source: snapshot and handler.
        run: the one that counts now.
    """
    org_id = writer.principal.org_id
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        made = await extractions.list_of_snapshot(conn, org_id, *source)
    said = {row.memory_id for row in made if row.run == run and row.action != END}
    former = [row for row in made if row.run != run]
    for memory_id in await list_replaced(runtime, org_id, brain_id, made, said):
        try:
            await delete(runtime, writer, memory_id, None, for_good=False)
        except (NotFound, VersionConflict, UnderLegalHold):
            continue  # held, deleted or changed meanwhile, or to be kept
    async with runtime.database.write(identity_of(writer.principal)) as conn:
        gone = [row.id for row in former if row.memory_id not in said or row.action == END]
        await extractions.forget(conn, org_id, gone)


async def _is_sole(runtime: Runtime, conn: ReadConn, where: tuple[UUID, UUID], memory_id: UUID, own: Collection[UUID]) -> bool:
    org_id, brain_id = where
    try:
        found = await find_served(conn, of_job(org_id, brain_id), memory_id, runtime.keyring, runtime.clock.now())
    except (NotFound, IntegrityFailed):
        return False
    rows = await extractions.list_of_memories(conn, org_id, [memory_id])
    if any(row.id not in own for row in rows) or found.memory.writer_label != EXTRACTION_LABEL:
        return False
    if not any(row.action == WriteAction.ADD.value for row in rows):
        return False  # it changed or ended what somebody else had written
    confirmations = await memories.count_confirmations(conn, org_id, memory_id)
    counted = sum(row.action == WriteAction.REINFORCE.value for row in rows)
    # Somebody who said it again by a write of their own, or renewed it, stands for it as well.
    return confirmations <= counted and found.memory.confirmed_at <= max(row.created_at for row in rows)
