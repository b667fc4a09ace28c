"""Reads of memory content: whatever a door shows is read here, and leaves its event in the transaction that read it.

The event costs no round trip of its own: it travels with the commit, which does not wait for the disk. Whether an answer may go without it
is for the org's policy to say, `audit.reads`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol
from uuid import UUID

import structlog

from governance.audit import AuditEvent, DetailValue, ReadAudit, actor_of
from memdb.errors import ReadNotAudited, StorageError
from memdb.storage.audit import Auditor, record_with_next
from memdb.storage.database import ReadConn, WriteConn, bound_statements, identity_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from governance.principals import Principal
    from memdb.runtime import Runtime

log = structlog.get_logger()

IDS_MAX: Final = 1_000
"""Memories that one event tells of; a read of more leaves several."""


RECORDING_MS: Final = 1_000
"""After which an event counts as not stored: whoever waits for the answer does not wait for a lock."""


class Read(StrEnum):
    """The action of a read's event, by what was asked for."""

    MEMORY = "read.memory"
    HISTORY = "read.history"
    LIST = "read.list"
    TOPICS = "read.topics"
    CONFLICTS = "read.conflicts"
    UNATTRIBUTED = "read.unattributed"
    TURNS = "read.turns"
    LEARNED = "read.learned"
    CONTEXT = "read.context"
    CARD = "read.card"
    DRAWER = "read.drawer"
    NOTES = "read.notes"


class Reads(Protocol):
    """Whoever reads: a reader or a writer."""

    @property
    def principal(self) -> Principal: ...
    @property
    def request_id(self) -> str | None: ...
    @property
    def reads(self) -> ReadAudit: ...


@dataclass(slots=True)
class Reading:
    """A read that goes on, on one connection; what it shows is told before it ends. `recorded`: whether that was stored, known then."""

    conn: ReadConn
    auditor: Auditor
    recorded: bool = True
    left: list[Callable[[WriteConn], Awaitable[None]]] = field(default_factory=list)

    def tell(
        self,
        read: Read,
        asked: tuple[str, UUID],
        *,
        brain_id: UUID | None = None,
        memories: Iterable[UUID] = (),
        detail: Mapping[str, DetailValue] | None = None,
    ) -> None:
        """What was read, for its event.

        Args:
            read: what kind of read.
            asked: kind and id of what was asked for, such as `("memory", memory_id)`.
            brain_id: the one brain that it was read from, if it was one.
            memories: every memory of which the reply holds content.
            detail: further counts and ids.
        """
        shown = list(dict.fromkeys(memories))
        for start in range(0, len(shown) or 1, IDS_MAX):
            told = {**(detail or {}), "memories": shown[start : start + IDS_MAX]}
            self.leave(_recording(self.auditor.event(read, asked, brain_id=brain_id, detail=told)))

    def leave(self, record: Callable[[WriteConn], Awaitable[None]]) -> None:
        """Store another kind of row that is the event of this read."""
        self.left.append(record)


def _recording(event: AuditEvent) -> Callable[[WriteConn], Awaitable[None]]:
    async def record(conn: WriteConn) -> None:
        await record_with_next(conn, event)

    return record


@asynccontextmanager
async def reading(runtime: Runtime, by: Reads, *, one_plan: bool = False) -> AsyncIterator[Reading]:
    """One transaction that reads what is shown, and stores that it was read.

    Args:
        runtime: what the process holds.
        by: who reads.
        one_plan: see `Database.answer`.

    Raises:
        ReadNotAudited: the event could not be stored, and the policy requires it. Nothing may be shown.
        StorageUnavailable: no connection in time, or the server went away before everything was read.
    """
    principal = by.principal
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=runtime.clock.now(), request_id=by.request_id)
    going: Reading | None = None
    done = False
    try:
        async with runtime.database.answer(identity_of(principal), one_plan=one_plan) as (conn, recording):
            going = Reading(conn, auditor)
            yield going
            assert going.left, "a read that leaves no event"
            done = True
            await bound_statements(recording, RECORDING_MS)
            for record in going.left:
                await record(recording)
    except StorageError as error:
        if going is None or not done:
            raise
        log.warning("read_not_recorded", code=error.code, required=by.reads.required)
        if by.reads.required:
            raise ReadNotAudited("the read could not be recorded in the audit, which the policy requires; try again") from error
        going.recorded, by.reads.missed = False, True
