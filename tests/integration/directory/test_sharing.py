"""Who may share out of a brain is said by its administrators."""

from __future__ import annotations

import pytest

from memdb.ids import make_id
from tests.support.product import Caller


async def test_a_brain_lets_its_subjects_share_unless_it_is_told_otherwise(admin: Caller) -> None:
    room = await admin.make_brain("Room")
    assert (await admin.send("GET", f"/v1/brains/{room}", expect=200))["sharing"] == "subjects"
    closed = await admin.make_brain("Closed", sharing="nobody")
    assert (await admin.send("GET", f"/v1/brains/{closed}", expect=200))["sharing"] == "nobody"
    listed = {b["id"]: b["sharing"] for b in (await admin.send("GET", "/v1/brains", expect=200))["items"]}
    assert (listed[room], listed[closed]) == ("subjects", "nobody")


async def test_an_administrator_changes_name_and_sharing_each_alone(admin: Caller) -> None:
    room = await admin.make_brain("Room")
    path = f"/v1/brains/{room}"
    changed = await admin.send("PATCH", path, expect=200, json={"sharing": "nobody"})
    assert (changed["name"], changed["sharing"]) == ("Room", "nobody")
    changed = await admin.send("PATCH", path, expect=200, json={"name": "Room of ana@example.com"})
    assert changed["sharing"] == "nobody"
    assert "ana@example.com" not in changed["name"]
    assert await admin.send("GET", path, expect=200) == {**changed, "looks": []}
    events = await admin.product.rows(
        "SELECT detail FROM mem.audit_events WHERE org_id = :org AND action = 'brain.update' ORDER BY id", org=admin.org_id
    )
    assert [e[0] for e in events] == [
        {"name": False, "sharing": "nobody", "sharing_before": "subjects"},
        {"name": True, "sharing": "nobody", "sharing_before": "nobody"},
    ]


@pytest.mark.parametrize("role", ["reader", "writer"])
async def test_who_does_not_administer_a_brain_changes_nothing(admin: Caller, role: str) -> None:
    ana = await admin.make_person("Ana", max_role="admin")
    room = await admin.make_brain("Room", members=[{"subject_id": str(ana.subject_id), "role": role}])
    await ana.send("PATCH", f"/v1/brains/{room}", expect=403, json={"sharing": "nobody"})
    hidden = await admin.make_brain("Hidden")
    for brain_id in (hidden, make_id()):
        await ana.send("PATCH", f"/v1/brains/{brain_id}", expect=404, json={"sharing": "nobody"})


@pytest.mark.parametrize(
    "body", [{}, {"name": ""}, {"name": " "}, {"sharing": "everybody"}, {"kind": "org"}, {"name": None, "sharing": None}]
)
async def test_a_change_without_sense_is_refused(admin: Caller, body: dict[str, object]) -> None:
    room = await admin.make_brain("Room")
    await admin.send("PATCH", f"/v1/brains/{room}", expect=422, json=body)
