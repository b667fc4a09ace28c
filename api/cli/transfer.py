"""`memdb import` and `memdb export`: files with one JSON object a line, in the shape of a write."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from api.cli.brains import find_id
from api.cli.client import Client
from api.cli.exits import Exit
from api.cli.exporting import export_to
from api.cli.importing import STATE_SUFFIX, count_lines, import_file
from api.cli.options import Json, Key, Url
from api.cli.output import Advance, print_json, progress, remark
from memdb.config import load_settings
from memdb.embedded.layout import naming_path, open_private

SHOWN_MAX = 20
STDOUT = "-"


def import_(
    file: Annotated[Path, typer.Argument(help="One JSON object a line, as POST /v1/memories takes it.", exists=True, dir_okay=False)],
    brain: Annotated[str | None, typer.Option("--brain", help="Where to, by id or name, whatever the lines say.")] = None,
    state: Annotated[Path | None, typer.Option("--state", help="Where progress is kept; default: FILE.memdb-state.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Write the memories of a file; a second run goes on where the first one ended and stores nothing twice."""
    state_file = state or file.with_name(file.name + STATE_SUFFIX)
    with Client.of(load_settings(url=url, key=key)) as client, progress("importing", count_lines(file)) as advance:
        done = import_file(client, file, state_file, None if brain is None else find_id(client, brain), advance)
    if as_json:
        print_json({"lines": done.lines, "stored": done.stored, "held": done.held, "failed": [list(f) for f in done.failed]})
    else:
        for line, code in done.failed[:SHOWN_MAX]:
            remark(f"line {line}: {code}")
        if len(done.failed) > SHOWN_MAX:
            remark(f"and {len(done.failed) - SHOWN_MAX} more; --json lists all")
        remark(f"{done.stored} stored ({done.held} of them held), {len(done.failed)} failed")
    if done.failed:
        raise typer.Exit(Exit.FAILED)


def export(
    file: Annotated[Path, typer.Argument(help="Where to; - is stdout. An existing file is replaced once all is written.")],
    brain: Annotated[str | None, typer.Option("--brain", help="Only this brain, by id or name.")] = None,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Write every memory that the key may read, newest first, as `memdb import` takes it anywhere; held ones are never among them."""
    with Client.of(load_settings(url=url, key=key)) as client, progress("exporting", None) as advance:
        brain_id = None if brain is None else find_id(client, brain)
        if str(file) == STDOUT:
            count = export_to(client, sys.stdout, brain_id, advance)
            sys.stdout.flush()
        else:
            count = _export_file(client, file, brain_id, advance)
    if as_json and str(file) != STDOUT:
        print_json({"file": str(file), "memories": count})
    else:
        remark(f"{count} memories exported")


def _export_file(client: Client, file: Path, brain_id: str | None, advance: Advance) -> int:
    draft = file.with_name(file.name + ".partial")
    with naming_path(file, "write the export"):
        # SECURITY: memories are private; so is the file.
        descriptor = open_private(draft, os.O_WRONLY | os.O_TRUNC)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                count = export_to(client, out, brain_id, advance)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    return count
