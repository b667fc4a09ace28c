"""What was erased stays away: imports, replays and writes under way; and a search that finds what is left, wherever it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from governance.errors import InvalidInput
from memdb.errors import ConfigurationError
from memdb.lifecycle.erasure.again import erase_again, find_back
from memdb.lifecycle.erasure.check import check, make_needles
from memdb.lifecycle.erasure.ledger_file import read_ledger, write_ledger
from memdb.storage.leftovers import list_all_tombstones
from memdb.storage.owner import connect
from tests.integration.erasure.asking import Rows, forget, make_subject

if TYPE_CHECKING:
    from pathlib import Path

    from memdb.lifecycle.erasure.check import Checked
    from tests.support.product import Caller

IDENTITY = {"platform": "whatsapp", "external_id": "+5511987654321"}


def looked(caller: Caller, *strings: str) -> Checked:
    with connect(caller.product.superuser_url) as conn:
        return check(conn, caller.product.runtime.keyring, strings, lambda _: None)


async def test_a_platform_id_of_somebody_erased_comes_back_by_no_door(ana: Caller) -> None:
    zilda = await make_subject(ana, "Zilda Quaresma", identities=[IDENTITY])
    await forget(ana, "subjects", zilda)
    body = {"kind": "person", "name": "Z. Q.", "identities": [IDENTITY]}
    assert (await ana.send("POST", "/v1/subjects", expect=409, json=body))["code"] == "erased"
    other = await make_subject(ana, "Bruno Lima")
    refused = await ana.send("POST", f"/v1/subjects/{other}/identities", expect=409, json=IDENTITY)
    assert refused["code"] == "erased"
    refused = await ana.write("She likes tea.", about=[zilda], expect=422)
    assert refused["code"] == "invalid_input"


async def test_a_replayed_request_brings_no_memory_back(ana: Caller) -> None:
    written = await ana.write("The vault code is heron.", key="k-1")
    await forget(ana, "memories", written["id"])
    await ana.write("The vault code is heron.", key="k-1")
    assert await Rows(ana).holding("heron") == {}


async def test_the_search_finds_what_is_left_in_any_table_and_shows_no_string(ana: Caller) -> None:
    await ana.write("Zoraide's locker is 4417.", tags=["zoraide"], data={"note": 'said "Zoraíde"'})
    found = looked(ana, "Zoraíde")
    tables = {one.table for one in found.found}
    assert {"mem.memories", "mem.memory_index", "mem.term_deltas"} <= tables
    assert {one.column for one in found.found if one.table == "mem.memory_index"} >= {"words", "tags", "facets"}
    assert "oraide" not in repr(found).lower()
    assert looked(ana, "nobody ever wrote this").clean


def test_a_string_that_would_be_found_everywhere_is_refused() -> None:
    with pytest.raises(InvalidInput, match="line 2"):
        make_needles(["Zoraide", "ab"])
    assert make_needles(["", "  "]).texts == ()


async def test_rows_that_an_older_backup_brings_back_are_found_by_the_ledger_and_erased_again(ana: Caller) -> None:
    product = ana.product
    zilda = await make_subject(ana, "Zuleica Quaresma", identities=[IDENTITY])
    kept = await ana.write("Zuleica is allergic to peanuts.", about=[zilda])
    await ana.write("Lunch was with Zuleica.")
    await product.rows("CREATE TABLE public.former_subjects AS SELECT * FROM mem.subjects WHERE id = :id", id=zilda)
    await product.rows("CREATE TABLE public.former_labels AS SELECT * FROM mem.subject_aliases WHERE subject_id = :id", id=zilda)
    try:
        await forget(ana, "subjects", zilda)
        await product.rows("INSERT INTO mem.subjects SELECT * FROM public.former_subjects")
        await product.rows("INSERT INTO mem.subject_aliases SELECT * FROM public.former_labels")
    finally:
        await product.rows("DROP TABLE public.former_subjects, public.former_labels")
    product.runtime.directory.invalidate(ana.org_id)
    await ana.write("Zuleica sings.", about=[zilda])
    assert any(one.table == "mem.subjects" for one in looked(ana).found)
    with connect(product.superuser_url) as conn:
        back = find_back(conn, product.runtime.keyring, list_all_tombstones(conn))
    assert {str(object_id) for org_id, _, object_id in back.objects if org_id == ana.org_id} == {zilda}
    assert await erase_again(product.runtime, back) == {"complete": 1}
    assert await Rows(ana).holding("zuleica") == {}
    await ana.read(kept["id"], expect=404)
    assert looked(ana).clean


async def test_the_ledger_is_kept_in_a_file_and_read_back(ana: Caller, tmp_path: Path) -> None:
    await forget(ana, "subjects", await make_subject(ana, "Zilda Quaresma", identities=[IDENTITY]))
    with connect(ana.product.superuser_url) as conn:
        every = [one for one in list_all_tombstones(conn) if one.org_id == ana.org_id]
    assert {one.kind for one in every} == {"subject", "identity"}
    file = tmp_path / "erasures.jsonl"
    assert (write_ledger(file, every), write_ledger(file, every)) == (2, 0)
    assert read_ledger(file) == every
    assert file.stat().st_mode & 0o077 == 0
    file.write_text(file.read_text(encoding="ascii") + "{}\n", encoding="ascii")
    with pytest.raises(ConfigurationError, match="line 3"):
        read_ledger(file)
    with pytest.raises(ConfigurationError, match="cannot write"):
        write_ledger(tmp_path / "gone" / "erasures.jsonl", every)
