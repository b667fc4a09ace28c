"""The work of `memdb redact scan`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from uuid import UUID

from api.cli.loops import run_async
from api.cli.output import Advance
from api.cli.owning import Owned, open_database, own
from api.cli.secret import read_keyring
from api.container import build_runtime, close_runtime
from governance.errors import InvalidInput
from governance.redaction.names.known import NOBODY
from governance.redaction.policy import OrgRedaction
from memdb.config import Settings
from memdb.directory.orgs import get_org
from memdb.embedded.layout import naming_path, write_private
from memdb.errors import ConfigurationError
from memdb.lifecycle.rescan.scan import START, scan
from memdb.lifecycle.rescan.work import Position, Scan, ScanReport
from memdb.storage.database import Identity
from memdb.storage.policies import find_policy

_FORMAT: Final = 1


@dataclass(frozen=True, slots=True)
class Done:
    """A finished scan."""

    org: str
    policy_version: int
    applied: bool
    report: ScanReport

    @property
    def clean(self) -> bool:
        """True when nothing is left that should not stand where it stands."""
        left = self.report.found and not self.applied
        return not left and not self.report.reported_total and not self.report.unsealed

    def lines(self) -> list[str]:
        """What to say beside the table of findings."""
        report = self.report
        said = ["read: " + ", ".join(f"{what} {count}" for what, count in sorted(report.read.items()) if count)]
        if self.applied:
            said.append("rewritten: " + (", ".join(f"{what} {count}" for what, count in sorted(report.rewritten.items())) or "nothing"))
        elif report.found:
            said.append("nothing was changed; --apply redacts what was found")
        said += [f"{where} {object_id} holds personal data; change or delete it" for where, object_id in report.reported]
        if report.reported_total > len(report.reported):
            said.append(f"and {report.reported_total - len(report.reported)} more names")
        said += [f"memory {memory_id} does not match its seal and was not read" for memory_id in sorted(report.unsealed)]
        if report.without_vector:
            said.append(f"{report.without_vector} rewritten texts have no vector yet: the embedding provider did not answer")
        return said

    def as_json(self) -> dict[str, Any]:
        """The same for programs."""
        report = self.report
        return {
            "org": self.org,
            "policy_version": self.policy_version,
            "applied": self.applied,
            "read": dict(report.read),
            "found": [{"where": where, "entity": entity, "times": count} for (where, entity), count in sorted(report.found.items())],
            "rewritten": dict(report.rewritten),
            "names": [{"where": where, "id": str(object_id)} for where, object_id in report.reported],
            "names_total": report.reported_total,
            "unsealed": [str(memory_id) for memory_id in sorted(report.unsealed)],
            "without_vector": report.without_vector,
        }


def run(settings: Settings, org_name: str, *, apply: bool, state_file: Path | None, advance: Advance) -> Done:
    """Scan an org.

    Args:
        settings: of this process.
        org_name: which org.
        apply: rewrite what is found.
        state_file: read at the start, written after each page, removed at the end; None begins at the beginning.
        advance: called with how many rows are done.

    Raises:
        NotFound: no such org.
        ConfigurationError: the database is one that somebody else runs and only one of its two URLs is set.
        InvalidInput: the state file is of another scan.
    """
    with own(settings) as owned:
        return run_async(_run(settings, owned, org_name, apply=apply, state=_State(state_file, org_name, apply=apply), advance=advance))


async def _run(settings: Settings, owned: Owned, org_name: str, *, apply: bool, state: _State, advance: Advance) -> Done:
    runtime = await build_runtime(settings, app_url=_app_url(settings, owned), keyring=read_keyring(settings))

    def tell(position: Position, rows: int) -> None:
        state.write(position)
        advance(rows)

    try:
        async with open_database(owned) as owner:
            org = await get_org(owner, org_name)
            async with owner.read(Identity(org.id)) as conn:
                row = await find_policy(conn, org.id)
            assert row is not None, "without a version the newest is the default"
            policy = row.document.compile(row.version).redaction
            known = await runtime.directory.names(runtime.database, Identity(org.id)) if policy.finds_names else NOBODY
            work = Scan(runtime, owner, org.id, OrgRedaction(policy, known), apply, tell)
            report = await scan(work, state.read())
    finally:
        await close_runtime(runtime)
    state.remove()
    return Done(org_name, row.version, apply, report)


def _app_url(settings: Settings, owned: Owned) -> str:
    if owned.cluster is not None:
        return owned.cluster.app_url
    if settings.database_url is None:
        raise ConfigurationError("set MEMDB_DATABASE_URL, as the role memdb_app, beside MEMDB_OWNER_URL")
    return settings.database_url.get_secret_value()


class _State:
    """Where a scan stands, in a file."""

    def __init__(self, file: Path | None, org: str, *, apply: bool) -> None:
        self._file = file
        self._of = {"format": _FORMAT, "org": org, "apply": apply}

    def read(self) -> Position:
        if self._file is None or not self._file.exists():
            return START
        problem = InvalidInput(f"{self._file} is not the state of this scan; remove it to begin anew", field="state")
        try:
            document = json.loads(self._file.read_text(encoding="utf-8"))
            brain, stage, after = document.pop("position")
            position = Position(None if brain is None else UUID(brain), stage, None if after is None else UUID(after))
        except (OSError, ValueError, AttributeError, KeyError, TypeError):
            raise problem from None
        if document != self._of or stage not in {"fragments", "memories", "questions"}:
            raise problem
        return position

    def write(self, position: Position) -> None:
        if self._file is None:
            return
        brain, stage, after = position
        shown = [None if brain is None else str(brain), stage, None if after is None else str(after)]
        with naming_path(self._file, "write the state"):
            write_private(self._file, json.dumps(self._of | {"position": shown}) + "\n")

    def remove(self) -> None:
        if self._file is not None:
            self._file.unlink(missing_ok=True)
