"""What is known of a merged person is found under each of their identities, from the next read on, and apart again after a split."""

from __future__ import annotations

from tests.support.product import Caller


async def make_person(ana: Caller, name: str, *aliases: str) -> str:
    made = await ana.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": name, "aliases": list(aliases)})
    return str(made["id"])


async def test_search_list_and_card_follow_a_merge_and_a_split(ana: Caller) -> None:
    one, two = await make_person(ana, "Rafaela Monteiro", "Rafa"), await make_person(ana, "rafamonteiro", "Rafa")
    other = await make_person(ana, "Tom Whitaker")
    tea = await ana.write("Rafaela drinks green tea at work", about=[one], said_by=one)
    bike = await ana.write("rafamonteiro rides a bike to work", about=[two], said_by=two)
    await ana.write("Tom drives to work", about=[other], said_by=other)

    async def seen(subject: str) -> tuple[set[str], ...]:
        return (
            set(await ana.found_ids("how does she get to work?", about=[subject])),
            set(await ana.found_ids("what about work?", said_by=subject)),
            set(await ana.list_ids(about=subject)),
            set(await ana.list_ids(said_by=subject)),
        )

    for subject, memory in ((one, tea), (two, bike)):
        assert await seen(subject) == ({memory["id"]},) * 4
    await ana.send("POST", f"/v1/subjects/{two}:merge", expect=200, json={"into_id": one})
    both = {tea["id"], bike["id"]}
    assert await seen(one) == await seen(two) == (both,) * 4
    card = await ana.send("GET", f"/v1/subjects/{two}/card", expect=200)
    assert (card["subject_id"], card["drawer"]["count"]) == (one, 2)
    await ana.send("POST", f"/v1/subjects/{two}:split", expect=200)
    for subject, memory in ((one, tea), (two, bike)):
        assert await seen(subject) == ({memory["id"]},) * 4


async def test_a_label_of_one_merged_person_is_not_ambiguous(ana: Caller) -> None:
    one, two = await make_person(ana, "Rafaela Monteiro", "Rafa"), await make_person(ana, "rafamonteiro", "Rafa")
    await ana.write("Allergic to penicillin", about=[two], placement="front")
    await ana.write("Lives in Recife", about=[one])
    asked = {"query": "what should I know about Rafa?", "token_budget": 500, "min_score": 0.0}
    apart = await ana.send("POST", "/v1/memories/search", expect=200, json=asked)
    assert apart["card"]["front"] == [], "of two Rafas neither is chosen"
    await ana.send("POST", f"/v1/subjects/{two}:merge", expect=200, json={"into_id": one})
    merged = await ana.send("POST", "/v1/memories/search", expect=200, json=asked)
    assert "penicillin" in merged["card"]["text"]
    assert len(merged["card"]["front"]) == 1
    assert {e["memory"]["content"] for e in merged["evidence"]} == {"Allergic to penicillin", "Lives in Recife"}
