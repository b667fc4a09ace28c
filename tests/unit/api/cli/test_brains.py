"""Which brain a name, an id or a line of an export stands for, in the org that it came from and in another."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest

from api.cli import brains
from api.cli.brains import Placement, find_id, list_brains, make_label
from api.cli.client import Client, Refused
from api.cli.exporting import make_line
from api.cli.importing import import_file
from governance.errors import InvalidInput, NotFound
from memdb.clock import SystemClock

HOME, LAB, ORG, TWIN, OTHER = (f"019b76da-a800-7000-8000-00000000000{n}" for n in range(1, 6))
THERE: list[dict[str, Any]] = [
    {"id": HOME, "kind": "personal", "name": "Bruno", "role": "admin", "home": True},
    {"id": LAB, "kind": "room", "name": "Lab", "role": "writer", "home": False},
    {"id": ORG, "kind": "org", "name": "org", "role": "reader", "home": False},
    {"id": TWIN, "kind": "room", "name": "Twin", "role": "reader", "home": False},
    {"id": OTHER, "kind": "room", "name": "Twin", "role": "reader", "home": False},
    {"id": "019b76da-a800-7000-8000-000000000009", "kind": "team", "name": "", "role": "reader", "home": False},
]
UNKNOWN = "019b76da-a800-7000-8000-0000000000ff"


class Server(Client):
    """Has these brains, two a page, and takes every batch."""

    def __init__(self, known: list[dict[str, Any]] = THERE) -> None:
        super().__init__("http://127.0.0.1:1", "k")
        self.known = known
        self.lists = 0
        self.sent: list[Any] = []

    def get(self, path: str, query: Any = None) -> Any:
        assert path == "/v1/brains"
        start = int(query.get("cursor", 0))
        self.lists += start == 0
        end = start + 2
        return {"items": self.known[start:end], "next_cursor": str(end) if end < len(self.known) else None}

    def send(self, method: str, path: str, body: bytes | None = None, **_more: Any) -> Any:
        assert (method, path) == ("POST", "/v1/memories:batch")
        assert body is not None
        lines = [json.loads(line) for line in body.split(b"\n")]
        self.sent += lines
        return {"results": [{"index": i, "memory": {"status": "active"}} for i in range(len(lines))]}


def placed(line: dict[str, Any], brain: str | None = None) -> Any:
    return json.loads(Placement(Server(), brain).place(json.dumps(line).encode(), 7))


def label(kind: str, name: str, **more: bool) -> dict[str, object]:
    return {"kind": kind, "name": name, **more}


def test_all_pages_are_read() -> None:
    assert list_brains(Server()) == THERE


def test_an_id_stays_and_a_name_is_looked_up() -> None:
    server = Server()
    assert find_id(server, UNKNOWN) == UNKNOWN
    assert server.lists == 0
    assert find_id(server, "Lab") == LAB
    with pytest.raises(NotFound, match="lab"):
        find_id(server, "lab")
    with pytest.raises(InvalidInput, match=f"{TWIN}, {OTHER}"):
        find_id(server, "Twin")


def test_a_name_in_a_message_cannot_steer_a_terminal() -> None:
    with pytest.raises(NotFound) as caught:
        find_id(Server(), "a\x1b[2Jb")
    assert "\x1b" not in caught.value.message


@pytest.mark.parametrize(("line", "goes_to"), [
    ({"brain_id": LAB, "brain": label("room", "Old name")}, LAB),
    ({"brain_id": UNKNOWN, "brain": label("room", "Lab")}, LAB),
    ({"brain": label("room", "Lab")}, LAB),
    ({"brain_id": UNKNOWN, "brain": label("org", "org")}, ORG),
    ({"brain_id": UNKNOWN, "brain": label("personal", "Ana", home=True)}, None),
    ({"brain_id": LAB, "brain": label("room", "Lab", home=True)}, LAB),
    ({"brain_id": UNKNOWN, "brain": label("personal", "Bruno")}, HOME),
])  # fmt: skip
def test_an_exported_line_goes_where_its_brain_corresponds(line: dict[str, Any], goes_to: str | None) -> None:
    sent = placed({"content": "x", **line})
    assert sent == {"content": "x"} | ({} if goes_to is None else {"brain_id": goes_to})


@pytest.mark.parametrize("found", [label("team", "Lab"), label("personal", "Lab"), label("room", "lab"), label("team", "")])
def test_a_brain_of_another_kind_or_without_a_name_is_no_counterpart(found: dict[str, object]) -> None:
    with pytest.raises(NotFound, match=r"line 7 .*--brain"):
        placed({"content": "x", "brain_id": UNKNOWN, "brain": found})


def test_two_counterparts_are_none() -> None:
    with pytest.raises(NotFound, match=r"line 7 is of the brain “Twin” .*reads 2 of that kind and name"):
        placed({"content": "x", "brain_id": UNKNOWN, "brain": label("room", "Twin")})


@pytest.mark.parametrize("line", [
    {"content": "x", "brain_id": UNKNOWN}, {"content": "x"}, {"content": "x", "brain": "Lab"}, {"content": "x", "brain": {"name": "Lab"}},
    {"content": 'says "brain"', "brain_id": UNKNOWN},
])  # fmt: skip
def test_a_line_without_a_label_is_left_to_the_server(line: dict[str, Any]) -> None:
    server = Server()
    raw = json.dumps(line).encode()
    assert Placement(server, None).place(raw, 1) == raw
    assert server.lists == 0


def test_one_brain_for_all_lines_leaves_what_is_no_object() -> None:
    placement = Placement(Server(), "b1")
    lines = [b'{"content": "a", "brain_id": "x", "brain": {"kind": "room", "name": "Lab"}}', b"not json", b"[1]", b""]
    assert [placement.place(line, 1) for line in lines] == [b'{"content": "a", "brain_id": "b1"}', b"not json", b"[1]", b""]


def test_an_import_with_a_brain_that_is_not_there_sends_nothing(tmp_path: Path) -> None:
    file = tmp_path / "f.jsonl"
    good = [{"content": f"fact {i}", "brain_id": UNKNOWN, "brain": label("room", "Lab")} for i in range(450)]
    bad = {"content": "a private fact", "brain_id": UNKNOWN, "brain": label("room", "Attic")}
    file.write_text("".join(json.dumps(line) + "\n" for line in [*good, bad]))
    server = Server()
    with pytest.raises(NotFound, match="line 451 is of the brain “Attic”") as caught:
        import_file(server, file, tmp_path / "state", None, lambda _: None)
    assert "private" not in caught.value.message
    assert server.sent == []
    assert server.lists == 1

    server.known = [*THERE, {"id": OTHER, "kind": "room", "name": "Attic", "role": "writer", "home": False}]
    assert import_file(server, file, tmp_path / "state", None, lambda _: None).stored == 451
    assert {line["brain_id"] for line in server.sent} == {LAB, OTHER}


def test_a_server_that_does_not_answer_is_told(tmp_path: Path) -> None:
    class Gone(Server):
        def get(self, path: str, query: Any = None) -> Any:
            raise Refused("no server", "unreachable", retryable=True)

    file = tmp_path / "f.jsonl"
    file.write_text(json.dumps({"content": "x", "brain_id": UNKNOWN, "brain": label("room", "Lab")}))
    with pytest.raises(Refused):
        import_file(Gone(), file, tmp_path / "state", None, lambda _: None)


def test_what_an_export_says_of_a_brain_is_understood_by_an_import() -> None:
    labels = {brain["id"]: make_label(brain) for brain in THERE}
    memory = {"content": "x", "kind": "semantic", "brain_id": HOME, "expires_at": None}
    line = json.dumps(make_line(memory, SystemClock().now(), labels)).encode()
    elsewhere = [{"id": UNKNOWN, "kind": "personal", "name": "Carla", "role": "admin", "home": True}]
    assert json.loads(Placement(Server(elsewhere), None).place(line, 1)) == {"content": "x", "kind": "semantic"}
    assert json.loads(Placement(Server(), None).place(line, 1))["brain_id"] == HOME


def test_a_brain_that_was_joined_during_an_export_has_no_label() -> None:
    assert "brain" not in make_line({"content": "x", "brain_id": LAB, "expires_at": None}, SystemClock().now(), {})


def test_examples_in_docstrings_hold() -> None:
    assert doctest.testmod(brains).failed == 0
