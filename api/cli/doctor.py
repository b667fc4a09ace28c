"""`memdb doctor`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from api.cli.exits import Exit
from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json
from api.cli.output import make_table, print_json, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import diagnosing
else:
    diagnosing = Lazy("api.cli.diagnosing")


def doctor(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Look for what is wrong and say how to put it right; changes nothing."""
    findings = diagnosing.run(load_settings(data_dir=data_dir))
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        signs = {True: Text("ok", "green"), False: Text("FAILS", "bold red")}
        rows = [(signs[f.ok], f.name, f.detail, f.fix) for f in findings]
        stdout().print(make_table(None, ("", "looked at", "found", "what to do"), rows))
    if not all(finding.ok for finding in findings):
        raise typer.Exit(Exit.FAILED)
