"""`memdb redact`: stored texts against the redactor and the policy of today, as the owner of the database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.exits import Exit
from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json, Org
from api.cli.output import make_table, print_json, progress, remark, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import redacting
else:
    redacting = Lazy("api.cli.redacting")

app = typer.Typer(help="Redact what is stored, as the owner of the database.", no_args_is_help=True)
FIRST_ORG = "main"


@app.callback()
def _group() -> None:
    """Keep `scan` a command of its own while it is the only one."""


@app.command("scan")
def scan(
    org: Org = FIRST_ORG,
    apply: Annotated[bool, typer.Option("--apply", help="Redact what is found; without it nothing is changed.")] = False,
    state: Annotated[Path | None, typer.Option("--state", help="Where progress is kept, so that a scan that was cut off goes on.")] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Find personal data and secrets that an older policy or redactor let through, in texts, versions, sources, questions and names."""
    settings = load_settings(data_dir=data_dir)
    with progress("scanning", None) as advance:
        done = redacting.run(settings, org, apply=apply, state_file=state, advance=advance)
    if as_json:
        print_json(done.as_json())
    else:
        rows = [(where, entity, str(count)) for (where, entity), count in sorted(done.report.found.items())]
        stdout().print(make_table(None, ("where", "found", "times"), rows))
        for line in done.lines():
            remark(line)
    if not done.clean:
        raise typer.Exit(Exit.FAILED)
