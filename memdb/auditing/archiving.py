"""`memdb audit archive`: the beginning of a log goes into files, segment by segment, and out of the database.

A segment is written, read back and checked before anything is deleted; the deletion, what is left behind of the segment and the statement
that says so are one transaction. Whatever ends the work in between, the next run goes on behind the last segment that was taken out. The
place of the exported head stays, so that the sealer goes on as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from governance.audit import OWNER, DetailValue, carried_digest
from memdb.auditing.archived import SUM_MODULUS, Archived, check_file, read_archived, sum_carried
from memdb.auditing.damage import Report
from memdb.auditing.log import NO_LINK, Log
from memdb.auditing.segments import Segment, path_of, statement_path, write_rows, write_statement
from memdb.errors import AuditDiverged, ConfigurationError, WrongSecret
from memdb.keyring import Purpose
from memdb.storage import archives, evidence, resealing
from memdb.storage.archives import STATE, Carried
from memdb.storage.audit import Auditor

if TYPE_CHECKING:
    from pathlib import Path

    from memdb.auditing.heads import Head
    from memdb.keyring import Keyring
    from memdb.storage.owner import Connection

Advance = Callable[[int], None]
Key = tuple[str, str, str]
SEGMENT_EVENTS: Final = 20_000
"""Places of one segment at most; what is held in memory is some of each."""
PAGE: Final = 2_000


@dataclass(frozen=True, slots=True)
class ArchivedNow:
    """What a run did in an org, and up to which position its log is archived by now."""

    org: str
    segments: int
    events: int
    until: int


@dataclass(frozen=True, slots=True)
class _Work:
    """What a run needs, see `archive_org`."""

    conn: Connection
    keyring: Keyring
    org_id: UUID
    head: Head
    before: datetime
    folder: Path
    now: datetime


def archive_org(
    conn: Connection, keyring: Keyring, org: tuple[str, UUID], head: Head | None, options: tuple[datetime, Path, datetime], advance: Advance
) -> ArchivedNow:
    """Archive what lies before a moment and before the exported head.

    Args:
        conn: of the owner, outside a transaction.
        keyring: the root secret.
        org: name and id.
        head: as it was exported.
        options: before which moment, into which folder, and the present moment.
        advance: is told how many events were taken out.

    Raises:
        ConfigurationError: there is no head, another run is at it, or the folder cannot be written.
        AuditDiverged: what is to be archived does not verify; nothing of that segment was deleted.
    """
    name, org_id = org
    before, folder, now = options
    if head is None or not head.genuine or head.org_id != org_id:
        raise ConfigurationError(f"org {name} has no head of its own; run memdb audit seal, then memdb audit verify")
    if not archives.lock(conn, org_id):
        raise ConfigurationError(f"another memdb audit archive works on org {name}; wait for it")
    work = _Work(conn, keyring, org_id, head, before, folder, now)
    log = _log(work)
    archived = read_archived(conn, log)
    carried = _carried_before(work, log, archived)
    segments = events = 0
    while (done := _archive_next(work, archived, carried)) is not None:
        archived, carried = Archived((*archived.segments, done)), done.carried
        segments, events = segments + 1, events + done.last - done.first + 1
        advance(done.last - done.first + 1)
    return ArchivedNow(name, segments, events, archived.end)


def _log(work: _Work) -> Log:
    """A log into which nothing was found yet."""
    return Log(work.keyring, Report("", work.org_id), work.head.since, work.head.accepted)


def _carried_before(work: _Work, log: Log, archived: Archived) -> int:
    """The sum over what was left behind until now, with the current root key, if it is what the last statement says."""
    last = archived.segments[-1] if archived.segments else None
    current = work.keyring.current_id
    try:
        of_then, of_now = sum_carried(work.conn, work.keyring, work.org_id, (current if last is None else last.carried_key, current))
    except WrongSecret:
        of_then, of_now = -1, sum_carried(work.conn, work.keyring, work.org_id, (current,))[0]
    changed = of_then != (0 if last is None else last.carried) and (last is None or last.last > work.head.accepted)
    if changed or log.report.counts:
        raise AuditDiverged("what was archived before does not verify; run memdb audit verify")
    return of_now


@dataclass(slots=True)
class _Written:
    """What was met in the rows of a segment while they were written."""

    last: int = 0
    link: bytes = NO_LINK
    told: dict[Key, Carried] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)


def _archive_next(work: _Work, archived: Archived, carried: int) -> Segment | None:
    """One more segment, taken out; None when there is nothing to archive any more."""
    log, written = _log(work), _Written()
    first = archived.end + 1
    fresh = path_of(work.folder, work.org_id, first, first).with_suffix(".new")
    path = None
    try:
        sha256 = write_rows(fresh, _rows(work, log, archived, written))
        if log.report.counts:
            raise AuditDiverged(f"the log of org {work.org_id} does not verify ({log.report.first[0]}); run memdb audit verify")
        if written.last:
            path = fresh.replace(path_of(work.folder, work.org_id, first, written.last))
    finally:
        if path is None:
            fresh.unlink(missing_ok=True)
    if path is None:
        return None
    kept, dropped, carried = _leave(work, written, carried)
    span, key_id = (first, written.last), work.keyring.current_id
    segment = Segment(work.org_id, *span, archived.link, written.link, sha256, work.head.position, carried, key_id, work.now)
    statement = segment.to_statement(work.keyring)
    write_statement(statement_path(path), statement)
    read_back = _log(work)
    check_file(read_back, segment, work.folder, None, lambda _rows: None)
    if read_back.report.counts:
        raise AuditDiverged(f"the archive cannot be read back as it was written ({read_back.report.first[0]}); nothing was deleted")
    _take_out(work, segment, statement, (kept, dropped))
    return segment


def _rows(work: _Work, log: Log, archived: Archived, written: _Written) -> Iterator[Any]:
    """Rows of the next segment, each checked on its way."""
    written.link = archived.link
    after = position = archived.end
    while rows := evidence.list_chain(work.conn, work.org_id, after, PAGE):
        after = rows[-1].position
        for row in rows:
            late = row.position >= work.head.position or (row.at is not None and row.at >= work.before)
            if late or row.position - archived.end > SEGMENT_EVENTS:
                return
            if row.position != position + 1:
                raise AuditDiverged(f"the log of org {work.org_id} has no position {position + 1}; run memdb audit verify")
            position = written.last = row.position
            written.link = log.check_link(row, written.link, None)
            log.check_event(row, row.position)
            if row.id is not None:
                _note(written, row)
            yield row


def _note(written: _Written, row: Any) -> None:  # noqa: ANN401 - a database row
    """Keep what is needed of an event when it is gone from the database."""
    kind, object_id = row.object_kind, row.object_id
    if row.commitment is not None:
        written.told[kind, object_id, STATE] = Carried(kind, object_id, STATE, row.position, bytes(row.commitment))
    if row.action == evidence.VERSION_GONE:
        place = str(row.detail["version"])
        written.told[kind, object_id, place] = Carried(kind, object_id, place, row.position, None)
    elif row.action == evidence.ORG_GONE:
        written.told["org", object_id, STATE] = Carried("org", object_id, STATE, row.position, None)
    elif row.action == evidence.SHARED:
        copy = str(row.detail["as"])
        written.told["share", object_id, copy] = Carried("share", object_id, copy, row.position, None)
    if row.action in evidence.GONE:
        written.gone.add(object_id)


def _leave(work: _Work, written: _Written, carried: int) -> tuple[list[Carried], list[Key], int]:
    """What is to be left behind of a segment, what of earlier ones is no longer, and the sum over all of it then."""
    ids = sorted(written.gone)
    gone = set(ids) - {str(one) for one in evidence.list_present(work.conn, work.org_id, [UUID(one) for one in ids])} if ids else set()
    kept = [row for row in written.told.values() if row.object_kind != "memory" or row.object_id not in gone]
    kinds = {row.object_kind for row in kept}
    former = {
        row.key: row
        for kind in kinds | {"memory"}
        for row in archives.find_carried(
            work.conn, work.org_id, kind, {r.object_id for r in kept if r.object_kind == kind} | (gone if kind == "memory" else set())
        )
    }
    dropped = [key for key in former if key[0] == "memory" and key[1] in gone]
    key = work.keyring.derive(Purpose.ARCHIVE, work.org_id)
    less = sum(carried_digest(former[one], key=key) for one in [*dropped, *(row.key for row in kept if row.key in former)])
    more = sum(carried_digest(row, key=key) for row in kept)
    return kept, dropped, (carried + more - less) % SUM_MODULUS


def _take_out(work: _Work, segment: Segment, statement: dict[str, object], left: tuple[list[Carried], list[Key]]) -> None:
    conn, span = work.conn, (segment.first, segment.last)
    auditor = Auditor(work.keyring, work.org_id, OWNER, at=work.now, request_id=None)
    with conn.transaction():
        events, places = archives.take_out(conn, work.org_id, span, statement, work.now)
        if places != segment.last - segment.first + 1 or (events != places and segment.last > work.head.accepted):
            raise AuditDiverged(f"the log of org {work.org_id} changed while it was archived; run memdb audit verify")
        archives.leave_behind(conn, work.org_id, *left)
        detail: dict[str, DetailValue] = {"first": segment.first, "last": segment.last, "sha256": segment.sha256}
        resealing.record(conn, auditor.event("audit.archive", ("org", work.org_id), detail=detail))
