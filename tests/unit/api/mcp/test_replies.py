from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from api.mcp.replies import Reply, cut, dump, fit
from memdb.text.tokens import count_tokens


def test_what_is_none_stays_out() -> None:
    assert dump({"a": None, "b": "é", "c": 0}) == '{"b":"é","c":0}'


@pytest.mark.parametrize(("text", "shown"), [("short", "short"), ("x" * 160, "x" * 160), ("x" * 161, "x" * 160 + "…")])
def test_a_long_text_is_cut_with_a_mark(text: str, shown: str) -> None:
    assert cut(text) == shown


def test_what_fits_is_whole_and_has_no_hint() -> None:
    reply = Reply({"id": 1}, "ask again", "card", "text", "items", [{"n": 1}, {"n": 2}])
    assert json.loads(fit(reply, 500)) == {"id": 1, "card": "text", "items": [{"n": 1}, {"n": 2}]}


def test_items_that_were_left_out_before_count_as_left_out() -> None:
    assert json.loads(fit(Reply({}, "ask again", items_name="items", items=[{"n": 1}], beyond=3), 500)) == {
        "items": [{"n": 1}],
        "left_out": 3,
        "more": "ask again",
    }


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=1_500), st.lists(st.text(max_size=160), max_size=30), st.integers(120, 600))
def test_a_reply_never_exceeds_its_budget_and_keeps_the_first_items(text: str, contents: list[str], budget: int) -> None:
    items = [{"id": n, "content": content} for n, content in enumerate(contents)]
    shown = fit(Reply({"recall_id": "r"}, "ask again", "card", text, "evidence", items), budget)
    assert count_tokens(shown) <= budget
    read = json.loads(shown)
    kept = len(read["evidence"])
    assert read["evidence"] == items[:kept]
    assert read.get("left_out", 0) == len(items) - kept
    assert ("more" in read) == (kept < len(items) or read["card"] != text)
    if kept < len(items) and read["card"] == text:
        one_more = Reply({"recall_id": "r"}, "ask again", "card", text, "evidence", items[: kept + 1])
        whole = dump(
            {
                **one_more.fields,
                "card": text,
                "evidence": list(one_more.items),
                "left_out": len(items) - kept - 1 or None,
                "more": "ask again",
            }
        )
        assert count_tokens(whole) > budget - 10
