"""`memdb brain`: the brains of a key."""

from __future__ import annotations

import typer

from api.cli.brains import list_brains
from api.cli.client import Client
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, print_json, stdout
from memdb.config import load_settings

app = typer.Typer(help="Look at the brains that a key may read.", no_args_is_help=True)
_COLUMNS = ("id", "kind", "name", "role", "home")


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
