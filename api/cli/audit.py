"""`memdb audit`: the log of what happened, checked against what is stored; as the owner of the database."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.exits import Exit
from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json
from api.cli.output import print_json, progress, remark
from memdb.config import load_settings
from memdb.errors import ConfigurationError

if TYPE_CHECKING:
    from api.cli import auditing
else:
    auditing = Lazy("api.cli.auditing")

app = typer.Typer(help="Check what is stored against the log of what happened, as the owner of the database.", no_args_is_help=True)
OneOrg = Annotated[str | None, typer.Option("--org", help="Name of one org; without it all of them.")]


@app.command("verify")
def verify(
    org: OneOrg = None,
    head: Annotated[
        Path | None, typer.Option("--head", help="A copy of a head that was kept elsewhere, instead of the exported one.")
    ] = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Check memories, versions, index and vectors against events, events against the chain, and the chain against its exported head."""
    settings = load_settings(data_dir=data_dir)
    with progress("verifying", None) as advance:
        reports = auditing.verify(settings, org, head, advance)
    if as_json:
        print_json([auditing.report_json(report) for report in reports])
    else:
        for line in [line for report in reports for line in auditing.report_lines(report)]:
            typer.echo(line)
    if not all(report.intact for report in reports):
        raise typer.Exit(Exit.FAILED)


@app.command("seal")
def seal(org: OneOrg = None, data_dir: DataDir = None, as_json: Json = False) -> None:
    """Give events that wait their places in the log now, and export the heads; a running server does it every few seconds."""
    done = auditing.seal(load_settings(data_dir=data_dir), org)
    if as_json:
        print_json(done)
    else:
        for name, events in done.items():
            typer.echo(f"org {name}: {events} events sealed")


@app.command("reseal")
def reseal(
    org: OneOrg = None,
    accept_unverified: Annotated[
        bool, typer.Option("--accept-unverified", help="Yes: take what does not verify for what it should be. It is audited.")
    ] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Accept memories that do not verify as they are, and a log that does not extend its head: after a lost secret or a restore."""
    if not accept_unverified:
        message = "this takes forged rows for genuine ones as well: look at memdb audit verify first, then add --accept-unverified"
        raise ConfigurationError(message)
    settings = load_settings(data_dir=data_dir)
    with progress("resealing", None) as advance:
        done = auditing.reseal(settings, org, advance)
    if as_json:
        print_json([asdict(each) for each in done])
        return
    for each in done:
        aside = "; the former head was put aside" if each.head_put_aside else ""
        typer.echo(f"org {each.org}: {each.memories} memories sealed as they are{aside}")
    remark("run memdb audit seal, then memdb audit verify, before you serve")
