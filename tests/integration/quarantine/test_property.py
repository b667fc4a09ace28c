"""Random overlapping actions, releases, decisions and purges against a dull oracle: a set of actions for each memory."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from memdb.lifecycle.upkeep import run_once
from tests.integration.quarantine.acting import damage, decide, quarantine, release, reviews

if TYPE_CHECKING:
    from tests.support.database import FreshDatabase
    from tests.support.product import Caller, Product

MEMORIES, STEPS = 9, 25


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_a_memory_is_served_exactly_while_no_action_holds_it(
    ana: Caller, product: Product, folder_database: FreshDatabase, seed: int
) -> None:
    rng = Random(seed)
    brains = [await ana.make_brain() for _ in range(2)]
    holders: dict[str, set[str]] = {}
    for number in range(MEMORIES):
        source = {"episode": {"external_id": "talk"}, "position": number, "text": f"said {number}"}
        made = await ana.write(f"Rui owns item {number}", "episodic", brain_id=rng.choice(brains), source=source)
        holders[made["id"]] = set()
    fresh = await _contexts(product, ana)
    actions: list[str] = []
    purged = False
    for _ in range(STEPS):
        step = rng.choice(("hold", "hold", "release", "decide", "one", "purge" if rng.random() < 0.2 else "hold"))
        held = [one for one, by in holders.items() if by]
        if step == "hold":
            chosen = rng.sample(sorted(holders), rng.randint(1, 4))
            action = await quarantine(ana, ids=chosen)
            actions.append(action["id"])
            for one in chosen:
                holders[one].add(action["id"])
        elif step == "release" and actions:
            action_id = actions.pop(rng.randrange(len(actions)))
            await release(ana, action_id)
            for by in holders.values():
                by.discard(action_id)
        elif step == "decide" and held:
            one = rng.choice(held)
            assert (await decide(ana, one, "release", expect=200))["served"]
            holders[one].clear()
        elif step == "one" and held:
            one = rng.choice(held)
            action_id = rng.choice(sorted(holders[one]))
            done = await decide(ana, one, "release", expect=200, json={"action_id": action_id})
            holders[one].discard(action_id)
            assert done["served"] == (not holders[one])
        elif step == "purge" and held:
            one = rng.choice(held)
            await decide(ana, one, "purge", expect=204)
            del holders[one]
            purged = True
        served = {one for one, by in holders.items() if not by}
        assert set(await ana.list_ids()) == served
        assert {one["memory"]["id"]: {a["id"] for a in one["actions"]} for one in await reviews(ana)} == {
            one: by for one, by in holders.items() if by
        }
    assert damage(product, ana, folder_database.owner_url) == []
    await run_once(product.runtime, slow=False)
    counted = await product.value("SELECT coalesce(sum(documents), 0) FROM mem.corpus_stats WHERE org_id = :org", org=ana.org_id)
    assert counted == len(served)
    for action_id in actions:
        await release(ana, action_id)
    assert set(await ana.list_ids()) == set(holders)
    if not purged:
        assert await _contexts(product, ana) == fresh


async def _contexts(product: Product, ana: Caller) -> list[tuple[str, list[str]]]:
    rows = await product.rows(
        "SELECT context::text AS words, context_fragments AS made_of FROM mem.memory_index WHERE org_id = :org ORDER BY memory_id",
        org=ana.org_id,
    )
    return [(row.words, sorted(map(str, row.made_of))) for row in rows]
