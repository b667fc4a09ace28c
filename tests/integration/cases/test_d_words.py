"""Cases of search by words, by their number; most are tested in ../retrieval/test_words.py."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from memdb.lifecycle.upkeep import run_once
from retrieval.branches.lexical import K1, B
from tests.support.product import Caller, Json, Product

WORDS: Json = {"weights": {"lexical": 1}}
ENTITY: Json = {"weights": {"entity": 1}}


async def test_b049_a_question_of_stop_words_is_answered_by_meaning_and_by_names(ana: Caller) -> None:
    await ana.write("Don plays chess")
    play = await ana.write("To be or not to be")
    assert await ana.found("to be or not to be", **WORDS) == []
    assert (await ana.found_ids("to be or not to be", weights={"vector": 1}))[0] == play["id"]
    assert (await ana.search("to be or not to be"))["evidence"][0]["memory"]["id"] == play["id"]
    assert (await ana.found("Don"))[0] == "Don plays chess"
    assert (await ana.found("what about Don?", **ENTITY)) == ["Don plays chess"]


async def test_b052_a_name_is_found_with_and_without_accents(ana: Caller) -> None:
    await ana.write("Bruno met Jo\u00e3o Moreira")
    await ana.write("Carla met Jose Barbosa")
    for asked in ("Joao Moreira", "JO\u00c3O MOREIRA", "Ｊｏãｏ Ｍｏｒｅｉｒａ"):
        assert await ana.found(f"who met {asked}?", **ENTITY) == ["Bruno met Jo\u00e3o Moreira"], asked
    assert await ana.found("who met José Barbosa?", **ENTITY) == ["Carla met Jose Barbosa"]


@pytest.mark.parametrize("written", ["Jo\u00e3o Moreira", "Joa\u0303o Moreira", "Jo\u200b\u00e3o Moreira"])
@pytest.mark.parametrize("asked", ["Jo\u00e3o Moreira", "Joa\u0303o Moreira", "Jo\u200b\u00e3o Moreira", "Joao Moreira"])
async def test_b054_a_name_in_other_code_points_is_the_same_thing(ana: Caller, written: str, asked: str) -> None:
    receipt = await ana.write(f"Bruno met {written}")
    await ana.write("Carla met Jo Barbosa")
    assert await ana.found_ids(f"who met {asked}?", **ENTITY) == [receipt["id"]]
    assert (await ana.read(receipt["id"]))["content"] == f"Bruno met {written}"


class Oracle:
    """BM25 by comparing everything: of each text the words as they are, of the corpus whatever there is now."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = {memory_id: Counter(content.split()) for memory_id, content in texts.items()}

    def scores(self, query: str) -> dict[str, float]:
        number = len(self.texts)
        average = sum(words.total() for words in self.texts.values()) / number
        scores: dict[str, float] = dict.fromkeys(self.texts, 0.0)
        for word in query.split():
            holding = sum(word in words for words in self.texts.values())
            rarity = math.log(1 + (number - holding + 0.5) / (holding + 0.5))
            for memory_id, words in self.texts.items():
                if words[word]:
                    length = 1 - B + B * words.total() / average
                    scores[memory_id] += rarity * words[word] * (K1 + 1) / (words[word] + K1 * length)
        return {memory_id: score for memory_id, score in scores.items() if score}


async def test_b056_order_and_scores_are_those_of_comparing_everything_also_after_deletions_and_upkeep(
    ana: Caller, product: Product
) -> None:
    chance = random.Random(56)
    words = ["dabok", "tirub", "mozak", "fenob", "gulip", "hyrak", "jovub", "kemip"]  # no language stems them

    def text(n: int) -> str:
        return " ".join(
            [f"nub{chr(97 + n // 26)}{chr(97 + n % 26)}ok", *chance.choices(words, [2**-k for k in range(8)], k=chance.randint(1, 12))]
        )

    async def agrees() -> None:
        for query in ("kemip", "gulip hyrak", "dabok jovub kemip", "tirub fenob mozak"):
            wanted = Oracle(texts).scores(query)
            answer = await ana.search(query, **WORDS, min_score=0.0, limit=20)
            found = {e["memory"]["id"]: e["branches"]["lexical"]["raw"] for e in answer["evidence"]}
            best = sorted(wanted, key=lambda memory_id: (-round(wanted[memory_id], 9), memory_id))[:20]
            assert list(found) == best, query
            assert all(math.isclose(found[memory_id], wanted[memory_id], rel_tol=1e-5) for memory_id in found), query

    lines = [{"content": text(n), "kind": "episodic"} for n in range(90)]
    results = (await ana.write_batch(lines))["results"]
    texts = {r["memory"]["id"]: line["content"] for r, line in zip(results, lines, strict=True)}
    await agrees()
    for memory_id in chance.sample(sorted(texts), 25):
        await ana.delete(memory_id)
        del texts[memory_id]
    await agrees()
    await run_once(product.runtime)
    await agrees()
    for n, memory_id in enumerate(chance.sample(sorted(texts), 10)):
        texts[memory_id] = text(200 + n)
        await ana.edit(memory_id, content=texts[memory_id])
    await agrees()
    await run_once(product.runtime)
    await agrees()
