"""Whom a first name means in a room: the one of its people who bears it, and nobody of whom the room need not know."""

from __future__ import annotations

from typing import Any

import pytest

from tests.integration.sessions.learning import Room, make_room
from tests.support.product import Caller


async def told(room: Room) -> list[tuple[str, list[str]]]:
    return sorted((memory["content"], memory["about"]) for memory in await room.memories())


async def make_person(admin: Caller, name: str) -> str:
    made = await admin.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": name})
    return str(made["id"])


@pytest.mark.parametrize(
    ("words", "content"),
    [
        ("Emma is allergic to latex", "Emma Reed is allergic to latex."),
        ("a Emma é alérgica a látex", "Emma Reed é alérgica a látex."),
    ],
)
async def test_a_member_is_known_by_her_first_name(admin: Caller, words: str, content: str) -> None:
    room = await make_room(admin, "Ana", "Emma Reed")
    await room.say(("Ana", words))
    await room.learn()
    assert await told(room) == [(content, [room.people["Emma Reed"]])]


async def test_of_two_with_one_first_name_nobody_is_meant(admin: Caller) -> None:
    room = await make_room(admin, "Ana", "Emma Reed", "Emma Stone")
    await room.say(("Ana", "Emma is allergic to latex"), ("Ana", "a Emma é alérgica a amendoim"))
    await room.learn()
    assert await told(room) == []


async def test_a_stranger_of_that_first_name_is_not_meant_and_makes_a_member_no_less_sure(admin: Caller) -> None:
    await make_person(admin, "Emma Stone")
    empty = await make_room(admin, "Ana")
    await empty.say(("Ana", "Emma is allergic to latex"))
    await empty.learn()
    assert await told(empty) == []
    room = await make_room(admin, "Ana", "Emma Reed")
    await room.say(("Ana", "Emma is allergic to latex"))
    await room.learn()
    assert [about for _, about in await told(room)] == [[room.people["Emma Reed"]]]


async def test_who_is_told_of_in_a_room_is_known_there_by_first_name_and_resolved_so(admin: Caller) -> None:
    emma, other = await make_person(admin, "Emma Reed"), await make_person(admin, "Emma Stone")
    room = await make_room(admin, "Ana")
    asked: dict[str, Any] = {"name": "Emma", "brain_id": room.brain}
    before = await room.agent.send("POST", "/v1/subjects:resolve", expect=200, json=asked)
    assert before["subject"] is None
    await room.agent.send(
        "POST",
        "/v1/memories",
        expect=201,
        json={"content": "Emma Reed runs the lab.", "kind": "semantic", "brain_id": room.brain, "about": [emma]},
    )
    await room.say(("Ana", "Emma is allergic to latex"))
    await room.learn()
    assert ("Emma Reed is allergic to latex.", [emma]) in await told(room)
    assert all(other not in about for _, about in await told(room))
    after = await room.agent.send("POST", "/v1/subjects:resolve", expect=200, json=asked)
    assert after["subject"]["id"] == emma
