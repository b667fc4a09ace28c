"""`memdb config`: what is learned from conversations, as a file beside the code of a project says it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from api.cli.client import Client, Refused
from api.cli.options import Json, Key, Url
from api.cli.output import print_json, remark, stdout
from api.cli.project_config import FILE, read_enabled
from governance.policy.memory_rules import EXTRACTIONS
from governance.policy.sections import SECTIONS
from memdb.config import load_settings

app = typer.Typer(help="What is learned from conversations, as project-config.yaml says it.", no_args_is_help=True)
TRIES: Final = 5
"""As often somebody else may set the policy in between."""
LOOK_EVERY_S: Final = 0.5
_STATUS: Final = "/v1/admin/extraction"
_POLICY: Final = "/v1/admin/policy"
File = Annotated[Path, typer.Argument(help="The file; memory.extraction.enabled in it lists the kinds.")]
Wait = Annotated[bool, typer.Option("--wait", help="End only when it is in force for every server and worker.")]
Timeout = Annotated[float, typer.Option("--timeout", min=0.1, max=3_600, help="Seconds to wait at most.")]


@app.command("apply")
def apply(file: File = FILE, wait: Wait = False, timeout: Timeout = 60.0, url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Let an org learn the kinds that a file lists, and no other. Nothing else of the org's policy changes."""
    enabled = read_enabled(file)
    with Client.of(load_settings(url=url, key=key)) as client:
        changed, version = _set(client, enabled)
        status = _await(client, enabled, version, timeout) if wait else client.get(_STATUS)
    if as_json:
        print_json({"changed": changed, "version": version, **status})
        return
    done = f"policy version {version} is set" if changed else "nothing changed"
    stdout().out(f"{done}; {_sentence(status)}", highlight=False)
    if wait:
        stdout().out("in force for every server and worker", highlight=False)
    _warn(status)


@app.command("status")
def status(url: Url = None, key: Key = None, as_json: Json = False) -> None:
    """Show what is learned, where that comes from, and whether anybody learns."""
    with Client.of(load_settings(url=url, key=key)) as client:
        found = client.get(_STATUS)
    if as_json:
        print_json(found)
        return
    console = stdout()
    for line in _lines(found):
        console.out(line, highlight=False)
    _warn(found)


def _set(client: Client, enabled: Sequence[str] | None) -> tuple[bool, int]:
    """Make it part of the policy; whether that changed anything, and the version that says so."""
    for attempt in range(1, TRIES + 1):
        policy = client.get(_POLICY)
        memory = dict(policy["memory"])
        current = memory.get("extraction", {}).get("enabled")
        if (None if current is None else set(current)) == (None if enabled is None else set(enabled)):
            return False, policy["version"]
        memory["extraction"] = {**memory.get("extraction", {}), "enabled": None if enabled is None else list(enabled)}
        body = {name: policy[name] for name in SECTIONS if name in policy} | {"memory": memory, "expected_version": policy["version"]}
        try:
            return True, client.put(_POLICY, body)["version"]
        except Refused as refused:
            if refused.code != "version_conflict" or attempt == TRIES:
                raise
    raise AssertionError("the loop returns or raises")


def _await(client: Client, enabled: Sequence[str] | None, version: int, timeout_s: float) -> Mapping[str, Any]:
    """How it stands once it is in force.

    Raises:
        Refused: another version says otherwise, or the time is over.
    """
    until = time.monotonic() + timeout_s
    while True:
        found = client.get(_STATUS)
        said = tuple(found["enabled"]) if found["origin"] == "policy" else None
        if found["policy_version"] != version and said != (None if enabled is None else tuple(enabled)):
            raise Refused(f"policy version {found['policy_version']} was set meanwhile and says otherwise", "version_conflict")
        if found["in_force"]:
            reply: Mapping[str, Any] = found
            return reply
        if time.monotonic() >= until:
            message = f"policy version {version} is set, but a worker still has in hand what is off; ask again with memdb config status"
            raise Refused(message, "not_in_force")
        time.sleep(LOOK_EVERY_S)


def _lines(found: Mapping[str, Any]) -> list[str]:
    version = found["policy_version"]
    last = f"version {version}, set {found['policy_set_at'][:16].replace('T', ' ')}" if version else "none was set"
    waiting = ", ".join(f"{found['waiting'][kind]} {kind}" for kind in EXTRACTIONS if found["waiting"].get(kind)) or "none"
    return [
        _sentence(found),
        f"last policy: {last}",
        f"waiting extractions: {waiting}",
        f"in force: {'yes' if found['in_force'] else 'not yet: a worker still has in hand what is off'}",
        f"worker: {'alive' if found['worker_alive'] else 'none'}",
    ]


def _sentence(found: Mapping[str, Any]) -> str:
    origins = {
        "policy": f"policy version {found['policy_version']}",
        "setting": "MEMDB_ENABLED_EXTRACTIONS of the server; the policy says nothing",
        "default": "the default; neither policy nor server say anything",
    }
    return f"learned from conversations: {', '.join(found['enabled']) or 'nothing'} ({origins[found['origin']]})"


def _warn(found: Mapping[str, Any]) -> None:
    if not found["worker_alive"]:
        remark("no worker is alive, so nothing is learned: start `memdb worker`, or serve with `memdb up`")
