"""Who is meant by a name: two Mikes, nicknames, rooms, and nothing shown that the caller may not read."""

from __future__ import annotations

import pytest

from memdb.directory.resolving import CANDIDATES_MAX
from memdb.ids import make_id
from tests.integration.directory.people import answer, candidates, make, merge, read, resolve, see
from tests.support.product import Caller, Product

JAN, FEB, MAR = "2026-01-05T10:00:00Z", "2026-02-05T10:00:00Z", "2026-03-05T10:00:00Z"


async def test_two_mikes_are_candidates_with_what_tells_them_apart(admin: Caller) -> None:
    okafor = await make(admin, "Mike Okafor", identities=[{"platform": "slack", "external_id": "U0MIKE"}])
    larsen = await make(admin, "Mike Larsen")
    room = await admin.make_brain("Launch room", members=[{"subject_id": okafor, "role": "reader"}])
    await see(admin, larsen, "Mike Larsen", platform="telegram", seen_at=JAN)
    reply = await resolve(admin, "MIKE")
    assert reply["subject"] is None
    first, second = reply["candidates"]
    assert [c["subject_id"] for c in (first, second)] == [okafor, larsen]
    assert first["match"] == second["match"] == "part"
    assert first["tells_apart"]["platforms"] == [{"platform": "slack", "label": "U0MIKE"}]
    assert first["tells_apart"]["brains"] == [{"id": room, "name": "Launch room"}]
    assert first["tells_apart"]["seen"] == second["tells_apart"]["brains"] == []
    assert [(s["place"], s["last_seen_at"]) for s in second["tells_apart"]["seen"]] == [("platform:telegram", JAN)]
    assert await answer(admin, "mike okafor") == okafor
    await see(admin, okafor, "Mike")
    assert await candidates(admin, "mike") == {okafor: "exact", larsen: "part"}


async def test_a_nickname_finds_its_only_bearer_whatever_case_and_accents(admin: Caller) -> None:
    joao = await make(admin, "João Tavares", aliases=["Joca"])
    await make(admin, "Ana")
    for name in ("joca", "JOCA", "João", "joao tavares", " Joao   Tavares ", "tavares"):
        assert await answer(admin, name) == joao
    await see(admin, await make(admin, "Joana"), "Jóca")
    assert await answer(admin, "joca") is None


async def test_the_mike_in_this_room_is_meant_there_and_nowhere_else(admin: Caller) -> None:
    okafor, larsen, third = [await make(admin, name) for name in ("Mike Okafor", "Mike Larsen", "Mike Young")]
    team = await make(admin, "Design", kind="team")
    await admin.send("POST", f"/v1/subjects/{team}/members", expect=204, json={"subject_id": larsen})
    first = await admin.make_brain("First", members=[{"subject_id": okafor, "role": "reader"}])
    second = await admin.make_brain("Second", members=[{"subject_id": team, "role": "reader"}])
    third_room = await admin.make_brain("Third")
    assert await answer(admin, "Mike", brain_id=first) == okafor
    assert await answer(admin, "Mike", brain_id=second) == larsen
    assert (await candidates(admin, "Mike", brain_id=third_room)).keys() == {okafor, larsen, third}
    assert (await candidates(admin, "Okafor", brain_id=second)) == {okafor: "part"}
    await see(admin, third, "Mikey", brain_id=third_room)
    assert await answer(admin, "Mike", brain_id=third_room) == third
    await see(admin, third, "Mikey", brain_id=first)
    assert (await candidates(admin, "Mike", brain_id=first)).keys() == {okafor, third}


async def test_a_platform_is_a_place_too(admin: Caller) -> None:
    slack = await make(admin, "Mike", identities=[{"platform": "slack", "external_id": "U0A"}])
    other = await make(admin, "Mike")
    await see(admin, other, "Mike", platform="telegram")
    assert await answer(admin, "mike", platform="slack") == slack
    assert await answer(admin, "mike", platform="telegram") == other
    assert (await candidates(admin, "mike", platform="matrix")).keys() == {slack, other}


async def test_near_names_are_candidates_and_unknown_ones_are_nobody(admin: Caller) -> None:
    okafor = await make(admin, "Mike Okafor")
    ana = await make(admin, "Ana")
    assert await candidates(admin, "Mike Okafer") == {okafor: "near"}
    assert await candidates(admin, "Ana Souza") == {ana: "near"}
    for name in ("Zebulon", "she", "my wife", "the user", "%a", "_a_", "' OR 1=1 --", "a.*", "(?i)a", "***:a"):
        assert await candidates(admin, name) == {}


async def test_ids_and_names_with_wildcards_are_their_own(admin: Caller) -> None:
    """B002."""
    names = ["ana_b", "anaxb", "50%", "50x", "a\\b", "O'Neil", 'Bo "Bee"', "Ana; x", "J.R."]
    made = {name: await make(admin, name, identities=[{"platform": "chat", "external_id": name}]) for name in names}
    for name, subject_id in made.items():
        assert await answer(admin, name) == subject_id
        assert await answer(admin, name, platform="chat") == subject_id
        found = await admin.send("POST", "/v1/subjects:lookup", expect=200, json={"platform": "chat", "external_id": name})
        assert found["id"] == subject_id


async def test_kinds_are_told_apart(admin: Caller) -> None:
    person, agent = await make(admin, "Atlas"), await make(admin, "Atlas", kind="agent")
    project = await make(admin, "Atlas", kind="project")
    assert (await candidates(admin, "atlas")).keys() == {person, agent, project}
    assert await answer(admin, "atlas", kind="agent") == agent
    assert await answer(admin, "atlas", kind="project") == project
    assert await candidates(admin, "atlas", kind="team") == {}


async def test_everybody_in_a_room_is_a_subject_of_their_own(admin: Caller) -> None:
    """Four speakers of one role, and a nickname that says nothing of who speaks (B037, B013)."""
    made = {
        name: await make(admin, name, kind=kind)
        for name, kind in (("Ana", "person"), ("Bruno", "person"), ("bot-1", "agent"), ("bot-2", "agent"))
    }
    room = await admin.make_brain("Room", members=[{"subject_id": s, "role": "writer"} for s in made.values()])
    await see(admin, made["Bruno"], "Kiki", brain_id=room)
    assert {name: await answer(admin, name, brain_id=room) for name in made} == made
    assert await answer(admin, "Kiki", brain_id=room) == made["Bruno"]
    assert (await read(admin, made["Ana"]))["aliases"] == ["Ana"]


async def test_who_has_no_name_is_found_by_id_alone(admin: Caller) -> None:
    """No name is made up (B045)."""
    external = {"platform": "chat", "external_id": "0198-nobody"}
    subject_id = await make(admin, None, identities=[external])
    found = [await admin.send("POST", "/v1/subjects:lookup", expect=200, json=external) for _ in range(3)]
    assert {f["id"] for f in found} == {subject_id}
    assert (found[0]["name"], found[0]["aliases"]) == (None, [])
    assert await candidates(admin, subject_id) == {}


async def test_what_the_caller_may_not_read_is_not_told(admin: Caller) -> None:
    ana = await admin.make_person("Ana")
    mikes = [await make(admin, name) for name in ("Mike Okafor", "Mike Larsen")]
    secret = await admin.make_brain("Secret room", members=[{"subject_id": mikes[0], "role": "reader"}])
    await see(admin, mikes[0], "Mickey", brain_id=secret, seen_at=JAN)
    known = await resolve(admin, "mike")
    assert known["candidates"][0]["tells_apart"]["seen"]
    assert known["candidates"][0]["tells_apart"]["brains"]
    told = await resolve(ana, "mike")
    assert [c["subject_id"] for c in told["candidates"]] == mikes
    assert all(not c["tells_apart"]["seen"] and not c["tells_apart"]["brains"] for c in told["candidates"])
    assert secret not in str(told)
    assert "Secret" not in str(await read(ana, mikes[0]))
    unknown = await resolve(ana, "mike", brain_id=str(make_id()), expect=404)
    hidden = await resolve(ana, "mike", brain_id=secret, expect=404)
    assert {**unknown, "request_id": ""} == {**hidden, "request_id": ""}


async def test_a_key_limited_to_brains_is_told_of_no_other(admin: Caller) -> None:
    okafor, _ = [await make(admin, name) for name in ("Mike Okafor", "Mike Larsen")]
    rooms = [await admin.make_brain(name, members=[{"subject_id": okafor, "role": "reader"}]) for name in ("One", "Two")]
    for room in rooms:
        await see(admin, okafor, "Mike O", brain_id=room)
    grant = {"subject_id": str(admin.subject_id), "writer_label": "x", "max_role": "reader", "trust": "agent", "brains": [rooms[0]]}
    key = (await admin.send("POST", "/v1/admin/keys", expect=201, json=grant))["key"]
    limited = Caller(admin.product, admin.client, {"X-API-Key": key}, admin.org_id, admin.subject_id, admin.everybody)
    (first, *_) = (await resolve(limited, "mike"))["candidates"]
    assert [b["id"] for b in first["tells_apart"]["brains"]] == [rooms[0]]
    assert [s["brain_id"] for s in first["tells_apart"]["seen"]] == [rooms[0]]


async def test_another_org_is_not_there(admin: Caller, server: Product) -> None:
    other = await server.make_caller()
    foreign, own = await make(other, "Zebulon"), await make(admin, "Ana")
    assert await candidates(admin, "Zebulon") == {}
    room = await other.make_brain("Room")
    await resolve(admin, "Ana", brain_id=room, expect=404)
    await see(admin, own, "Anita", brain_id=room, expect=404)
    await read(admin, foreign, expect=404)
    await admin.send("PATCH", f"/v1/subjects/{foreign}", expect=404, json={"name": "Mine"})
    await see(admin, foreign, "Mine", expect=404)
    for pair in ((own, foreign), (foreign, own)):
        await merge(admin, *pair, expect=404)


@pytest.mark.parametrize(
    "body",
    [{}, {"name": ""}, {"name": " "}, {"name": "x" * 201}, {"name": "a\x00"}, {"name": "a", "platform": "Sl ack"}, {"name": "a", "x": 1}],
)
async def test_a_malformed_question_is_refused(admin: Caller, body: dict[str, str]) -> None:
    await admin.send("POST", "/v1/subjects:resolve", expect=422, json=body)


async def test_of_many_candidates_the_first_are_shown_and_the_others_counted(admin: Caller) -> None:
    for number in range(CANDIDATES_MAX + 2):
        await make(admin, f"Sam Number {number}")
    reply = await resolve(admin, "sam")
    assert (len(reply["candidates"]), reply["left_out"]) == (CANDIDATES_MAX, 2)


async def test_where_a_label_was_seen_widens_and_stays(admin: Caller) -> None:
    """A renamed person is found by both names, and the former one says when it was seen last."""
    ana = await make(admin, "Ana Souza")
    await see(admin, ana, "Ana Souza", platform="slack", seen_at=FEB)
    await see(admin, ana, "ana souza", platform="slack", seen_at=JAN)
    seen = await see(admin, ana, "Ana Souza", platform="slack", brain_id=str(admin.everybody), seen_at=FEB)
    (label,) = seen["labels"]
    places = {s["place"]: (s["first_seen_at"], s["last_seen_at"]) for s in label["seen"]}
    assert places == {"platform:slack": (JAN, FEB), f"brain:{admin.everybody}": (FEB, FEB)}
    renamed = await admin.send("PATCH", f"/v1/subjects/{ana}", expect=200, json={"name": "Ana Prado"})
    assert (renamed["name"], renamed["aliases"]) == ("Ana Prado", ["Ana Prado", "Ana Souza"])
    seen = await see(admin, ana, "Ana Prado", platform="slack", seen_at=MAR)
    assert [[s["last_seen_at"] for s in one["seen"] if s["place"] == "platform:slack"] for one in seen["labels"]] == [[MAR], [FEB]]
    assert await answer(admin, "Ana Souza") == await answer(admin, "Ana Prado") == ana


@pytest.mark.parametrize(
    "where",
    [
        {"seen_at": JAN},
        {"platform": "slack", "seen_at": "2999-01-01T00:00:00Z"},
        {"platform": "Not one"},
        {"platform": "slack", "seen_at": "2026-01-05"},
    ],
)
async def test_a_sighting_has_a_place_and_a_time_that_has_been(admin: Caller, where: dict[str, str]) -> None:
    await see(admin, await make(admin, "Ana"), "Anita", expect=422, **where)


async def test_a_label_seen_again_is_no_event_and_one_seen_later_is(admin: Caller) -> None:
    ana = await make(admin, "Ana")
    for when in (JAN, JAN, FEB):
        await see(admin, ana, "Ana", platform="slack", seen_at=when)
    events = await admin.product.rows(
        "SELECT detail FROM mem.audit_events WHERE org_id = :org AND action = 'subject.add_alias' ORDER BY id", org=admin.org_id
    )
    assert [e[0] for e in events] == [{"new": False, "places": ["platform:slack"]}] * 2


async def test_changing_labels_needs_a_capability(admin: Caller) -> None:
    ana = await admin.make_person("Ana")
    await see(ana, str(ana.subject_id), "Boss", expect=403, platform="slack")
    await ana.send("PATCH", f"/v1/subjects/{ana.subject_id}", expect=403, json={"name": "Boss"})
