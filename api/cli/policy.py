"""`memdb policy`: the policy of an org as a YAML file that is kept beside other configuration, checked, tried and set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.client import Client
from api.cli.exits import Exit
from api.cli.lazy import Lazy
from api.cli.options import Json, Key, Url
from api.cli.output import make_table, print_error, print_json, remark, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import policing
else:
    policing = Lazy("api.cli.policing")

app = typer.Typer(help="What an org does with its texts and with doubtful writes, as one YAML file.", no_args_is_help=True)
_POLICY = "/v1/admin/policy"
_HISTORY_MAX = 200
File = Annotated[Path, typer.Argument(help="The policy as YAML.")]
Last = Annotated[int | None, typer.Option("--dry-run", min=1, max=1_000, help="Set nothing; try it on so many of the last memories.")]
Expected = Annotated[int | None, typer.Option("--expected-version", min=0, help="Refuse when the policy is at another version by now.")]


@app.command("show")
def show(
    version: Annotated[int | None, typer.Option("--version", min=0, help="An earlier version; 0 is the defaults.")] = None,
    effective: Annotated[bool, typer.Option("--effective", help="With everything that the policy does not name.")] = False,
    url: Url = None,
    key: Key = None,
    as_json: Json = False,
) -> None:
    """Print the policy as a file that `memdb policy apply` takes."""
    with Client.of(load_settings(url=url, key=key)) as client:
        found = client.get(_POLICY, None if version is None else {"version": version})
    shown = policing.fill(found) if effective else found
    if as_json:
        print_json(shown)
        return
    stdout().out(policing.render(shown), highlight=False, end="")


@app.command("check")
def check(file: File, as_json: Json = False) -> None:
    """Say what is wrong in a file, line by line; whether its brains exist is seen when it is applied."""
    _read(file, as_json=as_json)
    if as_json:
        print_json({"valid": True, "problems": []})
    else:
        stdout().out(f"{file.name} is a policy", highlight=False)


@app.command("apply")
def apply(
    file: File, dry_run: Last = None, expected_version: Expected = None, url: Url = None, key: Key = None, as_json: Json = False
) -> None:
    """Make a file the policy of the org, as its next version; one that changes nothing makes none."""
    content = _read(file, as_json=as_json)
    with Client.of(load_settings(url=url, key=key)) as client:
        if dry_run is not None:
            _preview(client, content, dry_run, as_json=as_json)
            return
        before = client.get(_POLICY)
        same = policing.says_the_same(content, before) and expected_version in {None, before["version"]}
        query = "" if expected_version is None else f"?expected_version={expected_version}"
        after = before if same else client.send("PUT", _POLICY + query, content, content_type="application/yaml")
    if as_json:
        print_json({"changed": not same, **after})
        return
    done = f"nothing changed; the policy is at version {after['version']}" if same else f"policy version {after['version']} is set"
    stdout().out(done, highlight=False)
    if not same:
        remark("memories that are stored stay as they are: `memdb redact scan` shows what the new rules would redact in them")


@app.command("history")
def history(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """List the versions that were set, newest first."""
    with Client.of(load_settings(url=url, key=key)) as client:
        page = client.get(f"{_POLICY}/versions", {"limit": _HISTORY_MAX})
    if as_json:
        print_json(page)
        return
    rows = [
        (str(each["version"]), each["created_at"][:16].replace("T", " "), each["created_by"], policing.summary(each))
        for each in page["items"]
    ]
    stdout().print(make_table(None, ("version", "set", "by", "says"), rows, first_whole=True))
    if page["next_cursor"]:
        remark(f"the newest {_HISTORY_MAX} are shown; GET {_POLICY}/versions pages through all")


def _read(file: Path, *, as_json: bool) -> bytes:
    """The content of a file that is a policy; else every problem, and the end."""
    content, problems = policing.read(file)
    if not problems:
        return bytes(content)
    if as_json:
        print_json({"valid": False, "problems": problems})
    for each in problems:
        where = f"{file.name}, line {each['line']}" + (f": {each['path']}" if each["path"] else "")
        print_error(f"{where}: {each['reason']}", "invalid_input")
    raise typer.Exit(Exit.FAILED)


def _preview(client: Client, content: bytes, last: int, *, as_json: bool) -> None:
    found: dict[str, Any] = client.send("POST", f"{_POLICY}:preview?last={last}", content, content_type="application/yaml")
    if as_json:
        print_json(found)
        return
    console = stdout()
    console.out(policing.sentence(found), highlight=False)
    for name, ids in (found["ids"] or {}).items():
        for memory_id in ids:
            console.out(f"{name} {memory_id}", highlight=False)
