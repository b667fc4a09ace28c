"""An erasure on its way: turn after turn, each step in a transaction of its own, until two looks in a row find nothing more.

A step that is done twice does nothing the second time, so whoever comes after a crash goes on from the last brain that was done. The
second look finds what was written between the first one and the moment at which the subject left the directory for everybody.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog

from governance.errors import NotFound
from memdb.errors import ConfigurationError
from memdb.lifecycle.erasure.begin import work_on
from memdb.lifecycle.erasure.ledger_file import ledger_path, write_ledger
from memdb.lifecycle.erasure.receipts import make_receipt
from memdb.lifecycle.erasure.scanning import fold_statistics, scan_brain, scan_object, scan_org
from memdb.lifecycle.erasure.work import Paused, Work
from memdb.runtime import Runtime
from memdb.storage import erasing, erasures
from memdb.storage.audit import record
from memdb.storage.database import Identity
from memdb.storage.erasures import Erasure, State, Target
from memdb.storage.ledger import CUT, KEEP, bury
from memdb.storage.queue import erase_job, remind

LEASE: Final = timedelta(seconds=120)
"""Longer than one step takes; whoever comes after that takes the erasure over."""
PASSES_MAX: Final = 8

log = structlog.get_logger()


async def run(runtime: Runtime, org_id: UUID, erasure_id: UUID, *, budget_s: float | None = None) -> Erasure:
    """Go on with an erasure until it is complete, is somebody's to decide, or the budget is spent; it as it is then.

    Args:
        runtime: what the process holds.
        org_id: the org.
        erasure_id: which one.
        budget_s: None for as long as it takes. With one, what is left is a job's.

    Raises:
        NotFound: the org has no such erasure.
        StorageUnavailable: what was done is kept.
    """
    async with runtime.database.write(Identity(org_id)) as conn:
        taken = await erasures.claim(conn, org_id, erasure_id, runtime.clock.now(), LEASE)
        erasure = await erasures.find(conn, org_id, erasure_id)
    if erasure is None:
        raise NotFound("no such erasure in this org", field="erasure_id")
    if not taken:
        return erasure
    turn = _Turn(await work_on(runtime, org_id, erasure, budget_s=budget_s), erasure)
    done = False
    try:
        with contextlib.suppress(Paused):
            await turn.go_on()
            done = True
    finally:
        # Also when it fails: somebody else may go on at once.
        if not done:
            await turn.let_go()
    return turn.erasure


class _Turn:
    """One turn of one worker."""

    def __init__(self, work: Work, erasure: Erasure) -> None:
        self._work = work
        self._org_id = work.org_id
        self._exported = False
        self.erasure = erasure

    async def go_on(self) -> None:
        """Look, until a look changes nothing."""
        self._exported = await export_ledger(self._work.runtime, self._org_id)
        if self.erasure.kind is Target.SUBJECT:
            await self._scan_subject()
        else:
            await scan_object(self._work, self.erasure.kind, self.erasure.target_id, self.erasure.brain_ids[0])
        await fold_statistics(self._work)
        await self._finish()

    async def let_go(self) -> None:
        """Keep what was counted, and leave the rest to a job."""
        async with self._work.runtime.database.write(Identity(self._org_id)) as conn:
            self._take_counts()
            await erasures.advance(conn, self._org_id, self.erasure, self._work.runtime.clock.now(), None)
            await erasures.leave(conn, self._org_id, self.erasure.id, list(self._work.left.values()))
            await remind(conn, [erase_job(self._org_id, self.erasure.id)])

    async def _scan_subject(self) -> None:
        work = self._work
        position = {"pass": 1, "brain": None, "changed": 0} | dict(self.erasure.position)
        while int(position["pass"]) <= PASSES_MAX:
            work.changed = int(position["changed"])
            async with work.runtime.database.read(Identity(self._org_id)) as conn:
                brains = await erasing.list_brain_ids(conn, self._org_id)
            for brain_id in brains:
                if position["brain"] is not None and brain_id <= UUID(position["brain"]):
                    continue
                await scan_brain(work, brain_id)
                position |= {"brain": str(brain_id), "changed": work.changed}
                await self._keep(position)
            await scan_org(work)
            quiet = work.changed == 0 and int(position["pass"]) > 1
            position = {"pass": int(position["pass"]) + 1, "brain": None, "changed": 0}
            await self._keep(position)
            if quiet:
                return
        log.warning("erasure_not_quiet", erasure_id=str(self.erasure.id), passes=PASSES_MAX)

    async def _keep(self, position: dict[str, object]) -> None:
        now = self._work.runtime.clock.now()
        async with self._work.runtime.database.write(Identity(self._org_id)) as conn:
            self._take_counts()
            self.erasure = replace(self.erasure, position=position)
            await erasures.advance(conn, self._org_id, self.erasure, now, LEASE)
            await erasures.leave(conn, self._org_id, self.erasure.id, list(self._work.left.values()))
        self._work.left.clear()
        self._work.pause()

    def _take_counts(self) -> None:
        work = self._work
        counts = dict(self.erasure.counts)
        for name, number in work.counts.items():
            counts[name] = counts.get(name, 0) + number
        self.erasure = replace(self.erasure, counts={name: number for name, number in counts.items() if number})
        work.counts.clear()

    async def _finish(self) -> None:
        work, org_id, now = self._work, self._org_id, self._work.runtime.clock.now()
        keyring = work.runtime.keyring
        async with work.runtime.database.write(Identity(org_id)) as conn:
            self._take_counts()
            await erasures.leave(conn, org_id, self.erasure.id, list(work.left.values()))
            every = await erasures.list_decisions(conn, org_id, self.erasure.id)
            decisions = await erasures.count_decisions(conn, org_id, self.erasure.id)
            if decisions.get("open"):
                self.erasure = replace(self.erasure, state=State.DECIDING, position={})
            else:
                receipt = make_receipt(keyring, org_id, self.erasure, decisions, now, exported=self._exported)
                self.erasure = replace(
                    self.erasure, state=State.COMPLETE, labels=None, position={}, completed_at=now, receipt=receipt, changed_at=now
                )
                for kind, verdict in ((CUT, "erase"), (KEEP, "keep")):
                    objects = [one.object_id.bytes for one in every if one.decision == verdict]
                    await erasures.bury(conn, bury(keyring, org_id, kind, objects, now))
                erased = int(self.erasure.counts.get("memories", 0))
                target = ("erasure", self.erasure.id)
                await record(conn, work.event("erasure.complete", target, None, kind=self.erasure.kind.value, memories=erased))
            await erasures.advance(conn, org_id, self.erasure, now, None)
        await export_ledger(work.runtime, org_id)


async def export_ledger(runtime: Runtime, org_id: UUID) -> bool:
    """Add the org's tombstones to the file outside the database; False when it cannot be written, which the log tells."""
    async with runtime.database.read(Identity(org_id)) as conn:
        tombstones = await erasures.list_tombstones(conn, org_id)
    try:
        write_ledger(ledger_path(runtime.settings), tombstones)
    except ConfigurationError as error:
        log.warning("erasure_ledger_not_exported", reason=error.message)
        return False
    return True
