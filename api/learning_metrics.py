"""Figures of learning: what a worker counts while it works, and what the database says when it is asked.

Labels are kinds, states, actions, outcomes and codes of the product: never anything that was said.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from governance.errors import ServiceError
from governance.policy.memory_rules import EXTRACTIONS
from memdb.extraction.by_model import ByModel
from memdb.jobs.outcome import Outcome
from memdb.models.turn import ExtractionState
from memdb.providers.chat.base import Spent

if TYPE_CHECKING:
    from datetime import datetime

    from memdb.extraction.extractor import Extractor, Found
    from memdb.extraction.transcript import Transcript
    from memdb.jobs.outcome import Tried
    from memdb.models.memory import Kind
    from memdb.sessions.learning import Figures

_READ_S: Final = (0.001, 0.005, 0.02, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 180.0)
_LATENCY_S: Final = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0, 1_800.0, 7_200.0, 86_400.0)
_JOBS: Final = ("todo", "doing", "failed")


class LearningMetrics:
    """What the process that learns counts."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Put them into a registry."""
        self.registry = registry
        self._tries = Counter("memdb_extractions", "Tries of handlers at snapshots, by outcome.", ("handler", "outcome"), registry=registry)
        self._latency = Histogram(
            "memdb_extraction_seconds", "From a snapshot to what was learned.", ("handler",), buckets=_LATENCY_S, registry=registry
        )
        self._read = Histogram(
            "memdb_extraction_read_seconds", "Time that a handler read.", ("handler",), buckets=_READ_S, registry=registry
        )
        self._decisions = Counter("memdb_decisions", "What became of what handlers found.", ("kind", "action"), registry=registry)
        self._errors = Counter("memdb_model_errors", "Readings that a language model failed, by code.", ("code",), registry=registry)
        self._tokens = Counter("memdb_model_tokens", "Tokens of language models.", ("direction",), registry=registry)

    def tried(self, one: Tried) -> None:
        """Count one try, and what was decided where it is done."""
        self._tries.labels(one.handler.value, one.outcome.value).inc()
        if one.latency_s is not None:
            self._latency.labels(one.handler.value).observe(one.latency_s)
        if one.outcome is Outcome.DONE:
            done = one.extraction
            counts = (("ADD", done.added), ("UPDATE", done.updated), ("REINFORCE", done.reinforced), ("END", done.ended))
            for action, count in (*counts, ("refused", done.refused)):
                self._decisions.labels(one.handler.value, action).inc(count)

    def read(self, kind: Kind, seconds: float, spent: Spent, code: str | None) -> None:
        """Count one reading. `code`: of the error that it ended with."""
        self._read.labels(kind.value).observe(seconds)
        self._tokens.labels("in").inc(spent.tokens_in)
        self._tokens.labels("out").inc(spent.tokens_out)
        if code is not None:
            self._errors.labels(code).inc()


class Watched:
    """An `Extractor` whose readings are counted."""

    def __init__(self, inner: Extractor, metrics: LearningMetrics) -> None:
        """Take the extractor, which `aclose` closes."""
        self._inner = inner
        self._metrics = metrics

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        """As `Extractor.read`."""
        started_s = time.perf_counter()
        try:
            found = await self._inner.read(kind, transcript)
        except ServiceError as error:
            self._metrics.read(kind, time.perf_counter() - started_s, Spent.of(error), error.code)
            raise
        spent = Spent(found.tokens_in, found.tokens_out, found.cost_micros)
        self._metrics.read(kind, time.perf_counter() - started_s, spent, None)
        return found

    async def aclose(self) -> None:
        """Give back connections."""
        if isinstance(self._inner, ByModel):
            await self._inner.aclose()


def add_gauges(registry: CollectorRegistry, figures: Figures) -> None:
    """Put into a registry what the database said a moment ago; a figure that is nought stands there as nought."""
    Gauge("memdb_open_turns", "Turns in no snapshot yet.", registry=registry).set(figures.open_turns)
    oldest = Gauge("memdb_open_turn_oldest_seconds", "Age of the oldest of them.", registry=registry)
    oldest.set(_age(figures.open_since, figures.at))
    unfinished = Gauge("memdb_unfinished_extractions", "Extractions that wait or were given up.", ("handler", "state"), registry=registry)
    for state in (ExtractionState.WAITING, ExtractionState.DEAD):
        for handler in EXTRACTIONS:
            unfinished.labels(handler, state.value).set(0)
    for one in figures.unfinished:
        unfinished.labels(one.handler.value, one.state.value).set(one.extractions)
    waits = [one.since for one in figures.unfinished if one.state is ExtractionState.WAITING and one.since is not None]
    snapshot = Gauge(
        "memdb_unread_snapshot_oldest_seconds", "Age of the oldest snapshot that a handler has yet to read.", registry=registry
    )
    snapshot.set(_age(min(waits, default=None), figures.at))
    jobs = Gauge("memdb_jobs", "Jobs of the queue; those that were done are not kept.", ("state",), registry=registry)
    for state_of_job in sorted({*_JOBS, *figures.jobs}):
        jobs.labels(state_of_job).set(figures.jobs.get(state_of_job, 0))
    Gauge("memdb_workers", "Workers that are alive.", registry=registry).set(figures.workers)


def _age(since: datetime | None, now: datetime) -> float:
    return 0.0 if since is None else max(0.0, (now - since).total_seconds())
