"""A walk that finds no end costs the answer its graph branch, and nothing else."""

from __future__ import annotations

import networkx as nx
import pytest

from tests.support.product import Caller


async def test_a_walk_that_does_not_converge_costs_only_the_graph_branch(ana: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    episode = {"episode": {"external_id": "call"}}
    first = await ana.write("Carla rents the warehouse at the dock", source={**episode, "position": 1, "text": "the warehouse"})
    await ana.write("Payment is due in March", source={**episode, "position": 2, "text": "in March"})
    question = "what does Carla rent at the dock?"
    before = await ana.search(question, min_score=0.0)
    assert any("graph" in e["branches"] for e in before["evidence"])

    def walk_for_ever(*_args: object, **_kwargs: object) -> None:
        raise nx.PowerIterationFailedConvergence(100)

    monkeypatch.setattr(nx, "pagerank", walk_for_ever)
    after = await ana.search(question, min_score=0.0)
    assert after["degraded"] == ["graph: failed"]
    assert after["evidence"][0]["memory"]["id"] == first["id"]
    for one in after["evidence"]:
        same = next(e for e in before["evidence"] if e["memory"]["id"] == one["memory"]["id"])
        assert one["branches"].keys() == same["branches"].keys() - {"graph"}
        assert all(one["branches"][name]["raw"] == same["branches"][name]["raw"] for name in one["branches"])
    monkeypatch.undo()
    assert (await ana.search(question, min_score=0.0))["degraded"] == []
