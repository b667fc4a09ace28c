"""Looks into brains (break_glass): an administrator reads nothing without one, with one that brain alone, and its members see it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from memdb.ids import make_id
from tests.support.database import Cluster, clone
from tests.support.product import Caller, Product, running

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from memdb.config import Settings
    from memdb.providers.embedding.base import EmbeddingSpace

WORD, OTHER_WORD = "xabedegolu", "xatukimora"
WHY = "ticket 4711: the assistant repeats a wrong address"


@pytest.fixture(scope="module")
async def server(settings: Settings, cluster: Cluster, space: EmbeddingSpace) -> AsyncIterator[Product]:
    with clone(cluster, space) as fresh:
        async with running(settings, fresh) as opened:
            yield opened


@pytest.fixture
def product(server: Product) -> Iterator[Product]:
    yield server
    server.clock.ahead = timedelta()


@dataclass(frozen=True, slots=True)
class Place:
    """A room of Bea and Cleo, who administer and read it, another one of Bea's, and an administrator who is in neither."""

    admin: Caller
    bea: Caller
    cleo: Caller
    room: str
    other: str
    memory: str
    other_memory: str
    session: str
    unit: str
    topic: str


@pytest.fixture
async def place(product: Product) -> Place:
    admin = await product.make_caller()
    bea, cleo = await admin.make_person("Bea", max_role="admin"), await admin.make_person("Cleo")
    room = await bea.make_brain("Room", members=[{"subject_id": str(cleo.subject_id), "role": "reader"}])
    other = await bea.make_brain("Other")
    memory = (await bea.write(f"The harbour is called {WORD}", brain_id=room))["id"]
    other_memory = (await bea.write(f"The lighthouse is called {OTHER_WORD}", brain_id=other))["id"]
    session = await bea.send("POST", "/v1/sessions", expect=201, json={"brain_id": room})
    said = {"turns": [{"text": f"We met at {WORD}"}]}
    await bea.send("POST", f"/v1/sessions/{session['id']}/turns", expect=201, json=said)
    unit = {"topic": "harbour/name", "content": f"It is {WORD}"}
    unit_id = (await bea.send("POST", f"/v1/brains/{room}/units", expect=201, json=unit))["id"]
    return Place(admin, bea, cleo, room, other, memory, other_memory, session["id"], unit_id, "harbour/name")


def reads(place: Place, room: str, memory: str) -> list[tuple[str, str, Any]]:
    """Every door that shows what lies in a brain: method, path, body."""
    return [
        ("GET", f"/v1/memories/{memory}", None),
        ("GET", f"/v1/memories/{memory}/history", None),
        ("GET", f"/v1/memories?brain_id={room}", None),
        ("POST", "/v1/memories/search", {"query": f"{WORD} {OTHER_WORD}", "brains": [room], "min_score": 0.0}),
        ("GET", f"/v1/brains/{room}", None),
        ("GET", f"/v1/brains/{room}/members", None),
        ("GET", f"/v1/brains/{room}/conflicts", None),
        ("GET", f"/v1/brains/{room}/topics", None),
        ("GET", f"/v1/brains/{room}/looks", None),
        ("POST", f"/v1/brains/{room}/topics:query", {"topic": place.topic}),
    ]


def reads_of_room(place: Place) -> list[tuple[str, str, Any]]:
    return [
        *reads(place, place.room, place.memory),
        ("GET", f"/v1/brains/{place.room}/units/{place.unit}", None),
        ("GET", f"/v1/sessions/{place.session}", None),
        ("GET", f"/v1/sessions/{place.session}/turns", None),
        ("POST", f"/v1/sessions/{place.session}/context", {"query": WORD}),
    ]


def writes(place: Place, recall_id: str) -> list[tuple[str, str, Any]]:
    """Every door that would leave something in the room."""
    room, memory = place.room, place.memory
    return [
        ("POST", "/v1/memories", {"content": "a note", "kind": "semantic", "brain_id": room}),
        ("PATCH", f"/v1/memories/{memory}", {"content": "another"}),
        ("DELETE", f"/v1/memories/{memory}", None),
        ("POST", f"/v1/memories/{memory}:confirm", {}),
        ("POST", "/v1/conflicts", {"memory_id": memory, "other_id": place.unit}),
        ("POST", "/v1/feedback", {"recall_id": recall_id, "memory_id": memory, "outcome": "helpful"}),
        ("POST", f"/v1/brains/{room}/units", {"topic": "a/b", "content": "a note"}),
        ("POST", f"/v1/brains/{room}/members", {"subject_id": str(place.admin.subject_id), "role": "admin"}),
        ("PATCH", f"/v1/brains/{room}", {"name": "mine"}),
        ("POST", "/v1/sessions", {"brain_id": room}),
        ("POST", f"/v1/sessions/{place.session}/turns", {"turns": [{"text": "I was here"}]}),
        ("POST", f"/v1/sessions/{place.session}:flush", None),
        ("POST", f"/v1/brains/{room}/notebook:import", {"name": "n", "text": "- I was here\n"}),
        ("POST", f"/v1/subjects/{place.cleo.subject_id}/aliases", {"alias": "Cle", "brain_id": room}),
    ]


async def ask(caller: Caller, method: str, path: str, body: Any = None) -> Any:
    options = {} if body is None else {"json": body}
    return await caller.client.request(method, path, headers=dict(caller.headers), **options)


async def look(place: Place, *, expect: int = 201, **how: Any) -> dict[str, Any]:
    path = f"/v1/admin/brains/{how.pop('brain', place.room)}:break-glass"
    caller: Caller = how.pop("caller", place.admin)
    opened: dict[str, Any] = await caller.send("POST", path, expect=expect, json={"reason": WHY} | how)
    return opened


async def expect_nothing(place: Place, caller: Caller, asked: list[tuple[str, str, Any]]) -> None:
    for method, path, body in asked:
        reply = await ask(caller, method, path, body)
        assert reply.status_code == 404, (method, path, reply.status_code)
        assert WORD not in reply.text, path
        assert OTHER_WORD not in reply.text, path


async def second_key(admin: Caller, **grant: Any) -> Caller:
    wanted = {"subject_id": str(admin.subject_id), "writer_label": "second", "max_role": "admin", "trust": "member", **grant}
    made = await admin.send("POST", "/v1/admin/keys", expect=201, json=wanted)
    return replace(admin, headers={"Authorization": f"Bearer {made['key']}"})


async def test_without_a_look_an_administrator_reads_nothing(place: Place) -> None:
    await expect_nothing(place, place.admin, reads_of_room(place))
    assert await place.admin.found(WORD) == []


async def test_a_look_shows_the_brain_through_every_door_that_reads_and_no_other_brain(place: Place) -> None:
    await look(place)
    for method, path, body in reads_of_room(place):
        reply = await ask(place.admin, method, path, body)
        assert reply.status_code == 200, (method, path, reply.text)
        assert OTHER_WORD not in reply.text, path
    shown = (await place.admin.read(place.memory))["content"]
    assert WORD in shown
    await expect_nothing(place, place.admin, reads(place, place.other, place.other_memory))
    assert [one for one in await place.admin.found(OTHER_WORD) if OTHER_WORD in one] == []


async def test_a_look_leaves_nothing_in_the_brain(product: Product, place: Place) -> None:
    await look(place)
    recall_id = (await place.admin.search(WORD, brains=[place.room], min_score=0.0))["recall_id"]
    before = await _rows_of_the_room(product, place)
    for method, path, body in writes(place, recall_id):
        reply = await ask(place.admin, method, path, body)
        assert reply.status_code == 403, (method, path, reply.status_code, reply.text)
    assert await _rows_of_the_room(product, place) == before


async def _rows_of_the_room(product: Product, place: Place) -> dict[str, int]:
    tables = await product.rows(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid"
        " WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND a.attname = 'brain_id'"
        " AND c.relname <> 'audit_events' ORDER BY c.relname"
    )
    counted = {}
    for (table,) in tables:
        counted[table] = await product.value(f"SELECT count(*) FROM mem.{table} WHERE brain_id = CAST(:b AS uuid)", b=place.room)
    assert counted["memories"] == 2
    return counted


async def test_a_look_is_of_one_key(place: Place) -> None:
    other_key = await second_key(place.admin, capabilities=["admin"])
    await look(place)
    await expect_nothing(place, other_key, reads_of_room(place))


async def test_it_ends_by_itself_and_earlier_if_somebody_ends_it(product: Product, place: Place) -> None:
    opened = await look(place, seconds=60)
    await place.admin.read(place.memory)
    product.clock.ahead += timedelta(seconds=61)
    await expect_nothing(place, place.admin, reads_of_room(place))
    product.clock.ahead = timedelta()
    other = await second_key(place.admin, capabilities=["admin"])
    await other.send("DELETE", f"/v1/admin/brains/{place.room}/looks/{opened['id']}", expect=204)
    await expect_nothing(place, place.admin, reads_of_room(place))
    ended = (await place.cleo.send("GET", f"/v1/brains/{place.room}/looks", expect=200))["items"][0]["ended_at"]
    await other.send("DELETE", f"/v1/admin/brains/{place.room}/looks/{opened['id']}", expect=204)
    again = (await place.cleo.send("GET", f"/v1/brains/{place.room}/looks", expect=200))["items"][0]["ended_at"]
    assert ended == again is not None


async def test_members_see_who_looked_when_and_why_and_strangers_do_not(place: Place) -> None:
    first = await look(place)
    await place.admin.send("DELETE", f"/v1/admin/brains/{place.room}/looks/{first['id']}", expect=204)
    second = await look(place, reason="once more, mail bea@example.com", seconds=120)
    for member in (place.bea, place.cleo):
        shown = await member.send("GET", f"/v1/brains/{place.room}/looks", expect=200)
        assert [one["id"] for one in shown["items"]] == [second["id"], first["id"]]
        newest, oldest = shown["items"]
        assert (oldest["reason"], oldest["subject_id"], newest["ended_at"]) == (WHY, str(place.admin.subject_id), None)
        assert "bea@example.com" not in newest["reason"]
        assert (await member.send("GET", f"/v1/brains/{place.room}", expect=200))["looks"] == shown["items"]
    dora = await place.admin.make_person("Dora")
    await expect_nothing(place, dora, [("GET", f"/v1/brains/{place.room}/looks", None)])


async def test_the_look_and_every_request_under_it_are_audited_and_recalls_say_so(product: Product, place: Place) -> None:
    opened = await look(place)
    await place.admin.read(place.memory)
    await place.admin.search(WORD, brains=[place.room], min_score=0.0)
    await place.admin.search("anything", brains=[str(place.admin.everybody)])
    await place.admin.send("DELETE", f"/v1/admin/brains/{place.room}/looks/{opened['id']}", expect=204)
    await ask(place.admin, "GET", f"/v1/memories/{place.memory}")
    events = await product.rows(
        "SELECT action, object_kind, object_id, brain_id::text AS brain_id, detail, detail->>'route' AS route FROM mem.audit_events"
        " WHERE org_id = :org AND action LIKE 'break_glass.%' ORDER BY id",
        org=place.admin.org_id,
    )
    assert [event.action for event in events] == ["break_glass.open", *["break_glass.use"] * 4, "break_glass.end"]
    assert {event.brain_id for event in events} == {place.room}
    assert [event.route for event in events[1:3]] == ["GET:.v1.memories.memory_id", "POST:.v1.memories.search"]
    assert {event.object_id for event in events[1:5]} == {opened["id"]}
    assert "4711" not in str(events)
    recalls = await product.rows("SELECT looks::text FROM mem.recalls WHERE org_id = :org ORDER BY id", org=place.admin.org_id)
    assert [row[0] for row in recalls] == ["{" + opened["id"] + "}", None]


async def test_no_look_for_a_member_a_stranger_or_one_who_acts_for_somebody(place: Place) -> None:
    path = f"/v1/admin/brains/{place.room}:break-glass"
    await place.cleo.send("POST", path, expect=403, json={"reason": WHY})
    foreign = await place.admin.product.make_caller()
    reply = await ask(foreign, "POST", path, {"reason": WHY})
    unknown = await ask(foreign, "POST", f"/v1/admin/brains/{make_id()}:break-glass", {"reason": WHY})
    assert (reply.status_code, reply.json()["code"]) == (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    grant = {"act_as_subjects": [str(place.cleo.subject_id)], "reason": "tests"}
    acting = await second_key(place.admin, capabilities=["admin", "act_as"], **grant)
    reply = await acting.client.post(path, headers={**acting.headers, "Memdb-Act-As": str(place.cleo.subject_id)}, json={"reason": WHY})
    assert reply.status_code == 403
    limited = await second_key(place.admin, capabilities=["admin"], brains=[str(place.admin.everybody)])
    await look(place, caller=limited, expect=403)
    assert (await look(place, caller=place.admin, brain=str(place.admin.everybody), expect=409))["code"] == "already_exists"


async def test_a_look_of_a_key_that_may_act_is_not_carried_into_acting(place: Place) -> None:
    dora = await place.admin.make_person("Dora")
    grant = {"act_as_subjects": [str(dora.subject_id)], "reason": "tests"}
    key = await second_key(place.admin, capabilities=["admin", "act_as"], **grant)
    await look(place, caller=key)
    await key.read(place.memory)
    acting = replace(key, headers={**key.headers, "Memdb-Act-As": str(dora.subject_id)})
    await expect_nothing(place, acting, reads_of_room(place))


async def test_a_second_look_at_the_same_time_is_refused(place: Place) -> None:
    await look(place)
    assert (await look(place, expect=409))["code"] == "already_exists"


@pytest.mark.parametrize(
    "how", [{"reason": " "}, {"reason": ""}, {"seconds": 59}, {"seconds": 3_601}, {"reason": "x" * 1_001}, {"why": "x"}]
)
async def test_bad_input_is_422(place: Place, how: dict[str, Any]) -> None:
    assert (await look(place, expect=422, **how))["code"] == "invalid_input"


async def test_only_an_administrator_ends_a_look_and_only_in_its_brain(place: Place) -> None:
    opened = await look(place)
    path = f"/v1/admin/brains/{place.room}/looks/{opened['id']}"
    await place.bea.send("DELETE", path, expect=403)
    await place.admin.send("DELETE", f"/v1/admin/brains/{place.other}/looks/{opened['id']}", expect=404)
    foreign = await place.admin.product.make_caller()
    await foreign.send("DELETE", path, expect=404)
    await place.admin.read(place.memory)
