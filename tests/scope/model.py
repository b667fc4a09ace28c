"""What a caller may see, computed from the base tables in plain Python: the dull oracle of the scope tests."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    import psycopg

MARKER = re.compile(r"\bx[aeiou](?:[bdfgklmnprtvz][aeiou]){4}\b")
"""Words that the tests invent; each belongs to one thing alone, so that it gives away where a reply got it from."""
IDENTIFIER = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
STRENGTH = {"reader": 1, "writer": 2, "admin": 3}


@dataclass(frozen=True, slots=True)
class Memory:
    """`served`: active, not held, not expired."""

    id: UUID
    org_id: UUID
    brain_id: UUID
    kind: str
    topic: str | None
    tags: frozenset[str]
    about: frozenset[UUID]
    said_by: UUID | None
    created_at: datetime
    version: int
    served: bool


@dataclass(frozen=True, slots=True)
class Key:
    org_id: UUID
    id: str
    subject_id: UUID
    max_role: str
    capabilities: frozenset[str]
    brains: frozenset[UUID] | None
    act_as_subjects: frozenset[UUID]
    act_as_brains: frozenset[UUID]
    live: bool


@dataclass(frozen=True, slots=True)
class Caller:
    """A key as text, and for whom it says to act."""

    key_text: str
    key_id: str
    org_id: UUID
    act_as: UUID | None = None


@dataclass(slots=True)
class Oracle:
    """The state of the base tables at one moment. `tokens` remembers the words of memories that are gone."""

    now: datetime
    orgs: dict[UUID, str] = field(default_factory=dict)
    subjects: dict[UUID, UUID] = field(default_factory=dict)  # id -> org
    subject_kinds: dict[UUID, str] = field(default_factory=dict)
    subject_words: dict[UUID, set[str]] = field(default_factory=dict)
    teams: dict[UUID, set[UUID]] = field(default_factory=lambda: defaultdict(set))
    brains: dict[UUID, UUID] = field(default_factory=dict)  # id -> org
    brain_kinds: dict[UUID, str] = field(default_factory=dict)
    brain_words: dict[UUID, set[str]] = field(default_factory=dict)
    members: dict[UUID, dict[UUID, str]] = field(default_factory=lambda: defaultdict(dict))
    keys: dict[str, Key] = field(default_factory=dict)
    memories: dict[UUID, Memory] = field(default_factory=dict)
    tokens: dict[UUID, set[str]] = field(default_factory=lambda: defaultdict(set))
    other_ids: dict[UUID, UUID] = field(default_factory=dict)  # episodes, fragments, entities, sessions, turns -> brain
    said: dict[UUID, set[str]] = field(default_factory=lambda: defaultdict(set))  # session -> words of its title and turns

    def load(self, conn: psycopg.Connection, now: datetime) -> None:
        """Read everything again, as the owner."""
        self.now = now
        for store in (self.orgs, self.subjects, self.teams, self.brains, self.members, self.keys, self.memories):
            store.clear()
        self.orgs.update(rows(conn, "SELECT id, name FROM mem.orgs ORDER BY id"))
        for subject_id, org_id, kind, name, aliases in rows(
            conn,
            "SELECT s.id, s.org_id, s.kind, s.name, (SELECT string_agg(a.alias || ' ' || a.folded, ' ') FROM mem.subject_aliases a"
            " WHERE a.org_id = s.org_id AND a.subject_id = s.id) FROM mem.subjects s ORDER BY s.id",
        ):
            self.subjects[subject_id], self.subject_kinds[subject_id] = org_id, kind
            self.subject_words[subject_id] = words(name, aliases)
        for team_id, subject_id in rows(conn, "SELECT team_id, subject_id FROM mem.team_members ORDER BY team_id, subject_id"):
            self.teams[team_id].add(subject_id)
        for brain_id, org_id, kind, name in rows(conn, "SELECT id, org_id, kind, name FROM mem.brains ORDER BY id"):
            self.brains[brain_id], self.brain_kinds[brain_id], self.brain_words[brain_id] = org_id, kind, words(name)
        for brain_id, member_id, role in rows(conn, "SELECT brain_id, member_id, role FROM mem.brain_members ORDER BY brain_id, member_id"):
            self.members[brain_id][member_id] = role
        self._load_keys(conn)
        self._load_memories(conn)

    def _load_keys(self, conn: psycopg.Connection) -> None:
        for row in rows(
            conn,
            "SELECT org_id, id, subject_id, max_role, capabilities, brains, act_as_subjects, act_as_brains, revoked_at, expires_at FROM mem.api_keys ORDER BY created_at, id",
        ):
            org_id, key_id, subject_id, max_role, capabilities, brains, as_subjects, as_brains, revoked_at, expires_at = row
            self.keys[key_id] = Key(
                org_id, key_id, subject_id, max_role, frozenset(capabilities), None if brains is None else frozenset(brains),
                frozenset(as_subjects), frozenset(as_brains), revoked_at is None and (expires_at is None or expires_at > self.now),
            )  # fmt: skip

    def _load_memories(self, conn: psycopg.Connection) -> None:
        for row in rows(
            conn,
            "SELECT m.id, m.org_id, m.brain_id, m.kind, m.topic, m.tags, m.about, m.said_by, m.created_at, m.version, m.status, m.expires_at,"
            " EXISTS (SELECT 1 FROM mem.holds h WHERE h.org_id = m.org_id AND h.memory_id = m.id), m.content, m.data::text"
            " FROM mem.memories m ORDER BY m.id",
        ):
            status, expires_at, held, content, data = row[10:]
            served = status == "active" and not held and (expires_at is None or expires_at > self.now)
            memory = Memory(
                id=row[0], org_id=row[1], brain_id=row[2], kind=row[3], topic=row[4], tags=frozenset(row[5]), about=frozenset(row[6]), said_by=row[7],
                created_at=row[8], version=row[9], served=served,
            )  # fmt: skip
            self.memories[memory.id] = memory
            self.tokens[memory.id] |= words(content, data, memory.topic, *memory.tags)
        for memory_id, content, topic, tags in rows(conn, "SELECT memory_id, content, topic, tags FROM mem.memory_versions"):
            self.tokens[memory_id] |= words(content, topic, *tags)
        for memory_id, brain_id, fragment_id, episode_id, text, speaker, external in rows(
            conn,
            "SELECT l.memory_id, f.brain_id, f.id, e.id, f.text, f.speaker, e.external_id FROM mem.memory_fragments l"
            " JOIN mem.fragments f ON f.org_id = l.org_id AND f.id = l.fragment_id JOIN mem.episodes e ON e.org_id = f.org_id AND e.id = f.episode_id",
        ):
            self.tokens[memory_id] |= words(text, speaker, external)
            self.other_ids[fragment_id] = self.other_ids[episode_id] = brain_id
        for entity_id, brain_id in rows(conn, "SELECT id, brain_id FROM mem.entities"):
            self.other_ids[entity_id] = brain_id
        for session_id, brain_id, title in rows(conn, "SELECT id, brain_id, title FROM mem.sessions ORDER BY id"):
            self.other_ids[session_id] = brain_id
            self.said[session_id] |= words(title)
        for turn_id, session_id, brain_id, text in rows(conn, "SELECT id, session_id, brain_id, text FROM mem.turns ORDER BY id"):
            self.other_ids[turn_id] = brain_id
            self.said[session_id] |= words(text)

    # ------------------------------------------------------------------------------------------------------------- rights
    def reach(self, org_id: UUID, subject_id: UUID) -> dict[UUID, str]:
        """Brain -> strongest role: own membership, that of teams, and that of the whole org."""
        selves = {subject_id, org_id} | {team for team, people in self.teams.items() if subject_id in people}
        found: dict[UUID, str] = {}
        for brain_id, members in self.members.items():
            if self.brains[brain_id] == org_id and (roles := [members[s] for s in selves if s in members]):
                found[brain_id] = max(roles, key=STRENGTH.__getitem__)
        return found

    def rights(self, caller: Caller) -> dict[UUID, str] | int:
        """Brain -> role of a caller, or the status that it is refused with."""
        key = self.keys[caller.key_id]
        if not key.live:
            return 401
        subject_id, only = key.subject_id, None
        if caller.act_as is not None and caller.act_as != key.subject_id:
            target = caller.act_as
            if self.subjects.get(target) != key.org_id or self.subject_kinds[target] not in {"person", "agent", "service"}:
                return 403
            if "act_as" not in key.capabilities:
                return 403
            if target not in key.act_as_subjects:
                only = key.act_as_brains & self.reach(key.org_id, target).keys()
                if not only:
                    return 403
            subject_id = target
        return {
            brain_id: min(role, key.max_role, key=STRENGTH.__getitem__)
            for brain_id, role in self.reach(key.org_id, subject_id).items()
            if (key.brains is None or brain_id in key.brains) and (only is None or brain_id in only)
        }

    def capabilities(self, caller: Caller) -> frozenset[str]:
        key = self.keys[caller.key_id]
        return key.capabilities if caller.act_as in {None, key.subject_id} else frozenset()

    def audience(self, org_id: UUID, ids: Iterable[UUID]) -> set[UUID]:
        """Brains that all of them read; somebody unknown to the org reads what the whole org reads."""
        shared = set(self.brains)
        for subject_id in ids:
            shared &= self.reach(org_id, subject_id).keys()
        return shared

    # ---------------------------------------------------------------------------------------------------------- forbidden
    def visible(self, brains: Iterable[UUID]) -> list[Memory]:
        allowed = set(brains)
        return [m for m in self.memories.values() if m.served and m.brain_id in allowed]

    def find_leaks(self, text: str, org_id: UUID, brains: Iterable[UUID], *, editor: bool = False) -> set[str]:
        """Words and ids in a reply that belong to what these brains do not hold, or hold but do not serve.

        Args:
            text: everything that was sent back.
            org_id: of the caller.
            brains: that the reply may draw on.
            editor: the caller keeps the directory or the keys of its org, so it knows ids of brains.
        """
        allowed_brains = set(brains)
        seen = self.visible(allowed_brains)
        allowed_words = set().union(*(self.tokens[m.id] for m in seen), *(self.brain_words[b] for b in allowed_brains))
        allowed_words |= set().union(*(said for session, said in self.said.items() if self.other_ids[session] in allowed_brains))
        allowed_words |= set().union(*(self.subject_words[s] for s, org in self.subjects.items() if org == org_id))
        if editor:
            allowed_brains |= {b for b, org in self.brains.items() if org == org_id}
        every_word = set().union(*self.tokens.values(), *self.said.values(), *self.brain_words.values(), *self.subject_words.values())
        leaked = {word for word in MARKER.findall(text.lower()) if word in every_word and word not in allowed_words}
        served = {m.id for m in seen}
        for found in {UUID(i) for i in IDENTIFIER.findall(text.lower())}:
            foreign = (
                (found in self.memories and found not in served)
                or (found in self.other_ids and self.other_ids[found] not in allowed_brains)
                or (found in self.subjects and self.subjects[found] != org_id)
                or (found in self.brains and found not in allowed_brains)
            )
            if foreign:
                leaked.add(str(found))
        leaked |= {name for org, name in self.orgs.items() if org != org_id and name in text}
        leaked |= {k.id for k in self.keys.values() if k.org_id != org_id and k.id in text}
        return leaked


def words(*texts: str | None) -> set[str]:
    """The invented words in some texts."""
    return {word for text in texts if text for word in MARKER.findall(text.lower())}


def rows(conn: psycopg.Connection, query: str) -> list[tuple[Any, ...]]:
    return conn.execute(query.encode()).fetchall()
