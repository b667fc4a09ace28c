"""A handler that is switched off reads nothing, also not what was cut before.

The policy is read when an extraction is about to begin, and once more in each transaction that stores what the handler has read: so it is
in force for every worker from the moment that it is stored, also for one that was asleep meanwhile, except for a transaction that was about
to be committed. An extraction that is let go is done and says why; switched on again, its handler reads the snapshot when somebody asks
for it (`reextract.py`), as it does with those that were cut meanwhile.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Final

import structlog

from memdb.lifecycle.switches import find_enabled
from memdb.models.turn import ExtractionState
from memdb.providers.chat.base import Spent
from memdb.storage import extractions

if TYPE_CHECKING:
    from uuid import UUID

    from memdb.models.memory import Kind
    from memdb.runtime import Runtime
    from memdb.storage.database import Identity, WriteConn
    from memdb.storage.extractions import Extraction

SWITCHED_OFF: Final = "switched_off"
"""Stands where the code of a failure does, though nothing failed."""

log = structlog.get_logger()


class SwitchedOff(Exception):
    """The handler was switched off while it read; what was about to be stored is rolled back."""


async def require_on(runtime: Runtime, conn: WriteConn, org_id: UUID, handler: Kind) -> None:
    """Raise SwitchedOff where the policy that this transaction sees has the handler off."""
    if handler not in await find_enabled(runtime, conn, org_id):
        raise SwitchedOff


async def let_go(runtime: Runtime, identity: Identity, waiting: Extraction, spent: Spent) -> Extraction | None:
    """Note that an extraction is not read because its handler is off; what an earlier run had made stays. None: somebody was faster.

    Args:
        runtime: what the process holds.
        identity: a job bound to the brain.
        waiting: as it was found.
        spent: on reading what is thrown away now.
    """
    async with runtime.database.write(identity) as conn:
        current = await extractions.find(conn, identity.org_id, waiting.snapshot_id, waiting.handler, lock=True)
        if current is None or current.state is not ExtractionState.WAITING or current.run != waiting.run:
            return None
        total = Spent(current.tokens_in, current.tokens_out, current.cost_micros) + spent
        done = replace(current, state=ExtractionState.DONE, failure=SWITCHED_OFF, changed_at=runtime.clock.now(), **asdict(total))
        await extractions.finish(conn, identity.org_id, done)
    log.info("extraction_let_go", handler=waiting.handler.value, code=SWITCHED_OFF)
    return done
