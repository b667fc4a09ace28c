"""`memdb sessions`: conversations, and what is learned from one while it goes on."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

import typer

from api.cli.client import Client
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, plain, print_json, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

app = typer.Typer(help="Look at recorded conversations.", no_args_is_help=True)
LOOK_EVERY_S: Final = 1.0
_PAGE: Final = 200
_COLUMNS: Final = ("id", "title", "turns", "open_turns", "last_turn_at", "closed_at")
Session = Annotated[UUID, typer.Argument(help="Id of the session.")]
Once = Annotated[bool, typer.Option("--once", help="Show what there is and end.")]


@app.command("list")
def list_(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show the newest sessions of the brains that the key may read."""
    with Client.of(load_settings(url=url, key=key)) as client:
        items = client.get("/v1/sessions", {"limit": _PAGE})["items"]
    if as_json:
        print_json(items)
        return
    rows = [["" if one[column] is None else str(one[column]) for column in _COLUMNS] for one in items]
    stdout().print(make_table(None, _COLUMNS, rows, first_whole=True))


@app.command("tail")
def tail(session: Session, once: Once = False, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show the turns of a session and what became of its snapshots, as it happens, until Ctrl-C. With --json one object a line."""
    with Client.of(load_settings(url=url, key=key)) as client:
        seen = _Seen()
        while True:
            for event in seen.look(client, str(session)):
                if as_json:
                    sys.stdout.write(json.dumps(event, ensure_ascii=False) + "\n")
                else:
                    stdout().out(plain(_line(event)), highlight=False)
            sys.stdout.flush()
            if once:
                return
            time.sleep(LOOK_EVERY_S)


class _Seen:
    """What was shown already."""

    def __init__(self) -> None:
        self._cursor: str | None = None
        self._turns: set[str] = set()
        self._states: dict[tuple[str, str], tuple[str, int]] = {}

    def look(self, client: Client, session: str) -> Iterator[dict[str, Any]]:
        """What is new: turns in their order, then snapshots, then what handlers have come to."""
        for turn in self._pages(client, f"/v1/sessions/{session}/turns"):
            if turn["id"] not in self._turns:
                self._turns.add(turn["id"])
                yield {"event": "turn", **turn}
        cursor: str | None = None
        while True:
            query: dict[str, object] = {"limit": _PAGE} | ({} if cursor is None else {"cursor": cursor})
            page = client.get(f"/v1/sessions/{session}/snapshots", query)
            for snapshot in page["items"]:
                yield from self._of_snapshot(snapshot)
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def _pages(self, client: Client, path: str) -> Iterator[dict[str, Any]]:
        # The last page is asked for again: what follows on it is new.
        while True:
            page = client.get(path, {"limit": _PAGE} | ({} if self._cursor is None else {"cursor": self._cursor}))
            yield from page["items"]
            if page["next_cursor"] is None:
                return
            self._cursor = page["next_cursor"]

    def _of_snapshot(self, snapshot: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        for one in snapshot["extractions"]:
            at, now = (snapshot["id"], one["handler"]), (one["state"], one["attempts"])
            if self._states.get(at) != now:
                self._states[at] = now
                places = {"first_position": snapshot["first_position"], "last_position": snapshot["last_position"]}
                yield {"event": "extraction", "snapshot_id": snapshot["id"], **places, **one}


def _line(event: Mapping[str, Any]) -> str:
    if event["event"] == "turn":
        return f"{event['position']:>4}  {event['speaker'] or event['speaker_id'] or event['role']}: {event['text']}"
    counts = ", ".join(f"{event[name]} {name}" for name in ("added", "updated", "reinforced", "ended") if event[name])
    tried = f", try {event['attempts']}" if event["attempts"] else ""
    failed = f" ({event['failure']}{tried})" if event["failure"] else ""
    return f"      turns {event['first_position']}-{event['last_position']}: {event['handler']} {event['state']}{failed} {counts}".rstrip()
