"""Reasons that are told about fields: of the schema alone, whatever pydantic says."""

from __future__ import annotations

import json
from typing import Any, Literal
from uuid import UUID

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, field_validator

from api.errors import install, path_of, reason_of
from api.schemas.base import Body, Flag, Integer, Moment, Number

MARK = "s3cr3tvalue"


class Everything(Body):
    """One field of each type that routes use."""

    number: Integer = 1
    ratio: Number = 1.0
    flag: Flag = True
    id: UUID | None = None
    kind: Literal["a", "b"] = "a"
    at: Moment | None = None
    words: list[str] = Field(default_factory=list)
    tree: dict[str, int] = Field(default_factory=dict)
    checked: str = ""

    @field_validator("checked")
    @classmethod
    def _refuse(cls, value: str) -> str:
        if value:
            raise ValueError(f"bad value {value}")
        return value


app = FastAPI()
install(app)


@app.post("/everything")
async def everything(body: Everything) -> int:
    return 1


client = TestClient(app)
VALUES = [MARK, [MARK], {MARK: MARK}, 1.5, True, None, -1, f"{MARK}-0000-0000", "2026-01-01T00:00:00"]


@pytest.mark.parametrize("field", [*Everything.model_fields, MARK])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_no_value_and_no_unknown_name_comes_back(field: str, value: Any) -> None:
    reply = client.post("/everything", json={field: value})
    if reply.status_code != 200:
        assert reply.status_code == 422
        assert MARK not in reply.text
        assert "bad value" not in reply.text
        assert reply.json()["errors"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("number", "3"),
        ("number", True),
        ("number", 3.0),
        ("flag", "true"),
        ("flag", 1),
        ("ratio", "1.5"),
        ("ratio", True),
        ("words", "abc"),
        ("words", [1]),
    ],
)
def test_text_is_never_taken_for_a_number_or_a_truth_value(field: str, value: Any) -> None:
    assert client.post("/everything", json={field: value}).status_code == 422


@settings(deadline=None)  # a request through the whole stack, on a machine that may be busy
@given(
    st.recursive(
        st.none() | st.text() | st.integers() | st.booleans(), lambda c: st.lists(c, max_size=3) | st.dictionaries(st.text(), c, max_size=3)
    )
)
def test_every_json_body_gets_200_or_a_problem(body: Any) -> None:
    reply = client.post("/everything", content=json.dumps(body), headers={"Content-Type": "application/json"})
    if reply.status_code != 200:
        assert reply.headers["Content-Type"] == "application/problem+json"
        assert set(reply.json()) >= {"type", "title", "status", "code", "detail", "request_id"}


def test_paths_are_written_as_people_write_them() -> None:
    assert path_of(("body", "source", "episode", 0, "started_at")) == "source.episode[0].started_at"
    assert path_of(("body",)) == "body"
    assert path_of(("query", "ana@example.com")) == "?"
    assert path_of(("body", "data", "x9")) == "data.?"


def test_a_reason_that_is_not_known_to_be_safe_is_not_told() -> None:
    assert reason_of({"type": "uuid_parsing", "msg": f"found {MARK}"}) == "must be a UUID"
    assert MARK not in reason_of({"type": "value_error", "msg": f"bad {MARK}"})
