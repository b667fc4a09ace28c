"""`memdb audit verify`: rows, index and vectors against events, events against the chain, the chain against its head; both ways.

One snapshot of the database for an org, page by page, so that memory does not grow with what is stored, and writes that go on meanwhile are
no alarm. The head is read before the snapshot is taken: the log may be longer by then, and not shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from memdb.auditing.archived import Archived, check_carried, check_file, read_archived
from memdb.auditing.damage import Damage, Found, Report
from memdb.auditing.log import NO_LINK, Log
from memdb.auditing.reconciling import check_memories
from memdb.storage import evidence

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from memdb.auditing.heads import Head
    from memdb.keyring import Keyring
    from memdb.storage.owner import Connection

PAGE: Final = 2_000
Advance = Callable[[int], None]


def verify_org(
    conn: Connection, keyring: Keyring, org: tuple[str, UUID], head: Head | None, advance: Advance, *, archive: Path | None = None
) -> Report:
    """Check everything of an org.

    Args:
        conn: of the owner, outside a transaction.
        keyring: the root secret.
        org: name and id.
        head: as it was exported; None: there is none, and a log that was cut at its end or put back whole is not noticed.
        advance: is told how many records were looked at.
        archive: folder of what was archived; None: what is there is not looked at, and the rest is checked.
    """
    report = Report(*org)
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        mine = head is not None and head.genuine
        since = head.since if head is not None and mine else evidence.chained_since(conn)
        unsealed_before = None if head is not None and mine and head.complete else since
        accepted = head.accepted if head is not None and mine else 0
        log = Log(keyring, report, since, accepted)
        archived = read_archived(conn, log)
        report.archived, report.archive_read = archived.end, archive is not None and bool(archived.segments)
        if archive is not None:
            for segment in archived.segments:
                check_file(log, segment, archive, head, advance)
        gone = evidence.is_org_gone(conn, report.org_id)
        _check_chain(conn, log, archived, head, gone=gone, advance=advance)
        _check_waiting(conn, log, gone=gone)
        check_carried(conn, log, archived)
        check_memories(conn, keyring, report, unsealed_before, advance)
        if not gone:
            _check_policies(conn, report, since)
    return report


# ------------------------------------------------------------------------------------------------------------------ chain
def _check_chain(conn: Connection, log: Log, archived: Archived, head: Head | None, *, gone: bool, advance: Advance) -> None:
    report, end, link = log.report, archived.end, archived.link
    while rows := evidence.list_chain(conn, report.org_id, end, PAGE):
        for row in rows:
            if row.position != end + 1:
                log.tell(Damage.CHAIN_GAP, ("position", str(end + 1)), position=end + 1)
                link = NO_LINK
            end = row.position
            link = log.check_link(row, link, head)
            log.check_event(row, row.position)
        _check_added(conn, log, rows, gone=gone)
        report.events += len(rows)
        advance(len(rows))
    if head is None:
        report.unexported = end
        return
    report.head_position, report.head_at = head.position, head.exported_at
    report.unexported = max(0, end - head.position)
    if not head.genuine or head.org_id != report.org_id:
        report.add(Found(Damage.HEAD_FORGED, "head", str(head.position)))
    elif end < head.position:
        report.add(Found(Damage.HEAD_AHEAD, "head", str(head.position), f"the log ends at {end}"))


def _check_added(conn: Connection, log: Log, rows: Sequence[Any], *, gone: bool) -> None:
    added = [UUID(row.object_id) for row in rows if row.id is not None and row.action == "memory.add"]
    if added and not gone:
        missing = set(added) - evidence.accounted_for(conn, log.org_id, added)
        for row in rows:
            if row.id is not None and row.action == "memory.add" and UUID(row.object_id) in missing:
                log.tell(Damage.MEMORY_MISSING, ("memory", row.object_id), position=getattr(row, "position", None))


def _check_waiting(conn: Connection, log: Log, *, gone: bool) -> None:
    """Events that wait for their place, and those that should and do not."""
    report, after = log.report, -1
    while rows := evidence.list_waiting(conn, report.org_id, after, PAGE):
        for row in rows:
            after = row.seq
            report.unsealed += 1
            report.oldest_unsealed = report.oldest_unsealed or row.noted_at
            log.check_event(row, None)
        _check_added(conn, log, rows, gone=gone)
    report.unexported += report.unsealed
    for event_id in evidence.list_unplaced(conn, report.org_id):
        report.add(Found(Damage.EVENT_UNSEALED, "event", str(event_id)))


def _check_policies(conn: Connection, report: Report, since: datetime | None) -> None:
    for version, document, commitment, set_at in evidence.list_policies(conn, report.org_id):
        earlier = commitment is None and since is not None and set_at < since
        if commitment != document and not earlier:
            report.add(Found(Damage.POLICY_CHANGED, "policy", str(version)))
