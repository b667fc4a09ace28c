"""`memdb people import-notebook` and what waits to be attributed afterwards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from api.cli.brains import find_id
from api.cli.client import Client
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, print_json, remark, stdout
from governance.errors import InvalidInput
from memdb.config import load_settings
from memdb.embedded.layout import naming_path

_PAGE = 200
_SHOWN_MAX = 80
Room = Annotated[str, typer.Option("--room", help="Id or name of the brain of the room.")]


def register(app: typer.Typer) -> None:
    """Add the commands to `memdb people`."""
    app.command("import-notebook")(import_notebook)
    app.command("unattributed")(unattributed)
    app.command("assign")(assign)


def import_notebook(
    file: Annotated[Path, typer.Argument(help="The notebook, Markdown or text in UTF-8.")],
    room: Room,
    name: Annotated[str | None, typer.Option("--name", help="What the notebook is called; the name of the file if left out.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be filed, and store nothing.")] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Split a notebook into statements and file them with the people of a room; what names nobody waits."""
    text = _read(file)
    with Client.of(load_settings(url=url, key=key)) as client:
        brain = find_id(client, room)
        body = {"name": name or file.stem, "text": text, "dry_run": dry_run}
        report = client.post(f"/v1/brains/{brain}/notebook:import", body)
        names = _names(client, report)
    if as_json:
        print_json(report)
        return
    lines = text.splitlines()
    rows = [_filed(f, lines, names) for f in report["filed"]] + [_waiting(w, lines, names) for w in report["unattributed"]]
    stdout().print(make_table(None, ("line", "about", "", "statement"), sorted(rows, key=_line_of)))
    verb = "would be filed" if dry_run else "filed"
    stdout().out(
        f"{len(report['filed'])} {verb}, {len(report['unattributed'])} unattributed, {len(report['skipped'])} skipped", highlight=False
    )
    if report["unattributed"] and not dry_run:
        remark(f"memdb people unattributed --room {brain}")


def unattributed(room: Room, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show statements that wait until somebody says whom they are about, with who may be meant."""
    with Client.of(load_settings(url=url, key=key)) as client:
        brain = find_id(client, room)
        items: list[Mapping[str, Any]] = []
        query: dict[str, object] = {"limit": _PAGE}
        while True:
            page = client.get(f"/v1/brains/{brain}/unattributed", query)
            items += page["items"]
            if page["next_cursor"] is None:
                break
            query["cursor"] = page["next_cursor"]
    if as_json:
        print_json(items)
        return
    rows = [[i["id"], i["named"], "\n".join(f"{c['name']} {c['subject_id']}" for c in i["candidates"]), i["content"]] for i in items]
    stdout().print(make_table(None, ("id", "named", "may be", "statement"), rows, first_whole=True))


def assign(
    statement_id: Annotated[UUID, typer.Argument(help="Id of a statement that waits.")],
    subject_ids: Annotated[list[UUID], typer.Argument(help="Whom it is about.")],
    room: Room,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Say whom a statement that waits is about."""
    with Client.of(load_settings(url=url, key=key)) as client:
        brain = find_id(client, room)
        reply = client.post(f"/v1/brains/{brain}/unattributed/{statement_id}:assign", {"about": [str(s) for s in subject_ids]})
    if as_json:
        print_json(reply)
        return
    stdout().out(f"{reply['action']} {reply['id']}", highlight=False)


def _read(file: Path) -> str:
    with naming_path(file, "read"):
        raw = file.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(f"{file} is not UTF-8 text; convert it first") from None


def _names(client: Client, report: Mapping[str, Any]) -> dict[str, str]:
    ids = {s for f in report["filed"] for s in f["about"]} | {s for w in report["unattributed"] for s in w["candidates"]}
    return {s: client.get(f"/v1/subjects/{s}")["name"] or s for s in sorted(ids)}


def _filed(filed: Mapping[str, Any], lines: list[str], names: Mapping[str, str]) -> list[Any]:
    return [filed["line"], ", ".join(names[s] for s in filed["about"]), _outcome(filed["outcome"]), _shown(lines, filed["line"])]


def _waiting(waiting: Mapping[str, Any], lines: list[str], names: Mapping[str, str]) -> list[Any]:
    may_be = " or ".join(names[s] for s in waiting["candidates"])
    return [waiting["line"], f"? {may_be}".rstrip(), _outcome(waiting["outcome"]), _shown(lines, waiting["line"])]


def _line_of(row: Sequence[object]) -> int:
    line = row[0]
    assert isinstance(line, int), "rows begin with their line"
    return line


def _outcome(outcome: Mapping[str, Any]) -> str:
    if outcome["error"]:
        return str(outcome["error"])
    if outcome["status"] == "held":
        return "waits"
    return " ".join(str(outcome[name]) for name in ("action", "placement") if outcome[name])


def _shown(lines: list[str], line: int) -> str:
    text = lines[line - 1].strip() if line <= len(lines) else ""
    return text if len(text) <= _SHOWN_MAX else text[:_SHOWN_MAX].rstrip() + "…"
