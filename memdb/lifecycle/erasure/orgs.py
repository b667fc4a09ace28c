"""An org erased by the owner of the database: every row but its audit events, with a receipt and a tombstone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from governance.audit import OWNER
from memdb.directory.orgs import delete_org, get_org
from memdb.ids import make_id
from memdb.keyring import Keyring
from memdb.lifecycle.erasure.receipts import FORMAT, sign_receipt
from memdb.storage import erasures, orgs
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Database, Identity
from memdb.storage.ledger import ORG, bury
from memdb.storage.orgs import OrgRow


@dataclass(frozen=True, slots=True)
class OrgLook:
    """An org and its rows by table."""

    org: OrgRow
    counts: dict[str, int]


async def look_at_org(database: Database, name: str) -> OrgLook:
    """What would go. Raises NotFound."""
    org = await get_org(database, name)
    async with database.read(Identity(org.id)) as conn:
        tables = await orgs.list_tenant_tables(conn)
        counts = {table.name: await orgs.count_rows(conn, table, org.id) for table in tables}
    return OrgLook(org, {table: number for table, number in counts.items() if number})


async def forget_org(database: Database, keyring: Keyring, name: str, now: datetime) -> dict[str, Any]:
    """Erase an org; its receipt. One that was cut off is finished by another call.

    Args:
        database: connected as the owner.
        keyring: the root secret, which signs.
        name: of the org.
        now: the present moment.

    Raises:
        NotFound: there is no such org.
        UnderLegalHold: its policy keeps something.
    """
    look = await look_at_org(database, name)
    org = look.org
    auditor = Auditor(keyring, org.id, OWNER, at=now, request_id=None)
    async with database.write(Identity(org.id)) as conn:
        jobs = await orgs.delete_jobs(conn, org.id)
        await erasures.bury(conn, bury(keyring, org.id, ORG, [org.id.bytes], now))
        await record(conn, auditor.event("org.forget", ("org", org.id)))
    await delete_org(database, keyring, name, now, confirm=name)
    left = [
        {"what": "audit_events", "why": "who did what and when, by id; no text"},
        {"what": "erasure_ledger", "why": "keyed digests of ids, so that older backups do not bring it back"},
        {"what": "dead rows, write-ahead log and older backups", "why": "until VACUUM, recycling and their own retention remove them"},
    ]
    document = {
        "format": FORMAT,
        "erasure_id": str(make_id()),
        "org_id": str(org.id),
        "kind": ORG,
        "target_id": str(org.id),
        "requested_by": None,
        "requested_key": None,
        "requested_at": now.isoformat(),
        "completed_at": now.isoformat(),
        "counts": {**look.counts, **({"jobs": jobs} if jobs else {})},
        "decisions": {},
        "remains": left,
    }
    return sign_receipt(keyring, org.id, document)
