"""A log of events as it is checked, wherever its rows come from: each link against the one before it, each event against its digest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from governance.audit import first_link, is_genuine, next_link
from memdb.auditing.damage import Damage, Found, Report
from memdb.errors import WrongSecret
from memdb.keyring import Purpose
from memdb.storage.audit import event_of

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from memdb.auditing.heads import Head
    from memdb.keyring import Keyring

NO_LINK: Final = b""
"""Before a place that cannot be compared with the one before it."""


@dataclass(frozen=True, slots=True)
class Log:
    """The log of an org, and what is found in it. `since`, `accepted`: as in Head."""

    keyring: Keyring
    report: Report
    since: datetime | None
    accepted: int

    @property
    def org_id(self) -> UUID:
        return self.report.org_id

    def tell(self, damage: Damage, record: tuple[str, str], place: str | None = None, *, position: int | None = None) -> None:
        """Report a record of the log, unless it was accepted as it is."""
        if position is not None and position <= self.accepted:
            self.report.accepted += 1
        else:
            self.report.add(Found(damage, *record, place))

    def check_link(self, row: Any, previous: bytes, head: Head | None) -> bytes:  # noqa: ANN401 - a row of a database or of a file
        """What the next link builds on: the stored one, so that one break is one finding.

        Args:
            row: as `evidence.list_chain` gives it.
            previous: the link before it, or NO_LINK.
            head: to be compared where the row is its position.
        """
        stored = bytes(row.link)
        try:
            key = self.keyring.derive(Purpose.CHAIN, self.org_id, key_id=row.chain_key_id)
        except WrongSecret:
            lacks = f"sealed with key {row.chain_key_id}, which the secret lacks"
            self.tell(Damage.CHAIN_BROKEN, ("position", str(row.position)), lacks, position=row.position)
            return stored
        if row.position == 1:
            previous = first_link(self.org_id, key=key)
        # Behind a gap there is nothing to compare with, and where the event is gone neither.
        if (
            previous
            and row.id is not None
            and next_link(previous, row.position, (row.event_id, bytes(row.digest or b"")), key=key) != stored
        ):
            self.tell(Damage.CHAIN_BROKEN, ("position", str(row.position)), position=row.position)
        if head is not None and head.genuine and row.position == head.position and stored != head.link:
            self.tell(Damage.HEAD_DIFFERS, ("head", str(head.position)))
        return stored

    def check_event(self, row: Any, position: int | None) -> None:  # noqa: ANN401 - a row of a database or of a file
        """`position` is None while it waits for its place."""
        place = "waiting for its place" if position is None else f"position {position}"
        if row.id is None:
            self.tell(Damage.EVENT_MISSING, ("event", str(row.event_id)), place, position=position)
        elif not self._is_genuine(row):
            if self.since is not None and row.at < self.since and row.commitment is None:
                self.report.earlier += 1  # its digest is over a commitment that was not kept
            else:
                self.tell(Damage.EVENT_CHANGED, ("event", str(row.id)), place, position=position)

    def _is_genuine(self, row: Any) -> bool:  # noqa: ANN401 - a row of a database or of a file
        try:
            key = self.keyring.derive(Purpose.AUDIT, self.org_id, key_id=row.mac_key_id)
        except WrongSecret:
            return False
        return is_genuine(event_of(row), key=key)
