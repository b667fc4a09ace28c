"""`memdb audit verify`: rows, index and vectors against events, events against the chain, the chain against its head; both ways.

One snapshot of the database for an org, page by page, so that memory does not grow with what is stored, and writes that go on meanwhile are
no alarm. The head is read before the snapshot is taken: the log may be longer by then, and not shorter.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from governance.audit import Actor, AuditEvent, first_link, is_genuine, next_link
from memdb.auditing.damage import Damage, Found, Report
from memdb.auditing.reconciling import check_memories
from memdb.errors import WrongSecret
from memdb.keyring import Keyring, Purpose
from memdb.storage import evidence

if TYPE_CHECKING:
    from memdb.auditing.heads import Head
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
        _check_chain(conn, keyring, report, head, advance)
        _check_waiting(conn, keyring, report)
        check_memories(conn, keyring, report, advance)
        _check_policies(conn, report)
    return report


# ------------------------------------------------------------------------------------------------------------------ chain
def _check_chain(conn: Connection, keyring: Keyring, report: Report, head: Head | None, advance: Advance) -> None:
    org_id, end = report.org_id, 0
    link = _NO_LINK
    since = evidence.chained_since(conn)
    while rows := evidence.list_chain(conn, org_id, end, PAGE):
        added: list[UUID] = []
        for row in rows:
            if row.position != end + 1:
                report.add(Found(Damage.CHAIN_GAP, "position", str(end + 1)))
                link = _NO_LINK
            end = row.position
            link = _check_link(keyring, report, row, link, head)
            if _check_event(keyring, report, row, since) and row.action == "memory.add":
                added.append(UUID(row.object_id))
        for memory_id in sorted(set(added) - evidence.present_memories(conn, org_id, added)):
            report.add(Found(Damage.MEMORY_MISSING, "memory", str(memory_id)))
        report.events += len(rows)
        advance(len(rows))
    if head is None:
        report.unexported = end
        return
    report.head_position, report.head_at = head.position, head.exported_at
    report.unexported = max(0, end - head.position)
    if not head.genuine or head.org_id != org_id:
        report.add(Found(Damage.HEAD_FORGED, "head", str(head.position)))
    elif end < head.position:
        report.add(Found(Damage.HEAD_AHEAD, "head", str(head.position), f"the log ends at {end}"))


_NO_LINK: Final = b""


def _check_link(keyring: Keyring, report: Report, row: Any, previous: bytes, head: Head | None) -> bytes:  # noqa: ANN401 - a database row
    """What the next link builds on: the stored one, so that one break is one finding."""
    stored = bytes(row.link)
    try:
        key = keyring.derive(Purpose.CHAIN, report.org_id, key_id=row.chain_key_id)
    except WrongSecret:
        report.add(Found(Damage.CHAIN_BROKEN, "position", str(row.position), f"sealed with key {row.chain_key_id}, which the secret lacks"))
        return stored
    if row.position == 1:
        previous = first_link(report.org_id, key=keyring.derive(Purpose.CHAIN, report.org_id, key_id=row.chain_key_id))
    # Behind a gap there is nothing to compare with, and where the event is gone neither.
    if previous and row.id is not None and next_link(previous, row.position, (row.event_id, bytes(row.digest or b"")), key=key) != stored:
        report.add(Found(Damage.CHAIN_BROKEN, "position", str(row.position)))
    if head is not None and head.genuine and row.position == head.position and stored != head.link:
        report.add(Found(Damage.HEAD_DIFFERS, "head", str(head.position)))
    return stored


def _check_event(keyring: Keyring, report: Report, row: Any, since: Any) -> bool:  # noqa: ANN401 - database values
    if row.id is None:
        report.add(Found(Damage.EVENT_MISSING, "event", str(row.event_id), f"position {row.position}"))
        return False
    if _is_genuine(keyring, report.org_id, row):
        return True
    if since is not None and row.at < since and row.commitment is None:
        report.earlier += 1  # its digest is over a commitment that was not kept
        return True
    report.add(Found(Damage.EVENT_CHANGED, "event", str(row.id), f"position {row.position}"))
    return False


def _is_genuine(keyring: Keyring, org_id: UUID, row: Any) -> bool:  # noqa: ANN401 - a database row
    event = AuditEvent(
        org_id=org_id,
        id=row.id,
        at=row.at,
        actor=Actor(row.actor_subject, row.actor_key, row.acting_for),
        action=row.action,
        object_kind=row.object_kind,
        object_id=row.object_id,
        brain_id=row.brain_id,
        detail=row.detail,
        request_id=row.request_id,
        mac_key_id=row.mac_key_id,
        digest=None if row.digest is None else bytes(row.digest),
        commitment=None if row.commitment is None else bytes(row.commitment),
    )
    try:
        key = keyring.derive(Purpose.AUDIT, org_id, key_id=row.mac_key_id)
    except WrongSecret:
        return False
    return is_genuine(event, key=key)


def _check_waiting(conn: Connection, keyring: Keyring, report: Report) -> None:
    """Events that wait for their place, and those that should and do not."""
    after = -1
    while rows := evidence.list_waiting(conn, report.org_id, after, PAGE):
        for row in rows:
            after = row.seq
            report.unsealed += 1
            report.oldest_unsealed = report.oldest_unsealed or row.noted_at
            if row.id is None:
                report.add(Found(Damage.EVENT_MISSING, "event", str(row.event_id), "waiting for its place"))
            elif row.commitment is not None and not _is_genuine(keyring, report.org_id, row):
                report.add(Found(Damage.EVENT_CHANGED, "event", str(row.id), "waiting for its place"))
    report.unexported += report.unsealed
    for event_id in evidence.list_unplaced(conn, report.org_id):
        report.add(Found(Damage.EVENT_UNSEALED, "event", str(event_id)))


def _check_policies(conn: Connection, report: Report) -> None:
    for version, document, commitment in evidence.list_policies(conn, report.org_id):
        if commitment is not None and commitment != document:
            report.add(Found(Damage.POLICY_CHANGED, "policy", str(version)))
