"""What is held is erased like everything else, with what somebody said when they quarantined it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.integration.erasure.asking import Rows, forget, make_subject
from tests.support.auditing import seal, verify

if TYPE_CHECKING:
    from tests.support.product import Caller


async def test_a_person_in_quarantine_is_found_nowhere_either(ana: Caller) -> None:
    zilda = await make_subject(ana, "Zilda Quaresma")
    hers = await ana.write("Zilda is allergic to peanuts.", about=[zilda])
    mention = await ana.write("The report was written by Zilda Quaresma.")
    selection = {"ids": [hers["id"], mention["id"]]}
    body = {"selection": selection, "expected": 2, "reason": "Zilda Quaresma says it is wrong"}
    action = await ana.send("POST", "/v1/admin/quarantine", expect=201, json=body)
    look = await forget(ana, "subjects", zilda, dry_run=True)
    assert look["counts"]["hold_actions_rewritten"] == 1
    done = await forget(ana, "subjects", zilda)
    assert done["state"] == "complete", done
    assert await Rows(ana).holding("zild", "quaresm", "peanut") == {}
    assert (await ana.send("GET", f"/v1/admin/quarantine/{action['id']}", expect=200))["reason"] == "[ERASED] says it is wrong"
    (held,) = (await ana.send("GET", "/v1/admin/reviews", expect=200))["items"]
    assert (held["memory"]["id"], held["memory"]["content"]) == (mention["id"], "The report was written by [ERASED].")
    await ana.read(mention["id"], expect=404)
    await ana.send("POST", f"/v1/admin/quarantine/{action['id']}:release", expect=200)
    assert (await ana.read(mention["id"]))["content"] == "The report was written by [ERASED]."
    assert await ana.list_ids() == [mention["id"]]
    await seal(ana.product, ana)
    report = verify(ana.product, ana)
    assert report.intact, report.first
