"""`memdb forget` as a user runs it: looked at, erased, searched for, and erased again from a backup that is older."""

from __future__ import annotations

import json
from pathlib import Path

from api.cli.client import Client
from tests.integration.cli.conftest import Running, memdb, up


def make_subject(server: Running, name: str) -> str:
    with Client(server.ready["url"], server.key) as client:
        return str(client.post("/v1/subjects", {"kind": "person", "name": name})["id"])


def check(server: Running, *strings: str, expect: int = 0) -> dict[str, object]:
    arguments = ("forget", "--check", "--json", "--data-dir", server.data_dir)
    done = memdb(*arguments, cwd=server.folder, stdin="\n".join(strings), expect=expect)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_person_is_erased_searched_for_and_erased_again_from_an_older_backup(server: Running, tmp_path: Path) -> None:
    zoraide = make_subject(server, "Zoraide Quintela")
    server.run("remember", "Zoraide Quintela keeps bees", "--about", zoraide)
    server.run("remember", "Lunch was with Zoraide.")
    memdb("backup", tmp_path / "older", "--include-secret", "--data-dir", server.data_dir, cwd=server.folder)
    assert server.json("forget", "subject", zoraide, "--dry-run")["counts"]["memories"] == 1
    found = check(server, "Zoraide", expect=1)
    assert "mem.memories" in {one["table"] for one in found["found"]}  # type: ignore[attr-defined]  # JSON

    receipt = tmp_path / "receipt.json"
    done = server.json("forget", "subject", zoraide, "--yes", "--receipt", receipt)
    assert done["state"] == "complete"
    assert check(server, "Zoraide", "Quintela")["found"] == []
    verified = memdb("forget", "verify", receipt, "--json", "--data-dir", server.data_dir, cwd=server.folder)
    assert json.loads(verified.stdout) == {"genuine": True, "compared_with_secret": True, "erasure_id": done["id"]}
    changed = {**json.loads(receipt.read_text(encoding="utf-8")), "counts": {}}
    receipt.write_text(json.dumps(changed), encoding="utf-8")
    memdb("forget", "verify", receipt, "--data-dir", server.data_dir, cwd=server.folder, expect=1)
    assert server.json("forget", "show", done["id"])["state"] == "complete"
    assert memdb("forget", "ledger", "--json", "--data-dir", server.data_dir, cwd=server.folder).stdout.endswith('"new": 0}\n')

    ledger = server.data_dir / "erasures.jsonl"
    fresh = ("--data-dir", tmp_path / "fresh")
    restored = memdb("restore", tmp_path / "older", "--json", *fresh, cwd=tmp_path, MEMDB_ERASURE_LEDGER_FILE=str(ledger))
    assert json.loads(restored.stdout)["erased_again"] == {"complete": 1}
    searched = memdb("forget", "--check", "--json", *fresh, cwd=tmp_path, stdin="Zoraide\nQuintela\n")
    assert json.loads(searched.stdout)["found"] == []
    with up(tmp_path / "fresh", tmp_path / "log", key=server.key) as again:
        assert "[ERASED]" in again.run("recall", "with whom was lunch?").stdout


def test_an_org_is_erased_with_a_receipt(server: Running, tmp_path: Path) -> None:
    owner = ("--json", "--data-dir", server.data_dir)
    made = json.loads(memdb("org", "create", "acme-gone", *owner, cwd=server.folder).stdout)
    server.run("remember", "acme-gone sells anvils", MEMDB_KEY=made["admin_key"])
    look = json.loads(memdb("forget", "org", "acme-gone", "--dry-run", *owner, cwd=server.folder).stdout)
    assert look["counts"]["memories"] == 1
    receipt = tmp_path / "org.json"
    memdb("forget", "org", "acme-gone", "--yes", "--receipt", receipt, *owner, cwd=server.folder)
    memdb("forget", "verify", receipt, "--data-dir", server.data_dir, cwd=server.folder)
    memdb("forget", "org", "acme-gone", "--yes", *owner, cwd=server.folder, expect=1)
    assert check(server, "sells anvils")["found"] == []


def test_what_is_wrong_is_said(server: Running, tmp_path: Path) -> None:
    assert "[not_found]" in server.run("forget", "memory", "01980000-0000-7000-8000-000000000001", "--yes", expect=1).stderr
    short = memdb("forget", "--check", "--data-dir", server.data_dir, cwd=server.folder, stdin="ab\n", expect=1)
    assert "line 1" in short.stderr
    (tmp_path / "none.json").write_text("{}", encoding="utf-8")
    none = memdb("forget", "verify", tmp_path / "none.json", "--data-dir", server.data_dir, cwd=server.folder, expect=1)
    assert "holds no receipt" in none.stderr
