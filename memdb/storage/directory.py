"""The dictionary of an org: under which labels its subjects are mentioned, for the entity extractor and for the redactor. Kept in the
process for a while.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from uuid import UUID

from sqlalchemy import select

from governance.redaction.names.known import KnownNames
from memdb.storage import tables as t
from memdb.storage.database import Database, Identity

TTL_S = 30.0  # how long a label that another process wrote can stay unknown here
ORGS_MAX = 256
LABELS_MAX = 50_000  # about 10 MB of process memory; beyond it the labels that come last in the alphabet are not recognised

Dictionary = Mapping[str, tuple[UUID, ...]]


@dataclass(slots=True)
class _Entry:
    dictionary: Dictionary
    read_at_s: float
    names: KnownNames | None = None  # made when they are asked for first, which most orgs never do


class Directory:
    """Dictionaries of the orgs that were asked for last. One object for a process; not shared between event loops."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._entries: OrderedDict[UUID, _Entry] = OrderedDict()
        self._changes: dict[UUID, int] = {}

    async def get(self, database: Database, identity: Identity) -> Dictionary:
        """Folded label -> ids of the subjects that bear it, by id; at most 30 seconds old. May open a read transaction."""
        return (await self._get(database, identity)).dictionary

    async def names(self, database: Database, identity: Identity) -> KnownNames:
        """The same labels as names that the redactor knows."""
        entry = await self._get(database, identity)
        if entry.names is None:
            entry.names = KnownNames.of(entry.dictionary)
        return entry.names

    async def _get(self, database: Database, identity: Identity) -> _Entry:
        org_id = identity.org_id
        entry = self._entries.get(org_id)
        if entry is not None and self._monotonic() - entry.read_at_s < TTL_S:
            self._entries.move_to_end(org_id)
            return entry
        started_at_s = self._monotonic()
        changes = self._changes.get(org_id, 0)
        entry = _Entry(await _load(database, identity), started_at_s)
        # INVARIANT: what was read before a label changed here is used once and not kept.
        if self._changes.get(org_id, 0) == changes:
            self._keep(org_id, entry)
        return entry

    def invalidate(self, org_id: UUID) -> None:
        """Forget an org's dictionary; after a commit that changed its labels."""
        self._entries.pop(org_id, None)
        self._changes[org_id] = self._changes.get(org_id, 0) + 1

    def _keep(self, org_id: UUID, entry: _Entry) -> None:
        self._entries[org_id] = entry
        self._entries.move_to_end(org_id)
        while len(self._entries) > ORGS_MAX:
            self._entries.popitem(last=False)


async def _load(database: Database, identity: Identity) -> Dictionary:
    a = t.subject_aliases.c
    query = select(a.folded, a.subject_id).where(a.org_id == identity.org_id).order_by(a.folded, a.subject_id).limit(LABELS_MAX)
    async with database.read(identity) as conn:
        rows = (await conn.execute(query)).all()
    found: dict[str, list[UUID]] = {}
    for folded, subject_id in rows:
        found.setdefault(folded, []).append(subject_id)
    return MappingProxyType({folded: tuple(ids) for folded, ids in found.items()})
