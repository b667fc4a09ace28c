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
from memdb.auditing.heads import Head, path_of, put_aside, read_head, write_head
from memdb.auditing.reconciling import find_damaged
from memdb.keyring import Keyring
from memdb.storage import evidence, resealing
from memdb.storage.audit import Auditor

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

Advance = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Resealed:
    """Memories that were accepted as they are, and whether there was a head, which was put aside for another one."""

    org: str
    memories: int
    head_put_aside: bool


def reseal_org(conn: Connection, keyring: Keyring, org: tuple[str, UUID], head: Path, now: datetime, advance: Advance) -> Resealed:
    """Accept what an org holds.

    Args:
        conn: of the owner, outside a transaction.
        keyring: the root secret of today.
        org: name and id.
        head: the file of its head; it is put aside as `<org>.<moment>.former.json`, and the sealer writes another one.
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
    aside = put_aside(head, now)
    with conn.transaction():
        resealing.await_unplaced(conn, org_id)
        for version, document, commitment, _ in evidence.list_policies(conn, org_id):
            if document != commitment:
                resealing.record(conn, auditor.event("policy.reseal", ("policy", str(version)), commitment=document))
        resealing.record(conn, auditor.event("audit.reseal", ("org", org_id), detail={"memories": done, "head_put_aside": aside}))
    return Resealed(name, done, aside)


def accept_restored(conn: Connection, keyring: Keyring, org_id: UUID, folder: Path, now: datetime) -> bool:
    """Let the log of an org that `memdb restore` brought back begin a head of its own; False when it extends the one that there is.

    The audit tells of it, and the former head stays beside the new one. Whoever only has the database cannot do that: heads are signed.

    Args:
        conn: of the owner, outside a transaction.
        keyring: the root secret.
        org_id: of the org.
        folder: of the heads.
        now: the present moment.
    """
    path = path_of(folder, org_id)
    head = read_head(path, keyring)
    there = [] if head is None else evidence.list_chain(conn, org_id, head.position - 1, 1)
    if head is None or (there and there[0].position == head.position and bytes(there[0].link) == head.link):
        return False
    end = evidence.find_end(conn, org_id)
    put_aside(path, now)
    if end is not None:
        mine = head.genuine and head.org_id == org_id
        since, complete, accepted = (head.since, head.complete, head.accepted) if mine else (evidence.chained_since(conn), False, 0)
        write_head(folder, keyring, Head(org_id, end[0], end[1], now, since, complete, min(accepted, end[0])))
    auditor = Auditor(keyring, org_id, OWNER, at=now, request_id=None)
    detail = {"head": head.position, "end": 0 if end is None else end[0]}
    with conn.transaction():
        resealing.record(conn, auditor.event("audit.restore", ("org", org_id), detail=detail))
    return True


def list_orgs(conn: Connection, name: str | None) -> list[tuple[str, UUID]]:
    """Orgs to work on: that one, or all by name; none when it does not exist."""
    return [org for org in evidence.list_orgs(conn) if name is None or org[0] == name]
