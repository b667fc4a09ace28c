from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from api.mcp.arguments import check, find_identity
from api.mcp.schema import Parameter, Shape, Tool
from governance.errors import InvalidInput

ID = "01980000-0000-7000-8000-000000000001"
TOOL = Tool(
    "plant",
    "Plant",
    "Plants a tree.",
    (
        Parameter("where", Shape.TEXT, "Where it stands.", required=True, at_least=1, at_most=5),
        Parameter("kind", Shape.TEXT, "What it is.", choices=("oak", "elm")),
        Parameter("garden_id", Shape.ID, "Id of the garden."),
        Parameter("count", Shape.INTEGER, "How many.", at_least=1, at_most=9),
        Parameter("deep", Shape.FLAG, "How deep."),
        Parameter("labels", Shape.TEXTS, "Labels of it.", at_most=2),
        Parameter("guests", Shape.IDS, "Who is there.", at_least=1),
    ),
)


def error_of(sent: dict[str, Any] | None) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        check(TOOL, sent)
    return caught.value


def test_what_is_right_is_given_by_name() -> None:
    given_ = check(TOOL, {"where": "here", "kind": "oak", "garden_id": ID, "count": 3, "deep": True, "labels": ["a"], "guests": [ID]})
    assert given_.get_text("where") == "here"
    assert given_.find_text("kind") == "oak"
    assert given_.get_id("garden_id") == UUID(ID)
    assert given_.find_integer("count") == 3
    assert given_.has_flag("deep")
    assert given_.find_texts("labels") == ("a",)
    assert given_.find_ids("guests") == (UUID(ID),)


def test_null_is_absent() -> None:
    given_ = check(TOOL, {"where": "here", "kind": None, "count": None, "deep": None, "labels": None, "guests": None})
    assert given_.find_text("kind") is None
    assert given_.find_integer("count") is None
    assert not given_.has_flag("deep")
    assert given_.find_texts("labels") is None
    for nothing in (None, {}, {"where": None}):
        assert error_of(nothing).field == "where"


@pytest.mark.parametrize(
    "wrong",
    [
        {"where": ""},
        {"where": "too long"},
        {"where": 1},
        {"where": ["x"]},
        {"where": "a\ud800"},
        {"kind": "OAK"},
        {"kind": "ash"},
        {"garden_id": "x"},
        {"garden_id": "{" + ID + "}"},
        {"garden_id": ID.replace("-", "")},
        {"garden_id": 1},
        {"count": 0},
        {"count": 10},
        {"count": 1.0},
        {"count": "1"},
        {"count": True},
        {"deep": "true"},
        {"deep": 1},
        {"labels": "a"},
        {"labels": ["a", "b", "c"]},
        {"labels": [1]},
        {"labels": [None]},
        {"guests": []},
        {"guests": ["x"]},
        {"guests": ID},
    ],
)
def test_what_is_wrong_is_refused_by_its_name(wrong: dict[str, Any]) -> None:
    error = error_of({"where": "here"} | wrong)
    assert error.field == next(iter(wrong))
    assert error.message.startswith(f"{error.field} ")


TREE = Parameter("trees", Shape.RECORDS, "What stands there.", required=True, at_most=9, parts=TOOL.parameters)


@pytest.mark.parametrize(
    ("trees", "field"),
    [
        ([{"where": "here"}, {"where": "too long"}], "trees[1].where"),
        ([{"where": "here"}, {"where": "here"}, {"kind": "oak"}], "trees[2].where"),
        ([{"where": "here"}, {"where": "here", "colour": "red"}], "trees[1].colour"),
        ([{"where": "here"}, {"where": "here", "ana@example.com": "red"}], "trees[1].?"),
        ([{"where": "here"}, "oak"], "trees[1]"),
        ([{"where": "here", "guests": []}], "trees[0].guests"),
        ({"where": "here"}, "trees"),
    ],
)
def test_what_is_wrong_in_a_list_is_told_by_its_place(trees: object, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        check(Tool("forest", "Forest", "Plants trees.", (TREE,)), {"trees": trees})
    assert caught.value.field == field
    assert "example" not in caught.value.message


def test_an_unknown_argument_is_told_by_its_name_if_it_can_be_one() -> None:
    assert error_of({"where": "here", "colour": "red"}).field == "colour"
    assert error_of({"where": "here", "ana@example.com": "red"}).field == "?"
    assert "red" not in error_of({"where": "here", "colour": "red"}).message


@pytest.mark.parametrize(
    "name", ["user_id", "userId", "USER", "tenant", "scope", "subject", "org", "act_as", "on-behalf-of", "agent_id", "apiKey"]
)
def test_an_identity_is_found_whatever_its_value_and_told_first(name: str) -> None:
    sent = {"where": "here", "colour": "red", name: None}
    assert find_identity(TOOL, sent) is not None
    assert "follows from the key" in error_of(sent).message


@pytest.mark.parametrize("name", ["colour", "users", "scoped", "topic", "ids"])
def test_other_names_are_no_identity(name: str) -> None:
    assert find_identity(TOOL, {name: 1}) is None


def test_a_parameter_of_the_tool_is_no_identity() -> None:
    assert find_identity(Tool("t", "T", "d", (Parameter("subject_id", Shape.ID, "Whose card."),)), {"subject_id": ID}) is None


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.floats(allow_nan=False),
    st.text(max_size=7),
    st.sampled_from(["oak", "elm", ID]),
    st.lists(st.one_of(st.text(max_size=3), st.integers(), st.just(ID)), max_size=4),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@given(st.dictionaries(st.sampled_from([*(p.name for p in TOOL.parameters), "other"]), VALUES))
def test_what_the_check_takes_the_schema_takes(sent: dict[str, Any]) -> None:
    valid = Draft202012Validator(TOOL.schema()).is_valid({k: v for k, v in sent.items() if v is not None})
    fault: InvalidInput | None = None
    try:
        check(TOOL, sent)
    except InvalidInput as error:
        fault = error
    if fault is None:
        # An unknown argument is refused even when it is null.
        assert valid
    elif valid and "other" not in sent:
        # The schema cannot say that a text is a UUID, and takes 1.0 for an integer.
        assert fault.field in {"garden_id", "guests"} or (fault.field == "count" and isinstance(sent["count"], float))
