"""Evidence: sources and modifiers are attached, the best stands first, repeats collapse, and what is left out is counted."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from memdb.ids import make_id
from memdb.lifecycle.freshness import Freshness
from memdb.storage.origins import SourceRow
from retrieval.branches.base import EXACT
from retrieval.evidence import Asked, Dropped, Evidence, choose, collect
from retrieval.filters import Candidate
from retrieval.fusion import BranchShare, Fused
from retrieval.modifiers import Window
from tests.support.memories import NOW, make_memory_value, make_stored

DAY = timedelta(days=1)
OTHER = UUID(int=7)


def candidate(score: float, *, version: int = 0, exact: bool = False, **changes: Any) -> Candidate:
    row = make_stored(**changes)
    branches = {EXACT: BranchShare(1, 1.0, 1.0, ("id",))} if exact else {}
    return Candidate(Fused(row.memory.id, version, score, branches), row.memory, row)


def source(memory_id: UUID, position: int = 0) -> SourceRow:
    return SourceRow(memory_id, make_id(), None, make_id(), "text", None, None, position, NOW - 30 * DAY)


def test_sources_outcomes_and_freshness_belong_to_their_memory() -> None:
    one, other = candidate(0.5), candidate(0.4)
    rows = [source(one.memory.id), source(one.memory.id, 1)]
    one = replace(one, current=replace(one.current, outcomes={"helpful": 2}))
    first, second = collect([one, other], rows, Asked(NOW))
    assert (first.sources, second.sources) == (tuple(rows), ())
    assert (first.outcomes, second.outcomes) == ({"helpful": 2}, {})
    assert (first.current, first.freshness) == (True, Freshness.FRESH)


def test_an_older_version_has_none_of_the_outcomes_of_today() -> None:
    old = candidate(0.5, version=1)
    (item,) = collect([replace(old, current=replace(old.current, outcomes={"helpful": 2}))], [], Asked(NOW))
    assert (item.current, item.outcomes) == (False, {})


def test_modifiers_decide_between_near_equals_and_never_against_a_clear_lead() -> None:
    asked = Asked(NOW, (Window(NOW - 31 * DAY, NOW - 29 * DAY),))
    equals, lead = [candidate(0.50), candidate(0.49)], [candidate(0.60), candidate(0.49)]
    for pair, expected in ((equals, 1), (lead, 0)):
        first, *_ = collect(pair, [source(pair[1].memory.id)], asked)
        assert first.memory.id == pair[expected].memory.id


def test_what_was_asked_for_exactly_stays_first_however_stale() -> None:
    stale = candidate(1.0, exact=True, confirmed_at=NOW - 3_000 * DAY, trust="web")
    first, second = collect([stale, candidate(0.99)], [], Asked(NOW))
    assert (first.memory.id, first.score, first.modifiers) == (stale.memory.id, 1.0, ())
    assert second.score == 1.0


# ---------------------------------------------------------------------------------------------------------------------- choose
def items(*contents: tuple[str, float], **changes: Any) -> list[Evidence]:
    return [
        Evidence(make_memory_value(content, **changes), score, {}, (), current=True, freshness=Freshness.FRESH)
        for content, score in contents
    ]


def test_over_the_limit_and_repeated_are_counted() -> None:
    several = items(("a cat", 0.9), ("A cat.", 0.8), ("a dog", 0.7), ("a cow", 0.6))
    chosen, dropped = choose(several, 2)
    assert [e.memory.content for e in chosen] == ["a cat", "a dog"]
    assert dropped == Dropped(duplicate=1, over_limit=1)


def test_the_same_words_about_or_by_somebody_else_are_two_statements() -> None:
    one, other = items(("likes tea", 0.9), about=(OTHER,)), items(("likes tea", 0.8), about=(UUID(int=8),))
    third = items(("likes tea", 0.7), said_by=OTHER)
    chosen, dropped = choose([*one, *other, *third], 10)
    assert (len(chosen), dropped.duplicate) == (3, 0)


def test_nothing_gives_nothing() -> None:
    assert choose([], 10) == ([], Dropped())
    assert collect([], [], Asked(NOW)) == []
