"""The work of `memdb demo`: a server in a thread of this process, and everything said to it over HTTP on a free port."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

from rich.rule import Rule
from rich.text import Text

from api.cli.client import Client
from api.cli.demo_learning import show_learning
from api.cli.embedded import StartingPostgres
from api.cli.output import cell, make_table, remark, stdout
from api.cli.recall import show_reply
from api.cli.serving import Ready, serve_embedded
from api.cli.signals import StopSignal, stop_signals
from api.cli.sockets import listen
from memdb.config import Settings, load_settings
from memdb.directory.orgs import make_key
from memdb.ids import make_key_id

HOST = "127.0.0.1"
_NAME_LETTERS = 8


@dataclass(slots=True)
class _Written:
    """What the conversation became: subject ids by name, receipts and texts by the id of the turn."""

    subjects: dict[str, str] = field(default_factory=dict)
    receipts: dict[str, dict[str, Any]] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)


def run(data_dir: Path) -> None:
    """Show what memdb does, from an empty directory or an earlier demo's; each run has an org of its own."""
    conversation = json.loads((files("api.cli") / "demo_conversation.json").read_text(encoding="utf-8"))
    key = make_key(f"demo-{make_key_id()[:_NAME_LETTERS]}").render()
    settings = load_settings({}, data_dir=data_dir, port=0, host=HOST, admin_key=key)
    remark(f"starting memdb in {data_dir}; the first time takes some seconds longer")
    with _server(settings) as ready, Client(ready.url, key) as client:
        written = _write(client, conversation)
        _show_redactions(client, written)
        for question in conversation["questions"]:
            _ask(client, question)
        _correct(client, conversation["correction"], written)
        show_learning(client, written.subjects)
    stdout().print(Rule())
    stdout().out(f"That was memdb. The demo's data stays in {data_dir}; `memdb up` starts one for you.", highlight=False)


@contextlib.contextmanager
def _server(settings: Settings) -> Iterator[Ready]:
    """A served embedded database until the block ends, however it ends."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(stop_signals())  # SIGTERM ends the block as Ctrl-C does
        listener = stack.enter_context(listen(settings.host, settings.port))
        postgres = stack.enter_context(StartingPostgres(settings.data_dir, lambda _: None))
        stop = StopSignal()
        ready: Future[Ready] = Future()

        def serve() -> None:
            try:
                serve_embedded(settings, listener, postgres.started, stop, ready.set_result)
            except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                if not ready.done():
                    ready.set_exception(error)

        thread = threading.Thread(target=serve, name="memdb-demo-server")
        thread.start()
        try:
            yield ready.result()
        finally:
            postgres.give_up()
            stop.ask()
            thread.join()


# ---------------------------------------------------------------------------------------------------------------- writing
def _write(client: Client, conversation: Mapping[str, Any]) -> _Written:
    written = _Written()
    for person in conversation["people"]:
        written.subjects[person["name"]] = client.post("/v1/subjects", person)["id"]
    _heading(f"{len(conversation['people'])} people talk, in {len(conversation['sessions'])} sessions")
    for session in conversation["sessions"]:
        rows = []
        for position, turn in enumerate(session["turns"]):
            receipt = client.post("/v1/memories", _body(session, position, turn, written))
            name = f"{session['external_id']}/{position}"
            written.receipts[name], written.told[name] = receipt, turn["content"]
            said_at = datetime.fromisoformat(turn["said_at"]).astimezone(UTC)
            rows.append((f"{said_at:%Y-%m-%d %H:%M}", turn["speaker"], turn["text"], turn["kind"], receipt["action"]))
        stdout().print(make_table(session["title"], ("said at", "who", "said", "kept as", ""), rows))
    return written


def _body(session: Mapping[str, Any], position: int, turn: Mapping[str, Any], written: _Written) -> dict[str, object]:
    body: dict[str, object] = {
        "content": turn["content"],
        "kind": turn["kind"],
        "topic": turn.get("topic"),
        "tags": turn.get("tags"),
        "about": [written.subjects[name] for name in turn.get("about", ())],
        "said_by": written.subjects[turn["speaker"]],
        "ttl_seconds": turn.get("ttl_seconds"),
        "source": {
            "kind": "conversation",
            "episode": {"external_id": session["external_id"], "started_at": session["started_at"]},
            "position": position,
            "speaker": turn["speaker"],
            "said_at": turn["said_at"],
            "text": turn["text"],
        },
    }
    return {name: value for name, value in body.items() if value is not None}


# ---------------------------------------------------------------------------------------------------------------- showing
def _show_redactions(client: Client, written: _Written) -> None:
    _heading("What was redacted before anything was stored, indexed or shown to a model")
    rows = []
    for name, receipt in written.receipts.items():
        if receipt["redactions"]:
            found = sorted({f"{r['entity']} ({r['action']})" for r in receipt["redactions"]})
            stored = client.get(f"/v1/memories/{receipt['id']}")
            rows.append((written.told[name], stored["content"], ", ".join(found)))
    stdout().print(make_table(None, ("written", "stored", "found"), rows))


def _ask(client: Client, question: Mapping[str, Any]) -> None:
    _heading(question["query"])
    body = {"query": question["query"], "limit": 3, "token_budget": question.get("token_budget"), "explain": True}
    show_reply(client.post("/v1/memories/search", {name: value for name, value in body.items() if value is not None}))


def _correct(client: Client, correction: Mapping[str, Any], written: _Written) -> None:
    memory = client.get(f"/v1/memories/{written.receipts[correction['turn']]['id']}")
    before = memory["updated_at"]
    receipt = client.patch(f"/v1/memories/{memory['id']}", {"content": correction["content"], "expected_version": memory["version"]})
    _heading(f"A correction: version {receipt['version']} says “{correction['content']}”")
    for title, as_of in (("now", None), (f"as of {before[:19].replace('T', ' ')}, before the correction", before)):
        body: dict[str, object] = {"query": correction["query"], "limit": 1} | ({} if as_of is None else {"as_of": as_of})
        show_reply(client.post("/v1/memories/search", body), title)


def _heading(text: str) -> None:
    console = stdout()
    console.print()
    console.print(Rule(Text.assemble((cell(text).plain, "bold")), align="left"))
