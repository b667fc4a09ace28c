"""Whose folder is opened and for whom: the subject with all identities that it was merged from, and the scope of all that is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final
from uuid import UUID

from governance.errors import InvalidInput, NotFound
from governance.scopes import ScopeFilter, readable_by
from memdb.runtime import Runtime
from memdb.storage.database import ReadConn, identity_of
from memdb.storage.sightings import list_sightings
from memdb.storage.subjects import find_person, list_aliases
from retrieval.authorise import IDS_MAX, authorise
from retrieval.engine import Reader
from retrieval.front import list_memory_ids, list_shown
from retrieval.query import Filters, RecallRequest
from retrieval.standing import Entry, stand

MEMORIES_MAX: Final = 20_000
"""Of one subject that are looked at in one request, the newest."""
CHUNK: Final = 1_000
"""Memories that are fetched at once."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which folder. `brains` None: all that the caller reads; `audience` None: for the caller alone."""

    subject_id: UUID
    brains: frozenset[UUID] | None = None
    audience: tuple[UUID, ...] | None = None

    def check(self) -> None:
        """Raise InvalidInput for a list that is empty or too long."""
        for name, value in (("brains", self.brains), ("audience", self.audience)):
            if value is not None and not value:
                raise InvalidInput(f"{name} is an empty list; leave it out for no filter", field=name)
            if len(value or ()) > IDS_MAX:
                raise InvalidInput(f"{name} lists more than {IDS_MAX} ids", field=name)


@dataclass(frozen=True, slots=True)
class Folder:
    """A subject as a reply may know it: who stands for it, its identities, its name, and the brains that every field is drawn from."""

    subject_id: UUID
    members: frozenset[UUID]
    name: str | None = field(repr=False)
    scope: ScopeFilter

    @property
    def title(self) -> str:
        """The name, else the id."""
        return self.name or str(self.subject_id)


@dataclass(frozen=True, slots=True)
class Contents:
    """Everything that a folder holds and a door may show, newest first; `more`: there is more than is looked at in one request."""

    folder: Folder
    labels: tuple[str, ...] = field(repr=False)
    entries: tuple[Entry, ...] = field(repr=False)
    more: bool


async def open_folder(conn: ReadConn, reader: Reader, wanted: Wanted) -> Folder:
    """The folder within what the caller and the whole audience may read.

    Raises:
        InvalidInput: a list is empty or too long.
        NotFound: the org has no such subject, or `brains` names a brain that the caller may not read.
    """
    wanted.check()
    # The rule is that of a search; of its request it reads nothing else.
    scope = await authorise(conn, reader.principal, reader.access, RecallRequest("", brains=wanted.brains, audience=wanted.audience))
    person = await find_person(conn, scope.org_id, wanted.subject_id)
    if person is None:
        raise NotFound("no such subject", field="subject_id")
    root, members = person
    return Folder(root.id, members, root.name, scope)


def everything_now(now: datetime) -> Filters:
    """Filters that narrow nothing: what holds at this moment."""
    return Filters(
        kinds=None,
        about=None,
        said_by=None,
        topic=None,
        tags=None,
        facets=None,
        created_from=None,
        created_to=None,
        valid_at=now,
        as_of=None,
        now=now,
    )


async def read_contents(runtime: Runtime, reader: Reader, wanted: Wanted) -> Contents:
    """Everything in a folder. Raises as `open_folder`."""
    filters = everything_now(runtime.clock.now())
    async with runtime.database.read(identity_of(reader.principal)) as conn:
        folder = await open_folder(conn, reader, wanted)
        labels = await _list_labels(conn, reader, folder)
        ids = await list_memory_ids(conn, folder.scope, folder.members, filters, None, MEMORIES_MAX + 1)
        entries: list[Entry] = []
        for start in range(0, min(len(ids), MEMORIES_MAX), CHUNK):
            rows = await list_shown(conn, folder.scope, ids[start : start + CHUNK], filters, runtime.keyring)
            entries += await stand(conn, folder.scope, rows, filters, reader.memory, runtime.keyring)
    return Contents(folder, labels, tuple(entries), len(ids) > MEMORIES_MAX)


async def _list_labels(conn: ReadConn, reader: Reader, folder: Folder) -> tuple[str, ...]:
    """Labels beside the name, in order. One that was seen in brains alone is told only where one of them is in scope.

    SECURITY: a nickname from a direct message is part of it; the audience of a room may not hear it.
    """
    aliases = await list_aliases(conn, folder.scope.org_id, folder.members)
    known = await list_sightings(conn, readable_by(reader.principal, reader.access), folder.members)
    told = await list_sightings(conn, folder.scope, folder.members)
    labels: set[str] = set()
    for member, own in aliases.items():
        seen = {sighting.folded for sighting in known.get(member, ())} - {sighting.folded for sighting in told.get(member, ())}
        labels |= {label for folded, label in own if folded not in seen}
    return tuple(sorted(labels - {folder.name or ""}))
