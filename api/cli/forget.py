"""`memdb forget`: for good, with a look before, a receipt behind, and a search for what is left."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID

import typer

from api.cli.client import Client
from api.cli.exits import Exit
from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json, Key, Url
from api.cli.output import make_table, print_json, progress, remark, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import forgetting
else:
    forgetting = Lazy("api.cli.forgetting")

app = typer.Typer(help="Forget somebody or something for good, and prove it.", invoke_without_command=True, no_args_is_help=True)
_POLL_S: Final = 1.0

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]
Receipt = Annotated[Path | None, typer.Option("--receipt", help="Write the signed receipt to this file.")]


@app.callback()
def group(
    context: typer.Context,
    check: Annotated[bool, typer.Option("--check", help="Look for strings of stdin and for what the ledger knows, everywhere.")] = False,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Forget somebody or something for good. `--check` looks for what is left; it exits 1 when something is."""
    if context.invoked_subcommand is not None:
        return
    if not check:
        raise typer.BadParameter("give a command, or --check")
    strings = [] if sys.stdin.isatty() else sys.stdin.read().splitlines()
    with progress("searching", None) as advance:
        checked = forgetting.check(load_settings(data_dir=data_dir), strings, advance)
    if as_json:
        found = [{"table": one.table, "column": one.column, "rows": one.rows} for one in checked.found]
        print_json({"strings": checked.strings, "tombstones": checked.tombstones, "tables": checked.tables, "found": found})
    else:
        if checked.found:
            rows = [(one.table, one.column, str(one.rows)) for one in checked.found]
            stdout().print(make_table("left", ("table", "column", "rows"), rows))
        remark(f"looked for {checked.strings} strings in {checked.tables} tables, and for {checked.tombstones} tombstones of the ledger")
    if not checked.clean:
        raise typer.Exit(Exit.FAILED)


@app.command("subject")
def subject(
    subject_id: Annotated[UUID, typer.Argument(help="Id of a subject, as `memdb people list` shows it.")],
    dry_run: DryRun = False, yes: Yes = False, receipt: Receipt = None, url: Url = None, key: Key = None, as_json: Json = False,
) -> None:  # fmt: skip
    """Erase a subject: everything about and by it. Needs a key with the capability admin."""
    _forget("subjects", subject_id, dry_run, yes, receipt, (url, key), as_json)


@app.command("memory")
def memory(
    memory_id: Annotated[UUID, typer.Argument(help="Id of a memory.")],
    dry_run: DryRun = False, yes: Yes = False, receipt: Receipt = None, url: Url = None, key: Key = None, as_json: Json = False,
) -> None:  # fmt: skip
    """Erase a memory with what it alone rests on."""
    _forget("memories", memory_id, dry_run, yes, receipt, (url, key), as_json)


@app.command("session")
def session(
    session_id: Annotated[UUID, typer.Argument(help="Id of a session.")],
    dry_run: DryRun = False, yes: Yes = False, receipt: Receipt = None, url: Url = None, key: Key = None, as_json: Json = False,
) -> None:  # fmt: skip
    """Erase what was said in a session, and what was learned from it alone."""
    _forget("sessions", session_id, dry_run, yes, receipt, (url, key), as_json)


@app.command("source")
def source(
    episode_id: Annotated[UUID, typer.Argument(help="Id of an episode, as the sources of a memory show it.")],
    dry_run: DryRun = False, yes: Yes = False, receipt: Receipt = None, url: Url = None, key: Key = None, as_json: Json = False,
) -> None:  # fmt: skip
    """Erase a source, and the memories that came from it alone."""
    _forget("episodes", episode_id, dry_run, yes, receipt, (url, key), as_json)


@app.command("org")
def org(
    name: Annotated[str, typer.Argument(help="Name of the org.")],
    dry_run: DryRun = False,
    yes: Yes = False,
    receipt: Receipt = None,
    data_dir: DataDir = None,
    as_json: Json = False,
) -> None:
    """Erase an org, as the owner of the database: every row but its audit events and the ledger."""
    settings = load_settings(data_dir=data_dir)
    counts = forgetting.look_at(settings, name)
    if dry_run:
        _show({"state": "looked", "counts": counts}, as_json)
        return
    if not yes:
        given = typer.prompt(f"This erases every memory of {name}. Type the name to confirm", err=True)
        if given != name:
            raise typer.Abort
    made = forgetting.forget(settings, name)
    _keep(receipt, made)
    _show({"state": "complete", "counts": made["counts"], "receipt": made}, as_json)


@app.command("show")
def show(
    erasure_id: Annotated[UUID, typer.Argument(help="Id of an erasure.")],
    receipt: Receipt = None, url: Url = None, key: Key = None, as_json: Json = False,
) -> None:  # fmt: skip
    """Show how far an erasure is, and what it leaves to decide."""
    with Client.of(load_settings(url=url, key=key)) as client:
        reply = client.get(f"/v1/admin/erasures/{erasure_id}")
        left = _list(client, f"/v1/admin/erasures/{erasure_id}/decisions")
    _keep(receipt, reply["receipt"])
    _show({**reply, "left": left}, as_json)


@app.command("decide")
def decide(
    erasure_id: Annotated[UUID, typer.Argument(help="Id of an erasure.")],
    decision: Annotated[str, typer.Argument(help="erase: the name there means the subject; keep: it means somebody else.")],
    objects: Annotated[list[UUID] | None, typer.Argument(help="Ids that `memdb forget show` lists; all that are open without one.")] = None,
    receipt: Receipt = None, url: Url = None, key: Key = None, as_json: Json = False,
) -> None:  # fmt: skip
    """Decide what an erasure left; it goes on with that."""
    if decision not in {"erase", "keep"}:
        raise typer.BadParameter("a decision is erase or keep")
    body = {"decision": decision} | ({"objects": [str(one) for one in objects]} if objects else {})
    with Client.of(load_settings(url=url, key=key)) as client:
        reply = _wait(client, client.post(f"/v1/admin/erasures/{erasure_id}:decide", body))
    _keep(receipt, reply["receipt"])
    _show(reply, as_json)


@app.command("ledger")
def ledger(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Write the ledger of erasures to its file outside the database."""
    path, lines = forgetting.export_ledger(load_settings(data_dir=data_dir))
    if as_json:
        print_json({"file": str(path), "new": lines})
        return
    stdout().out(f"{path}: {lines} new tombstones", highlight=False)


@app.command("verify")
def verify(
    file: Annotated[Path, typer.Argument(help="A receipt.", exists=True, dir_okay=False)], data_dir: DataDir = None, as_json: Json = False
) -> None:
    """Verify a receipt: that it is as it was signed, and with the root secret at hand that this installation signed it."""
    genuine, compared, receipt = forgetting.verify(load_settings(data_dir=data_dir), file)
    if as_json:
        print_json({"genuine": genuine, "compared_with_secret": compared, "erasure_id": receipt.get("erasure_id")})
    elif genuine:
        by = "by this installation" if compared else f"by the key {receipt['public_key']}; no root secret is here to compare with"
        stdout().out(f"genuine: erasure {receipt.get('erasure_id')}, signed {by}", highlight=False)
    else:
        remark("not genuine: the receipt was changed, or another installation signed it")
    if not genuine:
        raise typer.Exit(Exit.FAILED)


def _forget(
    what: str, object_id: UUID, dry_run: bool, yes: bool, receipt: Path | None, server: tuple[str | None, str | None], as_json: bool
) -> None:
    path = f"/v1/{what}/{object_id}:forget"
    with Client.of(load_settings(url=server[0], key=server[1])) as client:
        if dry_run or not yes:
            look = client.post(path, {"dry_run": True})
            if dry_run:
                _show(look, as_json)
                return
            remark(_line(look["counts"]) or "nothing but the directory")
            typer.confirm("This cannot be undone. Erase it?", abort=True, err=True)
        reply = _wait(client, client.post(path, {}))
    _keep(receipt, reply["receipt"])
    _show(reply, as_json)


def _wait(client: Client, reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """The erasure once it runs no longer; a job works at it."""
    with progress("erasing", None) as advance:
        while reply["state"] == "running":
            time.sleep(_POLL_S)
            reply = client.get(f"/v1/admin/erasures/{reply['id']}")
            advance(1)
    return reply


def _keep(file: Path | None, receipt: Mapping[str, Any] | None) -> None:
    if file is not None and receipt is not None:
        forgetting.write_receipt(file, receipt)


def _show(reply: Mapping[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(reply)
        return
    rows = [(table, str(number)) for table, number in sorted(reply["counts"].items())]
    stdout().print(make_table(reply["state"], ("table", "rows"), rows))
    if reply.get("id") is not None:
        remark(f"erasure {reply['id']}")
    if reply.get("ambiguous_labels"):
        remark(f"others are called so too: {', '.join(reply['ambiguous_labels'])}")
    left = reply.get("left") or []
    if left:
        columns = ("object", "kind", "brain", "why", "decision")
        stdout().print(
            make_table(
                "left to decide",
                columns,
                [(one["object_id"], one["object_kind"], one["brain_id"], one["reason"], one["decision"]) for one in left],
                first_whole=True,
            )
        )
    if reply["state"] == "deciding":
        remark("not complete: `memdb forget show` lists what is left to decide, `memdb forget decide` decides it")


def _line(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number} {table.replace('_', ' ')}" for table, number in sorted(counts.items()))


def _list(client: Client, path: str) -> list[Mapping[str, Any]]:
    query: dict[str, object] = {"limit": 200}
    found: list[Mapping[str, Any]] = []
    while True:
        page = client.get(path, query)
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        query["cursor"] = page["next_cursor"]
