"""A person who is erased is found nowhere; everybody else keeps what is theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.integration.erasure.asking import Rows, forget, make_subject
from tests.support.auditing import seal, verify

if TYPE_CHECKING:
    from tests.support.product import Caller


async def test_what_is_about_one_person_goes_and_what_is_about_several_stays_without_the_name(ana: Caller) -> None:
    zilda = await make_subject(ana, "Zilda Quaresma", "zildinha", identities=[{"platform": "slack", "external_id": "zquaresma"}])
    bruno = await make_subject(ana, "Bruno Lima")
    hers = await ana.write("Zilda is allergic to peanuts.", about=[zilda])
    edited = await ana.write("Zilda likes walnuts.", about=[zilda])
    await ana.edit(edited["id"], content="Zilda likes hazelnuts.")
    both = await ana.write(
        "Zilda Quaresma and Bruno share an office.", about=[zilda, bruno], data={"desk": "zildinha 4"}, tags=["zilda-quaresma"]
    )
    his = await ana.write("Bruno drinks maté.", about=[bruno])
    mention = await ana.write("The report was written by ZILDA QUARESMA.")
    await ana.found("what is Zilda allergic to?")
    look = await forget(ana, "subjects", zilda, dry_run=True)
    assert look["state"] == "looked"
    assert look["counts"]["memories"] == 2
    assert look["counts"]["memories_rewritten"] == 2
    assert (await ana.read(hers["id"]))["content"] == "Zilda is allergic to peanuts."

    done = await forget(ana, "subjects", zilda)
    assert done["state"] == "complete", done
    assert done["counts"]["memories"] == 2
    assert (await Rows(ana).holding("zild", "quaresm", "peanut", "walnut", "hazelnut")) == {}
    await ana.read(hers["id"], expect=404)
    await ana.send("GET", f"/v1/subjects/{zilda}", expect=404)
    kept = await ana.read(both["id"])
    assert kept["content"] == "[ERASED] and Bruno share an office."
    assert kept["about"] == [bruno]
    assert kept["data"] == {"desk": "[ERASED] 4"}
    assert (await ana.read(mention["id"]))["content"] == "The report was written by [ERASED]."
    assert (await ana.read(his["id"]))["content"] == "Bruno drinks maté."
    assert "Bruno drinks maté." in await ana.found("what does Bruno drink?")
    await seal(ana.product, ana)
    report = verify(ana.product, ana)
    assert report.intact, report.first
