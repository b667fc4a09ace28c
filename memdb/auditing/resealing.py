"""`memdb audit reseal`: rows that verification refuses are accepted as they are and sealed with the present key, each with an event.

It is the way back after a secret was lost or a backup was restored, and it cannot tell a forged row from one whose key is gone: the
operator says so, and the audit says that it was said. An event of the reseal is the first that the new head vouches for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from governance.audit import OWNER
from memdb.auditing.reconciling import find_damaged
from memdb.keyring import Keyring
from memdb.storage import evidence, resealing
from memdb.storage.audit import Auditor

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Resealed:
    """Memories that were accepted as they are, and whether a head that the log does not extend was put aside."""

    org: str
    memories: int
    head_put_aside: bool


def reseal_org(
    conn: Connection, keyring: Keyring, org: tuple[str, UUID], diverged: Path | None, now: datetime, advance: Advance
) -> Resealed:
    """Accept what an org holds.

    Args:
        conn: of the owner, outside a transaction.
        keyring: the root secret of today.
        org: name and id.
        diverged: the file of a head that the log does not extend; it is put aside under the name `<org>.<moment>.former.json`.
        now: the present moment.
        advance: is told how many memories were looked at.
    """
    name, org_id = org
    auditor = Auditor(keyring, org_id, OWNER, at=now, request_id=None)
    done = 0
    for memory_id in find_damaged(conn, keyring, org_id, advance):
        with conn.transaction():
            found = resealing.lock_memory(conn, org_id, memory_id)
            if found is None:
                continue
            memory, holds = found
            state = resealing.reseal(conn, keyring, memory, holds)
            detail = {"version": memory.version}
            event = auditor.event("memory.reseal", ("memory", memory_id), brain_id=memory.brain_id, detail=detail, commitment=state)
            resealing.record(conn, event)
        done += 1
    aside = diverged is not None
    if diverged is not None:
        diverged.replace(diverged.with_suffix(f".{now:%Y%m%dT%H%M%S}.former.json"))
    with conn.transaction():
        resealing.record(conn, auditor.event("audit.reseal", ("org", org_id), detail={"memories": done, "head_put_aside": aside}))
    return Resealed(name, done, aside)


def list_orgs(conn: Connection, name: str | None) -> list[tuple[str, UUID]]:
    """Orgs to work on: that one, or all by name; none when it does not exist."""
    return [org for org in evidence.list_orgs(conn) if name is None or org[0] == name]
