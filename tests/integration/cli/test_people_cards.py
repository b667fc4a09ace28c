"""Cards, grep and folders from the command line."""

from __future__ import annotations

from pathlib import Path

from api.cli.client import Client
from memdb.config import load_settings
from tests.integration.cli.conftest import Running, error_line


def test_a_card_is_shown_grepped_printed_and_exported(server: Running, tmp_path: Path) -> None:
    settings = load_settings({}, url=server.ready["url"], key=server.key)
    with Client.of(settings) as client:
        made = client.post("/v1/subjects", {"kind": "person", "name": "Zélia Prado"})
        for content, topic in (("Please call her Zé", None), ("Zélia visited\nSão Tomé", "trips"), ("Zélia rows \x1b[2J", None)):
            client.post("/v1/memories", {"content": content, "kind": "semantic", "about": [made["id"]], "topic": topic})
    shown = server.run("people", "card", "zelia prado").stdout.splitlines()
    assert shown[:2] == ["To keep in mind about Zélia Prado:", "- Please call her Zé"]
    assert "drawer:grep" in "".join(shown[2:])
    assert server.json("people", "card", made["id"])["name"] == "Zélia Prado"
    found = server.run("people", "grep", made["id"], "sao tome")
    assert "São Tomé" in found.stdout
    assert "1 lines in 2 memories" in found.stderr
    assert server.json("people", "grep", made["id"], "^s.o", "--regex", "--exact")["matches"] == 0
    notes = server.run("people", "notes", made["id"]).stdout
    assert "### trips" in notes
    assert "\x1b" not in notes
    done = server.json("people", "export", tmp_path / "people")
    (file,) = [Path(name) for name in done["files"] if made["id"] in name]
    assert file.name == f"zelia-prado-{made['id']}.md"
    assert "- " in file.read_text()
    assert server.json("people", "export", tmp_path / "people") == done
    file.write_text("mine")
    assert error_line(server.run("people", "export", tmp_path / "people", expect=1)).endswith("[invalid_input]")
    assert file.read_text() == "mine"
    assert error_line(server.run("people", "card", "nobody at all", expect=1)).endswith("[not_found]")
    assert error_line(server.run("people", "grep", made["id"], "(", "--regex", expect=1)).endswith("[invalid_input]")
