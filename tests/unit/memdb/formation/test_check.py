"""Limits and shapes of a submission: each fault is named by its field, never by its value."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from governance.errors import ContentTooLarge, InvalidInput
from memdb.formation.check import check, check_data
from memdb.ids import make_id
from memdb.models.memory import Kind
from memdb.models.submission import Source, Submission

WHEN = datetime(2026, 3, 2, tzinfo=UTC)
NAIVE = datetime(2026, 3, 2)  # noqa: DTZ001 - the point of the test


def submission(content: str = "Ana likes tea", kind: Kind = Kind.SEMANTIC, **fields: Any) -> Submission:
    return Submission(content, kind, **fields)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"content": ""}, "content"),
    ({"content": " \n\t"}, "content"),
    ({"content": "\u200b"}, "content"),
    ({"content": "…"}, "content"),
    ({"content": "a\x00b"}, "content"),
    ({"content": "a\ud800b"}, "content"),
    ({"content": "x" * 16_385}, "content"),
    ({"content": "é" * 8_193}, "content"),
    ({"topic": ""}, "topic"),
    ({"topic": "x" * 201}, "topic"),
    ({"topic": "a\x00"}, "topic"),
    ({"tags": ("ok", " ")}, "tags"),
    ({"tags": tuple(f"t{n}" for n in range(33))}, "tags"),
    ({"about": tuple(UUID(int=n) for n in range(33))}, "about"),
    ({"data": []}, "data"),
    ({"data": {"a": float("nan")}}, "data"),
    ({"data": {"a": float("inf")}}, "data"),
    ({"data": {"a": "\x00"}}, "data"),
    ({"data": {"a\x00": 1}}, "data"),
    ({"data": {"": 1}}, "data"),
    ({"data": {"a": {1}}}, "data"),
    ({"data": {"a": "x" * 16_384}}, "data"),
    ({"data": {"a": 1, "ａ": 2}}, "data"),
    ({"valid_from": NAIVE}, "valid_from"),
    ({"valid_to": NAIVE}, "valid_to"),
    ({"valid_from": WHEN, "valid_to": WHEN}, "valid_to"),
    ({"ttl_seconds": 5}, "ttl_seconds"),
    ({"kind": Kind.WORKING}, "ttl_seconds"),
    ({"kind": Kind.WORKING, "ttl_seconds": 0}, "ttl_seconds"),
    ({"kind": Kind.WORKING, "ttl_seconds": 367 * 86_400}, "ttl_seconds"),
    ({"source": Source(said_at=NAIVE)}, "source.said_at"),
    ({"source": Source(started_at=NAIVE)}, "source.started_at"),
    ({"source": Source(position=-1)}, "source.position"),
    ({"source": Source(position=2**31)}, "source.position"),
    ({"source": Source(text=" ")}, "source.text"),
    ({"source": Source(text="x" * 65_537)}, "source.text"),
    ({"source": Source(text="a\x00")}, "source.text"),
    ({"source": Source(episode=" ")}, "source.episode.external_id"),
    ({"source": Source(speaker="x" * 201)}, "source.speaker"),
]


@pytest.mark.parametrize(("fields", "named"), WRONG, ids=lambda value: str(value)[:40])
def test_a_fault_is_named_by_its_field(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        check(submission(**fields))
    assert refused.value.field == named
    assert "xxx" not in refused.value.message


@pytest.mark.parametrize("fields", [{"content": "x" * 16_384}, {"content": "👍"}, {"content": "7"}, {"source": Source(text="x" * 65_536)}])
def test_limits_are_inclusive(fields: dict[str, Any]) -> None:
    check(submission(**fields))


def test_too_long_is_told_apart_from_malformed() -> None:
    with pytest.raises(ContentTooLarge):
        check(submission("x" * 16_385))


def test_lists_are_sorted_and_distinct_and_text_keeps_its_form() -> None:
    first, second = sorted([make_id(), make_id()])
    checked = check(submission("  Caf\u00e9\x07  ", tags=("b", " a ", "b"), about=(second, first, second)))
    assert checked.content == "  Caf\u00e9  "
    assert checked.tags == ("a", "b")
    assert checked.about == (first, second)


def test_an_edit_keeps_the_end_of_a_working_memory() -> None:
    check(submission(kind=Kind.WORKING), edit=True)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**62), 2**62) | st.floats(-1e15, 1e15) | st.text("abc é", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", min_size=1, max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), json_values, max_size=3))
def test_checking_data_twice_changes_nothing_more(data: dict[str, Any]) -> None:
    once = check_data(data)
    assert repr(check_data(once)) == repr(once)
    assert once == data
