"""How learning from conversations stands: for an admin what is on, why, and whether that is in force; for the operator how much waits.

The policy is in force for everybody from the moment that it is stored: whoever cuts reads it in the transaction that cuts, and a worker
reads it before a handler begins and once more in each transaction that stores. What a worker has in hand of a kind that has just been
switched off is thrown away; until then it is told here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memdb.lifecycle.switches import enabled_handlers
from memdb.models.memory import Kind
from memdb.storage import extractions, queue, sessions
from memdb.storage.database import Identity, ReadConn, set_local
from memdb.storage.extractions import Unfinished
from memdb.storage.policies import DEFAULT_POLICY, PolicyRow, find_policy

if TYPE_CHECKING:
    from memdb.directory.authentication import Authenticated
    from memdb.runtime import Runtime

FIGURES_TIMEOUT_MS: Final = 500
"""Of one statement: a figure that takes longer is not worth what it costs."""


class Origin(StrEnum):
    """Where it comes from which kinds are learned: the org's policy, MEMDB_ENABLED_EXTRACTIONS of the server, or the default of that."""

    POLICY = "policy"
    SETTING = "setting"
    DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Learning:
    """What is learned in an org, in the order of kinds, and since which policy.

    policy: the newest version, whether or not it names what is learned.
    waiting: extractions that wait, by handler.
    leaving: extractions of a kind that is off which a worker has in hand.
    worker_alive: some worker of this database gave a sign of life just now.
    """

    enabled: tuple[Kind, ...]
    origin: Origin
    policy: PolicyRow
    waiting: Mapping[Kind, int]
    leaving: int
    worker_alive: bool

    @property
    def in_force(self) -> bool:
        """Nobody is at what has been switched off."""
        return not self.leaving


async def read_learning(runtime: Runtime, who: Authenticated) -> Learning:
    """How it stands in the caller's org, which has the capability admin or auditor: counts, never what was said."""
    org_id = who.principal.org_id
    async with runtime.database.read(Identity(org_id)) as conn:
        row = await find_policy(conn, org_id) or DEFAULT_POLICY
        waiting = await extractions.count_waiting(conn, org_id)
        under_way = await queue.count_under_way(conn, org_id)
        workers = await queue.count_workers(conn)
    rules = row.document.compile(row.version).memory
    enabled = enabled_handlers(runtime.settings, rules)
    set_here = Origin.SETTING if "enabled_extractions" in runtime.settings.model_fields_set else Origin.DEFAULT
    return Learning(
        enabled=enabled,
        origin=set_here if rules.extractions is None else Origin.POLICY,
        policy=row,
        waiting=waiting,
        leaving=sum(jobs for handler, jobs in under_way.items() if handler not in enabled),
        worker_alive=workers > 0,
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """Of every org: turns in no snapshot yet and since when the first of them waits, extractions that are not done, jobs by state, workers
    that are alive; `at`: when it was looked.
    """

    at: datetime
    open_turns: int
    open_since: datetime | None
    unfinished: Sequence[Unfinished]
    jobs: Mapping[str, int]
    workers: int


async def read_figures(runtime: Runtime) -> Figures:
    """Look, with a short bound on each statement. Raises StorageUnavailable where one is late or the database is away."""
    async with runtime.database.bare() as plain:
        conn = ReadConn(plain)
        await set_local(conn, statement_timeout=FIGURES_TIMEOUT_MS)
        open_turns, since = await sessions.sum_open_turns(conn)
        unfinished = await extractions.count_unfinished(conn)
        return Figures(runtime.clock.now(), open_turns, since, unfinished, await queue.count_jobs(conn), await queue.count_workers(conn))
