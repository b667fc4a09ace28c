"""What the owner of the database does: orgs, keys, backups, the doctor."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

from tests.integration.cli.conftest import Running, error_line, memdb, up


def owner(server: Running, *arguments: object, expect: int = 0) -> Any:
    done = memdb(*arguments, "--json", "--data-dir", server.data_dir, cwd=server.folder, expect=expect)
    return json.loads(done.stdout) if expect == 0 else error_line(done)


def test_an_org_is_made_used_and_deleted(server: Running) -> None:
    made = owner(server, "org", "create", "acme")
    assert set(made) == {"name", "org_id", "subject_id", "brain_id", "admin_key"}
    assert "acme" in {org["name"] for org in owner(server, "org", "list")}
    server.run("remember", "acme sells anvils", MEMDB_KEY=made["admin_key"])
    assert "anvils" not in server.run("recall", "anvils").stdout
    assert "[already_exists]" in owner(server, "org", "create", "acme", expect=1)
    assert "[invalid_input]" in owner(server, "org", "create", "Acme Ltd", expect=1)
    assert "[invalid_input]" in owner(server, "org", "delete", "acme", "--confirm", "acne", expect=1)
    assert owner(server, "org", "delete", "acme", "--confirm", "acme")["rows"] > 0
    assert "[unauthenticated]" in server.run("recall", "anvils", expect=1, MEMDB_KEY=made["admin_key"]).stderr
    assert "[not_found]" in owner(server, "org", "delete", "acme", "--confirm", "acme", expect=1)


def test_a_key_is_shown_once_used_and_revoked(server: Running) -> None:
    made = owner(server, "key", "create", "--label", "reporter", "--role", "reader", "--trust", "agent")
    listed = owner(server, "key", "list")
    assert made["id"] in {key["id"] for key in listed}
    assert made["key"][-43:] not in json.dumps(listed)
    assert "[access_denied]" in server.run("remember", "x is y", expect=1, MEMDB_KEY=made["key"]).stderr
    server.run("recall", "x", MEMDB_KEY=made["key"])
    assert owner(server, "key", "revoke", made["id"]) == {"id": made["id"], "revoked": True}
    assert "[not_found]" in owner(server, "key", "revoke", "nobody2345", expect=1)
    assert "[invalid_input]" in owner(server, "key", "create", "--label", "x", "--trust", "total", expect=1)


def test_a_key_is_rotated_and_the_former_ends_when_it_is_said(server: Running) -> None:
    made = owner(server, "key", "create", "--label", "rotated", "--requests-per-minute", "500")
    new = owner(server, "key", "rotate", made["id"])
    same = ("subject_id", "writer_label", "max_role", "trust", "requests_per_minute")
    assert {field: new[field] for field in same} == {field: made[field] for field in same}
    for key in (made, new):
        server.run("recall", "x", MEMDB_KEY=key["key"])
    assert "[already_exists]" in owner(server, "key", "rotate", made["id"], expect=1)
    last = owner(server, "key", "rotate", new["id"], "--grace-hours", "0")
    assert "[unauthenticated]" in server.run("recall", "x", expect=1, MEMDB_KEY=new["key"]).stderr
    listed = {key["id"]: key for key in owner(server, "key", "list")}
    assert [listed[key["id"]]["replaced_by"] for key in (made, new, last)] == [new["id"], last["id"], None]
    assert listed[made["id"]]["last_used_at"] is not None
    assert "[invalid_input]" in owner(server, "key", "rotate", last["id"], "--grace-hours", "721", expect=1)
    assert "[not_found]" in owner(server, "key", "rotate", "nobody2345", expect=1)


def test_commands_of_the_owner_make_no_database(tmp_path: Path) -> None:
    for command in (("org", "list"), ("key", "list"), ("backup", "b"), ("doctor",)):
        assert "[configuration]" in memdb(*command, "--data-dir", tmp_path / "none", cwd=tmp_path, expect=3).stderr
        assert not (tmp_path / "none").exists()
    done = memdb("org", "list", cwd=tmp_path, expect=3, MEMDB_DATABASE_URL="postgresql://memdb_app@127.0.0.1:9/x")
    assert "MEMDB_OWNER_URL" in error_line(done)


def test_the_doctor_finds_nothing_and_then_a_secret_that_is_open(server: Running) -> None:
    findings = owner(server, "doctor")
    assert {"secret file", "embedding", "connection", "schema", "roles", "space", "secret", "clock", "disk"} <= {
        f["name"] for f in findings
    }
    assert all(f["ok"] for f in findings), findings
    secret = server.data_dir / "secret.key"
    secret.chmod(0o644)
    try:
        done = memdb("doctor", "--data-dir", server.data_dir, "--json", cwd=server.folder, expect=1)
        assert {f["name"]: f["fix"] for f in json.loads(done.stdout) if not f["ok"]}["secret file"] == "run chmod 600 on it"
    finally:
        secret.chmod(0o600)


def test_a_backup_is_restored_into_a_new_directory(server: Running, tmp_path: Path) -> None:
    fact = "the archive is in the cellar"
    server.run("remember", fact)
    manifest = owner(server, "backup", tmp_path / "whole", "--include-secret")
    assert manifest["key_ids"] == [(server.data_dir / "secret.key").read_text().split()[0]]
    assert stat.S_IMODE((tmp_path / "whole" / "secret.key").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "whole" / "database.dump").stat().st_mode) == 0o600
    assert "[already_exists]" in owner(server, "backup", tmp_path / "whole", expect=1)
    owner(server, "backup", tmp_path / "bare")
    assert not (tmp_path / "bare" / "secret.key").exists()

    assert "[already_exists]" in owner(server, "restore", tmp_path / "whole", expect=1)
    fresh = ("--data-dir", tmp_path / "fresh")
    missing = memdb("restore", tmp_path / "bare", *fresh, cwd=tmp_path, expect=3)
    assert manifest["key_ids"][0] in error_line(missing)
    assert not (tmp_path / "fresh").exists()

    memdb("restore", tmp_path / "whole", *fresh, cwd=tmp_path)
    later = "written after the restore"
    with up(tmp_path / "fresh", tmp_path / "log", key=server.key) as restored:
        assert restored.ready["admin_key"] is None
        assert fact in restored.run("recall", "where is the archive?").stdout
        restored.run("remember", later)
    assert "[already_exists]" in memdb("restore", tmp_path / "whole", *fresh, cwd=tmp_path, expect=1).stderr
    memdb("restore", tmp_path / "bare", "--replace", *fresh, cwd=tmp_path)
    orgs = json.loads(memdb("org", "list", *fresh, "--json", cwd=tmp_path).stdout)
    assert len(orgs) == manifest["orgs"]

    (tmp_path / "whole" / "database.dump").write_bytes(b"not a dump")
    damaged = memdb("restore", tmp_path / "whole", "--replace", *fresh, cwd=tmp_path, expect=3)
    assert "damaged" in error_line(damaged)
    assert len(json.loads(memdb("org", "list", *fresh, "--json", cwd=tmp_path).stdout)) == manifest["orgs"]
