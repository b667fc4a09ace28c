"""Figures of learning: what is counted of tries and readings, and how what the database said stands in the text."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from api.learning_metrics import LearningMetrics, Watched, add_gauges
from api.metrics import Metrics
from memdb.errors import ProviderUnavailable
from memdb.extraction.extractor import Found
from memdb.extraction.switching import SWITCHED_OFF
from memdb.extraction.transcript import Transcript
from memdb.formation.judging import Case
from memdb.ids import make_id
from memdb.jobs.outcome import Outcome, Tried
from memdb.models.memory import Kind
from memdb.models.reconciling import Verdict
from memdb.models.turn import ExtractionState
from memdb.providers.chat.base import Spent
from memdb.sessions.learning import Figures
from memdb.storage.extractions import Extraction, Unfinished

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
NOTHING = Transcript(())


def extraction(*, state: ExtractionState = ExtractionState.DONE, run: int = 1, failure: str | None = None) -> Extraction:
    return Extraction(
        snapshot_id=make_id(), handler=Kind.SEMANTIC, brain_id=make_id(), session_id=make_id(), state=state, run=run, attempts=0,
        failure=failure, extractor="rules/1", found=11, added=1, updated=2, reinforced=3, ended=4, refused=1, tokens_in=0, tokens_out=0,
        cost_micros=0, created_at=NOW - timedelta(seconds=7), changed_at=NOW,
    )  # fmt: skip


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def metrics(registry: CollectorRegistry) -> LearningMetrics:
    return LearningMetrics(registry)


def test_what_is_done_counts_its_decisions_and_its_time(registry: CollectorRegistry, metrics: LearningMetrics) -> None:
    metrics.tried(Tried.of(extraction(), NOW))
    counted = {
        action: registry.get_sample_value("memdb_decisions_total", {"kind": "semantic", "action": action})
        for action in ("ADD", "UPDATE", "REINFORCE", "END", "refused")
    }
    assert counted == {"ADD": 1, "UPDATE": 2, "REINFORCE": 3, "END": 4, "refused": 1}
    assert registry.get_sample_value("memdb_extraction_seconds_sum", {"handler": "semantic"}) == 7
    metrics.tried(Tried.of(extraction(run=2), NOW))
    assert registry.get_sample_value("memdb_extraction_seconds_count", {"handler": "semantic"}) == 1, "a second reading is no latency"


@pytest.mark.parametrize(
    "tried",
    [
        Tried.of(extraction(failure=SWITCHED_OFF), NOW),
        Tried(Kind.SEMANTIC, Outcome.FAILED, extraction(state=ExtractionState.WAITING)),
        Tried(Kind.SEMANTIC, Outcome.DEAD, extraction(state=ExtractionState.DEAD)),
    ],
)
def test_what_was_not_done_decides_nothing(registry: CollectorRegistry, metrics: LearningMetrics, tried: Tried) -> None:
    metrics.tried(tried)
    asked = {"handler": "semantic", "outcome": tried.outcome.value}
    assert registry.get_sample_value("memdb_extractions_total", asked) == 1
    assert registry.get_sample_value("memdb_decisions_total", {"kind": "semantic", "action": "ADD"}) is None
    assert registry.get_sample_value("memdb_extraction_seconds_count", {"handler": "semantic"}) is None


class Asked:
    """A judge that spends something and is failed once whenever it is asked."""

    def __init__(self) -> None:
        self.spent = Spent(tokens_in=1, tokens_out=1)
        self.failures = ["rate_limited"]

    async def judge(self, cases: Sequence[Case]) -> list[Verdict | None]:
        self.spent += Spent(tokens_in=7, tokens_out=2)
        self.failures.append("provider_unavailable")
        return [None] * len(cases)


class Reader:
    """Gives what it is told to, or fails with it."""

    def __init__(self, outcome: Found | Exception, judge: Asked | None = None) -> None:
        self._outcome = outcome
        self._judge = judge

    def judge(self) -> Asked | None:
        return self._judge

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        del kind, transcript
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


async def test_tokens_are_counted_whether_a_model_answered_or_failed(registry: CollectorRegistry, metrics: LearningMetrics) -> None:
    found = Found([], "model/semantic.1", tokens_in=20, tokens_out=3)
    assert await Watched(Reader(found), metrics).read(Kind.SEMANTIC, NOTHING) is found
    failed = ProviderUnavailable()
    failed.facts = Spent(tokens_in=5, tokens_out=0, cost_micros=1).facts
    with pytest.raises(ProviderUnavailable):
        await Watched(Reader(failed), metrics).read(Kind.EPISODIC, NOTHING)
    assert registry.get_sample_value("memdb_model_tokens_total", {"direction": "in"}) == 25
    assert registry.get_sample_value("memdb_model_tokens_total", {"direction": "out"}) == 3
    assert registry.get_sample_value("memdb_model_errors_total", {"code": "provider_unavailable"}) == 1
    for kind in ("semantic", "episodic"):
        assert registry.get_sample_value("memdb_extraction_read_seconds_count", {"handler": kind}) == 1


async def test_what_a_judge_spends_and_what_it_is_failed_is_counted_once(registry: CollectorRegistry, metrics: LearningMetrics) -> None:
    found = Found([], "model/semantic.1")
    assert Watched(Reader(found), metrics).judge() is None
    asked = Asked()
    judge = Watched(Reader(found, asked), metrics).judge()
    assert judge is not None
    assert await judge.judge([]) == []
    assert await judge.judge([]) == []
    assert (judge.spent, judge.failures) == (asked.spent, asked.failures)
    assert registry.get_sample_value("memdb_model_tokens_total", {"direction": "in"}) == 14
    assert registry.get_sample_value("memdb_model_tokens_total", {"direction": "out"}) == 4
    assert registry.get_sample_value("memdb_model_errors_total", {"code": "provider_unavailable"}) == 2
    assert registry.get_sample_value("memdb_model_errors_total", {"code": "rate_limited"}) is None, "it was there before anybody asked"


async def test_a_defect_is_no_error_of_a_model(registry: CollectorRegistry, metrics: LearningMetrics) -> None:
    with pytest.raises(ZeroDivisionError):
        await Watched(Reader(ZeroDivisionError("Ana")), metrics).read(Kind.SEMANTIC, NOTHING)
    assert b"Ana" not in generate_latest(registry)
    assert b"memdb_model_errors_total{" not in generate_latest(registry)


def test_what_the_database_said_stands_there_nought_included(registry: CollectorRegistry) -> None:
    unfinished = [
        Unfinished(ExtractionState.WAITING, Kind.SEMANTIC, 3, NOW - timedelta(seconds=40)),
        Unfinished(ExtractionState.WAITING, Kind.EPISODIC, 1, NOW - timedelta(seconds=90)),
        Unfinished(ExtractionState.DEAD, Kind.SEMANTIC, 2, NOW - timedelta(days=9)),
    ]
    add_gauges(registry, Figures(NOW, 12, NOW - timedelta(seconds=5), unfinished, {"todo": 4, "aborted": 1}, 2))
    value = registry.get_sample_value
    assert (value("memdb_open_turns"), value("memdb_open_turn_oldest_seconds"), value("memdb_workers")) == (12, 5, 2)
    assert value("memdb_unread_snapshot_oldest_seconds") == 90, "what was given up is no longer to be read"
    counted = [value("memdb_unfinished_extractions", {"handler": "semantic", "state": state}) for state in ("waiting", "dead")]
    assert counted == [3, 2]
    assert value("memdb_unfinished_extractions", {"handler": "taxonomic", "state": "dead"}) == 0
    jobs = {state: value("memdb_jobs", {"state": state}) for state in ("todo", "doing", "failed", "aborted")}
    assert jobs == {"todo": 4, "doing": 0, "failed": 0, "aborted": 1}


def test_nothing_that_waits_is_of_no_age_nor_is_what_a_clock_puts_ahead(registry: CollectorRegistry) -> None:
    add_gauges(registry, Figures(NOW, 1, NOW + timedelta(seconds=5), [], {}, 0))
    assert registry.get_sample_value("memdb_open_turn_oldest_seconds") == 0
    assert registry.get_sample_value("memdb_unread_snapshot_oldest_seconds") == 0


def test_figures_that_were_not_told_in_time_are_absent_and_counted() -> None:
    metrics = Metrics(lambda: 0)
    assert b"memdb_open_turns 0.0" in metrics.render(Figures(NOW, 0, None, [], {}, 0))
    late = metrics.render(None)
    assert b"memdb_open_turns" not in late
    assert b"memdb_figures_unread_total 1.0" in late
