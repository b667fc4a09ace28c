"""Looks from the command line: opened with a reason, shown to whoever reads the brain, ended."""

from __future__ import annotations

from api.cli.client import Client
from tests.integration.cli.conftest import Running, error_line


def test_a_look_is_opened_shown_and_ended(server: Running) -> None:
    with Client(server.ready["url"], server.key) as admin:
        bea = admin.post("/v1/subjects", {"kind": "person", "name": "Bea"})
        wanted = {"subject_id": bea["id"], "writer_label": "x", "max_role": "admin", "trust": "member", "reason": "first key"}
        key = admin.post("/v1/admin/keys", wanted)["key"]
    home = bea["home_brain_id"]
    server.run("remember", "the safe word is marmalade", MEMDB_KEY=key)
    assert "marmalade" not in server.run("recall", "safe word", "--brain", home, expect=1).stdout
    look = server.run("brain", "break-glass", home, "--reason", "ticket 4711\x1b[2J", "--minutes", "1").stdout.strip()
    assert "marmalade" in server.run("recall", "safe word", "--brain", home).stdout
    shown = server.run("brain", "looks", home, MEMDB_KEY=key).stdout
    assert "4711" in shown
    assert "\x1b[2J" not in shown
    assert server.run("brain", "end-look", home, look).stdout == f"{look} is over\n"
    assert error_line(server.run("brain", "looks", home, expect=1)).endswith("[not_found]")
    assert error_line(server.run("brain", "end-look", home, home, expect=1)).endswith("[not_found]")
