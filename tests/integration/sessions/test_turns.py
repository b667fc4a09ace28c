"""Sessions and their turns over HTTP: each turn once, in order, redacted, and nobody waits."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from tests.support.product import Caller, Json, Product


async def begin(who: Caller, expect: int = 201, **fields: Any) -> Json:
    answer: Json = await who.send("POST", "/v1/sessions", expect=expect, json=fields)
    return answer


async def say(who: Caller, session: Json | str, *said: str | Json | dict[str, str], expect: int = 201) -> Json:
    turns = [{"text": one} if isinstance(one, str) else one for one in said]
    session_id = session if isinstance(session, str) else session["id"]
    answer: Json = await who.send("POST", f"/v1/sessions/{session_id}/turns", expect=expect, json={"turns": turns})
    return answer


async def turns_of(who: Caller, session: Json) -> list[Json]:
    found: list[Json] = []
    cursor = None
    while True:
        query = {"limit": 7} | ({} if cursor is None else {"cursor": cursor})
        page = await who.send("GET", f"/v1/sessions/{session['id']}/turns", expect=200, params=query)
        found += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


async def test_turns_are_read_back_in_order_with_who_said_them(admin: Caller) -> None:
    ana = await admin.make_person("Ana")
    session = await begin(ana, title="Kitchen")
    assert session["identity"] == {"subject_id": str(ana.subject_id), "key_id": session["identity"]["key_id"], "acting": False}
    said = [{"text": f"turn {n}", "said_at": "2026-03-02T09:03:00-03:00"} for n in range(20)]
    recorded = await say(ana, session, *said, {"text": "Noted.", "role": "assistant"})
    assert [one["position"] for one in recorded["turns"]] == list(range(21))
    assert recorded["turns"][0]["speaker_id"] == str(ana.subject_id), "a person who speaks in her own role"
    assert recorded["turns"][20]["speaker_id"] is None, "a person is no assistant"
    found = await turns_of(ana, session)
    assert [turn["text"] for turn in found] == [*(one["text"] for one in said), "Noted."]
    assert found[0]["said_at"] == "2026-03-02T09:03:00-03:00", "the zone of the speaker is kept"
    assert found[20]["trust"] == "agent"


async def test_who_spoke_is_told_by_the_name_that_is_known_now(admin: Caller) -> None:
    ana = await admin.make_person("Ana")
    session = await begin(admin)
    known: Json = {"speaker": {"subject_id": str(ana.subject_id), "name": "ana_1990"}}
    await say(admin, session, {"text": "hi", **known}, {"text": "ho", "speaker": {"name": "Olga"}}, {"text": "hm", "role": "tool"})
    assert [turn["speaker"] for turn in await turns_of(admin, session)] == ["Ana", "Olga", None]
    await admin.send("PATCH", f"/v1/subjects/{ana.subject_id}", expect=200, json={"name": "Ana Lima"})
    assert [turn["speaker"] for turn in await turns_of(admin, session)] == ["Ana Lima", "Olga", None]


async def test_an_error_names_the_place_in_the_request_though_turns_are_sent_twice(admin: Caller) -> None:
    session = await begin(admin)
    twice: list[Json] = [{"text": "hello", "client_turn_id": "a"}, {"text": "hello", "client_turn_id": "a"}]
    for wrong, field in (
        ({"text": "x", "speaker": {"subject_id": str(uuid4())}}, "turns[2].speaker_id"),
        ({"text": "x", "client_turn_id": "ana@example.com"}, "turns[2].client_turn_id"),
        ({"text": "other", "client_turn_id": "a"}, "turns[2].client_turn_id"),
    ):
        refused = await say(admin, session, *twice, wrong, expect=422)
        assert [one["field"] for one in refused["errors"]] == [field]
    await say(admin, session, {"text": "taken", "client_turn_id": "b"})
    refused = await say(admin, session, *twice, {"text": "other", "client_turn_id": "b"}, expect=409)
    assert "turns[2]" in refused["detail"]


async def test_a_turn_is_redacted_before_it_is_stored(admin: Caller, product: Product) -> None:
    session = await begin(admin)
    turn: Json = {"text": "mail me at ana@example.com", "speaker": {"name": "ana@example.com"}}
    turn |= {"attachments": [{"kind": "file", "name": "cv", "uri": "mailto:ana@example.com"}]}
    recorded = await say(admin, session, turn)
    assert {r["entity"] for r in recorded["turns"][0]["redactions"]} == {"EMAIL_ADDRESS"}
    (stored,) = await turns_of(admin, session)
    assert "ana@" not in str(stored)
    assert await product.value("SELECT count(*) FROM mem.turns t WHERE t::text LIKE '%ana@example%'") == 0
    refused = await say(admin, session, {"text": "hello", "client_turn_id": "ana@example.com"}, expect=422)
    assert refused["code"] == "personal_data_in_identifier"
    assert "ana@" not in str(refused)


async def test_the_same_client_id_is_the_same_turn(admin: Caller) -> None:
    session = await begin(admin)
    first = await say(admin, session, {"text": "hello", "client_turn_id": "a"}, {"text": "again", "client_turn_id": "b", "reply_to": "a"})
    replay = await say(admin, session, {"text": "hello", "client_turn_id": "a"}, {"text": "new", "client_turn_id": "c", "reply_to": "a"})
    assert [one["replayed"] for one in replay["turns"]] == [True, False]
    assert replay["turns"][0]["id"] == first["turns"][0]["id"]
    assert [turn["text"] for turn in await turns_of(admin, session)] == ["hello", "again", "new"]
    found = await turns_of(admin, session)
    assert [turn["reply_to"] for turn in found] == [None, found[0]["id"], found[0]["id"]], "of the same request and of an earlier one"
    stamped = await say(admin, session, {"text": "hello", "client_turn_id": "a", "said_at": "2026-03-02T09:03:00Z"})
    assert stamped["turns"][0]["replayed"], "who sends it again may stamp it anew"
    other = await say(admin, session, {"text": "something else", "client_turn_id": "a"}, {"text": "lost"}, expect=409)
    assert other["code"] == "idempotency_conflict"
    assert len(await turns_of(admin, session)) == 3, "all of them or none"
    twice = await say(admin, session, *[{"text": "x", "client_turn_id": "d"}] * 2)
    assert twice["turns"][0]["id"] == twice["turns"][1]["id"]
    another = await begin(admin)
    assert not (await say(admin, another, {"text": "hello", "client_turn_id": "a"}))["turns"][0]["replayed"], "ids are of a session"


async def test_many_writers_lose_and_repeat_nothing(admin: Caller) -> None:
    session = await begin(admin)
    for n in range(10):
        turns = [{"text": f"{w}-{n}", "client_turn_id": f"{w}-{n}"} for w in range(8) for _ in range(2)]
        await asyncio.gather(*(say(admin, session, turn) for turn in turns))
    found = await turns_of(admin, session)
    assert sorted(turn["text"] for turn in found) == sorted(f"{w}-{n}" for n in range(10) for w in range(8))
    assert [turn["position"] for turn in found] == list(range(80)), "no gap"


async def test_a_session_is_found_again_by_its_external_id(admin: Caller, product: Product) -> None:
    external = {"platform": "chat", "external_id": "+55 11 91234-5678"}
    first = await begin(admin, external=external, title="Kitchen")
    again = await begin(admin, external=external, title="Other", expect=200)
    assert (again["id"], again["title"]) == (first["id"], "Kitchen")
    both = await asyncio.gather(*(admin.client.post("/v1/sessions", json={"external": external | {"external_id": "x"}}, headers=admin.headers)
                                  for _ in range(5)))  # fmt: skip
    assert len({reply.json()["id"] for reply in both}) == 1
    assert await product.value("SELECT count(*) FROM mem.sessions s WHERE s::text LIKE '%91234%'") == 0
    page = await admin.send("GET", "/v1/sessions", expect=200)
    assert [one["id"] for one in page["items"]][-1] == first["id"]


async def test_speakers_are_known_by_platform_ids(admin: Caller) -> None:
    identity = {"platform": "chat", "external_id": "u-17"}
    subject = await admin.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Mike", "identities": [identity]})
    session = await begin(admin)
    unknown = {"platform": "chat", "external_id": "u-99", "name": "Guest"}
    nameless = {"platform": "chat", "external_id": "u-98"}
    said = await say(admin, await begin(admin), {"text": "hey", "speaker": nameless})
    assert said["turns"][0]["speaker_id"] is None, "an id that nobody has is not whoever holds the key"
    recorded = await say(admin, session, {"text": "hi", "speaker": identity}, {"text": "ho", "speaker": unknown, "guest": True})
    assert [one["speaker_id"] for one in recorded["turns"]] == [subject["id"], None]
    found = await turns_of(admin, session)
    assert (found[1]["speaker"], found[1]["trust"]) == ("Guest", "web")
    refused = await say(admin, session, {"text": "hi", "speaker": {"subject_id": str(uuid4())}}, expect=422)
    assert refused["errors"][0]["field"] == "turns[0].speaker_id"


@pytest.mark.parametrize(
    ("turn", "code"),
    [
        ({"text": "  "}, "invalid_input"),
        ({"text": "x" * 65_537}, "content_too_large"),
        ({"text": "x", "said_at": "2026-03-02T09:03:00"}, "invalid_input"),
        ({"text": "x", "said_at": "2999-03-02T09:03:00Z"}, "invalid_input"),
        ({"text": "x", "role": "nobody"}, "invalid_input"),
        ({"text": "x", "client_turn_id": "a", "reply_to": "a"}, "invalid_input"),
        ({"text": "x", "speaker": {"platform": "chat"}}, "invalid_input"),
        ({"text": "x", "more": 1}, "invalid_input"),
        ({"text": "x", "attachments": [{"kind": "file"}] * 17}, "invalid_input"),
    ],
)
async def test_malformed_turns_are_refused_and_nothing_is_stored(admin: Caller, turn: Json, code: str) -> None:
    session = await begin(admin)
    refused = await say(admin, session, "fine", turn, expect=413 if code == "content_too_large" else 422)
    assert refused["code"] == code
    assert await turns_of(admin, session) == []


async def test_others_see_a_session_as_they_see_its_brain(admin: Caller) -> None:
    ana = admin
    bruno, carla = [await admin.make_person(name) for name in ("Bruno", "Carla")]
    room = await ana.make_brain()
    await ana.send("POST", f"/v1/brains/{room}/members", expect=201, json={"subject_id": str(bruno.subject_id), "role": "reader"})
    session = await begin(ana, brain_id=room)
    await say(ana, session, "hello")
    assert len(await turns_of(bruno, session)) == 1
    assert (await say(bruno, session, "me too", expect=403))["code"] == "access_denied"
    assert (await say(carla, session, "me too", expect=404))["code"] == "not_found"
    for path in ("", "/turns", "/snapshots"):
        await carla.send("GET", f"/v1/sessions/{session['id']}{path}", expect=404)
    for verb in (":flush", ":close", "/context"):
        await carla.send("POST", f"/v1/sessions/{session['id']}{verb}", expect=404, json={} if verb == "/context" else None)
    await bruno.send("POST", f"/v1/sessions/{session['id']}:flush", expect=403)
    assert (await carla.send("GET", "/v1/sessions", expect=200))["items"] == []


async def test_a_closed_session_takes_no_more(admin: Caller) -> None:
    session = await begin(admin)
    said = ({"text": "hello", "client_turn_id": "a"}, {"text": "world", "client_turn_id": "b"})
    await say(admin, session, *said)
    closed = await admin.send("POST", f"/v1/sessions/{session['id']}:close", expect=200)
    assert closed["session"]["closed_at"] is not None
    assert [(one["first_position"], one["last_position"], one["cause"]) for one in closed["snapshots"]] == [(0, 1, "close")]
    assert (await say(admin, session, "late", expect=409))["code"] == "session_closed"
    assert all(one["replayed"] for one in (await say(admin, session, *said))["turns"]), "who did not hear the answer may ask again"
    assert (await say(admin, session, *said, "late", expect=409))["code"] == "session_closed"
    again = await admin.send("POST", f"/v1/sessions/{session['id']}:close", expect=200)
    assert (again["snapshots"], again["session"]["closed_at"]) == ([], closed["session"]["closed_at"])
