"""The commands of `memdb`, and how any of them ends. `main.py` is the entry point."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from api.cli import (
    audit,
    backup,
    brain,
    config,
    demo,
    doctor,
    feedback,
    forget,
    key,
    mcp,
    migrate,
    org,
    people,
    people_cards,
    policy,
    quarantine,
    recall,
    redact,
    remember,
    review,
    serve,
    sessions,
    transfer,
    up,
    worker,
)
from api.cli.client import Refused
from api.cli.exits import Exit, exit_of
from api.cli.output import print_error
from api.cli.release import release
from api.logging import configure
from governance.errors import ServiceError

_HELP = "A memory database for AI agents: what they learned, redacted, found again with evidence."

app = typer.Typer(
    name="memdb",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"memdb {release()}\n")
        raise typer.Exit


@app.callback(help=_HELP)
def memdb(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the release and end.")] = False,
) -> None:
    """Take the options that stand before a command."""


app.command("up")(up.up)
app.command("serve")(serve.serve)
app.command("worker")(worker.worker)
app.command("migrate")(migrate.migrate)
app.command("demo")(demo.demo)
app.add_typer(org.app, name="org")
app.add_typer(key.app, name="key")
app.add_typer(redact.app, name="redact")
app.add_typer(audit.app, name="audit")
app.add_typer(quarantine.app, name="quarantine")
app.add_typer(review.app, name="review")
app.add_typer(forget.app, name="forget")
app.add_typer(brain.app, name="brain")
people_cards.register(people.app)
app.add_typer(people.app, name="people")
app.add_typer(sessions.app, name="sessions")
app.add_typer(config.app, name="config")
app.add_typer(policy.app, name="policy")
app.command("remember")(remember.remember)
app.command("recall")(recall.recall)
app.command("feedback")(feedback.feedback)
app.command("import")(transfer.import_)
app.command("export")(transfer.export)
app.command("backup")(backup.backup)
app.command("restore")(backup.restore)
app.command("mcp")(mcp.mcp)
app.command("doctor")(doctor.doctor)


def run() -> None:
    """Run the command of `sys.argv` and exit with its code; one line on stderr for any error, never a traceback."""
    configure("warning", "console")
    try:
        app()
    except ServiceError as error:
        print_error(error.message, error.code)
        sys.exit(exit_of(error))
    except Refused as refused:
        print_error(refused.message, refused.code)
        sys.exit(Exit.UNAVAILABLE if refused.retryable else Exit.FAILED)
    except KeyboardInterrupt:
        sys.exit(Exit.INTERRUPTED)
    except Exception as error:  # noqa: BLE001 - the last one to hear of it; the text of an error may quote memories, so it is not shown
        print_error(f"unexpected {type(error).__qualname__} at {_place(error)}; please report it", "internal")
        sys.exit(Exit.FAILED)


def _place(error: BaseException) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(frame.filename).name}:{frame.lineno}"
