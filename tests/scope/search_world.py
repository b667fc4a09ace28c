"""Rows for the branch statements: one memory that every question finds, and beside it one for each way of not being what was asked for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import timedelta
from itertools import product
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
RECALL = make_id()
"""A recall with feedback: its question is the one that is asked now."""
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
    near: UUID = dataclass_field(default_factory=make_id)
    """As right as the wanted one, and asked for by no id: it is reached from the wanted one."""
    ids: list[UUID] = dataclass_field(default_factory=list)
    """Every memory of the index but `near`."""
    rare: UUID = dataclass_field(default_factory=make_id)
    frequent: UUID = dataclass_field(default_factory=make_id)
    """Entities that stand in every memory."""
    votes: Counter[tuple[UUID, UUID, str]] = dataclass_field(default_factory=Counter)
    """What each key said, by org, brain and key."""

    @property
    def window(self) -> int:
        """As many votes as it takes for every key in scope to be heard out, so that a key too many leaves less for each."""
        counts = [count for (org, brain, _), count in self.votes.items() if (org, brain) == (self.org, self.brain)]
        return len(counts) * max(counts)


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
ELSEWHERE = ("archive/clients", "zoo/clients", "zoo/keepers")
"""Topics before and behind those below `clients`, that share a word with it or none."""
BROKEN_UNITS = {name: "archive/clients" if name == "topic" else f"clients/{name.replace(' ', '-')}" for name in BROKEN}
"""What is wrong with a unit, and the topic that it stands for."""
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
    rows.topics()
    rows.entities()
    rows.memory(world.wanted)
    rows.memory(world.wanted, org=other_org)  # the same ids in another org: only the org tells them apart
    rows.context_vectors()
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
    rows.memory(make_id(), placement="drawer")
    for topic in ELSEWHERE:
        rows.memory(make_id(), topic=topic)
    rows.units()
    rows.versions()
    rows.statistics()
    rows.feedback()
    rows.graph()
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
        self._vote(org, brain, memory_id)
        for entity in (self.world.rare, self.world.frequent):
            insert(self.conn, "memory_entities", org_id=org, entity_id=entity, memory_id=memory_id, brain_id=brain, mentions=1)
        if memory_id != self.world.near:
            self.world.ids.append(memory_id)
        return memory_id

    def context_vectors(self) -> None:
        """The wanted memory's context is far from the question, the same memory's of the other org is near; another's text is far."""
        world, table = self.world, vector_table(self.space.name, self.space.dimension).name
        for org, embedding in ((world.org, unit_vector(self.space.dimension, 1)), (world.other_org, world.query)):
            insert(self.conn, table, org_id=org, brain_id=world.brain, memory_id=world.wanted, field="context", embedding=embedding)
        far = {"org_id": world.org, "brain_id": world.brain, "embedding": unit_vector(self.space.dimension, 1)}
        insert(self.conn, table, **far, memory_id=self.memory(make_id(), field="context"), field="text")

    def topics(self) -> None:
        """Topics that the index refers to, in every brain of either org."""
        world = self.world
        for org, brain in ((world.org, world.brain), (world.org, world.other_brain), (world.other_org, world.brain)):
            for topic in {"clients/meridian", BROKEN["topic"]["topic"], *ELSEWHERE, *BROKEN_UNITS.values()}:
                insert(self.conn, "topics", org_id=org, brain_id=brain, folded=topic, label=topic, words=topic.split("/"), created_at=NOW)

    def units(self) -> None:
        """Here the wanted memory is one; in the other org, by the same id, one that is none here."""
        stands = {"topic": "clients/meridian", "brain_id": self.world.brain, "created_at": NOW}
        insert(self.conn, "units", org_id=self.world.org, memory_id=self.world.wanted, **stands)
        (other,) = self.conn.execute(
            "SELECT memory_id FROM mem.memory_index WHERE org_id = %s AND memory_id <> %s LIMIT 1",
            (self.world.other_org, self.world.wanted),
        ).fetchone() or (None,)
        assert other is not None
        self.memory(other)
        insert(self.conn, "units", org_id=self.world.other_org, memory_id=other, **stands)
        for name, topic in BROKEN_UNITS.items():
            broken = self.memory(make_id(), **{**BROKEN[name], "topic": topic})
            insert(self.conn, "units", org_id=self.world.org, memory_id=broken, **stands | {"topic": topic})
        elsewhere = self.memory(make_id(), brain=self.world.other_brain)
        insert(self.conn, "units", org_id=self.world.org, memory_id=elsewhere, **stands | {"brain_id": self.world.other_brain})

    def entities(self) -> None:
        """The two that every memory mentions, names around the one that is asked for, and the same in another org and brain."""
        world = self.world
        for org in (world.org, world.other_org):
            for entity, name in ((world.rare, "alpha"), (world.frequent, "alpha two")):
                self._entity(org, world.brain, entity, name)
        for name in ("aalpha", "alphabet", "beta"):
            self._entity(world.org, world.brain, make_id(), name)
        self._entity(world.org, world.other_brain, make_id(), "alpha")

    def _entity(self, org: UUID, brain: UUID, entity_id: UUID, name: str, kind: str = "thing") -> None:
        insert(self.conn, "entities", org_id=org, id=entity_id, brain_id=brain, kind=kind, name=name, folded=name, created_at=NOW)

    def graph(self) -> None:
        """What leads from the wanted memory to `near`, and beside it rows that lead elsewhere and are wrong in one way each."""
        world, episode, other_episode, former = self.world, make_id(), make_id(), make_id()
        self.memory(world.near)
        self.memory(world.near, org=world.other_org)
        third = self.memory(make_id(), about=[], said_by=None)
        for org in (world.org, world.other_org):
            for each in (episode, other_episode, former):
                insert(self.conn, "episodes", org_id=org, id=each, brain_id=world.brain, created_at=NOW)
        here, there = (
            self._fragment(world.org, world.brain, episode, 10, world.wanted),
            self._fragment(world.org, world.brain, episode, 20, world.near),
        )
        self._fragment(world.org, world.brain, episode, 2, third)
        for fragment, position, memory in ((here, 10, world.wanted), (there, 20, world.near)):
            self._fragment(world.other_org, world.brain, episode, position, memory, fragment)
        # Nearer than the right neighbours, each in one way not theirs.
        for position in (9, 11):
            self._fragment(world.other_org, world.brain, episode, position, None)
        for position in (8, 12):
            self._fragment(world.org, world.other_brain, episode, position, None)
        for position in (7, 13):
            self._fragment(world.org, world.brain, other_episode, position, None)
        self._nearer(episode, other_episode)
        self._told(world.org, world.other_brain, world.wanted, there)  # a source row of another brain
        self._told(world.org, world.brain, world.wanted, self._fragment(world.org, world.other_brain, other_episode, 30, None))
        # Of what a former text came from: nothing leads there, nor back.
        self._told(world.org, world.brain, world.wanted, self._fragment(world.org, world.brain, former, 10, None), until_version=2)
        self._told(world.org, world.brain, third, there, until_version=2)
        for org, brain, one, other in (
            (world.org, world.brain, world.wanted, world.near), (world.other_org, world.brain, world.wanted, world.near),
            (world.org, world.other_brain, world.wanted, third), (world.org, world.brain, world.near, third),
        ):  # fmt: skip
            for a, b in ((one, other), (other, one)):
                insert(self.conn, "links", org_id=org, from_id=a, to_id=b, kind="similar", brain_id=brain, weight=0.5, created_at=NOW)
        for brain, kind, of in (
            (world.brain, "speaker", world.brain),
            (world.other_brain, "thing", world.brain),
            (world.brain, "thing", world.other_brain),
        ):
            entity = make_id()
            self._entity(world.org, brain, entity, f"gamma {kind} {brain == of}", kind)
            insert(self.conn, "memory_entities", org_id=world.org, entity_id=entity, memory_id=world.wanted, brain_id=of, mentions=1)
            insert(self.conn, "memory_entities", org_id=world.org, entity_id=entity, memory_id=world.near, brain_id=world.brain, mentions=1)

    def _nearer(self, episode: UUID, elsewhere: UUID) -> None:
        """Fragments nearer than the right neighbours, of memories; each wrong in one way, or of another org in some of its rows."""
        world = self.world
        live, held, away = (self.memory(make_id(), **wrong) for wrong in ({}, {"held": True}, {"index_brain": world.other_brain}))
        both, other = (self.memory(self.memory(make_id(), held=wrong), org=world.other_org) for wrong in (False, True))
        link = {"org_id": world.org, "brain_id": world.brain, "from_id": world.wanted, "kind": "similar", "weight": 0.5, "created_at": NOW}
        for memory in (held, away):
            insert(self.conn, "links", **link, to_id=memory)
        for position in (8, 12):
            self._fragment(world.org, world.brain, episode, position, None)
            self._fragment(world.org, world.brain, elsewhere, position, live)
            self._fragment(world.org, world.brain, episode, position, held)
            self._fragment(world.org, world.brain, episode, position, away)
            for fragment_brain, brain in ((world.other_brain, world.brain), (world.brain, world.other_brain)):
                self._told(world.org, brain, live, self._fragment(world.org, fragment_brain, episode, position, None))
            for f, w, h in product((world.org, world.other_org), repeat=3):
                if {f, w, h} != {world.org}:
                    fragment = self._fragment(f, world.brain, episode, position, None)
                    far = world.other_org if f == world.org else world.org
                    self._told(
                        w, world.brain, both if h == world.org else other, self._fragment(far, world.brain, elsewhere, 40, None, fragment)
                    )

    def _fragment(self, org: UUID, brain: UUID, episode: UUID, position: int, memory: UUID | None, fragment_id: UUID | None = None) -> UUID:
        fragment_id = fragment_id or make_id()
        stored = {"org_id": org, "id": fragment_id, "brain_id": brain, "episode_id": episode, "position": position, "text": "…"}
        insert(self.conn, "fragments", **stored, redactions="[]", text_hash=fragment_id.bytes, created_at=NOW)
        if memory is not None:
            self._told(org, brain, memory, fragment_id)
        return fragment_id

    def _told(self, org: UUID, brain: UUID, memory: UUID, fragment: UUID, until_version: int | None = None) -> None:
        insert(
            self.conn,
            "memory_fragments",
            org_id=org,
            memory_id=memory,
            fragment_id=fragment,
            brain_id=brain,
            created_at=NOW,
            from_version=1,
            until_version=until_version,
        )

    def feedback(self) -> None:
        """Questions that are near, far, of another space, and of another org; votes on the wanted memory for each, and by the other brain; votes
        of a second key, and elsewhere of keys that stand before and behind all others.
        """
        world, other = self.world, unit_vector(self.space.dimension, 1)
        far, elsewhere = make_id(), make_id()
        for org, recall_id, space, embedding in (
            (world.org, RECALL, self.space.name, world.query), (world.other_org, RECALL, self.space.name, world.query),
            (world.org, far, self.space.name, other), (world.org, elsewhere, "another", "[1,0,0]"),
        ):  # fmt: skip
            asked = {"subject_id": world.person, "key_id": "tests", "query": "alpha?", "space": space, "embedding": embedding}
            insert(self.conn, "feedback_queries", org_id=org, id=recall_id, **asked, created_at=NOW)
        for recall_id in (far, elsewhere):
            self._vote(world.org, world.brain, world.wanted, recall_id)
        self._vote(world.org, world.brain, world.wanted, key="second")
        for key in ("a first one", "z last one"):
            self._vote(world.other_org, world.brain, world.wanted, key=key)
            self._vote(world.org, world.other_brain, world.wanted, key=key)

    def _vote(self, org: UUID, brain: UUID, memory_id: UUID, recall_id: UUID = RECALL, key: str = "tests") -> None:
        said = {"recall_id": recall_id, "key_id": key, "subject_id": self.world.person, "outcome": "helpful", "created_at": NOW}
        insert(self.conn, "outcomes", org_id=org, brain_id=brain, memory_id=memory_id, **said)
        self.world.votes[org, brain, key] += 1

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
        unkept = {"status", "held", "placement"} if table == "memory_version_index" else {"recorded_to"}
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
        "placement": "front",
    }  # fmt: skip
