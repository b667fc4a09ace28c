"""`memdb org`: orgs, as the owner of the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json
from api.cli.output import make_table, print_json, remark, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import administering
else:
    administering = Lazy("api.cli.administering")

app = typer.Typer(help="Make, list and delete orgs, as the owner of the database.", no_args_is_help=True)
Name = Annotated[str, typer.Argument(help="1 to 40 of a-z, 0-9 and hyphen; part of every key of the org.")]


@app.command("create")
def create(name: Name, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Make an org with its first person and that person's admin key, which is shown this once."""
    made = administering.create_org(load_settings(data_dir=data_dir), name)
    if as_json:
        print_json(made)
        return
    width = max(map(len, made))
    stdout().out("\n".join(f"{name:<{width}}  {value}" for name, value in made.items()), highlight=False)
    remark("the key is shown this once; keep it")


@app.command("list")
def list_(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Show every org."""
    orgs = administering.list_orgs(load_settings(data_dir=data_dir))
    if as_json:
        print_json(orgs)
        return
    stdout().print(make_table(None, ("name", "id", "created"), [tuple(org.values()) for org in orgs]))


@app.command("delete")
def delete(
    name: Name,
    confirm: Annotated[str | None, typer.Option("--confirm", help="The name again; without it you are asked.")] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Delete an org and everything in it but its audit events. There is no way back but a backup."""
    settings = load_settings(data_dir=data_dir)
    given = confirm if confirm is not None else typer.prompt(f"This deletes every memory of {name}. Type the name to confirm", err=True)
    rows = administering.delete_org(settings, name, given)
    if as_json:
        print_json({"name": name, "rows": rows})
        return
    stdout().out(f"{name} is deleted ({rows} rows)", highlight=False)
