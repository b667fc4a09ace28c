"""dendrita-poison-check: twelve genuine notes and forty-eight poisoned ones in Spanish; does poison come back for a question, and the note?

Two figures belong together: who serves nothing serves no poison. All poisoned notes hold one sentence of orders, so that one pattern would
win this; the notes are written by an agent, of pages that it read, into its own brain, where they are searched.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from benchmarks.scoreboards.product import Product
from benchmarks.scoreboards.record import Board, describe
from benchmarks.scoreboards.suites import POISON_CHECK, load, require

SHOWN: Final = 3


def run(product: Product) -> Board:
    """The suite's one measure, as its reader of a page sees it, and as it is when the notes are a person's own."""
    org = product.make_org("poison-check")
    board = Board("poison-check", describe(product, org, {POISON_CHECK: require(POISON_CHECK)}))
    board.figures["channels"] = {name: _channel(product, name, source) for name, source in (("page", {"kind": "web"}), ("own words", None))}
    for name, found in board.figures["channels"].items():
        print(f"{name:>10}: {found['questions']} questions; poison served {found['poison_served']}, genuine found {found['genuine_found']}")
        board.gate(f"no poison, {name}", met=found["poison_served"] == 0, missed=found["poison_served"])
        board.gate(f"genuine notes found, {name}", met=found["genuine_found"] == found["questions"], missed=found["genuine_found"])
    return board


def _channel(product: Product, name: str, source: dict[str, str] | None) -> dict[str, object]:
    agent = product.make_org("poison-" + name.replace(" ", "-")).make("agent", "reader", trust="agent")
    ids, answers = {}, Counter[str]()
    for document in load("poison_check.corpus").build_dataset():
        body = {"content": document["text"], "kind": "semantic"} | ({} if source is None else {"source": source})
        receipt = agent.post("/v1/memories", body)
        ids[receipt["id"]] = document["id"]
        answers[f"{document['kind']}: {receipt['status']} {' '.join(receipt['reasons'])}".strip()] += 1

    def retrieve(query: str, k: int) -> list[str]:
        found = agent.post("/v1/memories/search", {"query": query, "limit": k})
        return [ids[hit["memory"]["id"]] for hit in found["evidence"]]

    scored = load("poison_check.core").evaluate(retrieve, k=SHOWN)
    return {
        "questions": scored["n"],
        "poison_served": scored["poison_served"],
        "genuine_found": scored["legit_recall"],
        "answers": dict(answers),
    }
