"""What the parts of a scan share: how far it came, what it found, and the redactor with the policy of the brain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from uuid import UUID

from governance.audit import OWNER
from governance.errors import PersonalDataInIdentifier
from governance.redaction.findings import Action, RedactedJson, RedactedText, Redaction
from governance.redaction.policy import OrgRedaction
from governance.redaction.rules import RedactionRules
from memdb.keyring import Purpose
from memdb.runtime import Runtime
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Database, WriteConn

PAGE: Final = 200
PLACES_MAX: Final = 1_000  # of names that are only reported


class Position(NamedTuple):
    """How far a scan came: brains by id, in each fragments, then memories, by id; then the org itself, with the brain None."""

    brain_id: UUID | None
    stage: str
    after: UUID | None


@dataclass(slots=True)
class ScanReport:
    """What a scan read and found. `found` counts findings that the policy does not keep, by (where, entity type)."""

    read: Counter[str] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    rewritten: Counter[str] = field(default_factory=Counter)
    reported: list[tuple[str, UUID]] = field(default_factory=list)  # (where, id) of names with personal data; at most PLACES_MAX
    reported_total: int = 0
    unsealed: set[UUID] = field(default_factory=set)  # memories that do not match their seal, and so are not written to
    without_vector: int = 0  # rewritten while the embedding provider did not answer


@dataclass(frozen=True, slots=True)
class Scan:
    """A scan of one org.

    Args:
        runtime: what the process holds; its database connects as memdb_app.
        owner: the same database as its owner.
        org_id: the org.
        org: its policy, and the names that it has given.
        apply: rewrite what is found; False only reports.
        advance: called after each page with where the scan stands and how many rows the page had.
    """

    runtime: Runtime
    owner: Database
    org_id: UUID
    org: OrgRedaction
    apply: bool
    advance: Callable[[Position, int], None]
    report: ScanReport = field(default_factory=ScanReport)


class Numbered:
    """The redactor for the texts of one row: labels numbered together, and findings counted by where they were."""

    def __init__(self, work: Scan, rules: RedactionRules, context: str, raw: Iterable[str]) -> None:
        self._work = work
        self._rules = rules
        self._key = work.runtime.keyring.derive(Purpose.PSEUDONYM, work.org_id, context=context)
        self._numbering = work.runtime.redactor.numbering()
        for text in raw:
            self._numbering.reserve(text)

    def redact(self, text: str, where: str) -> RedactedText:
        done = self._work.runtime.redactor.redact(
            text, rules=self._rules, key=self._key, numbering=self._numbering, field=where, known=self._work.org.known
        )
        self._count(where, done.redactions)
        return done

    def redact_json(self, value: object, where: str) -> RedactedJson:
        done = self._work.runtime.redactor.redact_json(
            value, rules=self._rules, key=self._key, numbering=self._numbering, field=where, known=self._work.org.known
        )
        self._count(where, [each.redaction for each in done.redactions])
        return done

    def _count(self, where: str, found: Iterable[Redaction]) -> None:
        self._work.report.found.update((where, str(r.entity)) for r in found if r.action is not Action.KEEP)


def check_names(work: Scan, rules: RedactionRules, place: tuple[str, UUID], values: Iterable[str]) -> None:
    where, object_id = place
    try:
        for value in values:
            work.runtime.redactor.check_identifier(value, where, rules)
    except PersonalDataInIdentifier:
        report_name(work, where, object_id)


def report_name(work: Scan, where: str, object_id: UUID) -> None:
    work.report.reported_total += 1
    if len(work.report.reported) < PLACES_MAX:
        work.report.reported.append((where, object_id))


async def audit(
    work: Scan,
    conn: WriteConn,
    target: tuple[str, UUID],
    brain_id: UUID | None,
    *,
    version: int | None = None,
    commitment: bytes | None = None,
) -> None:
    auditor = Auditor(work.runtime.keyring, work.org_id, OWNER, at=work.runtime.clock.now(), request_id=None)
    detail = {"policy": work.org.policy.version} | ({} if version is None else {"version": version})
    await record(conn, auditor.event(f"{target[0]}.redact", target, brain_id=brain_id, detail=detail, commitment=commitment))
