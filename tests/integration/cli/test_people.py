"""Finding people from the command line, and saying who is one with whom."""

from __future__ import annotations

from api.cli.client import Client
from memdb.ids import make_id
from tests.integration.cli.conftest import Running, error_line


def make(server: Running, name: str) -> str:
    with Client(server.ready["url"], server.key) as client:
        return str(client.post("/v1/subjects", {"kind": "person", "name": name})["id"])


def test_two_of_a_name_are_shown_until_they_are_one(server: Running) -> None:
    okafor, larsen = make(server, "Wim\x1b[2J Okafor"), make(server, "Wim Larsen")
    shown = server.run("people", "resolve", "wim").stdout
    assert okafor in shown
    assert larsen in shown
    assert "nobody is chosen" in shown
    assert "\x1b[2J" not in shown
    assert server.json("people", "resolve", "larsen")["subject"]["id"] == larsen
    done = server.run("people", "merge", larsen, okafor).stdout
    assert done == f"{okafor} stands for {larsen}\n"
    assert server.json("people", "resolve", "wim")["subject"]["id"] == okafor
    assert okafor in server.run("people", "resolve", "wim").stdout
    assert error_line(server.run("people", "merge", larsen, okafor, expect=1)).endswith("[already_merged]")
    listed = {p["id"]: p["merged_into"] for p in server.json("people", "list", "--kind", "person")}
    assert (listed[larsen], listed[okafor]) == (okafor, None)
    assert larsen in server.run("people", "list").stdout
    assert server.run("people", "split", larsen).stdout == f"{larsen} stands for itself\n"
    assert server.json("people", "resolve", "wim")["subject"] is None


def test_a_room_is_named_by_its_name(server: Running) -> None:
    first, _ = make(server, "Zoe Um"), make(server, "Zoe Dois")
    with Client(server.ready["url"], server.key) as client:
        client.post("/v1/brains", {"kind": "room", "name": "Zoe's room", "members": [{"subject_id": first, "role": "reader"}]})
    assert server.json("people", "resolve", "Zoe", "--brain", "Zoe's room")["subject"]["id"] == first
    assert error_line(server.run("people", "resolve", "Zoe", "--brain", "nowhere", expect=1)).endswith("[not_found]")


def test_unknown_names_and_ids_are_told(server: Running) -> None:
    done = server.run("people", "resolve", "Qwertz")
    assert done.stdout == ""
    assert "nobody is known" in done.stderr
    assert server.run("people", "split", "../brains", expect=2).stdout == ""
    assert error_line(server.run("people", "split", make_id(), expect=1)).endswith("[not_found]")
    assert error_line(server.run("people", "resolve", " ", expect=1)).endswith("[invalid_input]")
