"""The log itself: what an attacker who rewrites it cannot hide, what the sealer refuses, and how its owner goes on after a loss."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from psycopg import errors

from memdb.auditing.damage import Report
from memdb.auditing.heads import read_head
from memdb.auditing.resealing import accept_restored, reseal_org
from memdb.auditing.sealing import Sealer, seal_org
from memdb.errors import AuditDiverged, ConfigurationError
from memdb.ids import make_id
from memdb.keyring import Keyring, make_root_key
from tests.support.auditing import damage, head_file, seal, tamper, verify
from tests.support.product import Caller, Product

FACTS = ("Lia eats fish", "Rui drives a red car", "The office is in Porto")


async def seeded(product: Product, ana: Caller) -> list[str]:
    """Three memories, sealed: positions 2 to 4, behind the making of the org."""
    ids = [(await ana.write(fact))["id"] for fact in FACTS]
    await seal(product, ana)
    assert verify(product, ana).intact
    return ids


def named(report: Report) -> list[tuple[str, str]]:
    return [(found.damage.value, found.object_id) for found in report.first]


CHANGES = {
    "text": ("UPDATE mem.audit_events SET action = 'memory.confirm' WHERE org_id = %s AND object_id = %s", {"event_changed"}),
    "who": ("UPDATE mem.audit_events SET actor_key = 'other' WHERE org_id = %s AND object_id = %s", {"event_changed"}),
    "when": ("UPDATE mem.audit_events SET at = at - interval '1 day' WHERE org_id = %s AND object_id = %s", {"event_changed"}),
    "what": ("UPDATE mem.audit_events SET detail = '{}' WHERE org_id = %s AND object_id = %s", {"event_changed"}),
    "digest": ("UPDATE mem.audit_events SET digest = 'x' WHERE org_id = %s AND object_id = %s", {"event_changed", "chain_broken"}),
    "vouching": (
        "UPDATE mem.audit_events SET commitment = 'x' WHERE org_id = %s AND object_id = %s",
        {"event_changed", "memory_not_as_recorded"},
    ),
    "gone": ("DELETE FROM mem.audit_events WHERE org_id = %s AND object_id = %s", {"event_missing", "memory_without_event"}),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_a_changed_event_is_named(ana: Caller, product: Product, change: str) -> None:
    ids = await seeded(product, ana)
    sql, kinds = CHANGES[change]
    tamper(product, sql, ana.org_id, ids[1])
    assert damage(verify(product, ana)) == kinds


async def test_a_cut_in_the_middle_is_a_gap_and_one_at_the_end_lies_before_the_head(ana: Caller, product: Product) -> None:
    await seeded(product, ana)
    tamper(product, "DELETE FROM mem.audit_chain WHERE org_id = %s AND position = 3", ana.org_id)
    assert damage(verify(product, ana)) == {"chain_gap", "event_unsealed", "memory_without_event"}
    tamper(product, "DELETE FROM mem.audit_chain WHERE org_id = %s AND position > 1", ana.org_id)
    assert ("head_ahead", "4") in named(verify(product, ana))


async def test_an_edit_with_a_rewritten_log_is_reported(ana: Caller, product: Product) -> None:
    ids = await seeded(product, ana)
    # Whoever edits a memory and everything that tells of it lacks the keys: digest and links are made of what they have.
    tamper(product, "UPDATE mem.memories SET content = 'Lia hates fish', mac_version = 'v', mac_state = 's' WHERE id = %s", ids[0])
    tamper(
        product,
        "UPDATE mem.audit_events SET commitment = 's', digest = sha256('s'::bytea) WHERE org_id = %s AND object_id = %s",
        ana.org_id,
        ids[0],
    )
    tamper(product, "UPDATE mem.audit_chain SET link = sha256(link) WHERE org_id = %s", ana.org_id)
    assert damage(verify(product, ana)) == {"memory_changed", "event_changed", "chain_broken", "head_differs"}


async def test_a_forged_event_is_named_wherever_it_is_put(ana: Caller, product: Product) -> None:
    await seeded(product, ana)
    forged = make_id()
    copy = "SELECT (jsonb_populate_record(e, jsonb_build_object('id', %s::text))).* FROM mem.audit_events e WHERE org_id = %s AND action = 'org.create'"
    tamper(product, f"INSERT INTO mem.audit_events {copy}", forged, ana.org_id)
    assert named(verify(product, ana)) == [("event_unsealed", str(forged))]
    tamper(product, "INSERT INTO mem.audit_pending (org_id, event_id) VALUES (%s, %s)", ana.org_id, forged)
    assert named(verify(product, ana)) == [("event_changed", str(forged))]
    await seal(product, ana)
    assert named(verify(product, ana)) == [("event_changed", str(forged))]


async def test_a_genuine_write_does_not_launder_a_cut(ana: Caller, product: Product) -> None:
    ids = await seeded(product, ana)
    before = head_file(product, ana).read_bytes()
    tamper(product, "DELETE FROM mem.audit_chain WHERE org_id = %s AND position = 4", ana.org_id)
    tamper(product, "DELETE FROM mem.audit_events WHERE org_id = %s AND object_id = %s", ana.org_id, ids[2])
    tamper(product, "DELETE FROM mem.memory_index WHERE memory_id = %s", ids[2])
    tamper(product, "DELETE FROM mem.memories WHERE id = %s", ids[2])
    await ana.write("Eva plays the cello")
    with pytest.raises(AuditDiverged, match="position 4"):
        await seal(product, ana)
    assert head_file(product, ana).read_bytes() == before
    report = verify(product, ana)
    assert (damage(report), report.unsealed) == ({"head_ahead"}, 1)


async def test_heads_are_signed_and_a_copy_elsewhere_serves(ana: Caller, product: Product, tmp_path: Path) -> None:
    await seeded(product, ana)
    copy = tmp_path / "kept.json"
    copy.write_bytes(head_file(product, ana).read_bytes())
    await ana.write("Eva plays the cello")
    await seal(product, ana)
    report = verify(product, ana, copy)
    assert report.intact, report.first
    assert (report.head_position, report.unexported) == (4, 1)
    copy.write_text(json.dumps(json.loads(copy.read_text()) | {"position": 5}))
    assert ("head_forged", "5") in named(verify(product, ana, copy))
    stranger = read_head(head_file(product, ana), Keyring((make_root_key(),)))
    assert stranger is not None
    assert not stranger.genuine
    copy.write_text("{}")
    with pytest.raises(ConfigurationError, match="no head"):
        read_head(copy, product.runtime.keyring)


async def test_two_sealers_give_each_event_one_place(ana: Caller, product: Product) -> None:
    await ana.write_batch(
        [{"content": f"Fact number {n} about {w}", "kind": "episodic"} for n, w in enumerate(["tea", "fish", "cars", "rice"] * 5)]
    )
    by = Sealer.of(product.runtime)
    done = await asyncio.gather(*(seal_org(by, ana.org_id) for _ in range(4)))
    await seal(product, ana)
    assert sum(each.events for each in done) <= 21
    rows = await product.rows("SELECT position FROM mem.audit_chain WHERE org_id = :org ORDER BY position", org=ana.org_id)
    assert [row[0] for row in rows] == list(range(1, 22))
    assert verify(product, ana).intact


@pytest.mark.parametrize("change", ["UPDATE {} SET org_id = org_id", "DELETE FROM {}", "TRUNCATE {}"])
@pytest.mark.parametrize("table", ["mem.audit_events", "mem.audit_chain"])
async def test_nobody_changes_the_log_by_accident(ana: Caller, product: Product, table: str, change: str) -> None:
    await seeded(product, ana)
    org = f"SET mem.org_id = '{ana.org_id}'"
    for url in (product.app_url, product.superuser_url):
        with psycopg.connect(url) as conn:
            conn.execute(org.encode())
            with pytest.raises(errors.InsufficientPrivilege):
                conn.execute(change.format(table).encode())
    assert verify(product, ana).intact


def reseal(product: Product, ana: Caller, keyring: Keyring | None = None) -> int:
    org = ("o", ana.org_id)
    with psycopg.connect(product.superuser_url, autocommit=True) as conn:
        ring = keyring or product.runtime.keyring
        return reseal_org(conn, ring, org, head_file(product, ana), product.clock.now(), lambda _steps: None).memories


async def test_what_is_accepted_verifies_and_is_told(ana: Caller, product: Product) -> None:
    ids = await seeded(product, ana)
    tamper(product, "UPDATE mem.memories SET content = 'Lia hates fish' WHERE id = %s", ids[0])
    tamper(product, "UPDATE mem.audit_events SET detail = '{}' WHERE org_id = %s AND object_id = %s", ana.org_id, ids[1])
    tamper(product, "UPDATE mem.memory_index SET words_mac = NULL WHERE memory_id = %s", ids[2])
    assert reseal(product, ana) == 2
    by = Sealer.of(product.runtime)
    await seal_org(Sealer(by.database, by.keyring, by.folder, by.clock, accept=True), ana.org_id)
    report = verify(product, ana)
    assert report.intact, report.first
    assert (report.accepted, report.unsealed) == (1, 0)
    assert (await ana.read(ids[0]))["content"] == "Lia hates fish"
    told = await product.rows("SELECT action FROM mem.audit_events WHERE org_id = :org ORDER BY id DESC LIMIT 3", org=ana.org_id)
    assert [row[0] for row in told] == ["audit.reseal", "memory.reseal", "memory.reseal"]
    # What happens to the same rows afterwards is damage again.
    tamper(product, "UPDATE mem.memory_index SET words_mac = NULL WHERE memory_id = %s", ids[2])
    assert damage(verify(product, ana)) == {"index_changed"}


async def test_a_restore_by_the_command_begins_another_head(ana: Caller, product: Product) -> None:
    ids = await seeded(product, ana)
    # What the backup does not hold: the last write, with all that tells of it.
    tamper(product, "DELETE FROM mem.audit_chain WHERE org_id = %s AND position = 4", ana.org_id)
    tamper(product, "DELETE FROM mem.audit_events WHERE org_id = %s AND object_id = %s", ana.org_id, ids[2])
    for table, key in (("memory_index", "memory_id"), ("memories", "id")):
        tamper(product, f"DELETE FROM mem.{table} WHERE {key} = %s", UUID(ids[2]))
    assert damage(verify(product, ana)) == {"head_ahead"}
    file = head_file(product, ana)
    with psycopg.connect(product.superuser_url, autocommit=True) as conn:
        for expected in (True, False):
            assert accept_restored(conn, product.runtime.keyring, ana.org_id, file.parent, product.clock.now()) is expected
    assert len(list(file.parent.glob(f"{ana.org_id}.*.former.json"))) == 1
    await seal(product, ana)
    report = verify(product, ana)
    assert report.intact, report.first
    detail = await product.value("SELECT detail FROM mem.audit_events WHERE org_id = :org AND action = 'audit.restore'", org=ana.org_id)
    assert detail == {"head": 4, "end": 3}
