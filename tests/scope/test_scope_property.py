"""Nobody learns anything of what they may not read: no id, word, topic, entity, count or difference between errors, through any door.

Three times: with the full stack; with row-level security alone, the predicates of every query of memdb_app taken out and the rules in
Python answering yes; with predicates alone, every policy switched off.
"""

from __future__ import annotations

from contextlib import nullcontext
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from memdb.ids import make_id
from tests.scope.asking import steady
from tests.scope.doors import visit
from tests.scope.stage import open_doors, open_stage, without_policies
from tests.scope.world import COMMON, build, fill
from tests.support.database import Cluster, clone

if TYPE_CHECKING:
    from governance.redaction.redactor import Redactor
    from memdb.config import Settings
    from memdb.keyring import Keyring
    from memdb.providers.embedding.base import EmbeddingSpace
    from tests.scope.world import World

VISITS = 50
PAGES = ("/v1/memories?limit=5", "/v1/brains?limit=3", "/v1/subjects?limit=3")
# Requests change the world that all examples share, so a failure is told by its log rather than shrunk and replayed.
SOME = limits(
    max_examples=4,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@SOME
@given(rng=st.randoms(use_true_random=True))
async def test_no_door_shows_anything_foreign(world: World, monkeypatch: pytest.MonkeyPatch, rng: Random) -> None:
    with open_doors(monkeypatch) if world.stage.mode == "policies" else nullcontext():
        await visit(world, rng, VISITS)
    if world.stage.stripped is not None:
        assert world.stage.stripped.removed > 100, "the predicates were not taken out"


@SOME
@given(rng=st.randoms(use_true_random=True))
async def test_what_others_write_changes_no_reply(world: World, rng: Random) -> None:
    """Scores, counts, order, cursors and matched words included: the same requests before and after foreign brains fill up."""
    caller = rng.choice([c for c in world.callers if world.oracle.rights(c) not in (401, 403)])
    brains = world.oracle.rights(caller)
    assert isinstance(brains, dict)
    asked = _questions(world, rng, set(brains))
    before = [steady(await world.call(caller, "POST", "/v1/memories/search", json=body)) for body in asked]
    pages = [await _page(world, caller, path) for path in PAGES]
    assert any(body["evidence"] for status, body in before if status == 200) or not world.oracle.visible(brains)
    foreign = [b for b, org in world.oracle.brains.items() if b not in brains and org in world.admins]
    await fill(world, rng, rng.sample(foreign, min(4, len(foreign))))
    assert before == [steady(await world.call(caller, "POST", "/v1/memories/search", json=body)) for body in asked]
    assert pages == [await _page(world, caller, path) for path in PAGES]
    world.reload()


def _questions(world: World, rng: Random, brains: set[Any]) -> list[dict[str, Any]]:
    own = sorted({w for m in world.oracle.visible(brains) for w in world.oracle.tokens[m.id]})
    foreign = sorted(
        {
            w
            for m in world.oracle.memories.values()
            if m.org_id in world.admins and m.brain_id not in brains
            for w in world.oracle.tokens[m.id]
        }
    )
    people = [str(s) for s, org in world.oracle.subjects.items() if org in world.admins]
    hidden = rng.choice([m for m in world.oracle.memories.values() if m.org_id in world.admins and m.brain_id not in brains])
    plain: list[dict[str, Any]] = [
        # No floor: even the only memory of a brain is found by its own word.
        {"query": q, "min_score": 0.0}
        for q in (f"Charlie and the {rng.choice(COMMON)}", " ".join(COMMON), *rng.sample(own, min(2, len(own))), rng.choice(foreign))
    ]
    narrowed: list[dict[str, Any]] = [
        {"query": f"{rng.choice(COMMON)} {rng.choice(COMMON)}", "audience": rng.sample(people, 1)},
        {"query": f"Charlie {rng.choice(foreign)}", "token_budget": 300, "limit": 2},
        {"query": rng.choice(COMMON), "as_of": world.stage.clock.now().isoformat(), "min_score": 0.0},
        {"query": rng.choice(COMMON), "weights": {"lexical": 1.0}, "about": rng.sample(people, 2), "token_budget": 300},
    ]
    exact = [
        {"query": query, "token_budget": 300}
        for query in (str(hidden.id), f"about {hidden.id}", hidden.topic or "clients", '"Charlie keeps"')
    ]
    return [*plain, *narrowed, *exact]


async def _page(world: World, caller: Any, path: str) -> tuple[int, bytes]:
    reply = await world.call(caller, "GET", path)
    return reply.status_code, reply.content


async def test_an_audience_that_shares_nothing_looks_like_a_question_without_answer(world: World) -> None:
    """Not even the steps that were taken tell the two apart."""
    caller = next(c for c in world.callers if isinstance(world.oracle.rights(c), dict) and world.oracle.rights(c))
    nothing = {"query": "xyzzyplugh", "weights": {"lexical": 1.0}}
    limited = next(c for c in world.callers if c.org_id != caller.org_id)
    plain = steady(await world.call(caller, "POST", "/v1/memories/search", json=nothing))
    for audience in (world.oracle.keys[limited.key_id].subject_id, make_id()):
        narrowed = nothing | {"audience": [str(audience)]}
        assert plain == steady(await world.call(caller, "POST", "/v1/memories/search", json=narrowed))


async def test_without_predicates_and_policies_the_doors_leak(
    cluster: Cluster, space: EmbeddingSpace, settings: Settings, keyring: Keyring, redactor: Redactor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The tests above can fail: take both away, and the first few requests show what they should not."""
    with clone(cluster, space) as database:
        without_policies(database)
        async with open_stage("policies", database, settings, keyring, redactor) as stage:
            made = await build(stage, Random(5), 5)
            with open_doors(monkeypatch), pytest.raises(AssertionError, match=r"shows|succeeded|differs"):
                await visit(made, Random(5), VISITS)
