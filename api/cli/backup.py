"""`memdb backup` and `memdb restore`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json
from api.cli.output import print_json, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import backups
else:
    backups = Lazy("api.cli.backups")


def backup(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder to make; it must not exist or be empty.")],
    include_secret: Annotated[bool, typer.Option("--include-secret", help="Also the secret file; then keep the folder as safe.")] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Write the whole database to a folder; the server may run meanwhile."""
    manifest = backups.back_up(load_settings(data_dir=data_dir), folder, include_secret=include_secret)
    if as_json:
        print_json(manifest)
        return
    lines = [f"backed up to {folder}: {manifest['orgs']} orgs, schema version {manifest['schema_version']}"]
    if not include_secret:
        lines.append(
            f"not in it: the secret file with root key {', '.join(manifest['key_ids']) or '(none used yet)'}; keep a copy of that too"
        )
    stdout().out("\n".join(lines), highlight=False)


def restore(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="What `memdb backup` made.", exists=True, file_okay=False)],
    replace: Annotated[bool, typer.Option("--replace", help="Replace a database that is not empty.")] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Fill the database from a backup; stop its servers first."""
    manifest = backups.bring_back(load_settings(data_dir=data_dir), folder, replace=replace)
    if as_json:
        print_json(manifest)
        return
    stdout().out(f"restored from {folder}: {manifest['orgs']} orgs, made at {manifest['made_at']}", highlight=False)
    again = manifest["erased_again"]
    if again:
        stdout().out(
            "erased again by the ledger: " + ", ".join(f"{number} {what}" for what, number in sorted(again.items())), highlight=False
        )
