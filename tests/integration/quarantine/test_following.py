"""Where memories came from and what came from them: sessions, copies, excerpts; contexts that were made of what is held."""

from __future__ import annotations

from tests.integration.quarantine.acting import damage, preview, quarantine, release
from tests.integration.sessions.learning import make_room, work
from tests.support.database import FreshDatabase
from tests.support.product import Caller, Product


async def test_what_was_shared_is_followed_forward_and_back(ana: Caller) -> None:
    memory = await ana.write("Ana keeps the spare key under the mat", said_by=str(ana.subject_id))
    body = {"brain_id": str(ana.everybody)}
    copy = await ana.send("POST", f"/v1/memories/{memory['id']}:share", expect=201, json=body)
    assert (await preview(ana, ids=[memory["id"]]))["memories"] == 1
    assert set((await preview(ana, ids=[memory["id"]], forward=True))["first"]) == {memory["id"], copy["id"]}
    assert set((await preview(ana, ids=[copy["id"]], backward=True))["first"]) == {memory["id"], copy["id"]}


async def test_what_was_learned_from_the_same_turn_is_followed(ana: Caller, product: Product) -> None:
    room = await make_room(ana, "Rui", "Lia")
    await room.say(("Rui", "I am allergic to peanuts and I live in Lisbon."), ("Lia", "I work at Meridian."))
    await room.learn()
    ids = {memory["content"]: memory["id"] for memory in await room.memories()}
    assert len(ids) >= 3, ids
    (peanuts,) = [one for text, one in ids.items() if "peanuts" in text]
    (meridian,) = [one for text, one in ids.items() if "Meridian" in text]
    siblings = set((await preview(ana, ids=[peanuts], forward=True))["first"])
    assert peanuts in siblings
    assert len(siblings) >= 2
    assert meridian not in siblings
    back = await preview(ana, ids=[peanuts], backward=True)
    assert back["sessions"] == [room.session]
    both = await preview(ana, ids=[peanuts], backward=True, forward=True)
    assert set(both["first"]) == set(ids.values())
    of_session = await preview(ana, session_id=room.session)
    assert (set(of_session["first"]), of_session["sessions"]) == (set(ids.values()), [room.session])


async def test_a_derived_memory_is_followed_by_its_link(ana: Caller, product: Product) -> None:
    one, two = [(await ana.write(text))["id"] for text in ("Rui eats fish", "Lia eats meat")]
    await product.rows(
        "INSERT INTO mem.links (org_id, from_id, to_id, kind, brain_id, weight, created_at)"
        " SELECT org_id, :made, id, 'derived_from', brain_id, 0.5, now() FROM mem.memories WHERE id = :of",
        made=two,
        of=one,
    )
    assert set((await preview(ana, ids=[one], forward=True))["first"]) == {one, two}
    assert (await preview(ana, ids=[two], forward=True))["memories"] == 1
    assert set((await preview(ana, ids=[two], backward=True))["first"]) == {one, two}


async def test_a_held_session_shows_nothing_and_is_learned_from_once_it_is_released(
    ana: Caller, product: Product, folder_database: FreshDatabase
) -> None:
    room = await make_room(ana, "Rui", title="Poisoned talk")
    await room.say(("Rui", "I am allergic to peanuts."))
    await room.learn()
    assert len(await room.memories()) == 1
    # What is cut and not read yet, and what is open.
    await room.say(("Rui", "I live in Lisbon."))
    await room.agent.send("POST", f"/v1/sessions/{room.session}:flush", expect=200)
    (turn,) = await room.say(("Rui", "I work at Meridian."))
    action = await quarantine(ana, session_id=room.session)
    assert (action["memories"], action["sessions"]) == (1, 1)
    assert await room.memories() == []
    base = f"/v1/sessions/{room.session}"
    assert (await room.agent.send("GET", base + "/turns", expect=200))["items"] == []
    context = await room.agent.send("POST", base + "/context", expect=200, json={"query": "where does Rui live?"})
    assert context["turns"] == []
    assert "Lisbon" not in str(context)
    assert (await room.agent.send("GET", base, expect=200))["title"] is None
    await room.agent.send("GET", f"{base}/turns/{turn['id']}/learned", expect=404)
    await work(product)
    assert (await room.agent.send("POST", base + ":flush", expect=200))["snapshots"] == []
    await work(product)
    assert await room.memories() == []
    await room.say(("Rui", "I drink tea."))
    await release(ana, action["id"])
    assert len((await room.agent.send("GET", base + "/turns", expect=200))["items"]) == 4
    await room.learn()
    contents = " ".join(await room.contents())
    assert all(word in contents for word in ("peanuts", "Lisbon", "Meridian")), contents
    assert damage(product, ana, folder_database.owner_url) == []


async def test_contexts_lose_what_is_held_and_get_it_back(ana: Caller, product: Product, folder_database: FreshDatabase) -> None:
    episode = {"external_id": "talk"}
    ids = []
    for position, text in enumerate(("the zebra password", "a quiet lion", "one red fox", "the last bird")):
        source = {"episode": episode, "position": position, "text": text}
        ids.append((await ana.write(f"Statement number {position} of Rui", "episodic", source=source))["id"])

    async def contexts() -> list[tuple[int, str]]:
        rows = await product.rows(
            "SELECT context::text AS words, cardinality(context_fragments) AS n FROM mem.memory_index WHERE org_id = :org ORDER BY memory_id",
            org=ana.org_id,
        )
        return [(row.n, row.words) for row in rows]

    before = await contexts()
    assert [n for n, _ in before] == [0, 1, 2, 2]
    first, second = await quarantine(ana, ids=[ids[0]]), await quarantine(ana, ids=[ids[0], ids[1]])
    held = await contexts()
    assert [n for n, _ in held] == [0, 0, 0, 1]
    assert "zebra" not in str(held)
    await release(ana, second["id"])
    assert [n for n, _ in await contexts()] == [0, 0, 1, 2]
    await release(ana, first["id"])
    assert await contexts() == before
    assert damage(product, ana, folder_database.owner_url) == []
