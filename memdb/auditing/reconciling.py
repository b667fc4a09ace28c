"""Memories against their seals and against the last event that tells of each; what they are found by against them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from memdb.auditing.damage import Damage, Found, Report
from memdb.errors import WrongSecret
from memdb.keyring import Keyring
from memdb.models.memory import Memory, Status
from memdb.storage import evidence
from memdb.storage.rows import index_facets, memory_of
from memdb.storage.seals import found_by_intact, state_intact, vector_of, version_intact, words_of
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

PAGE: Final = 500
Advance = Callable[[int], None]


def check_memories(conn: Connection, keyring: Keyring, report: Report, since: datetime | None, advance: Advance) -> None:
    """Every memory of the org in the snapshot of `conn`, with its versions, its index rows and its vectors.

    What was made before `since` an earlier release may have left without seals.
    """
    for _ in _checked_pages(conn, keyring, report, since, advance):
        pass


def find_damaged(conn: Connection, keyring: Keyring, org_id: UUID, advance: Advance) -> Iterator[UUID]:
    """Memories that do not verify by themselves, what an earlier release did not seal among them, by id."""
    for page in _checked_pages(conn, keyring, Report("", org_id), None, advance):
        yield from sorted(page)


def _checked_pages(conn: Connection, keyring: Keyring, report: Report, since: datetime | None, advance: Advance) -> Iterator[set[UUID]]:
    """Check page by page; the memories of each that are damaged."""
    after: UUID | None = None
    spaces = evidence.list_spaces(conn)
    while rows := evidence.list_memories(conn, report.org_id, after, PAGE):
        after = rows[-1].id
        ids = [row.id for row in rows]
        damaged: set[UUID] = set()
        told = evidence.last_commitments(conn, report.org_id, ids)
        memories = {row.id: memory_of(row) for row in rows}
        page = _Page(conn, keyring, report, memories, since, damaged)
        for row in rows:
            _check_row(page, row, told.get(row.id))
        _check_index(page, {row.id for row in rows if row.holds})
        _check_versions(page)
        embedded = set(evidence.list_unembedded(conn, report.org_id, ids))
        for space in spaces:
            embedded |= _check_vectors(page, space)
        for memory in memories.values():
            if memory.status is not Status.DELETED and memory.id not in embedded:
                page.tell(Damage.VECTOR_MISSING, memory.id)
        report.memories += len(rows)
        advance(len(rows))
        yield damaged


def _state_intact(keyring: Keyring, memory: Memory, row: Any) -> bool:  # noqa: ANN401 - a database row
    try:
        return state_intact(keyring, memory, row.mac_key_id, (bytes(row.mac_version), bytes(row.mac_state)), tuple(sorted(row.holds)))
    except WrongSecret:
        return False


def _version_intact(keyring: Keyring, memory: Memory, row: Any) -> bool:  # noqa: ANN401 - a database row
    try:
        return version_intact(keyring, memory, row.mac_key_id, bytes(row.mac_version))
    except WrongSecret:
        return False


@dataclass(frozen=True, slots=True)
class _Page:
    """Memories by id that are checked together."""

    conn: Connection
    keyring: Keyring
    report: Report
    memories: Mapping[UUID, Memory]
    since: datetime | None
    damaged: set[UUID]

    def finds(self, memory_id: UUID, what: str, value: bytes, mac: bytes | None) -> bool:
        """True when a memory is found by what it was written with. An earlier release sealed none of it."""
        memory = self.memories[memory_id]
        if mac is None:
            # SECURITY: the moment at which a memory was made is sealed itself.
            return self.since is not None and memory.created_at < self.since
        return found_by_intact(self.keyring, (memory.org_id, memory.id), what, value, bytes(mac))

    def tell(self, damage: Damage, memory_id: UUID, place: str | None = None) -> None:
        """Report a memory."""
        self.damaged.add(memory_id)
        self.report.add(Found(damage, "memory", str(memory_id), place))


def _check_row(page: _Page, row: Any, told: bytes | None) -> None:  # noqa: ANN401 - a database row
    memory = page.memories[row.id]
    if not _state_intact(page.keyring, memory, row):
        page.tell(Damage.MEMORY_CHANGED, memory.id)
    elif told is not None and told != bytes(row.mac_state):
        page.tell(Damage.MEMORY_NOT_AS_RECORDED, memory.id)
    elif told is None and page.since is not None and memory.created_at < page.since:
        page.report.earlier += 1
    elif told is None:
        page.tell(Damage.MEMORY_WITHOUT_EVENT, memory.id)


def _check_versions(page: _Page) -> None:
    there: dict[UUID, set[int]] = {}
    for row in evidence.list_versions(page.conn, page.report.org_id, list(page.memories)):
        memory = memory_of(row, past=True)
        there.setdefault(memory.id, set()).add(memory.version)
        page.report.versions += 1
        if not _version_intact(page.keyring, memory, row):
            page.tell(Damage.VERSION_CHANGED, memory.id, f"version {memory.version}")
        elif row.words is None or not page.finds(memory.id, "words", words_of(row.words, row.word_count), row.words_mac):
            page.tell(Damage.INDEX_CHANGED, memory.id, f"words of version {memory.version}")
        elif any(getattr(row, f"at_{name}") != value for name, value in _filtered_by(memory).items()):
            page.tell(Damage.INDEX_CHANGED, memory.id, f"filters of version {memory.version}")
    missing = [
        (memory.id, version)
        for memory in page.memories.values()
        if memory.status is not Status.DELETED
        for version in sorted(set(range(1, memory.version)) - there.get(memory.id, set()))
    ]
    erased = evidence.erased_versions(page.conn, page.report.org_id, [memory_id for memory_id, _ in missing]) if missing else set()
    for memory_id, version in missing:
        if (memory_id, version) not in erased:
            page.tell(Damage.VERSION_MISSING, memory_id, f"version {version}")


def _check_index(page: _Page, held: Collection[UUID]) -> None:
    rows = {row.memory_id: row for row in evidence.list_index(page.conn, page.report.org_id, list(page.memories))}
    for memory_id, memory in page.memories.items():
        row = rows.get(memory_id)
        if memory.status is Status.DELETED or row is None:
            if (memory.status is Status.DELETED) != (row is None):
                page.tell(Damage.INDEX_MISSING if row is None else Damage.INDEX_CHANGED, memory_id)
            continue
        for place in _differing(row, memory, held=memory_id in held):
            page.tell(Damage.INDEX_CHANGED, memory_id, place)
        of_context = words_of(row.context, row.context_count, row.context_fragments)
        for what, value, mac in (("words", words_of(row.words, row.word_count), row.words_mac), ("context", of_context, row.context_mac)):
            if not page.finds(memory_id, what, value, mac):
                page.tell(Damage.INDEX_CHANGED, memory_id, what)


def _differing(row: Any, memory: Memory, *, held: bool) -> list[str]:  # noqa: ANN401 - a database row
    """Columns of an index row that are not what the memory says."""
    expected: dict[str, object] = {
        **_filtered_by(memory),
        "facets": index_facets(memory.kind, memory.data),
        "status": memory.status.value,
        "held": held,
        "valid_from": memory.valid_from,
        "valid_to": memory.valid_to,
        "event_from": memory.event_from,
        "event_to": memory.event_to,
        "expires_at": memory.expires_at,
        "created_at": memory.created_at,
        "placement": memory.placement.value,
        "recorded_from": memory.updated_at,
    }
    return [name for name, value in expected.items() if getattr(row, name) != value]


def _filtered_by(memory: Memory) -> dict[str, object]:
    """What index rows of current and of older versions have in common."""
    return {
        "brain_id": memory.brain_id,
        "kind": memory.kind.value,
        "topic": fold(memory.topic) if memory.topic else None,
        "about": list(memory.about),
        "said_by": memory.said_by,
        "tags": [fold(tag) for tag in memory.tags],
        "language": memory.language,
    }


def _check_vectors(page: _Page, space: str) -> set[UUID]:
    """The memories whose current text has a vector in this space."""
    found: set[UUID] = set()
    for row in evidence.list_vectors(page.conn, page.report.org_id, space, page.memories):
        page.report.vectors += 1
        if row.version is None and row.field == "text":
            found.add(row.memory_id)
        moved = row.brain_id != page.memories[row.memory_id].brain_id
        if moved or not page.finds(row.memory_id, row.field, vector_of(row.embedding), row.mac):
            place = f"{row.field} in {space}" if row.version is None else f"version {row.version} in {space}"
            page.tell(Damage.VECTOR_CHANGED, row.memory_id, place)
    return found
