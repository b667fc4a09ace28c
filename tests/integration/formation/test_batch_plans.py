"""Batches into tables that were never analysed: a plan that reads the whole org for each row would run into the statement's timeout."""

from __future__ import annotations

from benchmarks.synthetic import make_texts
from tests.support.product import Caller

LINES = 200


async def test_batches_of_memories_that_share_many_names_are_stored(ana: Caller) -> None:
    texts = [said.text for said in make_texts(3 * LINES)]
    for start in range(0, len(texts), LINES):
        answer = await ana.write_batch([{"content": text, "kind": "episodic"} for text in texts[start : start + LINES]])
        assert all("memory" in result for result in answer["results"])
