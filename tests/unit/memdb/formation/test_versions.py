"""What a repetition adds to a memory, and whether it gives an attribute the value that it has."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace
from typing import Any

import pytest

from memdb.formation.episode import event_of
from memdb.formation.versions import merged_data, tells_the_same
from memdb.models.memory import Kind
from tests.support.memories import make_memory_value

TERM = {"term": "P0", "definition": "nobody can log in"}


def item(data: object, *, edit: bool = False) -> Any:
    """A statement of which only the data is there."""
    return SimpleNamespace(data=SimpleNamespace(value=data), replaces=object() if edit else None, unit=None)


@pytest.mark.parametrize(
    ("known", "said", "united"),
    [
        (["sev one"], ["outage"], ["sev one", "outage"]),
        (["Sev One", "outage"], ["sev one"], ["Sev One", "outage"]),
        ([], ["b", "a"], ["b", "a"]),
        (["a"], [], ["a"]),
    ],
)
def test_aliases_of_a_term_are_united_as_they_were_first_spelt(known: list[str], said: list[str], united: list[str]) -> None:
    memory = make_memory_value(kind=Kind.TAXONOMIC, data={**TERM, "aliases": known})
    assert merged_data(item({**TERM, "aliases": said}), memory) == {**TERM, "aliases": united}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (Kind.TAXONOMIC, {**TERM, "definition": "the shop is shut", "aliases": ["x"]}),
        (Kind.TAXONOMIC, {**TERM, "aliases": [1]}),
        (Kind.TAXONOMIC, {**TERM, "aliases": "x"}),
        (Kind.SEMANTIC, {**TERM, "aliases": ["x"]}),
        (Kind.TAXONOMIC, "P0"),
    ],
)
def test_nothing_else_is_merged(kind: Kind, said: object) -> None:
    memory = make_memory_value(kind=kind, data={**TERM, "aliases": ["sev one"]})
    assert merged_data(item(said), memory) == memory.data


def test_the_same_value_of_the_same_attribute_is_the_same_in_other_words() -> None:
    memory = make_memory_value(data={"attribute": "home", "value": "São Paulo"})
    assert tells_the_same(item({"attribute": "home", "value": "sao paulo"}), memory)
    assert not tells_the_same(item({"attribute": "home", "value": "sao paulo"}, edit=True), memory)
    others: tuple[object, ...] = (
        {"attribute": "home", "value": "Porto"},
        {"attribute": "work", "value": "São Paulo"},
        {"attribute": "home"},
        {},
        [],
    )
    for other in others:
        assert not tells_the_same(item(other), memory)
    assert not tells_the_same(item({}), make_memory_value(data={}))


def test_an_event_is_who_took_part_and_when_in_any_zone_and_order() -> None:
    at = datetime(2026, 11, 2, 12, tzinfo=UTC)
    elsewhere = at.astimezone(timezone(timedelta(hours=-3)))
    one = event_of(Kind.EPISODIC, {"participants": ["b", "a"]}, (at, None))
    assert one == event_of(Kind.EPISODIC, {"participants": ["a", "b"]}, (elsewhere, None))
    others = [
        event_of(Kind.EPISODIC, {"participants": ["a"]}, (at, None)),
        event_of(Kind.EPISODIC, {"participants": ["a", "b"]}, (at + timedelta(minutes=1), None)),
        event_of(Kind.EPISODIC, {"participants": ["a", "b"]}, (at, at)),
        event_of(Kind.EPISODIC, {"participants": ["a", "b"]}, (None, at)),
        event_of(Kind.EPISODIC, {}, (at, None)),
    ]
    assert len({one, *others}) == 6
    assert event_of(Kind.SEMANTIC, {"participants": ["a"]}, (at, None)) == ()
