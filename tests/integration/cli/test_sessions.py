"""Conversations from the command line: listed, and followed while something is learned from them."""

from __future__ import annotations

import json
import time

import httpx

from api.cli.client import Client
from memdb.ids import make_id
from tests.integration.cli.conftest import Running, error_line

LEARNED_WITHIN_S = 120


def test_a_session_is_listed_and_followed(server: Running) -> None:
    with Client(server.ready["url"], server.key) as client:
        session = client.post("/v1/sessions", {"title": "Kitchen\x1b[2J"})["id"]
        turns = [{"text": "I'm allergic to walnuts.", "speaker": {"name": "Rui\x1b[2J"}}, {"text": "Noted.", "role": "assistant"}]
        client.post(f"/v1/sessions/{session}/turns", {"turns": turns})
    shown = server.run("sessions", "tail", session, "--once").stdout
    assert [line.split()[0] for line in shown.splitlines()] == ["0", "1"]
    assert "I'm allergic to walnuts." in shown
    assert "\x1b[2J" not in shown
    with Client(server.ready["url"], server.key) as client:  # the server has closed the former connection meanwhile
        client.post(f"/v1/sessions/{session}:flush", {})
    deadline = time.monotonic() + LEARNED_WITHIN_S
    states: set[str] = set()
    while states != {"done"}:
        assert time.monotonic() < deadline, "not within the time"
        lines = server.run("sessions", "tail", session, "--once", "--json").stdout.splitlines()
        events = [json.loads(line) for line in lines]
        states = {event["state"] for event in events if event["event"] == "extraction"}
    assert [event["position"] for event in events if event["event"] == "turn"] == [0, 1]
    assert {event["handler"] for event in events if event["event"] == "extraction"} == {"semantic", "episodic", "procedural", "taxonomic"}
    figures = httpx.get(f"{server.ready['url']}/metrics").text  # this machine needs no key
    assert 'memdb_extractions_total{handler="semantic",outcome="done"}' in figures, "what is learned here is counted here"
    listed = {one["id"]: one for one in server.json("sessions", "list")}
    assert (listed[session]["turns"], listed[session]["open_turns"]) == (2, 0)
    assert session in server.run("sessions", "list").stdout
    assert error_line(server.run("sessions", "tail", str(make_id()), "--once", expect=1)).endswith("[not_found]")
