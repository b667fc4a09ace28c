"""The background loop of a serving process. Agents never wait for it, and whatever it misses the next pass does.

| what | how often | a memory meanwhile |
| --- | --- | --- |
| word counts are folded into the statistics | each pass | is counted: a search adds what is not folded |
| outcomes are counted | each pass | its counters lag; the feedback branch reads the outcomes themselves |
| duplicate keys of an earlier release are made again | each pass, some hundred of an org | does not meet its repetition |
| events get their place in the audit's log, and its head is exported | each pass | what a database administrator cuts off is not noticed |
| memories without a vector get one | each pass, then later and later | is found by the other branches |
| partitions of the coming months are made | once an hour | cannot be written without one, hence months ahead |
| answers to idempotency keys are forgotten | once an hour, after 24 hours | |
| expired working memories are deleted | once an hour, one hour after they expired | is not served: expiry is exact when read |
| what the policy keeps for a time is deleted | once an hour | is served until then |

Several servers may run it: claims skip what another has locked, and an org is folded, and its log extended, by one at a time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import structlog

from governance.errors import ServiceError
from governance.policy.keeping import LegalHold
from memdb.auditing.sealing import Sealer, seal_org
from memdb.errors import ProviderError
from memdb.formation.context import context_document
from memdb.formation.embed import document_text
from memdb.lifecycle.duplicate_keys import RENEWED_MAX, renew_old
from memdb.lifecycle.legal_hold import is_deletable
from memdb.lifecycle.retention import erase_outdated, remove_outdated
from memdb.runtime import Runtime
from memdb.storage import orgs, upkeep
from memdb.storage.database import Identity
from memdb.storage.idempotency import WINDOW
from memdb.storage.policies import DEFAULT_POLICY, find_policy
from memdb.storage.upkeep import DELTAS_MAX, OUTCOMES_MAX, Caught, Unembedded

INTERVAL_S: Final = 5.0
SLOW_EVERY_S: Final = 3_600.0
EXPIRED_FOR: Final = timedelta(hours=1)
ROUNDS_MAX: Final = 20  # transactions for one org in one pass, so that no org keeps the others waiting

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class UpkeepReport:
    """What one pass did, in rows. `failed` counts orgs in which it stopped; `full` says that a limit was met and more may wait."""

    folded: int = 0
    counted: int = 0
    renewed: int = 0
    embedded: int = 0
    forgotten: int = 0
    expired: int = 0
    partitions: int = 0
    sealed: int = 0
    failed: int = 0
    full: bool = False

    def __add__(self, other: UpkeepReport) -> UpkeepReport:
        return UpkeepReport(
            self.folded + other.folded,
            self.counted + other.counted,
            self.renewed + other.renewed,
            self.embedded + other.embedded,
            self.forgotten + other.forgotten,
            self.expired + other.expired,
            self.partitions + other.partitions,
            self.sealed + other.sealed,
            self.failed + other.failed,
            self.full or other.full,
        )


async def run(runtime: Runtime) -> None:
    """Pass after pass, until cancelled. Errors end a pass and not the loop."""
    loop = asyncio.get_running_loop()
    slow_at = loop.time()
    while True:
        slow = loop.time() >= slow_at
        report = UpkeepReport()
        try:
            report = await run_once(runtime, slow=slow)
        except ServiceError as error:
            log.warning("upkeep_failed", code=error.code)
        except Exception as error:  # noqa: BLE001 - a defect in upkeep must not end it for the life of the server
            log.error("upkeep_failed", error_type=type(error).__qualname__)  # noqa: TRY400 - the text of an error may quote rows
        else:
            slow_at = loop.time() + SLOW_EVERY_S if slow else slow_at
        await asyncio.sleep(0.1 if report.full else INTERVAL_S)


async def run_once(runtime: Runtime, *, slow: bool = True) -> UpkeepReport:
    """One pass over every org.

    Args:
        runtime: what the process holds.
        slow: also what is done once an hour.

    Raises:
        StorageUnavailable: the database is away.
    """
    report = UpkeepReport()
    async with runtime.database.bare() as conn:
        every = [org.id for org in await orgs.list_orgs(conn)]
    async with runtime.database.bare() as conn:
        await upkeep.refresh_statistics(conn)
    if slow:
        async with runtime.database.bare() as conn:
            report += UpkeepReport(partitions=await upkeep.ensure_partitions(conn, runtime.clock.now()))
    embeds = True
    for org_id in every:
        try:
            report += await _fold(runtime, org_id)
            report += await _count(runtime, org_id)
            report += await _renew(runtime, org_id)
            if slow:
                report += await _remove_old(runtime, org_id)
            if embeds:
                report += await _embed(runtime, org_id)
        except ProviderError as error:
            embeds = False  # it is down for the other orgs as well
            log.warning("embedding_deferred", code=error.code)
            report += UpkeepReport(failed=1)
        except ServiceError as error:
            log.warning("upkeep_failed", code=error.code)
            report += UpkeepReport(failed=1)
        report += await _seal(runtime, org_id)
    return report


async def _seal(runtime: Runtime, org_id: UUID) -> UpkeepReport:
    """Whatever else fails in an org: what happened there gets its place in the log."""
    try:
        done = await seal_org(Sealer.of(runtime), org_id)
    except ServiceError as error:
        log.error("sealing_failed", code=error.code, org_id=str(org_id))  # noqa: TRY400 - what is wrong is told by its code
        return UpkeepReport(failed=1)
    return UpkeepReport(sealed=done.events, full=done.more)


# ------------------------------------------------------------------------------------------------------------- statistics
async def _fold(runtime: Runtime, org_id: UUID) -> UpkeepReport:
    async with runtime.database.read(Identity(org_id)) as conn:
        brains = await upkeep.list_brains_with_deltas(conn, org_id)
    folded, rounds = 0, 0
    for brain_id in brains:
        while rounds < ROUNDS_MAX:
            rounds += 1
            async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
                if not await upkeep.take_turn(conn, org_id):
                    return UpkeepReport(folded=folded)
                count = await upkeep.fold_deltas(conn, org_id, brain_id)
            folded += count
            if count < DELTAS_MAX:
                break
    return UpkeepReport(folded=folded, full=rounds >= ROUNDS_MAX)


# --------------------------------------------------------------------------------------------------------------- outcomes
async def _count(runtime: Runtime, org_id: UUID) -> UpkeepReport:
    async with runtime.database.read(Identity(org_id)) as conn:
        brains = await upkeep.list_brains_with_outcomes(conn, org_id)
    counted, rounds = 0, 0
    for brain_id in brains:
        while rounds < ROUNDS_MAX:
            rounds += 1
            async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
                count = await upkeep.count_outcomes(conn, org_id, brain_id)
            counted += count
            if count < OUTCOMES_MAX:
                break
    return UpkeepReport(counted=counted, full=rounds >= ROUNDS_MAX)


# --------------------------------------------------------------------------------------------------------- duplicate keys
async def _renew(runtime: Runtime, org_id: UUID) -> UpkeepReport:
    renewed = await renew_old(runtime, org_id)
    return UpkeepReport(renewed=renewed, full=renewed >= RENEWED_MAX)


# ---------------------------------------------------------------------------------------------------------------- vectors
async def _embed(runtime: Runtime, org_id: UUID) -> UpkeepReport:
    """Raises ProviderError; what was claimed is then due again later."""
    space, limit = runtime.embedder.space, runtime.embedder.max_batch
    embedded = 0
    for _ in range(ROUNDS_MAX):
        async with runtime.database.write(Identity(org_id)) as conn:
            claimed = await upkeep.claim_pending(conn, org_id, space, runtime.clock.now(), limit)
        embedded += await _embed_claimed(runtime, org_id, claimed)
        if sum(map(len, claimed.values())) < limit:
            return UpkeepReport(embedded=embedded)
    return UpkeepReport(embedded=embedded, full=True)


async def _embed_claimed(runtime: Runtime, org_id: UUID, claimed: Mapping[UUID, Sequence[UUID]]) -> int:
    texts: dict[UUID, list[Unembedded]] = {}
    for brain_id, ids in claimed.items():
        async with runtime.database.read(Identity(org_id, job_brain_id=brain_id)) as conn:
            texts[brain_id] = await upkeep.list_unembedded(conn, org_id, brain_id, ids)
        gone = set(ids) - {each.memory_id for each in texts[brain_id]}
        if gone:
            async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
                await upkeep.drop_pending(conn, org_id, runtime.embedder.space, sorted(gone))
    flat = [each for brain_id in texts for each in texts[brain_id]]
    if not flat:
        return 0
    # No connection is out while the model runs.
    around = {e.memory_id: text for e in flat if (text := context_document(e.before, e.speaker, e.content)) is not None}
    vectors = await runtime.embedder.embed_documents([*(document_text(each.content) for each in flat), *around.values()])
    contexts = {memory_id: v.vector for memory_id, v in zip(around, vectors[len(flat) :], strict=True)}
    made = {
        each.memory_id: Caught(each, v.vector, contexts.get(each.memory_id), v.truncated)
        for each, v in zip(flat, vectors[: len(flat)], strict=True)
    }
    kept = 0
    for brain_id, some in texts.items():
        if some:
            async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
                caught = [made[each.memory_id] for each in some]
                into = (org_id, brain_id)
                kept += await upkeep.keep_vectors(conn, runtime.keyring, into, runtime.embedder.space, caught, runtime.clock.now())
    return kept


# --------------------------------------------------------------------------------------------------------------- old rows
async def _remove_old(runtime: Runtime, org_id: UUID) -> UpkeepReport:
    now = runtime.clock.now()
    async with runtime.database.read(Identity(org_id)) as conn:
        row = await find_policy(conn, org_id) or DEFAULT_POLICY
    policy = row.document.compile(row.version)
    async with runtime.database.write(Identity(org_id)) as conn:
        forgotten = await upkeep.forget_replays(conn, org_id, now - WINDOW)
    async with runtime.database.read(Identity(org_id)) as conn:
        expired = await upkeep.list_expired(conn, org_id, now - EXPIRED_FOR)
    deleted = 0
    for brain_id, ids in expired.items():
        for memory_id in ids:
            deleted += await _delete_expired(runtime, Identity(org_id, job_brain_id=brain_id), memory_id, policy.legal_hold, now)
    recalls, outdated = await remove_outdated(runtime, org_id, policy)
    return UpkeepReport(forgotten=forgotten + recalls, expired=deleted + outdated)


async def _delete_expired(runtime: Runtime, identity: Identity, memory_id: UUID, hold: LegalHold, now: datetime) -> int:
    async with runtime.database.write(identity) as conn:
        memory = await upkeep.lock_expired(conn, identity.org_id, memory_id, now - EXPIRED_FOR)
        if memory is None or not await is_deletable(conn, hold, memory):
            return 0
        await erase_outdated(runtime, conn, memory, now, {})
    return 1
