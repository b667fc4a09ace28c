"""`memdb quarantine`: memories kept from every door by what they have in common; and released."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

import typer

from api.cli.client import Client
from api.cli.exits import Exit
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, print_json, progress, remark, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from collections.abc import Mapping

app = typer.Typer(help="Hold memories from every door, and release them.", no_args_is_help=True)
LOOK_EVERY_S: Final = 1.0
UNDER_WAY: Final = frozenset({"running", "releasing"})
_COLUMNS: Final = ("id", "state", "memories", "done", "sessions", "created_at", "reason")
_PAGE: Final = 200

Ids = Annotated[list[UUID] | None, typer.Option("--id", help="Id of a memory; as often as needed.")]
Writer = Annotated[UUID | None, typer.Option("--writer", help="Written by this subject.")]
KeyId = Annotated[str | None, typer.Option("--key-id", help="Written with this key.")]
Session = Annotated[UUID | None, typer.Option("--session", help="Learned from this session, whose turns are held as well.")]
Source = Annotated[str | None, typer.Option("--source", help="With an excerpt of the episode of this external id.")]
Brain = Annotated[UUID | None, typer.Option("--brain", help="Of this brain.")]
From = Annotated[str | None, typer.Option("--from", help="First written at or after this time, RFC 3339.")]
Until = Annotated[str | None, typer.Option("--to", help="First written before this time, RFC 3339.")]
Pattern = Annotated[str | None, typer.Option("--pattern", help="Whose text holds this; case and accents are no difference.")]
Regex = Annotated[bool, typer.Option("--regex", help="The pattern is an expression as RE2 takes it.")]
Search = Annotated[str | None, typer.Option("--search", help="What a search finds for this question.")]
Limit = Annotated[int, typer.Option("--limit", help="Of the search, at most 100.")]
Forward = Annotated[bool, typer.Option("--forward", help="Also what came from them.")]
Backward = Annotated[bool, typer.Option("--backward", help="Also what they came from, and the sessions that they were learned from.")]
Action = Annotated[UUID, typer.Argument(help="Id of a quarantine.")]
Wait = Annotated[bool, typer.Option("--wait/--no-wait", help="Wait until a worker has done what is not done at once.")]


@app.command("preview")
def preview(
    ids: Ids = None,
    writer: Writer = None,
    key_id: KeyId = None,
    session: Session = None,
    source: Source = None,
    brain: Brain = None,
    created_from: From = None,
    created_to: Until = None,
    pattern: Pattern = None,
    regex: Regex = False,
    search: Search = None,
    limit: Limit = 50,
    forward: Forward = False,
    backward: Backward = False,
    shown: Annotated[int, typer.Option("--shown", help="How many are shown, at most 50.")] = 10,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Count what would be held, and show the first of it; nothing is held. All conditions that are given have to be met."""
    conditions = _conditions(ids, writer, key_id, session, source, brain, created_from, created_to)
    selection = conditions | _texts(pattern, regex, search, limit) | {"forward": forward, "backward": backward}
    with Client.of(load_settings(url=url, key=key)) as client:
        found = client.post("/v1/admin/quarantine:preview", {"selection": selection, "shown": shown})
    if as_json:
        print_json(found)
        return
    contents = {one["id"]: one["content"] for one in found["shown"]}
    rows = [(one, contents.get(one, "")) for one in found["first"]]
    stdout().print(make_table(None, ("id", "content"), rows, first_whole=True))
    kinds = ", ".join(f"{count} {kind}" for kind, count in found["by_kind"].items())
    spread = f"{len(found['by_brain'])} brains, {len(found['by_writer'])} writers, {len(found['sessions'])} sessions"
    remark(f"{found['memories']} memories ({kinds or 'none'}; {spread}), {found['held']} of them held already")


@app.command("run")
def run(
    expected: Annotated[int, typer.Option("--expected", help="How many memories the preview counted; more are refused.")],
    ids: Ids = None,
    writer: Writer = None,
    key_id: KeyId = None,
    session: Session = None,
    source: Source = None,
    brain: Brain = None,
    created_from: From = None,
    created_to: Until = None,
    pattern: Pattern = None,
    regex: Regex = False,
    search: Search = None,
    limit: Limit = 50,
    forward: Forward = False,
    backward: Backward = False,
    reason: Annotated[str | None, typer.Option("--reason", help="For whoever reviews; it is redacted.")] = None,
    wait: Wait = True,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Hold what the preview counted. No door serves it until it is released."""
    conditions = _conditions(ids, writer, key_id, session, source, brain, created_from, created_to)
    selection = conditions | _texts(pattern, regex, search, limit) | {"forward": forward, "backward": backward}
    body = {"selection": selection, "expected": expected, "reason": reason}
    with Client.of(load_settings(url=url, key=key)) as client:
        _report(client, client.post("/v1/admin/quarantine", body), wait=wait, as_json=as_json)


@app.command("list")
def list_(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show the newest quarantines of the org, released ones too."""
    with Client.of(load_settings(url=url, key=key)) as client:
        items = client.get("/v1/admin/quarantine", {"limit": _PAGE})["items"]
    if as_json:
        print_json(items)
        return
    stdout().print(make_table(None, _COLUMNS, [[one[name] for name in _COLUMNS] for one in items], first_whole=True))


@app.command("show")
def show(action: Action, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show how far a quarantine has come. Exit code 1 while a worker is still to do the rest."""
    with Client.of(load_settings(url=url, key=key)) as client:
        _report(client, client.get(f"/v1/admin/quarantine/{action}"), wait=False, as_json=as_json)


@app.command("release")
def release(action: Action, wait: Wait = True, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Undo what a quarantine did, and nothing else: what another one holds as well stays held."""
    with Client.of(load_settings(url=url, key=key)) as client:
        _report(client, client.post(f"/v1/admin/quarantine/{action}:release", {}), wait=wait, as_json=as_json)


def _report(client: Client, action: Mapping[str, Any], *, wait: bool, as_json: bool) -> None:
    """Print an action, once it is finished if that is waited for; exit code 1 when it is not."""
    if wait and action["state"] in UNDER_WAY:
        with progress(action["state"], action["memories"]) as advance:
            while action["state"] in UNDER_WAY:
                time.sleep(LOOK_EVERY_S)
                before, action = action, client.get(f"/v1/admin/quarantine/{action['id']}")
                advance(action["done"] - before["done"])
    if as_json:
        print_json(action)
    else:
        for name, value in action.items():
            stdout().out(f"{name:<12} {'' if value is None else value}", highlight=False)
    if action["state"] in UNDER_WAY:
        raise typer.Exit(Exit.FAILED)


def _conditions(
    ids: list[UUID] | None,
    writer: UUID | None,
    key_id: str | None,
    session: UUID | None,
    source: str | None,
    brain: UUID | None,
    created_from: str | None,
    created_to: str | None,
) -> dict[str, Any]:
    given: dict[str, object] = {
        "writer": writer, "key_id": key_id, "session_id": session, "source": source, "brain_id": brain, "created_from": created_from,
        "created_to": created_to,
    }  # fmt: skip
    said: dict[str, Any] = {name: str(value) for name, value in given.items() if value is not None}
    return said | ({"ids": [str(one) for one in ids]} if ids else {})


def _texts(pattern: str | None, regex: bool, search: str | None, limit: int) -> dict[str, Any]:
    said: dict[str, Any] = {} if pattern is None else {"pattern": {"text": pattern, "regex": regex}}
    return said | ({} if search is None else {"search": {"query": search, "limit": limit}})
