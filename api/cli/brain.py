"""`memdb brain`: the brains of a key."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

import typer

from api.cli.brains import find_id, list_brains
from api.cli.client import Client
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, plain, print_json, remark, stdout
from memdb.config import load_settings

app = typer.Typer(help="Look at the brains that a key may read, and into others as an administrator.", no_args_is_help=True)
_COLUMNS = ("id", "kind", "name", "role", "home")
_LOOK = ("begins_at", "ends_at", "ended_at", "subject_id", "key_id", "reason")
_NEWEST = 200


@app.command("list")
def list_(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show the brains that the key may read, oldest first, and its role in each."""
    with Client.of(load_settings(url=url, key=key)) as client:
        brains = list_brains(client)
    if as_json:
        print_json(brains)
        return
    rows = [[*(one[column] for column in _COLUMNS[:-1]), "home" if one["home"] else ""] for one in brains]
    stdout().print(make_table(None, _COLUMNS, rows, first_whole=True))


@app.command("break-glass")
def break_glass(
    brain_id: Annotated[UUID, typer.Argument(help="The brain to look into; its id.")],
    reason: Annotated[str, typer.Option("--reason", help="Why; everybody who reads the brain sees it.")],
    minutes: Annotated[int, typer.Option("--minutes", min=1, max=60, help="How long.")] = 15,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Let this administrator's key read a brain for a while; its members see who looks, when and why."""
    with Client.of(load_settings(url=url, key=key)) as client:
        look = client.post(f"/v1/admin/brains/{brain_id}:break-glass", {"reason": reason, "seconds": minutes * 60})
    if as_json:
        print_json(look)
        return
    stdout().out(look["id"], highlight=False)
    remark(f"this key reads the brain until {look['ends_at']}; whatever it asks for until then is audited")


@app.command("end-look")
def end_look(
    brain_id: Annotated[UUID, typer.Argument(help="The brain that is looked into; its id.")],
    look_id: Annotated[UUID, typer.Argument(help="The look; `memdb brain looks` shows its id with --json.")],
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """End a look before its time."""
    with Client.of(load_settings(url=url, key=key)) as client:
        client.send("DELETE", f"/v1/admin/brains/{brain_id}/looks/{look_id}")
    if as_json:
        print_json({"id": str(look_id), "ended": True})
        return
    stdout().out(f"{look_id} is over", highlight=False)


@app.command("looks")
def looks(
    brain: Annotated[str, typer.Argument(help="A brain that the key reads; its id or its name.")],
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Show the newest looks of administrators into a brain, newest first."""
    with Client.of(load_settings(url=url, key=key)) as client:
        found = client.get(f"/v1/brains/{find_id(client, brain)}/looks", {"limit": _NEWEST})["items"]
    if as_json:
        print_json(found)
        return
    rows = [[plain(str(one[column] or "")) for column in _LOOK] for one in found]
    stdout().print(make_table(None, _LOOK, rows, first_whole=True))
