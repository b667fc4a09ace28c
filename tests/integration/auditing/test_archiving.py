"""What is archived of a log: it verifies with the rest, the rest verifies without it, and whoever changes either is named."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memdb.auditing import archiving
from memdb.auditing.archiving import ArchivedNow, archive_org
from memdb.auditing.damage import Report
from memdb.auditing.heads import read_head
from memdb.auditing.resealing import reseal_org
from memdb.auditing.sealing import Sealer, seal_org
from memdb.auditing.verifying import verify_org
from memdb.errors import AuditDiverged, ConfigurationError
from memdb.storage import archives
from memdb.storage.archives import drop_empty_months
from tests.support.auditing import damage, head_file, seal, tamper
from tests.support.product import Caller, Product

SOON = datetime(2100, 1, 1, tzinfo=UTC)


def archive(product: Product, caller: Caller, folder: Path, before: datetime = SOON) -> ArchivedNow:
    """What `memdb audit archive` does in the caller's org."""
    head = read_head(head_file(product, caller), product.runtime.keyring)
    with psycopg.connect(product.superuser_url, autocommit=True) as conn:
        options = (before, folder, product.clock.now())
        return archive_org(conn, product.runtime.keyring, ("o", caller.org_id), head, options, lambda _steps: None)


def verify(product: Product, caller: Caller, folder: Path | None = None, head: Path | None = None) -> Report:
    exported = read_head(head or head_file(product, caller), product.runtime.keyring)
    with psycopg.connect(product.superuser_url, autocommit=True) as conn:
        return verify_org(conn, product.runtime.keyring, ("o", caller.org_id), exported, lambda _steps: None, archive=folder)


async def aged(product: Product, ana: Caller) -> list[str]:
    """A log with some of everything: made, edited, erased, shared, a policy, reads. The last of the ids is deleted."""
    await ana.send("PUT", "/v1/admin/policy", expect=200, json={"retention": {"recalls_days": 7}})
    brain_id = await ana.make_brain()
    facts = ("Lia eats fish", "Rui drives a red car", "The office is in Porto")
    ids = [(await ana.write(fact, said_by=str(ana.subject_id)))["id"] for fact in facts]
    await ana.edit(ids[0], content="Lia eats meat")
    await ana.send("POST", f"/v1/memories/{ids[1]}:share", expect=201, json={"brain_id": brain_id})
    await ana.delete(ids[2])
    await ana.read(ids[0])
    await seal(product, ana)
    # The place of the head stays where it is.
    await ana.read(ids[1])
    await seal(product, ana)
    return ids


async def places(product: Product, caller: Caller) -> tuple[int, int]:
    """The first position that is in the database, and how many."""
    (row,) = await product.rows("SELECT min(position) AS first, count(*) AS many FROM mem.audit_chain WHERE org_id = :o", o=caller.org_id)
    return row.first, row.many


async def test_what_is_archived_verifies_with_the_rest_and_the_rest_without_it(ana: Caller, product: Product, tmp_path: Path) -> None:
    ids = await aged(product, ana)
    before = verify(product, ana)
    assert before.intact
    done = archive(product, ana, tmp_path)
    assert (done.segments, done.events, done.until) == (1, before.events - 1, before.events - 1)
    assert await places(product, ana) == (done.until + 1, 1)
    alone = verify(product, ana)
    assert (alone.intact, alone.archived, alone.archive_read, alone.events) == (True, done.until, False, 1)
    both = verify(product, ana, tmp_path)
    assert (both.intact, both.archived, both.archive_read, both.events) == (True, done.until, True, before.events)
    assert both.memories == before.memories
    # The log goes on, and so does archiving: the second segment begins where the first ends.
    await ana.edit(ids[0], content="Lia eats nothing")
    await ana.write("Ana plays the cello")
    await seal(product, ana)
    again = archive(product, ana, tmp_path)
    assert again.segments == 1
    assert again.until > done.until
    report = verify(product, ana, tmp_path)
    assert (report.intact, report.archived) == (True, again.until)
    assert verify(product, ana).intact
    assert archive(product, ana, tmp_path).segments == 0


async def test_nothing_of_what_was_said_is_in_the_files(ana: Caller, product: Product, tmp_path: Path) -> None:
    await aged(product, ana)
    archive(product, ana, tmp_path)
    text = "".join(gzip.decompress(path.read_bytes()).decode() for path in tmp_path.rglob("*.gz"))
    assert "memory.add" in text
    assert not any(word in text for word in ("Lia", "Rui", "Porto"))


async def test_only_what_lies_before_the_day_and_the_head_is_archived(ana: Caller, product: Product, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="has no head"):
        archive(product, ana, tmp_path)
    await aged(product, ana)
    assert archive(product, ana, tmp_path, product.clock.now() - timedelta(days=1)).events == 0
    assert list(tmp_path.rglob("*.gz")) == []
    await ana.write("Ana plays the cello")
    await seal(product, ana)
    head = read_head(head_file(product, ana), product.runtime.keyring)
    assert head is not None
    assert archive(product, ana, tmp_path).until == head.position - 1


async def test_segments_are_bounded_and_a_run_goes_on_where_one_was_ended(
    ana: Caller, product: Product, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await aged(product, ana)
    events = verify(product, ana).events
    monkeypatch.setattr(archiving, "SEGMENT_EVENTS", 2)
    take_out, done = archives.take_out, list[int]()

    def dies_at_the_third(*arguments: Any) -> tuple[int, int]:
        done.append(1)
        if len(done) == 3:
            raise KeyboardInterrupt
        return take_out(*arguments)

    monkeypatch.setattr(archives, "take_out", dies_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        archive(product, ana, tmp_path)
    monkeypatch.setattr(archives, "take_out", take_out)
    assert await places(product, ana) == (5, events - 4)
    half = verify(product, ana, tmp_path)
    assert (half.intact, half.archived) == (True, 4)
    rest = archive(product, ana, tmp_path)
    assert rest.until == events - 1
    assert rest.segments == -(-(events - 1 - 4) // 2)
    whole = verify(product, ana, tmp_path)
    assert (whole.intact, whole.events) == (True, verify(product, ana).events + events - 1)


async def test_memories_are_still_checked_against_archived_events(ana: Caller, product: Product, tmp_path: Path) -> None:
    ids = await aged(product, ana)
    (old,) = tamper(product, "SELECT row_to_json(m)::text FROM mem.memories m WHERE id = %s", ids[0])
    await ana.edit(ids[0], content="Lia eats nothing")
    await seal(product, ana)
    archive(product, ana, tmp_path)
    assert verify(product, ana).intact
    columns = "content, version, updated_at, confirmed_at, mac_key_id, mac_version, mac_state, duplicate_key"
    restore = f"UPDATE mem.memories m SET ({columns}) = (SELECT {columns} FROM json_populate_record(NULL::mem.memories, %s::json)) WHERE m.id = %s"
    tamper(product, restore, old[0], ids[0])
    assert "memory_not_as_recorded" in damage(verify(product, ana))
    tamper(product, "DELETE FROM mem.memories WHERE id = %s", ids[1])
    found = verify(product, ana)
    assert ("memory_missing", ids[1]) in [(f.damage.value, f.object_id) for f in found.first]


async def test_a_memory_that_is_erased_after_its_events_were_archived_is_not_missed(ana: Caller, product: Product, tmp_path: Path) -> None:
    ids = await aged(product, ana)
    archive(product, ana, tmp_path)
    await ana.delete(ids[1])
    await ana.delete(ids[0])
    await seal(product, ana)
    assert verify(product, ana, tmp_path).intact
    await ana.write("Ana plays the cello")
    await seal(product, ana)
    archive(product, ana, tmp_path)
    assert verify(product, ana, tmp_path).intact
    assert verify(product, ana).intact


async def test_a_share_that_is_archived_is_still_followed(ana: Caller, product: Product, tmp_path: Path) -> None:
    ids = await aged(product, ana)
    body = {"selection": {"ids": [ids[1]], "forward": True}}

    async def followed() -> int:
        found: int = (await ana.send("POST", "/v1/admin/quarantine:preview", expect=200, json=body))["memories"]
        return found

    assert await followed() == 2
    await seal(product, ana)
    archive(product, ana, tmp_path)
    assert await followed() == 2
    tamper(product, "DELETE FROM mem.audit_carried WHERE org_id = %s AND object_kind = 'share'", ana.org_id)
    assert await followed() == 1


# -------------------------------------------------------------------------------------------------------------- tampering
def _rows_of(folder: Path) -> Path:
    (path,) = folder.rglob("*.jsonl.gz")
    return path


def _rewrite(change: Callable[[list[Any]], None]) -> Callable[[Path], None]:
    def rewrite(folder: Path) -> None:
        path = _rows_of(folder)
        rows = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        change(rows)
        path.write_bytes(gzip.compress(b"".join(json.dumps(row).encode() + b"\n" for row in rows)))

    return rewrite


def _nothing(_rows: list[Any]) -> None:
    """The same rows, packed otherwise."""


def _cut(folder: Path) -> None:
    path = _rows_of(folder)
    path.write_bytes(path.read_bytes()[:-40])


FILES: dict[str, tuple[Callable[[Path], None], set[str]]] = {
    "an event": (_rewrite(lambda rows: rows[2].update(actor_key="other")), {"archive_changed", "event_changed"}),
    "a link": (_rewrite(lambda rows: rows[2].update(link="00" * 32)), {"archive_changed", "chain_broken"}),
    "a gap": (_rewrite(lambda rows: rows.pop(2)), {"archive_changed", "chain_gap"}),
    "no json": (_rewrite(lambda rows: rows.insert(1, ["x"])), {"archive_changed"}),
    "a cut": (_cut, {"archive_changed"}),
    "another packing": (_rewrite(_nothing), {"archive_changed"}),
    "gone": (lambda folder: _rows_of(folder).unlink(), {"archive_missing"}),
}


@pytest.mark.parametrize("change", FILES)
async def test_a_changed_file_is_named(ana: Caller, product: Product, tmp_path: Path, change: str) -> None:
    await aged(product, ana)
    archive(product, ana, tmp_path)
    alter, kinds = FILES[change]
    alter(tmp_path)
    report = verify(product, ana, tmp_path)
    assert damage(report) == kinds
    assert any(found.object_id.startswith("1-") for found in report.first)
    assert verify(product, ana).intact


LAST = "(SELECT max(position) FROM mem.audit_carried c WHERE c.org_id = audit_carried.org_id AND object_kind = 'memory')"
ROWS: dict[str, tuple[str, set[str]]] = {
    "what vouches for a memory": (
        f"UPDATE mem.audit_carried SET commitment = 'x' WHERE org_id = %s AND object_kind = 'memory' AND position = {LAST}",
        {"carried_changed", "memory_not_as_recorded"},
    ),
    "all of it": (
        "DELETE FROM mem.audit_carried WHERE org_id = %s",
        {"carried_changed", "memory_without_event", "policy_changed"},
    ),
    "the statement": (
        "UPDATE mem.audit_archives SET statement = jsonb_set(statement, '{link}', '\"00\"') WHERE org_id = %s",
        {"archive_forged", "chain_broken"},
    ),
    "that it is archived": (
        "DELETE FROM mem.audit_archives WHERE org_id = %s",
        {"chain_gap", "carried_changed"},
    ),
}


@pytest.mark.parametrize("change", ROWS)
async def test_changed_rows_about_the_archive_are_named_without_it(ana: Caller, product: Product, tmp_path: Path, change: str) -> None:
    await aged(product, ana)
    archive(product, ana, tmp_path)
    sql, kinds = ROWS[change]
    tamper(product, sql, ana.org_id)
    assert damage(verify(product, ana)) == kinds
    with pytest.raises(AuditDiverged, match="does not verify"):
        archive(product, ana, tmp_path)


async def test_a_beginning_that_is_only_said_to_be_archived_is_missed(ana: Caller, product: Product, tmp_path: Path) -> None:
    await aged(product, ana)
    archive(product, ana, tmp_path)
    await ana.write("Ana plays the cello")
    await ana.write("Ana has a cat")
    await seal(product, ana)
    # Whoever deletes some places more can say so in the row, and cannot sign it.
    tamper(
        product,
        "UPDATE mem.audit_archives SET last_position = last_position + 1,"
        " statement = jsonb_set(statement, '{last}', to_jsonb(last_position + 1)) WHERE org_id = %s",
        ana.org_id,
    )
    assert "archive_forged" in damage(verify(product, ana))


async def test_a_damaged_log_is_not_archived(ana: Caller, product: Product, tmp_path: Path) -> None:
    await aged(product, ana)
    many = await places(product, ana)
    tamper(product, "UPDATE mem.audit_events SET actor_key = 'other' WHERE org_id = %s AND action = 'memory.update'", ana.org_id)
    with pytest.raises(AuditDiverged, match="event_changed"):
        archive(product, ana, tmp_path)
    assert await places(product, ana) == many
    assert list(tmp_path.rglob("*.*")) == []


async def test_a_log_that_its_owner_accepted_is_archived_as_it_is(ana: Caller, product: Product, tmp_path: Path) -> None:
    await aged(product, ana)
    tamper(product, "UPDATE mem.audit_events SET actor_key = 'other' WHERE org_id = %s AND action = 'memory.update'", ana.org_id)
    with psycopg.connect(product.superuser_url, autocommit=True) as conn:
        org, path = ("o", ana.org_id), head_file(product, ana)
        reseal_org(conn, product.runtime.keyring, org, path, product.clock.now(), lambda _steps: None)
    await seal_org(replace(Sealer.of(product.runtime), accept=True), ana.org_id)
    archive(product, ana, tmp_path)
    report = verify(product, ana, tmp_path)
    assert (report.intact, report.accepted) == (True, 1)


async def test_an_older_head_is_compared_with_the_archive(ana: Caller, product: Product, tmp_path: Path) -> None:
    await aged(product, ana)
    older = tmp_path / "older.json"
    older.write_bytes(head_file(product, ana).read_bytes())
    await ana.write("Ana plays the cello")
    await seal(product, ana)
    archive(product, ana, tmp_path / "archive")
    assert verify(product, ana, tmp_path / "archive", older).intact
    assert verify(product, ana, head=older).intact


async def test_the_application_deletes_no_event_and_the_owner_none_that_is_in_no_file(ana: Caller, product: Product) -> None:
    await aged(product, ana)
    with psycopg.connect(product.app_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege):
        conn.execute("DELETE FROM mem.audit_events")
    for table in ("audit_events", "audit_chain"):
        with psycopg.connect(product.superuser_url) as conn, pytest.raises(psycopg.errors.InsufficientPrivilege, match="append-only"):
            conn.execute(f"DELETE FROM mem.{table} WHERE org_id = %s", (ana.org_id,))


async def test_months_without_an_event_are_dropped(product: Product) -> None:
    await product.rows("SELECT mem.ensure_partitions('2001-01-01Z', 2)")
    with psycopg.connect(product.superuser_url, autocommit=True) as conn:
        assert drop_empty_months(conn, datetime(2001, 2, 10, tzinfo=UTC)) == 1
        left = conn.execute("SELECT to_regclass('mem.audit_events_2001_01'), to_regclass('mem.audit_events_2001_02')").fetchone()
        assert left is not None
        assert [one is None for one in left] == [True, False]
        assert drop_empty_months(conn, datetime(2001, 3, 1, tzinfo=UTC)) == 1
