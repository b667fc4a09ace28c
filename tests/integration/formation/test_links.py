"""Links between memories that share entities, against a dull count of who mentioned what before."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from memdb.storage.links import CROWDED, LINKS_MAX
from tests.support.product import Caller, Product

PLACES = ("Zanzibar", "Madagascar", "Mauritius", "Comoros", "Seychelles", "Mayotte", "Reunion", "Pemba")


def told_links(texts: list[tuple[str, ...]]) -> list[dict[int, float]]:
    """For each text, the earlier ones it is linked to with their weights, by reading all of them again."""
    expected = []
    for number, names in enumerate(texts):
        weights: dict[int, float] = defaultdict(float)
        for name in names:
            before = [n for n in range(number) if name in texts[n]]
            if len(before) <= CROWDED:
                for earlier in before:
                    weights[earlier] += 1 / (1 + len(before))
        best = sorted(weights.items(), key=lambda pair: (-round(pair[1], 9), -pair[0]))[:LINKS_MAX]
        expected.append({earlier: min(1.0, weight) for earlier, weight in best})
    return expected


@pytest.mark.parametrize("batch", [1, 7, 60])
async def test_links_are_those_of_a_dull_count_however_many_are_written_at_once(ana: Caller, product: Product, batch: int) -> None:
    rng = random.Random(batch)
    # One name grows past the crowd; the others stay rare.
    texts = [
        tuple(dict.fromkeys((*rng.sample(PLACES[1:], rng.randint(0, 2)), *(PLACES[:1] if rng.random() < 0.6 else ())))) for _ in range(60)
    ]
    ids: list[str] = []
    for first in range(0, len(texts), batch):
        lines = [
            {"content": f"number {first + n} of the list went to {' and '.join(names) or 'nowhere'} by boat", "kind": "episodic"}
            for n, names in enumerate(texts[first : first + batch])
        ]
        reply = await ana.write_batch(lines)
        ids += [result["memory"]["id"] for result in reply["results"]]
    assert ids == sorted(ids)
    rows = await product.rows("SELECT from_id, to_id, weight FROM mem.links WHERE org_id = :org", org=ana.org_id)
    found: list[dict[int, float]] = [{} for _ in ids]
    for row in rows:
        found[ids.index(str(row.from_id))][ids.index(str(row.to_id))] = row.weight
    assert found == [pytest.approx(links) for links in told_links(texts)]
    assert sum(map(len, found)) > 60


async def test_a_deleted_memory_is_linked_to_by_nothing(ana: Caller, product: Product) -> None:
    first = await ana.write("Pemba has cloves")
    await ana.delete(first["id"])
    await ana.write("Pemba has beaches")
    assert await product.value("SELECT count(*) FROM mem.links WHERE org_id = :org", org=ana.org_id) == 0
