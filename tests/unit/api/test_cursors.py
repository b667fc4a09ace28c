"""Cursors: give back what went in, for the same question alone."""

from __future__ import annotations

from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.cursors import decode, decode_id, encode
from api.errors import Problem

QUESTIONS = st.dictionaries(st.text(max_size=8), st.one_of(st.none(), st.integers(), st.text(max_size=8), st.uuids()), max_size=4)


@given(st.uuids(), QUESTIONS)
def test_a_cursor_leads_back_to_its_id(last: UUID, question: dict[str, object]) -> None:
    cursor = encode(last, question)
    assert cursor.isascii()
    assert decode_id(cursor, question) == last


@given(st.uuids(), QUESTIONS, QUESTIONS)
def test_a_cursor_is_of_no_use_for_another_question(last: UUID, question: dict[str, object], other: dict[str, object]) -> None:
    if question == other:
        return
    with pytest.raises(Problem) as refused:
        decode(encode(last, question), other)
    assert refused.value.code == "invalid_cursor"


@given(st.text(max_size=300))
def test_any_other_text_is_refused(cursor: str) -> None:
    with pytest.raises(Problem):
        decode(cursor, {"list": "x"})


@given(st.uuids(), st.integers(0, 100))
def test_a_cut_cursor_is_refused(last: UUID, kept: int) -> None:
    cursor = encode(last, {})
    if kept < len(cursor):
        with pytest.raises(Problem):
            decode_id(cursor[:kept], {})
