"""A batch: order is kept, an error concerns one item, and every item has one outcome."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import InvalidInput, NotFound, ServiceError
from memdb.formation.batch import Batch


def refuse_odd(value: int) -> int:
    if value % 2:
        raise InvalidInput(f"odd at {value}")
    return value // 2


@given(st.lists(st.integers(0, 50)))
def test_each_item_has_one_outcome_in_its_place(values: list[int]) -> None:
    outcomes = Batch.of(values).each(refuse_odd).each(refuse_odd).outcomes()
    assert len(outcomes) == len(values)
    for value, outcome in zip(values, outcomes, strict=True):
        if value % 4 == 0:
            assert outcome == value // 4
        else:
            assert isinstance(outcome, InvalidInput)
            assert outcome.message == f"odd at {value if value % 2 else value // 2}"


@given(st.lists(st.integers(0, 50)), st.data())
def test_a_step_over_all_values_puts_results_back_in_their_places(values: list[int], data: st.DataObject) -> None:
    batch = Batch.of(values).each(refuse_odd)
    results: list[str | ServiceError] = [NotFound("gone") if data.draw(st.booleans()) else f"kept {value}" for value in batch.values]
    outcomes = batch.replaced(results).outcomes()
    told = iter(results)
    for value, outcome in zip(values, outcomes, strict=True):
        if value % 2:
            assert isinstance(outcome, InvalidInput)
        else:
            assert outcome is next(told)


def test_other_exceptions_are_defects_and_go_up() -> None:
    with pytest.raises(ZeroDivisionError):
        Batch.of([0]).each(lambda value: 1 // value)


def test_a_step_must_answer_for_every_value() -> None:
    with pytest.raises(ValueError, match="zip"):
        Batch.of([1, 2]).replaced(["one"])
