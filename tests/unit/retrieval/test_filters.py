"""The second lock: whatever a statement let through, these rules alone keep it from being shown."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from governance.principals import Role
from governance.scopes import ScopeFilter, readable_by
from memdb.models.memory import Memory, Status
from memdb.storage.memories import Stored
from retrieval.filters import FLOOR, MEANT, Candidate, admit, relevant
from retrieval.fusion import BranchShare, Fused
from retrieval.query import Filters
from tests.support.memories import BRAIN, NOW, make_principal, make_stored

HOUR = timedelta(hours=1)
OTHER = UUID(int=7)
EVERYTHING = Filters(
    kinds=None, about=None, said_by=None, topic=None, tags=None, facets=None, created_from=None, created_to=None, valid_at=NOW, as_of=None,
    now=NOW,
)  # fmt: skip


@pytest.fixture
def scope() -> ScopeFilter:
    return readable_by(make_principal(), {BRAIN: Role.READER})


def fused(memory_id: UUID, score: float = 0.5, version: int = 0) -> Fused:
    return Fused(memory_id, version, score, {})


def admitted(row: Stored, scope: ScopeFilter, filters: Filters = EVERYTHING) -> list[Candidate]:
    return admit([fused(row.memory.id)], {row.memory.id: row}, {}, scope, filters)


def test_an_ordinary_memory_is_admitted(scope: ScopeFilter) -> None:
    row = make_stored()
    assert [c.memory for c in admitted(row, scope)] == [row.memory]


@pytest.mark.parametrize(
    "wrong",
    [
        {"org_id": OTHER}, {"brain_id": OTHER}, {"holds": (OTHER,)}, {"intact": False}, {"status": Status.SUPERSEDED},
        {"status": Status.DELETED}, {"expires_at": NOW}, {"expires_at": NOW - HOUR}, {"valid_to": NOW}, {"valid_to": NOW - HOUR},
        {"valid_from": NOW + HOUR},
    ],
    ids=str,
)  # fmt: skip
def test_each_thing_that_is_wrong_with_it_keeps_a_memory_out(scope: ScopeFilter, wrong: dict[str, Any]) -> None:
    assert admitted(make_stored(**wrong), scope) == []


@pytest.mark.parametrize("right", [{"expires_at": NOW + HOUR}, {"valid_to": NOW + HOUR}, {"valid_from": NOW}], ids=str)
def test_ends_are_exclusive_and_starts_inclusive(scope: ScopeFilter, right: dict[str, Any]) -> None:
    assert len(admitted(make_stored(**right), scope)) == 1


def test_a_hit_without_a_row_is_nothing(scope: ScopeFilter) -> None:
    assert admit([fused(OTHER)], {}, {}, scope, EVERYTHING) == []


def test_no_brain_admits_nothing() -> None:
    assert admitted(make_stored(), readable_by(make_principal(), {})) == []


# --------------------------------------------------------------------------------------------------------------- older versions
def past(row: Stored, scope: ScopeFilter, filters: Filters = EVERYTHING, **old: Any) -> list[Memory]:
    changes: dict[str, Any] = {"version": 1, "status": Status.SUPERSEDED} | old
    memory = replace(row.memory, **changes)
    hit = fused(row.memory.id, version=1)
    return [c.memory for c in admit([hit], {row.memory.id: row}, {(row.memory.id, 1): memory}, scope, filters)]


def test_an_older_version_is_shown_under_its_current_row(scope: ScopeFilter) -> None:
    assert len(past(make_stored(version=2), scope)) == 1


@pytest.mark.parametrize("wrong", [{"holds": (OTHER,)}, {"intact": False}, {"status": Status.DELETED}, {"expires_at": NOW}], ids=str)
def test_what_is_held_deleted_expired_or_broken_today_hides_its_past(scope: ScopeFilter, wrong: dict[str, Any]) -> None:
    assert past(make_stored(version=2, **wrong), scope) == []


@pytest.mark.parametrize("wrong", [{"brain_id": OTHER}, {"org_id": OTHER}, {"valid_from": NOW + HOUR}, {"valid_to": NOW}], ids=str)
def test_the_version_itself_is_checked_as_well(scope: ScopeFilter, wrong: dict[str, Any]) -> None:
    assert past(make_stored(version=2), scope, **wrong) == []


def test_an_older_version_that_was_not_loaded_is_left_out(scope: ScopeFilter) -> None:
    row = make_stored(version=2)
    assert admit([fused(row.memory.id, version=1)], {row.memory.id: row}, {}, scope, EVERYTHING) == []


def test_of_one_memory_the_better_version_is_shown_once(scope: ScopeFilter) -> None:
    row = make_stored(version=2)
    old = replace(row.memory, version=1)
    ranked = [fused(row.memory.id, 0.9, version=1), fused(row.memory.id, 0.5)]
    found = admit(ranked, {row.memory.id: row}, {(row.memory.id, 1): old}, scope, EVERYTHING)
    assert [c.memory.version for c in found] == [1]


# ------------------------------------------------------------------------------------------------------------------- relevance
@pytest.mark.parametrize(
    ("score", "cosine", "min_score", "shown"),
    [
        (FLOOR, None, None, True),
        (FLOOR - 0.01, None, None, False),
        (0.01, MEANT, None, True),  # other words, the same meaning
        (0.01, MEANT - 0.01, None, False),
        (0.2, 0.9, 0.2, True),
        (0.19, 0.9, 0.2, True),  # modifiers may still raise it; the score that is shown is compared again
        (0.18, 0.9, 0.2, False),  # a caller who names a score means it, whatever the cosine
        (0.0, None, 0.0, True),
    ],
)
def test_relevance(score: float, cosine: float | None, min_score: float | None, shown: bool) -> None:
    """Beside another memory that is as good below the floor, and never shown by itself."""
    branches = {} if cosine is None else {"vector": BranchShare(1, cosine, 1.0, ())}
    one, other = replace(fused(UUID(int=1), score), branches=branches), fused(UUID(int=2), min(score, FLOOR - 0.03))
    assert (one in relevant([one, other], min_score)) is shown


@pytest.mark.parametrize(
    ("scores", "shown"),
    [
        ([FLOOR / 2], 1),
        ([FLOOR / 2 - 0.001], 0),
        ([0.08, 0.04, 0.04], 1),  # twice the next one
        ([0.08, 0.041], 0),
        ([0.1, 0.081, 0.079], 2),  # nearly as good as one above the floor
        ([0.3, 0.2, FLOOR, 0.08], 3),
        ([], 0),
    ],
)
def test_a_weak_answer_has_to_stand_out_or_stand_beside_a_strong_one(scores: list[float], shown: int) -> None:
    ranked = [fused(UUID(int=n), score) for n, score in enumerate(scores, 1)]
    assert relevant(ranked, None) == ranked[:shown]


def test_another_version_of_the_best_memory_is_no_rival() -> None:
    ranked = [fused(UUID(int=1), 0.08), fused(UUID(int=1), 0.07, version=1), fused(UUID(int=2), 0.03)]
    assert relevant(ranked, None)[0] == ranked[0]
