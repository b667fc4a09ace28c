"""Rooms over HTTP: gold memories are written, cards are read, questions are asked, and every reply is looked through for what leaks.

Each question is asked through three doors: with a key of the asking person (the figures are of this one), through the agent that acts for
the person, and with a key that reads everything; the audience is the same. Replies are parsed and searched whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from benchmarks.documents import moment
from benchmarks.harness import open_bench
from benchmarks.people_figures import Answered, CardSeen, answer_figures, front_figures
from benchmarks.people_gold import Gold, Row, conflicts, labels, memory_body, read_gold, subject_body, topic_of
from benchmarks.people_isolation import Foreign
from benchmarks.people_leaks import Guard, topics_named
from benchmarks.people_world import World
from benchmarks.rooms import PRIVATE, ends
from benchmarks.serving import Client, served
from memdb.lifecycle.upkeep import run_once

LIMIT: Final = 10
TOKEN_BUDGET: Final = 800
KNOWN: Final = "known"


@dataclass(slots=True)
class Found:
    """What a run of a server showed. `leaks`: place, door and what was shown there. `unfloored`: the same questions without the floor.

    `control` counts questions that do show what is hidden when they are asked with a key that reads everything and without an audience:
    where it is 0 the search for leaks finds nothing at all.
    """

    cards: list[CardSeen] = field(default_factory=list)
    answers: list[Answered] = field(default_factory=list)
    unfloored: list[Answered] = field(default_factory=list)
    control: int = 0
    leaks: list[str] = field(default_factory=list)
    replies: int = 0
    left_out: int = 0
    counts_off: list[str] = field(default_factory=list)
    drawer: dict[str, bool] = field(default_factory=dict)
    foreign: Foreign = field(default_factory=Foreign)

    def look(self, place: str, guard: Guard, reply: Any) -> None:  # noqa: ANN401 - any JSON value
        """Search a whole reply."""
        self.replies += 1
        self.leaks += [f"{place}: {what}" for what in guard.find(reply)]


async def measure_rooms(folder: Path) -> dict[str, Any]:
    """Figures of a folder of rooms: placed as in the gold, and placed by the rules."""
    gold = read_gold(folder)
    latest = max(at for row in gold.questions if (at := moment(row["asked_at"])) is not None)
    if datetime.now(UTC) < latest:
        raise SystemExit(f"the gold says what holds on {latest.date()}; this machine's clock is behind that")
    small = [name for name, row in gold.memories.items() if row["level"] == "may"]
    given, refused = await _run(gold, placed=True)
    ruled, refused_too = await _run(gold, placed=False)
    drawer = given.drawer.values()
    return {
        "leaks": given.leaks + ruled.leaks,
        "replies_searched": given.replies + ruled.replies,
        "fronts_given": front_figures(given.cards),
        "fronts_by_rules": front_figures(ruled.cards, small),
        "drawer_counts_off": given.counts_off,
        "questions": answer_figures(given.answers),
        "questions_without_floor": answer_figures(given.unfloored),
        "control_leaks_without_audience": given.control,
        "left_out_known_axis": given.left_out,
        "drawer_questions": len(drawer),
        "drawer_topic_named": round(sum(drawer) / len(drawer), 4) if drawer else None,
        "drawer_topic_not_named": [name for name, named in given.drawer.items() if not named],
        "isolation": given.foreign.figures(),
        "refused": [*refused, *(f"by rules: {what}" for what in refused_too)],
    }


async def _run(gold: Gold, *, placed: bool) -> tuple[Found, list[str]]:
    async with open_bench() as bench, served(bench) as root:
        world = World(root)
        await _write(gold, world, placed=placed)
        while (await run_once(bench.runtime)).full:
            pass
        found = Found()
        for card in gold.cards:
            await _read_card(gold, world, card, found, placed=placed)
        if placed:
            for row in gold.questions:
                await _ask(gold, world, row, found)
        return found, world.refused


async def _write(gold: Gold, world: World, *, placed: bool) -> None:
    for row in gold.people:
        await world.make_subject(row["subject_id"], subject_body(row), labels(row))
    for scope, readers in gold.scopes.items():
        await world.make_brain(scope, dict.fromkeys(readers, "reader") | dict.fromkeys(gold.agents[scope], "writer"))
    every = sorted({agent for agents in gold.agents.values() for agent in agents})
    speaking = {agent: [scope for scope, agents in gold.agents.items() if agent in agents] for agent in every}
    for agent, scopes in speaking.items():
        await world.make_key(agent, agent=True, act_as=scopes)
    for row in gold.people:
        if row["kind"] == "person":
            await world.make_key(row["subject_id"], agent=False)
    writers = {agent: world.root.another(world.keys[agent]) for agent in speaking}
    for name, row in gold.memories.items():
        await world.write(writers[gold.agents[row["scope"]][0]], name, memory_body(row, world.subjects, world.brains, placed=placed))
    for name, other in conflicts(gold.memories):
        body = {"memory_id": world.memories.get(name), "other_id": world.memories.get(other)}
        reply = await writers[gold.agents[gold.memories[name]["scope"]][0]].post("/v1/conflicts", json=body)
        if reply.status >= 400:
            world.refused.append(f"conflict of {name}: {reply.json().get('code')}")
    for client in writers.values():
        client.close()


# ------------------------------------------------------------------------------------------------------------------ cards
async def _read_card(gold: Gold, world: World, card: Row, found: Found, *, placed: bool) -> None:
    audience = gold.scopes[card["scope"]]
    guard = gold.guard(audience, card["never"], (), world.memories)
    names = {id_: name for name, id_ in world.memories.items()}
    for door, client in _doors(gold, world, audience[0], card["scope"]).items():
        place = f"{card['card_id']}, {door}"
        reply = await _card(client, world, card["subject_id"], audience)
        found.look(f"card {place}", guard, reply)
        for more in await _folder(client, world, card["subject_id"], audience):
            found.look(f"folder {place}", guard, more)
        client.close()
        if door == "person":
            shown = tuple(names[entry["memory"]["id"]] for entry in reply["front"])
            found.cards.append(CardSeen(card["card_id"], frozenset(card["front"]), frozenset(card["not_front"]), shown))
            inside = _in_drawer(gold, world, card["subject_id"], audience)
            if placed and reply["drawer"]["count"] != len(inside):
                found.counts_off.append(f"{card['card_id']}: {reply['drawer']['count']}, gold {len(inside)}")


async def _card(client: Client, world: World, subject: str, audience: Sequence[str]) -> Any:  # noqa: ANN401 - any JSON value
    told = "&".join(f"audience={id_}" for id_ in world.ids(audience))
    reply = await client.get(f"/v1/subjects/{world.subjects[subject]}/card?{told}")
    reply.raise_for_status()
    return reply.json()


async def _folder(client: Client, world: World, subject: str, audience: Sequence[str]) -> list[Any]:
    """The whole folder by its two other doors: as Markdown, and by an expression that every line matches."""
    told = "&".join(f"audience={id_}" for id_ in world.ids(audience))
    notes = await client.get(f"/v1/subjects/{world.subjects[subject]}/notes.md?{told}")
    notes.raise_for_status()
    body = {"pattern": ".", "regex": True, "placement": "all", "limit": 200, "audience": world.ids(audience)}
    grepped = await client.post(f"/v1/subjects/{world.subjects[subject]}/drawer:grep", json=body)
    grepped.raise_for_status()
    return [notes.content.decode(), grepped.json()]


def _in_drawer(gold: Gold, world: World, subject: str, audience: Sequence[str]) -> set[str]:
    """Ids of what lies in a drawer now and the audience may read."""
    scopes, now = gold.readable(audience), datetime.now(UTC)
    return {
        world.memories[name]
        for name, row in gold.memories.items()
        if subject in row["about"] and row["placement"] == "drawer" and row["scope"] in scopes and name in world.memories
        if (ends(row["valid_to"])[1] or datetime.max.replace(tzinfo=UTC)) > now
    }


# -------------------------------------------------------------------------------------------------------------- questions
def _doors(gold: Gold, world: World, asker: str, scope: str) -> dict[str, Client]:
    """Clients by door; the caller closes them. A question that is put to the agent alone has no room whose agent would ask."""
    doors = {"person": world.root.another(world.keys[asker]), "everything": world.root.another(world.root.key)}
    if scope != PRIVATE:
        doors["agent"] = world.root.another(world.keys[gold.agents[scope][0]], world.subjects[asker])
    return doors


async def _ask(gold: Gold, world: World, row: Row, found: Found) -> None:
    if row["axis"] == KNOWN:
        found.left_out += 1
        return
    body = {
        "query": row["question"],
        "audience": world.ids(row["audience"]),
        "limit": LIMIT,
        "token_budget": TOKEN_BUDGET,
        "explain": True,
        "valid_at": None if row["axis"] is None else _at(row["as_of"]),
    }
    guard = gold.guard(row["audience"], row["forbidden_memories"], row["forbidden_negatives"], world.memories)
    for door, client in _doors(gold, world, row["asked_by"], row["asked_in"]).items():
        reply = await _search(client, body)
        found.look(f"question {row['question_id']}, {door}", guard, reply)
        if door == "person":
            found.answers.append(_answered(row, reply, world.memories))
            found.unfloored.append(_answered(row, await _search(client, body | {"min_score": 0.0}), world.memories))
            await _ask_about(gold, world, row, client, body, found)
            await _open_drawer(gold, world, row, client, found)
        client.close()
    everything = await _search(world.root, {name: value for name, value in body.items() if name != "audience"})
    found.control += bool(guard.find(everything))


async def _search(client: Client, body: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    reply = await client.post("/v1/memories/search", json=dict(body))
    reply.raise_for_status()
    return reply.json()


def _answered(row: Row, reply: Any, ids: Mapping[str, str]) -> Answered:  # noqa: ANN401 - any JSON value
    names = {id_: name for name, id_ in ids.items()}
    return Answered(
        question_id=row["question_id"],
        category=row["category"],
        answerable=row["answerable"],
        for_audience=row["unanswerable_because"] == "audience",
        expected=frozenset(row["expected_memories"]),
        stale=frozenset(row["stale_memories"]),
        shown=tuple(names[e["memory"]["id"]] for e in reply["evidence"]),
        front=frozenset(names[id_] for id_ in reply["card"]["front"]),
    )


async def _ask_about(gold: Gold, world: World, row: Row, client: Client, body: Mapping[str, Any], found: Found) -> None:
    """The same question narrowed to each subject of what is expected, of an unanswerable one to who asks."""
    expected = [gold.memories[name]["about"] for name in row["expected_memories"]]
    allowed = {world.brains[scope] for scope in gold.readable(row["audience"])}
    for subject in sorted({name for about in expected for name in about} or {row["asked_by"]}):
        reply = await _search(client, dict(body) | {"about": [world.subjects[subject]]})
        found.foreign.count(f"{row['question_id']} about {subject}", reply["evidence"], world.subjects[subject], allowed)


async def _open_drawer(gold: Gold, world: World, row: Row, client: Client, found: Found) -> None:
    """Whether the card of a subject of what is expected names its topic, where that lies in a drawer now."""
    topics: dict[str, set[str]] = {}
    for name in row["expected_memories"]:
        memory = gold.memories[name]
        for subject in memory["about"]:
            if (topic := topic_of(memory)) and world.memories.get(name) in _in_drawer(gold, world, subject, row["audience"]):
                topics.setdefault(subject, set()).add(topic)
    if topics:
        named = [topics[s] & {*topics_named((await _card(client, world, s, row["audience"]))["text"])} for s in sorted(topics)]
        found.drawer[row["question_id"]] = any(named)


def _at(text: str) -> str:
    at = ends(text)[0]
    assert at is not None, "as_of of a question with an axis"
    return at.isoformat()
