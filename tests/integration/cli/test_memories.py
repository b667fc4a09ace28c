"""Writing, asking, importing and exporting from the command line."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psycopg

from api.cli.client import Client
from memdb.config import load_settings
from tests.integration.cli.conftest import Running, error_line, memdb

Lines = Callable[..., Path]


def test_what_is_remembered_is_recalled_with_evidence(server: Running) -> None:
    receipt = server.json("remember", "Ana is allergic to peanuts. Mail ana@example.com", "--tag", "health", "--topic", "people/ana")
    assert receipt["action"] == "ADD"
    assert [r["entity"] for r in receipt["redactions"]] == ["EMAIL_ADDRESS"]
    shown = server.run("recall", "what is Ana allergic to?", "--token-budget", 100).stdout
    assert "allergic to peanuts" in shown
    assert "lexical" in shown
    assert "█" in shown
    assert "card," in shown
    assert "ana@example.com" not in shown
    reply = server.json("recall", "what is Ana allergic to?", "--limit", 1)
    assert reply["evidence"][0]["memory"]["id"] == receipt["id"]
    assert server.run("recall", "qwertz asdfg").stdout.strip() == "no evidence"


def test_feedback_is_tied_to_a_recall(server: Running) -> None:
    receipt = server.json("remember", "The heron nests by the river in March", "--topic", "birds")
    reply = server.json("recall", "when does the heron nest?", "--topic", "birds")
    args = (reply["recall_id"], receipt["id"])
    assert server.json("feedback", *args, "helpful", "--note", "yes")["replaced"] is False
    assert server.run("feedback", *args, "stale").stdout.strip() == "stale, in the place of what was said before"
    assert error_line(server.run("feedback", receipt["id"], receipt["id"], "used", expect=1)).endswith("[not_found]")
    assert server.run("feedback", *args, "great", expect=2).stdout == ""


def test_text_from_a_pipe_and_control_characters(server: Running) -> None:
    env = {"MEMDB_URL": server.ready["url"], "MEMDB_KEY": server.key}
    memdb("remember", "-", cwd=server.folder, stdin="the zebra\x1b[2J crossing is red", **env)
    assert "\x1b[2J" not in server.run("recall", "zebra crossing").stdout


def test_errors_of_the_server_are_one_line_with_its_code(server: Running, tmp_path: Path) -> None:
    refused = server.run("remember", "note", "--kind", "working", expect=1)
    assert error_line(refused).endswith("[invalid_input]")
    assert error_line(server.run("recall", "x", expect=1, MEMDB_KEY="memdb_main_nobody23_" + "A" * 43)).endswith("[unauthenticated]")
    assert error_line(server.run("recall", "x", expect=4, MEMDB_URL="http://127.0.0.1:9")).endswith("[unreachable]")
    assert error_line(memdb("recall", "x", cwd=tmp_path, expect=3)).endswith("[configuration]")
    assert memdb("recall", cwd=tmp_path, expect=2).stdout == ""
    assert error_line(server.run("remember", "note", "--data", "[1]", expect=1)).endswith("[invalid_input]")


def test_an_import_reports_bad_lines_and_goes_on_where_it_ended(server: Running, write_lines: Lines) -> None:
    secret = "do not tell this"
    good = [
        {"content": f"fact {i}: the lighthouse number {i} stands on island {i}", "kind": "episodic", "topic": "t/import"}
        for i in range(450)
    ]
    file = write_lines(*good[:10], "not json: " + secret, "", {"content": secret, "kind": "nonsense"}, *good[10:])
    done = server.run("import", file, expect=1)
    assert "line 11: malformed_json" in done.stderr
    assert "line 13: invalid_input" in done.stderr
    assert "450 stored" in done.stderr
    assert secret not in done.stderr + done.stdout
    assert stored(server, "t/import") == 450

    state = Path(f"{file}.memdb-state")
    assert secret not in state.read_text()
    again = server.json("import", file, expect=1)
    assert again == {"lines": 453, "stored": 450, "held": 0, "failed": [[11, "malformed_json"], [13, "invalid_input"]]}
    assert stored(server, "t/import") == 450

    with file.open("a") as more:
        more.write(json.dumps(good[0] | {"content": "fact 450: one more lighthouse"}) + "\n")
    assert server.json("import", file, expect=1)["stored"] == 451
    assert stored(server, "t/import") == 451


def test_an_import_whose_state_was_lost_in_the_middle_stores_nothing_twice(server: Running, write_lines: Lines) -> None:
    file = write_lines(*({"content": f"visit {i} to the harbour", "kind": "episodic", "topic": "t/lost"} for i in range(250)))
    state = Path(f"{file}.memdb-state")
    server.run("import", file)
    # As if the process had died after the server had stored the batches and before it wrote how far it came.
    state.unlink()
    assert server.json("import", file)["stored"] == 250
    assert stored(server, "t/lost") == 250


def test_another_file_under_the_same_name_is_noticed(server: Running, write_lines: Lines) -> None:
    file = write_lines({"content": "one heron", "kind": "semantic"})
    server.run("import", file)
    file.write_text(json.dumps({"content": "two herons", "kind": "semantic"}) + "\n")
    assert "has changed since" in error_line(server.run("import", file, expect=1))
    Path(f"{file}.memdb-state").write_text("{}")
    assert "not the state of an import" in error_line(server.run("import", file, expect=1))


def test_an_import_without_a_server_says_so_and_can_be_taken_up(server: Running, write_lines: Lines) -> None:
    file = write_lines({"content": "the weir is open", "kind": "semantic"})
    assert "[unreachable]" in server.run("import", file, expect=4, MEMDB_URL="http://127.0.0.1:9").stderr
    assert server.json("import", file)["stored"] == 1


def make_org(server: Running, name: str) -> tuple[dict[str, str], Running]:
    """A new org, and the server as its administrator uses it."""
    made = json.loads(memdb("org", "create", name, "--data-dir", server.data_dir, "--json", cwd=server.folder).stdout)
    return made, replace(server, key=made["admin_key"])


def make_room(caller: Running, name: str) -> str:
    with Client.of(load_settings(url=caller.ready["url"], key=caller.key)) as client:
        return str(client.post("/v1/brains", {"kind": "room", "name": name})["id"])


def test_the_brains_of_a_key_are_listed_and_named_in_other_commands(server: Running, tmp_path: Path) -> None:
    made, mine = make_org(server, "brains")
    room = make_room(mine, "Launch room")
    listed = mine.json("brain", "list")
    assert [(one["kind"], one["name"], one["role"]) for one in listed] == [
        ("org", "org", "admin"),
        ("personal", "personal", "admin"),
        ("room", "Launch room", "admin"),
    ]
    assert listed[0]["id"] == made["brain_id"]
    shown = mine.run("brain", "list", COLUMNS="40").stdout
    assert room in shown, "an id that is cut in two is of no use"

    receipt = mine.json("remember", "the launch is on Monday", "--brain", "Launch room")
    assert receipt["brain_id"] == room
    mine.run("remember", "the cake is for Ana", "--brain", made["brain_id"])
    assert "Monday" in mine.run("recall", "when is the launch?", "--brain", "Launch room").stdout
    assert "Monday" not in mine.run("recall", "when is the launch?", "--brain", "org").stdout
    assert mine.run("export", "-", "--brain", "Launch room").stdout.count("\n") == 1
    refused = error_line(mine.run("remember", "x is y", "--brain", "Lunch room", expect=1))
    assert "Lunch room" in refused
    assert refused.endswith("[not_found]")


def test_an_export_goes_to_the_corresponding_brains_of_another_org(server: Running, tmp_path: Path) -> None:
    (_, here), (other, there) = (make_org(server, name) for name in ("here", "there"))
    make_room(here, "Lab")
    here.run("remember", "Bruno collects maps", "--tag", "hobby", "--data", '{"n": 0, "nested": {"a": [1]}}')
    here.run("remember", "look at the maps", "--kind", "working", "--ttl", 3600)
    here.run("remember", "the lamp is broken", "--brain", "Lab")
    here.run("remember", "the office closes at six", "--brain", "org")
    file = tmp_path / "all.jsonl"
    assert here.json("export", file) == {"file": str(file), "memories": 4}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    kept = {line["content"]: line for line in map(json.loads, file.read_text().splitlines())}
    assert kept["Bruno collects maps"]["data"] == {"n": 0, "nested": {"a": [1]}}
    assert kept["Bruno collects maps"]["brain"] == {"kind": "personal", "name": "personal", "home": True}
    assert kept["the lamp is broken"]["brain"] == {"kind": "room", "name": "Lab"}
    assert 3400 < kept["look at the maps"]["ttl_seconds"] <= 3600

    refused = error_line(there.run("import", file, expect=1))
    assert "“Lab” (room)" in refused
    assert "--brain" in refused
    number = int(refused.split("line ")[1].split()[0])
    assert json.loads(file.read_text().splitlines()[number - 1])["content"] == "the lamp is broken"
    assert there.run("export", "-").stdout == "", "half of it was imported"

    lab = make_room(there, "Lab")
    there.run("import", file)
    arrived = {line["content"]: line for line in map(json.loads, there.run("export", "-").stdout.splitlines())}
    homes = {brain["kind"]: brain["id"] for brain in there.json("brain", "list")}
    assert {content: line["brain_id"] for content, line in arrived.items()} == {
        "Bruno collects maps": homes["personal"],
        "look at the maps": homes["personal"],
        "the lamp is broken": lab,
        "the office closes at six": other["brain_id"],
    }

    Path(f"{file}.memdb-state").unlink()
    there.run("import", file, "--brain", "Lab")
    assert there.run("export", "-", "--brain", "Lab").stdout.count("\n") == 4
    # Where the ids are known they are taken, whatever the brains are called by now.
    again = here.json("import", file, "--state", tmp_path / "again")
    assert (again["stored"], again["failed"]) == (4, [])


def stored(server: Running, topic: str) -> int:
    """How many memories of a topic the database holds."""
    with psycopg.connect(server.ready["database_url"]) as conn:
        row = conn.execute("SELECT count(*) FROM mem.memories WHERE topic = %s", [topic]).fetchone()
    assert row is not None
    return int(row[0])
