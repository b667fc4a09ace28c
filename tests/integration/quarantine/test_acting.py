"""Quarantine over HTTP: what it selects and follows, that it is previewed, carried on after a kill, and released alone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memdb.jobs.sweep import sweep
from memdb.lifecycle.quarantine import acting
from memdb.lifecycle.quarantine.acting import ABANDONED_AFTER
from memdb.lifecycle.upkeep import run_once
from tests.integration.quarantine.acting import damage, preview, quarantine, release, reviews
from tests.support.database import FreshDatabase
from tests.support.product import Caller, Product


async def test_a_quarantine_by_id_is_served_by_nobody_until_it_is_released(
    ana: Caller, product: Product, folder_database: FreshDatabase
) -> None:
    poison = (await ana.write("Rui pays invoices to account nine"))["id"]
    other = (await ana.write("Rui eats fish"))["id"]
    action = await quarantine(ana, ids=[poison], reason="mail me at rui@example.com")
    assert (action["state"], action["memories"], action["done"]) == ("done", 1, 1)
    assert "rui@example.com" not in action["reason"]
    assert await ana.list_ids() == [other]
    assert await ana.found_ids("who pays invoices?") in ([], [other])
    await ana.read(poison, expect=404)
    assert damage(product, ana, folder_database.owner_url) == []
    again = await release(ana, action["id"])
    assert (again["state"], again["done"]) == ("released", 1)
    assert set(await ana.list_ids()) == {poison, other}
    assert (await ana.found_ids("who pays invoices?"))[0] == poison
    assert damage(product, ana, folder_database.owner_url) == []
    assert (await release(ana, action["id"]))["state"] == "released"


async def test_overlapping_actions_release_independently(ana: Caller, product: Product, folder_database: FreshDatabase) -> None:
    one, two = [(await ana.write(text))["id"] for text in ("Rui eats fish", "Lia eats meat")]
    first, second = await quarantine(ana, ids=[one, two]), await quarantine(ana, ids=[one])
    await release(ana, first["id"])
    assert await ana.list_ids() == [two]
    await release(ana, second["id"])
    assert set(await ana.list_ids()) == {one, two}
    assert damage(product, ana, folder_database.owner_url) == []


async def test_words_of_what_is_held_are_counted_once_more_only_when_nothing_holds_it(ana: Caller, product: Product) -> None:
    memory = (await ana.write("Rui eats fish"))["id"]
    actions = [await quarantine(ana, ids=[memory]) for _ in range(2)]

    async def counted() -> int:
        await run_once(product.runtime, slow=False)
        return int(await product.value("SELECT coalesce(sum(documents), 0) FROM mem.corpus_stats WHERE org_id = :org", org=ana.org_id))

    assert await counted() == 0
    await release(ana, actions[0]["id"])
    assert await counted() == 0
    await release(ana, actions[1]["id"])
    assert await counted() == 1


CONDITIONS = ("writer", "key", "brain", "source", "time", "pattern", "regex", "search")


@pytest.mark.parametrize("condition", CONDITIONS)
async def test_what_meets_a_condition_is_selected(ana: Caller, product: Product, condition: str) -> None:
    await ana.write("Lia eats meat")
    before = product.clock.now()
    product.clock.ahead += timedelta(seconds=5)
    room = await ana.make_brain()
    eve = await ana.make_person("Eve")
    await ana.send("POST", f"/v1/brains/{room}/members", expect=201, json={"subject_id": str(eve.subject_id), "role": "writer"})
    source = {"episode": {"external_id": "page-1"}, "text": "from a page", "kind": "web"}
    written = await eve.write("Rui drinks Água", brain_id=room, source=source)
    key = await product.value("SELECT written_key FROM mem.memories WHERE id = :id", id=written["id"])
    selections: dict[str, dict[str, Any]] = {
        "writer": {"writer": str(eve.subject_id)},
        "key": {"key_id": key},
        "brain": {"brain_id": room},
        "source": {"source": "page-1"},
        "time": {"created_from": (before + timedelta(seconds=2)).isoformat()},
        "pattern": {"pattern": {"text": "AGUA"}},
        "regex": {"pattern": {"text": "drinks a.ua$", "regex": True}},
        "search": {"search": {"query": "who drinks água?", "limit": 1}, "brain_id": room},
    }
    found = await preview(ana, **selections[condition])
    assert (found["memories"], found["first"]) == (1, [written["id"]])
    assert [one["content"] for one in found["shown"]] == ["Rui drinks Água"]
    assert found["by_brain"] == {room: 1}
    action = await quarantine(ana, **selections[condition])
    assert [one["memory"]["id"] for one in await reviews(ana)] == [written["id"]]
    kept = str(action["selection"]) + str(await product.rows("SELECT * FROM mem.hold_actions WHERE org_id = :o", o=ana.org_id))
    assert not any(word in kept for word in ("page-1", "AGUA", "a.ua", "água"))


async def test_more_than_the_preview_counted_is_refused_and_holds_nothing(ana: Caller, product: Product) -> None:
    brain = await ana.make_brain()
    await ana.write("Rui eats fish", brain_id=brain)
    counted = (await preview(ana, brain_id=brain))["memories"]
    late = (await ana.write("Lia eats meat", brain_id=brain))["id"]
    problem = await quarantine(ana, brain_id=brain, expected=counted, expect=409)
    assert (problem["code"], problem["memories"]) == ("selection_grown", 2)
    assert late in await ana.list_ids()
    assert await product.value("SELECT count(*) FROM mem.holds WHERE org_id = :org", org=ana.org_id) == 0


@pytest.mark.parametrize(
    ("selection", "status"),
    [({}, 422), ({"forward": True}, 422), ({"ids": []}, 422), ({"pattern": {"text": "(", "regex": True}}, 422), ({"writer": "x"}, 422)],
)
async def test_what_is_no_selection_is_refused(anyone: Caller, selection: dict[str, Any], status: int) -> None:
    await preview(anyone, expect=status, **selection)
    await quarantine(anyone, expect=status, **selection)


async def test_a_quarantine_of_nothing_and_an_unknown_one_are_404(anyone: Caller) -> None:
    nobody = "01980000-0000-7000-8000-0000000000c1"
    await quarantine(anyone, expect=404, ids=[nobody])
    await release(anyone, nobody, expect=404)


async def test_who_has_no_capability_is_refused_and_only_a_reviewer_reads(ana: Caller) -> None:
    memory = (await ana.write("Rui eats fish"))["id"]
    plain = await ana.make_person("Eve")
    await preview(plain, expect=403, ids=[memory])
    admin = await ana.make_person("Max", capabilities=["admin"])
    assert (await preview(admin, ids=[memory]))["shown"] == []
    assert (await quarantine(admin, ids=[memory]))["done"] == 1
    await admin.send("GET", "/v1/admin/reviews", expect=403)


async def test_another_org_sees_and_holds_nothing(ana: Caller, product: Product) -> None:
    memory = (await ana.write("Rui eats fish"))["id"]
    stranger = await product.make_caller()
    assert (await preview(stranger, ids=[memory]))["memories"] == 0
    action = await quarantine(ana, ids=[memory])
    await release(stranger, action["id"], expect=404)
    assert await reviews(stranger) == []


async def test_what_was_begun_is_carried_on_by_a_worker(
    ana: Caller, product: Product, folder_database: FreshDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain = await ana.make_brain()
    await ana.write_batch([{"content": f"Rui owns item number {n}", "kind": "episodic", "brain_id": brain} for n in range(7)])
    monkeypatch.setattr(acting, "CHUNK", 3)
    monkeypatch.setattr(acting, "AT_ONCE_S", 0.0)
    action = await quarantine(ana, brain_id=brain)
    assert (action["state"], action["memories"], action["done"]) == ("running", 7, 0)
    assert await acting._step(product.runtime, ana.org_id, _uuid(action["id"])) == 3
    assert len(await ana.list_ids(brain_id=brain)) == 4
    await sweep(product.runtime)
    shown = await ana.send("GET", f"/v1/admin/quarantine/{action['id']}", expect=200)
    assert (shown["state"], shown["done"]) == ("done", 7)
    assert await ana.list_ids(brain_id=brain) == []
    assert (await release(ana, action["id"]))["state"] == "releasing"
    await sweep(product.runtime)
    assert len(await ana.list_ids(brain_id=brain)) == 7
    assert damage(product, ana, folder_database.owner_url) == []


async def test_a_release_while_it_runs_frees_what_was_held_and_holds_no_more(
    ana: Caller, product: Product, monkeypatch: pytest.MonkeyPatch
) -> None:
    brain = await ana.make_brain()
    await ana.write_batch([{"content": f"Rui owns item number {n}", "kind": "episodic", "brain_id": brain} for n in range(4)])
    monkeypatch.setattr(acting, "CHUNK", 3)
    monkeypatch.setattr(acting, "AT_ONCE_S", 0.0)
    action = await quarantine(ana, brain_id=brain)
    await acting._step(product.runtime, ana.org_id, _uuid(action["id"]))
    await release(ana, action["id"])
    await sweep(product.runtime)
    assert len(await ana.list_ids(brain_id=brain)) == 4
    assert await product.value("SELECT count(*) FROM mem.hold_targets WHERE org_id = :org", org=ana.org_id) == 0


async def test_what_was_killed_before_it_had_gathered_is_undone(ana: Caller, product: Product, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = (await ana.write("Rui eats fish"))["id"]
    session = await ana.send("POST", "/v1/sessions", expect=201, json={})
    turn = {"role": "user", "text": "hello"}
    await ana.send("POST", f"/v1/sessions/{session['id']}/turns", expect=201, json={"turns": [turn]})

    async def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(acting, "_gather", killed)
        patched.setattr(acting, "_undo", killed)
        with pytest.raises(KeyboardInterrupt):
            await quarantine(ana, session_id=session["id"])
    await sweep(product.runtime)
    assert (await ana.send("GET", f"/v1/sessions/{session['id']}/turns", expect=200))["items"] == []
    product.clock.ahead = ABANDONED_AFTER + timedelta(minutes=1)
    await sweep(product.runtime)
    assert len((await ana.send("GET", f"/v1/sessions/{session['id']}/turns", expect=200))["items"]) == 1
    assert await ana.list_ids() == [memory]


async def test_a_forged_row_stays_refused_after_hold_and_release(ana: Caller, product: Product, folder_database: FreshDatabase) -> None:
    memory = (await ana.write("Rui eats fish"))["id"]
    await product.rows("UPDATE mem.memories SET content = 'Rui eats cats' WHERE id = :id", id=memory)
    action = await quarantine(ana, ids=[memory])
    assert [one["intact"] for one in await reviews(ana)] == [False]
    await release(ana, action["id"])
    assert (await ana.read(memory, expect=500))["code"] == "integrity_failed"
    assert damage(product, ana, folder_database.owner_url) != []


def _uuid(text: str) -> Any:
    from uuid import UUID

    return UUID(text)
