"""`memdb people`: whom an org's memories are about, who is meant by a name, and who is one with whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any
from uuid import UUID

import typer

from api.cli import notebook
from api.cli.brains import find_id
from api.cli.client import Client
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, print_json, remark, stdout
from memdb.config import load_settings

app = typer.Typer(help="Find people, and say who is one with whom.", no_args_is_help=True)
notebook.register(app)
_PAGE = 200
_COLUMNS = ("id", "kind", "name", "known as", "merged into")
_CANDIDATE_COLUMNS = ("id", "kind", "name", "match", "known as", "on", "in", "last seen")
_DAY = len("2026-01-31")

SubjectId = Annotated[UUID, typer.Argument(help="Id of a subject, as `memdb people list` shows it.")]


@app.command("list")
def list_(
    kind: Annotated[str | None, typer.Option("--kind", help="Only these: person, agent, service, team, project.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show the subjects of the org, oldest first, and who stands for whom."""
    with Client.of(load_settings(url=url, key=key)) as client:
        people = list_people(client, kind)
    if as_json:
        print_json(people)
        return
    stdout().print(make_table(None, _COLUMNS, [_line(one) for one in people], first_whole=True))


@app.command("resolve")
def resolve(
    name: Annotated[str, typer.Argument(help="A name as somebody said it.")],
    brain: Annotated[str | None, typer.Option("--brain", help="Where it was said: id or name of a brain.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show who is meant by a name: one, or the candidates and what tells them apart."""
    with Client.of(load_settings(url=url, key=key)) as client:
        place = {} if brain is None else {"brain_id": find_id(client, brain)}
        reply = client.post("/v1/subjects:resolve", {"name": name, **place})
    if as_json:
        print_json(reply)
    elif reply["subject"] is not None:
        stdout().print(make_table(None, _COLUMNS, [_line(reply["subject"])], first_whole=True))
    elif reply["candidates"]:
        rows = [_candidate(one) for one in reply["candidates"]]
        stdout().print(make_table("nobody is chosen; these may be meant", _CANDIDATE_COLUMNS, rows, first_whole=True))
        if reply["left_out"]:
            remark(f"{reply['left_out']} more are left out")
    else:
        remark("nobody is known by this name, or by one near it")


@app.command("merge")
def merge(
    subject_id: SubjectId,
    into_id: Annotated[UUID, typer.Argument(help="Id of the one who then stands for both.")],
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Say that two subjects are one. Needs a key with the capability admin; `memdb people split` undoes it."""
    with Client.of(load_settings(url=url, key=key)) as client:
        reply = client.post(f"/v1/subjects/{subject_id}:merge", {"into_id": str(into_id)})
    if as_json:
        print_json(reply)
        return
    stdout().out(f"{reply['merged_into']} stands for {reply['id']}", highlight=False)


@app.command("split")
def split(subject_id: SubjectId, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Undo the merge of a subject. Needs a key with the capability admin."""
    with Client.of(load_settings(url=url, key=key)) as client:
        reply = client.send("POST", f"/v1/subjects/{subject_id}:split")
    if as_json:
        print_json(reply)
        return
    stdout().out(f"{reply['id']} stands for itself", highlight=False)


def list_people(client: Client, kind: str | None = None) -> list[Mapping[str, Any]]:
    """Every subject of the org as `GET /v1/subjects` gives it, oldest first. Raises Refused."""
    query: dict[str, object] = {"limit": _PAGE} | ({} if kind is None else {"kind": kind})
    found: list[Mapping[str, Any]] = []
    while True:
        page = client.get("/v1/subjects", query)
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        query["cursor"] = page["next_cursor"]


def _line(subject: Mapping[str, Any]) -> list[object]:
    return [subject["id"], subject["kind"], subject["name"], ", ".join(subject["aliases"]), subject["merged_into"]]


def _candidate(one: Mapping[str, Any]) -> list[object]:
    tells = one["tells_apart"]
    platforms = ", ".join(f"{p['platform']}: {p['label']}" for p in tells["platforms"])
    rooms = ", ".join(brain["name"] for brain in tells["brains"])
    seen = tells["seen"][0]["last_seen_at"][:_DAY] if tells["seen"] else ""
    return [one["subject_id"], one["kind"], one["name"], one["match"], ", ".join(one["aliases"]), platforms, rooms, seen]
