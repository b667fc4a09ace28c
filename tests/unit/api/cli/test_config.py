"""`memdb config` against a server that says what the test wants: what is sent, when it is tried again, and how long it waits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest
from typer.testing import CliRunner

from api.cli.client import Client, Refused
from api.cli.config import TRIES, app

Json = dict[str, Any]
POLICY: Json = {
    "version": 3,
    "redaction": {"actions": {"PHONE_NUMBER": "mask"}},
    "memory": {"front_entries": 5, "extraction": {"enabled": ["semantic"]}},
    "effective": {},
}
STATUS: Json = {
    "enabled": ["semantic", "episodic"],
    "origin": "policy",
    "policy_version": 4,
    "policy_set_at": "2026-01-31T09:30:00Z",
    "waiting": {"semantic": 2},
    "in_force": True,
    "worker_alive": True,
}
CONFLICT = Refused("the policy has another version", "version_conflict", 409)


@dataclass
class Server:
    """Answers in order; the last reply to a path stays."""

    policies: Sequence[Json] = (POLICY,)
    puts: Sequence[Json | Refused] = ({"version": 4},)
    states: Sequence[Json] = (STATUS,)
    sent: list[Json] = field(default_factory=list)
    _asked: dict[str, int] = field(default_factory=dict)

    def _next(self, name: str, replies: Sequence[Any]) -> Any:
        place = self._asked.get(name, 0)
        self._asked[name] = place + 1
        reply = replies[min(place, len(replies) - 1)]
        if isinstance(reply, Refused):
            raise reply
        return reply

    def get(self, path: str, query: object = None) -> Json:
        del query
        found: Json = self._next(path, self.policies if path == "/v1/admin/policy" else self.states)
        return found

    def put(self, path: str, body: Json) -> Json:
        assert path == "/v1/admin/policy"
        self.sent.append(body)
        found: Json = self._next("put", self.puts)
        return found

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    made = Server()
    monkeypatch.setattr(Client, "of", lambda _settings: made)
    monkeypatch.setattr("time.sleep", lambda _seconds: None)
    return made


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "project-config.yaml"
    made.write_text("memory: {extraction: {enabled: [semantic, episodic]}}\n")
    return made


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [*map(str, arguments)])


def test_it_changes_what_is_learned_and_keeps_the_rest(server: Server, file: Path) -> None:
    done = run("apply", file)
    assert done.exit_code == 0, done.output
    memory = {"front_entries": 5, "extraction": {"enabled": ["semantic", "episodic"]}}
    assert server.sent == [{"redaction": POLICY["redaction"], "memory": memory, "expected_version": 3}]
    assert "policy version 4 is set; learned from conversations: semantic, episodic (policy version 4)" in done.output


@pytest.mark.parametrize("stored", [["episodic", "semantic"], ["semantic", "episodic"]])
def test_what_holds_already_is_not_set_again(server: Server, file: Path, stored: list[str]) -> None:
    server.policies = ({**POLICY, "memory": {"extraction": {"enabled": stored}}},)
    done = run("apply", file, "--json")
    assert json.loads(done.output) == {"changed": False, "version": 3, **STATUS}
    assert server.sent == []


def test_null_gives_it_back_to_the_server(server: Server, file: Path) -> None:
    file.write_text("memory: {extraction: {enabled: null}}\n")
    run("apply", file)
    assert server.sent[0]["memory"]["extraction"] == {"enabled": None}
    server.policies = ({**POLICY, "memory": {}},)
    run("apply", file)
    assert len(server.sent) == 1, "nothing is named, so nothing changes"


def test_another_administrator_in_between_is_read_and_kept(server: Server, file: Path) -> None:
    newer = {**POLICY, "version": 7, "memory": {**POLICY["memory"], "front_entries": 9}}
    server.policies, server.puts = (POLICY, newer), (CONFLICT, {"version": 8})
    done = run("apply", file, "--json")
    assert json.loads(done.output)["version"] == 8
    assert [(one["expected_version"], one["memory"]["front_entries"]) for one in server.sent] == [(3, 5), (7, 9)]


def test_it_gives_up_after_some_conflicts_and_at_once_on_anything_else(server: Server, file: Path) -> None:
    server.puts = (CONFLICT,)
    assert run("apply", file).exception is CONFLICT
    assert len(server.sent) == TRIES
    server.puts = (Refused("no", "access_denied", 403),)
    assert getattr(run("apply", file).exception, "code", None) == "access_denied"
    assert len(server.sent) == TRIES + 1


def test_it_waits_until_no_worker_has_in_hand_what_is_off(server: Server, file: Path) -> None:
    server.states = ({**STATUS, "in_force": False}, {**STATUS, "in_force": False}, STATUS)
    done = run("apply", file, "--wait")
    assert done.exit_code == 0
    assert "in force for every server and worker" in done.output


def test_it_waits_no_longer_than_it_may_nor_for_what_somebody_undid(server: Server, file: Path) -> None:
    server.states = ({**STATUS, "in_force": False},)
    assert getattr(run("apply", file, "--wait", "--timeout", "0.1").exception, "code", None) == "not_in_force"
    server.states = ({**STATUS, "policy_version": 5, "enabled": []},)
    assert getattr(run("apply", file, "--wait").exception, "code", None) == "version_conflict"
    server.states = ({**STATUS, "policy_version": 5},)
    assert run("apply", file, "--wait").exit_code == 0, "a later version that says the same is as good"


def test_nothing_is_sent_for_a_file_that_is_wrong(server: Server, file: Path) -> None:
    file.write_text("memory: {extraction: {enabled: [sematic]}}\n")
    assert "line 1" in str(run("apply", file).exception)
    assert server.sent == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({}, "learned from conversations: semantic, episodic (policy version 4)"),
        ({}, "last policy: version 4, set 2026-01-31 09:30"),
        ({}, "waiting extractions: 2 semantic"),
        ({}, "in force: yes"),
        ({"enabled": []}, "learned from conversations: nothing"),
        ({"origin": "setting"}, "MEMDB_ENABLED_EXTRACTIONS of the server"),
        ({"origin": "default", "policy_version": 0, "policy_set_at": None}, "last policy: none was set"),
        ({"in_force": False}, "in force: not yet"),
        ({"worker_alive": False}, "worker: none"),
        ({"worker_alive": False}, "no worker is alive, so nothing is learned"),
    ],
)
def test_the_status_says_what_holds_and_why(server: Server, change: Json, told: str) -> None:
    server.states = ({**STATUS, **change},)
    done = run("status")
    assert told in done.output
    assert json.loads(run("status", "--json").output) == {**STATUS, **change}
