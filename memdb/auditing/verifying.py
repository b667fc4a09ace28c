"""`memdb audit verify`: rows, index and vectors against events, events against the chain, the chain against its head; both ways.

One snapshot of the database for an org, page by page, so that memory does not grow with what is stored, and writes that go on meanwhile are
no alarm. The head is read before the snapshot is taken: the log may be longer by then, and not shorter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from governance.audit import first_link, is_genuine, next_link
from memdb.auditing.damage import Damage, Found, Report
from memdb.auditing.reconciling import check_memories
from memdb.errors import WrongSecret
from memdb.keyring import Purpose
from memdb.storage import evidence
from memdb.storage.audit import event_of

if TYPE_CHECKING:
    from datetime import datetime

    from memdb.auditing.heads import Head
    from memdb.keyring import Keyring
    from memdb.storage.owner import Connection

PAGE: Final = 2_000
Advance = Callable[[int], None]


def verify_org(conn: Connection, keyring: Keyring, org: tuple[str, UUID], head: Head | None, advance: Advance) -> Report:
    """Check everything of an org.

    Args:
        conn: of the owner, outside a transaction.
        keyring: the root secret.
        org: name and id.
        head: as it was exported; None: there is none, and a log that was cut at its end or put back whole is not noticed.
        advance: is told how many records were looked at.
    """
    report = Report(*org)
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        since = head.since if head is not None and head.genuine else evidence.chained_since(conn)
        unsealed_before = None if head is not None and head.genuine and head.complete else since
        gone = evidence.is_org_gone(conn, report.org_id)
        accepted = head.accepted if head is not None and head.genuine else 0
        log = _Log(conn, keyring, report, since, accepted, gone)
        _check_chain(log, head, advance)
        _check_waiting(log)
        check_memories(conn, keyring, report, unsealed_before, advance)
        if not gone:
            _check_policies(conn, report, since)
    return report


@dataclass(frozen=True, slots=True)
class _Log:
    """The log of an org. `since`, `accepted`: as in Head. `gone`: the org was deleted, and its memories with it."""

    conn: Connection
    keyring: Keyring
    report: Report
    since: datetime | None
    accepted: int
    gone: bool

    def tell(self, damage: Damage, record: tuple[str, str], place: str | None = None, *, position: int | None = None) -> None:
        """Report a record of the log, unless it was accepted as it is."""
        if position is not None and position <= self.accepted:
            self.report.accepted += 1
        else:
            self.report.add(Found(damage, *record, place))


# ------------------------------------------------------------------------------------------------------------------ chain
def _check_chain(log: _Log, head: Head | None, advance: Advance) -> None:
    report, end, link = log.report, 0, _NO_LINK
    while rows := evidence.list_chain(log.conn, report.org_id, end, PAGE):
        for row in rows:
            if row.position != end + 1:
                log.tell(Damage.CHAIN_GAP, ("position", str(end + 1)), position=end + 1)
                link = _NO_LINK
            end = row.position
            link = _check_link(log, row, link, head)
            _check_event(log, row, row.position)
        _check_added(log, rows)
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


def _check_added(log: _Log, rows: Sequence[Any]) -> None:
    added = [UUID(row.object_id) for row in rows if row.id is not None and row.action == "memory.add"]
    if added and not log.gone:
        missing = set(added) - evidence.accounted_for(log.conn, log.report.org_id, added)
        for row in rows:
            if row.id is not None and row.action == "memory.add" and UUID(row.object_id) in missing:
                log.tell(Damage.MEMORY_MISSING, ("memory", row.object_id), position=getattr(row, "position", None))


_NO_LINK: Final = b""


def _check_link(log: _Log, row: Any, previous: bytes, head: Head | None) -> bytes:  # noqa: ANN401 - a database row
    """What the next link builds on: the stored one, so that one break is one finding."""
    stored, org_id = bytes(row.link), log.report.org_id
    try:
        key = log.keyring.derive(Purpose.CHAIN, org_id, key_id=row.chain_key_id)
    except WrongSecret:
        lacks = f"sealed with key {row.chain_key_id}, which the secret lacks"
        log.tell(Damage.CHAIN_BROKEN, ("position", str(row.position)), lacks, position=row.position)
        return stored
    if row.position == 1:
        previous = first_link(org_id, key=key)
    # Behind a gap there is nothing to compare with, and where the event is gone neither.
    if previous and row.id is not None and next_link(previous, row.position, (row.event_id, bytes(row.digest or b"")), key=key) != stored:
        log.tell(Damage.CHAIN_BROKEN, ("position", str(row.position)), position=row.position)
    if head is not None and head.genuine and row.position == head.position and stored != head.link:
        log.tell(Damage.HEAD_DIFFERS, ("head", str(head.position)))
    return stored


def _check_event(log: _Log, row: Any, position: int | None) -> None:  # noqa: ANN401 - a database row
    """`position` is None while it waits for its place."""
    place = "waiting for its place" if position is None else f"position {position}"
    if row.id is None:
        log.tell(Damage.EVENT_MISSING, ("event", str(row.event_id)), place, position=position)
    elif not _is_genuine(log.keyring, log.report.org_id, row):
        if log.since is not None and row.at < log.since and row.commitment is None:
            log.report.earlier += 1  # its digest is over a commitment that was not kept
        else:
            log.tell(Damage.EVENT_CHANGED, ("event", str(row.id)), place, position=position)


def _is_genuine(keyring: Keyring, org_id: UUID, row: Any) -> bool:  # noqa: ANN401 - a database row
    try:
        key = keyring.derive(Purpose.AUDIT, org_id, key_id=row.mac_key_id)
    except WrongSecret:
        return False
    return is_genuine(event_of(row), key=key)


def _check_waiting(log: _Log) -> None:
    """Events that wait for their place, and those that should and do not."""
    report, after = log.report, -1
    while rows := evidence.list_waiting(log.conn, report.org_id, after, PAGE):
        for row in rows:
            after = row.seq
            report.unsealed += 1
            report.oldest_unsealed = report.oldest_unsealed or row.noted_at
            _check_event(log, row, None)
        _check_added(log, rows)
    report.unexported += report.unsealed
    for event_id in evidence.list_unplaced(log.conn, report.org_id):
        report.add(Found(Damage.EVENT_UNSEALED, "event", str(event_id)))


def _check_policies(conn: Connection, report: Report, since: datetime | None) -> None:
    for version, document, commitment, set_at in evidence.list_policies(conn, report.org_id):
        earlier = commitment is None and since is not None and set_at < since
        if commitment != document and not earlier:
            report.add(Found(Damage.POLICY_CHANGED, "policy", str(version)))
