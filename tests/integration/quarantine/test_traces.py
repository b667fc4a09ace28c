"""What is held leaves no trace: no score, count, order, topic, card or total tells a reader that it is there."""

from __future__ import annotations

from typing import Any

from tests.integration.quarantine.acting import quarantine, release
from tests.support.product import Caller

VOLATILE = {"recall_id", "request_id", "timings_ms", "generated_at"}
QUESTIONS: tuple[dict[str, Any], ...] = (
    {"query": "what does Sofia Prado drink?"},
    {"query": "who sends invoices?", "token_budget": 400},
    {"query": "Sofia Prado invoices harbour", "weights": {"lexical": 1.0}},
    {"query": "Sofia Prado", "weights": {"entity": 1.0}},
    {"query": "harbour office", "weights": {"graph": 1.0, "vector": 0.5}},
    {"query": "payments"},
    {"query": "tea", "topic": "payments", "tags": ["money"]},
)


async def test_a_reader_cannot_tell_what_is_held_from_what_never_was(ana: Caller) -> None:
    room = await ana.make_brain()
    person = (await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": "Rui"}))["id"]
    first = await write_some(ana, room, person)
    before = await ask_all(ana, room, person)
    assert len(before["list"]["items"]) == len(first)
    assert before["search 0"]["evidence"]
    poisoned = await write_more(ana, room, person)
    assert await ask_all(ana, room, person) != before
    action = await quarantine(ana, ids=poisoned)
    assert differences(before, await ask_all(ana, room, person)) == []
    # Neither do votes and looks of those who saw it in the meantime.
    await release(ana, action["id"])
    assert differences(before, await ask_all(ana, room, person)) != []
    recall = await ana.search("who sends invoices?", min_score=0.0, limit=50)
    shown = {one["memory"]["id"] for one in recall["evidence"]}
    for memory_id in sorted(shown & set(poisoned)):
        vote = {"recall_id": recall["recall_id"], "memory_id": memory_id, "outcome": "helpful"}
        await ana.send("POST", "/v1/feedback", expect=201, json=vote)
    await quarantine(ana, ids=poisoned)
    assert differences(before, await ask_all(ana, room, person)) == []


async def write_some(ana: Caller, room: str, person: str) -> list[str]:
    about: dict[str, Any] = {"brain_id": room, "about": [person]}
    talk = {"episode": {"external_id": "standup"}}
    made = [
        await ana.write("Sofia Prado drinks green tea", topic="people/sofia", tags=["drinks"], placement="front", **about),
        await ana.write("The harbour office sends invoices on Monday", topic="payments", tags=["money"], **about),
        await ana.write(
            "Sofia Prado works at the harbour office", "episodic", source=talk | {"position": 0, "text": "she works there"}, **about
        ),
        await ana.write(
            "The lantern of the harbour office is broken", "episodic", source=talk | {"position": 4, "text": "broken"}, **about
        ),
    ]
    return [one["id"] for one in made]


async def write_more(ana: Caller, room: str, person: str) -> list[str]:
    """What shares names, words, topics, the episode and the front with what is there, is near it, and contradicts it."""
    about: dict[str, Any] = {"brain_id": room, "about": [person]}
    talk = {"episode": {"external_id": "standup"}}
    made = [
        await ana.write("Sofia Prado drinks black tea", topic="people/sofia", tags=["drinks", "new"], placement="front", **about),
        await ana.write("The harbour office sends invoices on Friday", topic="payments/new", tags=["money"], **about),
        await ana.write("Sofia Prado left the harbour office", "episodic", source=talk | {"position": 2, "text": "she left"}, **about),
        await ana.write("Send invoices of Sofia Prado to the harbour office", "procedural", topic="payments", data={"to": "x"}, **about),
    ]
    unit = {"topic": "payments/rules", "content": "Invoices of the harbour go to Sofia Prado"}
    made.append(await ana.send("POST", f"/v1/brains/{room}/units", expect=201, json=unit))
    assert {one["action"] for one in made} == {"ADD"}
    return [one["id"] for one in made]


async def ask_all(ana: Caller, room: str, person: str) -> dict[str, Any]:
    """Every reply that counts, orders or scores."""
    found: dict[str, Any] = {}
    for number, question in enumerate(QUESTIONS):
        body = {"min_score": 0.0, "explain": True, "limit": 20, **question}
        found[f"search {number}"] = await ana.send("POST", "/v1/memories/search", expect=200, json=body)
    gets = {
        "list": "/v1/memories?limit=50",
        "topics": f"/v1/brains/{room}/topics",
        "brain": f"/v1/brains/{room}",
        "conflicts": f"/v1/brains/{room}/conflicts",
        "card": f"/v1/subjects/{person}/card",
        "unattributed": f"/v1/brains/{room}/unattributed",
    }
    for name, path in gets.items():
        found[name] = await ana.send("GET", path, expect=200)
    notes = await ana.client.get(f"/v1/subjects/{person}/notes.md", headers=ana.headers)
    found["notes"] = notes.text.splitlines()[1:]
    grep = {"pattern": ".", "regex": True, "placement": "all", "limit": 200}
    found["grep"] = await ana.send("POST", f"/v1/subjects/{person}/drawer:grep", expect=200, json=grep)
    topic = {"topic": "payments"}
    found["topic"] = await ana.send("POST", f"/v1/brains/{room}/topics:query", expect=200, json=topic)
    return {name: steady(reply) for name, reply in found.items()}


def steady(value: Any) -> Any:
    """A reply without what differs between two requests; freshness moves the last digits of a score."""
    if isinstance(value, dict):
        return {name: steady(one) for name, one in value.items() if name not in VOLATILE}
    if isinstance(value, list):
        return [steady(one) for one in value]
    return round(value, 3) if isinstance(value, float) else value


def differences(one: Any, other: Any, place: str = "") -> list[str]:
    """Where two replies differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return [each for name in one for each in differences(one[name], other[name], f"{place}/{name}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return [each for n, pair in enumerate(zip(one, other, strict=True)) for each in differences(*pair, f"{place}/{n}")]
    return [] if one == other else [f"{place}: {one!r} and then {other!r}"]
