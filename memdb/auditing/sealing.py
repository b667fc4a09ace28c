"""The sealer: gives events their places in the log of their org, in batches, and exports the head.

What a transaction left in `audit_pending` is taken once it is committed, so a late commit comes later and a rolled-back one never. Before
it extends a log, the sealer looks that the log still extends the head that was exported last: who cut or rewrote it, or put an older
database in its place, would otherwise have the next write sign that.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.audit import first_link, next_link
from memdb.auditing.heads import Head, path_of, read_head, write_head
from memdb.errors import AuditDiverged
from memdb.keyring import Purpose
from memdb.storage import chain
from memdb.storage.chain import Linked
from memdb.storage.database import Database, Identity, WriteConn

if TYPE_CHECKING:
    from memdb.clock import Clock
    from memdb.keyring import Keyring
    from memdb.runtime import Runtime

BATCH_MAX: Final = 1_000
"""Events in one transaction."""
ROUNDS_MAX: Final = 20


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a round did. `more`: a limit was met, and events still wait."""

    events: int = 0
    more: bool = False


@dataclass(frozen=True, slots=True)
class Sealer:
    """What sealing needs: the database as memdb_app or its owner, the secret, the folder of the heads, and time.

    accept: the heads that are written take all before them as it is, and say that every row has its seals: they were just made.
    """

    database: Database
    keyring: Keyring
    folder: Path
    clock: Clock
    accept: bool = False

    @classmethod
    def of(cls, runtime: Runtime) -> Sealer:
        """That of a process."""
        return cls(runtime.database, runtime.keyring, runtime.settings.heads, runtime.clock)


async def seal_org(by: Sealer, org_id: UUID) -> Sealed:
    """Chain what waits in an org, and export the head; another that is at it leaves nothing to do.

    Raises:
        AuditDiverged: the log does not extend its exported head. Nothing was changed.
        ConfigurationError: the head cannot be read or written. What was chained stays chained.
        StorageUnavailable: the database is away.
    """
    done = 0
    for _ in range(ROUNDS_MAX):
        exported = await asyncio.to_thread(read_head, path_of(by.folder, org_id), by.keyring)
        async with by.database.write(Identity(org_id)) as conn:
            if not await chain.try_lock(conn, org_id):
                return Sealed(done)
            last = await chain.find_last(conn, org_id)
            await _require_extension(conn, org_id, exported, last)
            linked = await _extend(by, conn, org_id, last)
            # SECURITY: the first head keeps it outside the database, so that nobody makes it later there to have rows without seals pass.
            since = await chain.chained_since(conn) if exported is None else exported.since
        done += len(linked)
        end = linked[-1] if linked else last
        if end is not None and (exported is None or end.position > exported.position):
            complete = by.accept or (since is None if exported is None else exported.complete)
            accepted = end.position if by.accept else 0 if exported is None else exported.accepted
            head = Head(org_id, end.position, end.link, by.clock.now(), since, complete, accepted)
            await asyncio.to_thread(_export, by, head)
        if len(linked) < BATCH_MAX:
            return Sealed(done)
    return Sealed(done, more=True)


def _export(by: Sealer, head: Head) -> None:
    present = read_head(path_of(by.folder, head.org_id), by.keyring)
    if present is None or present.position < head.position:  # else another process went on meanwhile
        write_head(by.folder, by.keyring, head)


async def _require_extension(conn: WriteConn, org_id: UUID, exported: Head | None, last: Linked | None) -> None:
    if exported is None:
        return
    if not exported.genuine or exported.org_id != org_id:
        raise AuditDiverged(f"the exported head of org {org_id} is not signed by this installation; run memdb audit verify")
    there = last if last is not None and last.position == exported.position else await chain.find_link(conn, org_id, exported.position)
    if there is None or there.link != exported.link:
        message = (
            f"the audit of org {org_id} does not extend the head that was exported at position {exported.position}: it was cut or"
            " rewritten, or the database is older; run memdb audit verify"
        )
        raise AuditDiverged(message)


async def _extend(by: Sealer, conn: WriteConn, org_id: UUID, last: Linked | None) -> list[Linked]:
    waiting = await chain.list_pending(conn, org_id, BATCH_MAX)
    if not waiting:
        return []
    keyring, now = by.keyring, by.clock.now()
    key = keyring.derive(Purpose.CHAIN, org_id)
    position, link = (0, first_link(org_id, key=key)) if last is None else (last.position, last.link)
    linked: list[Linked] = []
    for event in waiting:
        position += 1
        link = next_link(link, position, event, key=key)
        linked.append(Linked(position, event[0], link, keyring.current_id, now))
    await chain.extend(conn, org_id, linked)
    return linked
