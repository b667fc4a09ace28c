"""What is archived of a log, checked: the statements in the database, what was left behind, and the files if they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.audit import carried_digest
from memdb.auditing.damage import Damage
from memdb.auditing.log import NO_LINK, Log
from memdb.auditing.segments import Segment, read_rows, read_statement, sha256_of
from memdb.errors import WrongSecret
from memdb.keyring import Purpose
from memdb.storage import archives, evidence
from memdb.storage.archives import STATE, Carried

if TYPE_CHECKING:
    from pathlib import Path

    from memdb.auditing.heads import Head
    from memdb.keyring import Keyring
    from memdb.storage.owner import Connection

Advance = Callable[[int], None]
SUM_MODULUS: Final = 2**256


@dataclass(frozen=True, slots=True)
class Archived:
    """What is archived: the segments in order, and the last position and link, 0 and NO_LINK where nothing is."""

    segments: tuple[Segment, ...] = ()

    @property
    def end(self) -> int:
        return self.segments[-1].last if self.segments else 0

    @property
    def link(self) -> bytes:
        return self.segments[-1].link if self.segments else NO_LINK


def read_archived(conn: Connection, log: Log) -> Archived:
    """The segments of an org, by their statements; those that are not signed, or do not follow each other, are reported."""
    found: list[Segment] = []
    for first, last, signed in archives.list_statements(conn, log.org_id):
        read = read_statement(signed, log.keyring)
        if read is None:
            log.tell(Damage.ARCHIVE_FORGED, ("segment", f"{first}-{last}"), position=last)
            continue
        segment, genuine = read
        before = found[-1] if found else None
        follows = (segment.first, segment.link_before) == ((1, NO_LINK) if before is None else (before.last + 1, before.link))
        if not genuine or not follows or (segment.org_id, segment.first, segment.last) != (log.org_id, first, last):
            log.tell(Damage.ARCHIVE_FORGED, ("segment", f"{first}-{last}"), position=last)
        found.append(segment)
    return Archived(tuple(found))


def sum_carried(conn: Connection, keyring: Keyring, org_id: UUID, key_ids: tuple[str, ...]) -> tuple[int, ...]:
    """The sums over what was left behind, one for each root key.

    Raises:
        WrongSecret: a key is not in the secret file.
    """
    keys = [keyring.derive(Purpose.ARCHIVE, org_id, key_id=key_id) for key_id in key_ids]
    sums = [0] * len(keys)
    for page in archives.iterate_carried(conn, org_id):
        for place, key in enumerate(keys):
            sums[place] = (sums[place] + sum(carried_digest(row, key=key) for row in page)) % SUM_MODULUS
    return tuple(sums)


def check_carried(conn: Connection, log: Log, archived: Archived) -> None:
    """What was left behind against the statement of the last segment; memories that it tells of against their rows."""
    key_id = archived.segments[-1].carried_key if archived.segments else log.keyring.current_id
    expected = archived.segments[-1].carried if archived.segments else 0
    try:
        (found,) = sum_carried(conn, log.keyring, log.org_id, (key_id,))
    except WrongSecret:
        found = None
    if found != expected:
        name = archived.segments[-1].name if archived.segments else "0"
        log.tell(Damage.CARRIED_CHANGED, ("segment", name), position=archived.end or None)
    if evidence.is_org_gone(conn, log.org_id):
        return
    for page in archives.iterate_carried(conn, log.org_id):
        ids = [UUID(row.object_id) for row in page if (row.object_kind, row.place) == ("memory", STATE)]
        for memory_id in sorted(set(ids) - evidence.accounted_for(conn, log.org_id, ids)) if ids else ():
            log.tell(Damage.MEMORY_MISSING, ("memory", str(memory_id)), position=_position(page, memory_id))


def _position(page: list[Carried], memory_id: UUID) -> int:
    return next(row.position for row in page if row.object_id == str(memory_id))


def check_file(log: Log, segment: Segment, folder: Path, head: Head | None, advance: Advance) -> None:
    """The file of a segment: that it is the one that was written, and in it each link and each event."""
    path, record = segment.path(folder), ("segment", segment.name)
    try:
        changed = sha256_of(path) != segment.sha256
    except OSError:
        log.tell(Damage.ARCHIVE_MISSING, record, path.name, position=segment.last)
        return
    if changed:
        log.tell(Damage.ARCHIVE_CHANGED, record, path.name, position=segment.last)
    position, link = segment.first - 1, segment.link_before
    try:
        for row in read_rows(path):
            if row.position != position + 1:
                log.tell(Damage.CHAIN_GAP, ("position", str(position + 1)), position=position + 1)
                link = NO_LINK
            position = row.position
            link = log.check_link(row, link, head)
            log.check_event(row, position)
            log.report.events += 1
            advance(1)
    except ValueError:
        if not changed:
            log.tell(Damage.ARCHIVE_CHANGED, record, path.name, position=segment.last)
        return
    if (position, link) != (segment.last, segment.link) and not changed:
        log.tell(Damage.ARCHIVE_CHANGED, record, path.name, position=segment.last)
