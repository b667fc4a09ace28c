"""Rows for the branch statements: one memory that every question finds, and beside it one for each way of not being what was asked for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from governance.principals import Capability, Principal, Role
from governance.scopes import ScopeFilter, readable_by
from governance.trust import Trust
from memdb.ids import make_id
from memdb.storage.tables import vector_table, version_vector_table
from tests.support.rows import NOW, insert, make_brain, make_memory, make_org, make_subject, make_version, unit_vector

if TYPE_CHECKING:
    import psycopg

    from memdb.providers.embedding.base import EmbeddingSpace

HOUR = timedelta(hours=1)
LATER = NOW + 10 * HOUR
"""A moment that `as_of` asks about: whatever is recorded from NOW on was known then."""


@dataclass(frozen=True, slots=True)
class World:
    """`wanted` passes every filter; everything else fails exactly one condition of some statement."""

    org: UUID
    other_org: UUID
    brain: UUID
    other_brain: UUID
    person: UUID
    wanted: UUID
    query: str


BROKEN: dict[str, dict[str, Any]] = {
    "status": {"status": "superseded"},
    "held": {"held": True},
    "expired": {"expires_at": NOW - HOUR},
    "not yet": {"valid_from": NOW + HOUR},
    "no longer": {"valid_to": NOW - HOUR},
    "recorded later": {"recorded_from": LATER + HOUR},
    "kind": {"kind": "episodic"},
    "about": {"about": []},
    "said_by": {"said_by": None},
    "topic": {"topic": "clientele"},
    "tags": {"tags": ["own"]},
    "facets": {"facets": ['place="quay"']},
    "created before": {"created_at": NOW - 2 * HOUR},
    "created after": {"created_at": NOW + 2 * HOUR},
    "words": {"words": "'beta':1"},
}
"""What is wrong with a row of the index, by the condition that keeps it out."""
OF_INDEX = {"status", "held"}
"""Columns that versions do not have; for these the current row of the memory decides."""


def scope_of(world: World) -> ScopeFilter:
    """The one brain of the world that may be searched."""
    principal = Principal(world.org, "tests", world.person, world.person, "tests", Role.READER, frozenset[Capability](), Trust.MEMBER)
    return readable_by(principal, {world.brain: Role.READER})


def make_world(conn: psycopg.Connection, space: EmbeddingSpace) -> World:
    org, other_org = make_org(conn), make_org(conn)
    person = make_subject(conn, org)
    brain, other_brain = make_brain(conn, org, {person: "admin"}), make_brain(conn, org, {person: "admin"})
    insert(conn, "brains", org_id=other_org, id=brain, kind="team", name="the same id", created_at=NOW)
    world = World(org, other_org, brain, other_brain, person, make_id(), unit_vector(space.dimension))
    rows = _Rows(conn, space, world)
    rows.memory(world.wanted)
    rows.memory(world.wanted, org=other_org)  # the same ids in another org: only the org tells them apart
    rows.memory(make_id(), org=other_org)
    rows.memory(make_id(), words="'alpha':1", kind="procedural")
    # Said behind a text with a word of the question, and with others.
    rows.memory(make_id(), words="'alpha':1", context="'beta':1 'gamma':2", context_count=2)
    rows.memory(make_id(), words="'delta':1", context="'alpha':1 'gamma':2 'delta':3", context_count=3)
    rows.memory(make_id(), brain=other_brain)
    for wrong in BROKEN.values():
        rows.memory(make_id(), **wrong)
    rows.memory(make_id(), brain=other_brain, index_brain=brain)  # rows that disagree on their brain: each reference is checked by itself
    rows.memory(make_id(), index_brain=other_brain)
    rows.memory(make_id(), field="context")
    rows.versions()
    rows.statistics()
    return world


@dataclass(frozen=True, slots=True)
class _Rows:
    conn: psycopg.Connection
    space: EmbeddingSpace
    world: World

    def memory(
        self,
        memory_id: UUID,
        *,
        org: UUID | None = None,
        brain: UUID | None = None,
        index_brain: UUID | None = None,
        field: str = "text",
        **wrong: Any,
    ) -> UUID:
        """A memory like the wanted one, with its vector, and with something wrong; `brain` is that of the vector."""
        org, brain = org or self.world.org, brain or self.world.brain
        make_memory(self.conn, org, index_brain or brain, self.world.person, id=memory_id)
        self._index("memory_index", org, memory_id, right(self.world) | {"brain_id": index_brain or brain} | wrong)
        table = vector_table(self.space.name, self.space.dimension).name
        insert(self.conn, table, org_id=org, brain_id=brain, memory_id=memory_id, field=field, embedding=self.world.query)
        return memory_id

    def version(self, memory_id: UUID, *, org: UUID | None = None, vector_brain: UUID | None = None, **wrong: Any) -> None:
        """An older version of a memory, right but for what is said."""
        org = org or self.world.org
        make_version(self.conn, org, memory_id, self.world.brain, self.world.person)
        then = {"recorded_from": NOW - HOUR, "recorded_to": LATER + HOUR, "valid_to": LATER}
        self._index("memory_version_index", org, memory_id, right(self.world) | then | wrong)
        table = version_vector_table(self.space.name, self.space.dimension).name
        vector = {"org_id": org, "brain_id": vector_brain or self.world.brain, "memory_id": memory_id, "embedding": self.world.query}
        insert(self.conn, table, **vector, version=1)

    def versions(self) -> None:
        """Versions of memories whose current row is right, and of memories whose current row is not served."""
        world = self.world
        self.version(world.wanted)
        self.version(world.wanted, org=world.other_org)
        self.version(self.memory(make_id(), org=world.other_org), org=world.other_org)
        nowhere: dict[str, Any] = {
            "words": "'gamma':1",
            "kind": "taxonomic",
        }  # a current row that nothing asks for, so that only its version could be found
        for name, wrong in BROKEN.items():
            if name in OF_INDEX:
                self.version(self.memory(make_id(), **nowhere, **wrong))
            elif name != "no longer":
                self.version(self.memory(make_id(), **nowhere), **wrong)
        self.version(self.memory(make_id(), **nowhere, expires_at=NOW - HOUR))
        self.version(self.memory(make_id(), **nowhere), brain_id=world.other_brain)
        self.version(self.memory(make_id(), **nowhere), vector_brain=world.other_brain)
        self.version(self.memory(make_id(), **nowhere, index_brain=world.other_brain))
        self.version(self.memory(make_id(), **nowhere), valid_to=None)  # corrected: true at no time
        self.version(self.memory(make_id(), **nowhere), valid_to=NOW - HOUR)  # taken over from before the moment asked about
        self.version(self.memory(make_id(), **nowhere), recorded_to=NOW)  # known before as_of, and not any more then
        held = self.memory(make_id(), **nowhere, held=True)
        self.version(held)
        self.memory(held, org=world.other_org, **nowhere)  # served there, so it must not stand in for the one that is held here
        self.memory(unversioned := make_id(), **nowhere)
        self.memory(unversioned, org=world.other_org, **nowhere)
        self.version(unversioned, org=world.other_org)
        second = self.memory(make_id(), **nowhere)
        self.version(second)
        self._second_version(second)

    def _second_version(self, memory_id: UUID) -> None:
        """Version 2, which nothing asks for, with a vector of its own: it must not be paired with version 1."""
        for table in ("memory_versions", "memory_version_index", version_vector_table(self.space.name, self.space.dimension).name):
            columns = [row[0] for row in self.conn.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_schema = 'mem' AND table_name = %s AND column_name <> 'version'",
                (table,),
            )]  # fmt: skip
            listed = ", ".join(columns)
            self.conn.execute(
                f"INSERT INTO mem.{table} ({listed}, version) SELECT {listed}, 2 FROM mem.{table} WHERE memory_id = %s".encode(),
                (memory_id,),
            )
        self.conn.execute(
            "UPDATE mem.memory_version_index SET words = '''gamma'':1', kind = 'taxonomic', valid_to = NULL, recorded_to = %s WHERE memory_id = %s AND version = 2",
            (NOW, memory_id),
        )

    def statistics(self) -> None:
        """Counts of the wanted brain, of the other one, of the same id in another org, and of words that nobody asks for."""
        for org, brain, documents in (
            (self.world.org, self.world.brain, 3), (self.world.org, self.world.other_brain, 50), (self.world.other_org, self.world.brain, 700),
        ):  # fmt: skip
            here = {"org_id": org, "brain_id": brain, "language": "en"}
            insert(self.conn, "corpus_stats", **here, documents=documents, words=documents * 9)
            for term in ("alpha", "zeta"):
                insert(self.conn, "term_stats", **here, term=term, documents=documents)
            for term in ("alpha", "zeta"):
                insert(self.conn, "term_deltas", **here, id=make_id(), terms=[term, "iota"], documents=1, words=2)

    def _index(self, table: str, org: UUID, memory_id: UUID, values: dict[str, Any]) -> None:
        unkept = {"status", "held"} if table == "memory_version_index" else {"recorded_to"}
        kept = {name: value for name, value in values.items() if name not in unkept}
        columns = ", ".join(f"{name} = %s" for name in kept)
        self.conn.execute(
            f"UPDATE mem.{table} SET {columns} WHERE org_id = %s AND memory_id = %s".encode(), [*kept.values(), org, memory_id]
        )


def right(world: World) -> dict[str, Any]:
    """Columns of the index that pass every condition of every question."""
    return {
        "kind": "semantic", "topic": "clients/meridian", "about": [world.person], "said_by": world.person, "tags": ["shared"],
        "facets": ['place="dock"'], "words": "'alpha':1 'beta':2", "word_count": 2, "status": "active", "held": False,
        "valid_from": NOW - HOUR, "valid_to": None, "expires_at": NOW + HOUR, "recorded_from": NOW - HOUR, "created_at": NOW,
    }  # fmt: skip
