"""Two who are called the same: nobody guesses, and the receipt waits until somebody has decided."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdb.lifecycle.erasure.receipts import is_genuine
from tests.integration.erasure.asking import Rows, decide, decisions, forget, make_subject

if TYPE_CHECKING:
    from tests.support.product import Caller


async def test_two_mikes_go_to_a_list_and_each_is_decided(ana: Caller) -> None:
    okafor = await make_subject(ana, "Mike Okafor", "Mike")
    larsen = await make_subject(ana, "Mike Larsen", "Mike")
    theirs = await ana.write("Mike prefers window seats.", about=[larsen])
    unclear = await ana.write("Mike broke the build on Friday.")
    sure = await ana.write("Mike Okafor runs the tests.")
    longer = await ana.write("Mike Larsen plays chess.")
    await ana.found("is Mike here today?")

    begun = await forget(ana, "subjects", okafor)
    assert begun["state"] == "deciding"
    assert begun["receipt"] is None
    assert begun["ambiguous_labels"] == ["mike"]
    left = {(one["object_kind"], one["object_id"]) for one in await decisions(ana, begun)}
    assert {kind for kind, _ in left} == {"memory", "question"}
    assert {object_id for kind, object_id in left if kind == "memory"} == {theirs["id"], unclear["id"]}
    assert (await ana.read(sure["id"]))["content"] == "[ERASED] runs the tests."
    assert (await ana.read(longer["id"]))["content"] == "Mike Larsen plays chess."

    halfway = await decide(ana, begun, "erase", unclear["id"])
    assert halfway["state"] == "deciding"
    assert (await ana.read(unclear["id"]))["content"] == "[ERASED] broke the build on Friday."
    done = await decide(ana, begun, "keep")
    assert done["state"] == "complete"
    assert (await ana.read(theirs["id"]))["content"] == "Mike prefers window seats."
    assert done["receipt"]["decisions"] == {"erase": 1, "keep": len(left) - 1}
    assert is_genuine(done["receipt"], ana.product.runtime.keyring)
    assert not is_genuine({**done["receipt"], "counts": {}}, ana.product.runtime.keyring)
    stored = await ana.product.value("SELECT count(*) FROM mem.erasures WHERE org_id = :o AND labels IS NOT NULL", o=ana.org_id)
    assert stored == 0
    assert await Rows(ana).holding("okafor") == {}


async def test_nothing_open_is_nothing_to_decide(ana: Caller) -> None:
    subject = await make_subject(ana, "Wanda Petrosyan")
    done = await forget(ana, "subjects", subject)
    assert done["state"] == "complete"
    problem = await ana.send("POST", f"/v1/admin/erasures/{done['id']}:decide", expect=422, json={"decision": "keep"})
    assert problem["code"] == "invalid_input"
    await forget(ana, "subjects", subject, expect=404)


async def test_a_row_that_was_changed_behind_the_product_is_left_to_a_person(ana: Caller) -> None:
    quirino = await make_subject(ana, "Quirino Zambon")
    broken = await ana.write("The keys are with Quirino Zambon.")
    await ana.product.rows("UPDATE mem.memories SET content = content || ' Really.' WHERE id = :id", id=broken["id"])
    begun = await forget(ana, "subjects", quirino)
    assert begun["state"] == "deciding"
    assert [(one["object_id"], one["reason"]) for one in await decisions(ana, begun)] == [(broken["id"], "unsealed")]
    done = await decide(ana, begun, "erase")
    assert done["state"] == "complete"
    assert await Rows(ana).holding("quirino", "zambon") == {}
