"""The last part of `memdb demo`: a room is recorded, cut and learned from; a second conversation corrects one thing and repeats another."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from rich.rule import Rule
from rich.text import Text

from api.cli.output import cell, make_table, stdout
from memdb.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from api.cli.client import Client

WAIT_S: Final = 120.0
LOOK_EVERY_S: Final = 0.5
Said = tuple[str, str, str]
"""When, who, what."""
_FIRST: Final[Sequence[Said]] = (
    ("2026-03-09T09:00:00-03:00", "Ana", "Before we order lunch: I'm allergic to peanuts."),
    ("2026-03-09T09:01:00-03:00", "assistant", "Noted. You should try the new place in Faro."),
    ("2026-03-09T09:02:00-03:00", "Bruno", "I live in Lisbon."),
    ("2026-03-09T09:03:00-03:00", "Bruno", "I have a dentist appointment on March 12 at 3pm."),
    ("2026-03-09T09:04:00-03:00", "Carla", "NPS means net promoter score."),
    (
        "2026-03-09T09:05:00-03:00",
        "Carla",
        "How to restart the boiler:\n1. Close the gas valve.\n2. Wait two minutes.\n3. Press the red button.",
    ),
    ("2026-03-09T09:06:00-03:00", "Ana", "If I were rich I would live in Paris."),
)
_SECOND: Final[Sequence[Said]] = (
    ("2026-04-20T09:00:00-03:00", "Bruno", "I live in Porto now."),
    ("2026-04-20T09:01:00-03:00", "Ana", "I'm allergic to peanuts."),
)


def show_learning(client: Client, subjects: Mapping[str, str]) -> None:
    """Record two conversations of a room, and print what was learned from each and the history of what changed.

    Args:
        client: of the demo's server, which does the jobs too.
        subjects: ids of people by name.
    """
    brain = client.post("/v1/brains", {"kind": "room", "name": "kitchen"})["id"]
    session = client.post("/v1/sessions", {"brain_id": brain, "title": "Kitchen"})["id"]
    _heading("A room is recorded; nobody writes memories")
    _show_cut(_record(client, session, _FIRST, subjects))
    known = _memories(client, brain)
    rows = [(m["kind"], m["content"], m["placement"]) for m in known.values()]
    stdout().print(
        make_table(
            "learned, each for whom it is about; hypotheticals and the assistant's words are not", ("kind", "memory", "on the card"), rows
        )
    )
    _heading("Six weeks later one thing has changed, and another is said again")
    _show_cut(_record(client, session, _SECOND, subjects))
    now = _memories(client, brain)
    changed = [m for m in now.values() if m["version"] > 1] + [m for m in now.values() if "peanuts" in m["content"]]
    for memory in changed:
        _show_history(client, memory)


def _record(client: Client, session: str, said: Sequence[Said], subjects: Mapping[str, str]) -> list[dict[str, Any]]:
    """Append turns, cut them, and wait until every handler has read them; the new snapshots."""
    turns = [
        {"text": text, "said_at": at} | ({"speaker": {"subject_id": subjects[who]}} if who in subjects else {"role": who})
        for at, who, text in said
    ]
    client.post(f"/v1/sessions/{session}/turns", {"turns": turns})
    stdout().print(make_table(None, ("said at", "who", "said"), [(at[:16].replace("T", " "), who, text) for at, who, text in said]))
    made = {snapshot["id"] for snapshot in client.post(f"/v1/sessions/{session}:flush", {})["snapshots"]}
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        found = [s for s in client.get(f"/v1/sessions/{session}/snapshots")["items"] if s["id"] in made]
        if all(one["state"] == "done" for snapshot in found for one in snapshot["extractions"]):
            return found
        time.sleep(LOOK_EVERY_S)
    raise ConfigurationError(f"the worker did not read what was said within {WAIT_S:g} s; try again")


def _show_cut(snapshots: Sequence[Mapping[str, Any]]) -> None:
    for snapshot in snapshots:
        rows = [
            (one["handler"], one["extractor"], str(one["added"]), str(one["updated"]), str(one["reinforced"]))
            for one in snapshot["extractions"]
        ]
        title = f"snapshot of turns {snapshot['first_position']} to {snapshot['last_position']}"
        stdout().print(make_table(title, ("read by", "with", "ADD", "UPDATE", "REINFORCE"), rows))


def _memories(client: Client, brain: str) -> dict[str, dict[str, Any]]:
    """The memories of the room by id, the earliest first."""
    items = client.get("/v1/memories", {"brain_id": brain, "limit": "200"})["items"]
    return {memory["id"]: memory for memory in reversed(items)}


def _show_history(client: Client, memory: Mapping[str, Any]) -> None:
    history = client.get(f"/v1/memories/{memory['id']}/history")
    states = [one["memory"] for one in history["versions"]] + [history["current"]]
    contents = {state["version"]: state["content"] for state in states}
    rows = [(one["action"], one["reason"], str(one["version"]), contents.get(one["version"], "")) for one in history["derivations"]]
    stdout().print(make_table("its history", ("what happened", "why", "version", "says"), rows))


def _heading(text: str) -> None:
    console = stdout()
    console.print()
    console.print(Rule(Text.assemble((cell(text).plain, "bold")), align="left"))
