"""What an org may spend on a language model in a day, and what happens when it has: its extractions wait, and nothing is lost.

No more than a bound on what is begun: extractions that run at the same time may go beyond it by what each of them takes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

import structlog

from memdb.models.turn import ExtractionState
from memdb.storage import extractions
from memdb.storage.database import Identity
from memdb.storage.policies import DEFAULT_POLICY, find_policy

if TYPE_CHECKING:
    from memdb.runtime import Runtime
    from memdb.storage.extractions import Extraction

DAY: Final = timedelta(hours=24)
BUDGET_EXHAUSTED: Final = "budget_exhausted"
"""Stands where the code of a failure does, though nothing failed and no try is counted."""

log = structlog.get_logger()


async def is_exhausted(runtime: Runtime, org_id: UUID) -> bool:
    """True when a language model reads, its tokens are bounded, and those of the org in the last 24 hours have reached the bound."""
    if runtime.settings.extraction_model is None:
        return False
    async with runtime.database.read(Identity(org_id)) as conn:
        row = await find_policy(conn, org_id) or DEFAULT_POLICY
        own = row.document.compile(row.version).memory.tokens_per_day
        # Whoever runs the server pays: an org may spend less than its settings say, never more.
        bound = min((each for each in (own, runtime.settings.extraction_tokens_per_day or None) if each is not None), default=None)
        return bound is not None and await extractions.sum_tokens(conn, org_id, runtime.clock.now() - DAY) >= bound


async def put_off(runtime: Runtime, identity: Identity, waiting: Extraction) -> None:
    """Note why an extraction waits. The sweep defers it again when the org may spend.

    Nothing was worked on, so `changed_at` stays: else what it spent before would count for another day each time, and for ever.
    """
    async with runtime.database.write(identity) as conn:
        current = await extractions.find(conn, identity.org_id, waiting.snapshot_id, waiting.handler, lock=True)
        if current is None or current.state is not ExtractionState.WAITING or current.failure == BUDGET_EXHAUSTED:
            return
        await extractions.finish(conn, identity.org_id, replace(current, failure=BUDGET_EXHAUSTED))
    log.info("extraction_put_off", handler=waiting.handler.value, code=BUDGET_EXHAUSTED)
