"""The routing index of a brain: from a topic to pointers at what is known about it, and the topics that there are."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from governance.errors import InvalidInput
from governance.principals import Role
from governance.redaction.names.known import NOBODY
from governance.scopes import ScopeFilter, require_role
from memdb.formation.check import check_topic
from memdb.keyring import Purpose
from memdb.lifecycle.conflicts import load_conflicts
from memdb.lifecycle.freshness import Freshness, freshness_of
from memdb.runtime import Runtime
from memdb.storage import memories, topics
from memdb.storage.database import ReadConn, identity_of, search
from memdb.storage.memories import Stored
from memdb.storage.statements import load
from memdb.text.normalise import fold
from memdb.text.tokens import count_tokens
from memdb.text.topics import suggest, topic_words
from retrieval.authorise import authorise
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.engine import Reader
from retrieval.filters import is_servable
from retrieval.query import TOKEN_BUDGET_MAX, Filters, RecallRequest

LIMIT_MAX: Final = 100
TOPICS_MAX: Final = 50
"""Topics whose memories are looked at."""
KNOWN_MAX: Final = 20_000
"""Topics among which a near miss is looked for, in byte order."""
PREVIEW_CHARACTERS: Final = 120
CUT_MARK: Final = "…"
_STATEMENTS = load("retrieval.sql")
_FRESHEST: Final = (Freshness.FRESH, Freshness.AGING, Freshness.STALE, Freshness.PAST)


class Match(StrEnum):
    """How a topic was found."""

    EXACT = "exact"
    PREFIX = "prefix"  # it lies below the one that is asked for
    WORDS = "words"


_MATCHES: Final = tuple(Match)


@dataclass(frozen=True, slots=True)
class TopicQuery:
    """What is looked up in a brain. SECURITY: `topic` is raw text; it ends at the redactor."""

    brain_id: UUID
    topic: str = field(repr=False)
    audience: tuple[UUID, ...] | None = None
    limit: int = 20
    token_budget: int | None = None

    def check(self) -> None:
        """Raise InvalidInput for what no answer can be right for."""
        if not 1 <= self.limit <= LIMIT_MAX:
            raise InvalidInput(f"limit must be 1 to {LIMIT_MAX}", field="limit")
        if self.token_budget is not None and not 1 <= self.token_budget <= TOKEN_BUDGET_MAX:
            raise InvalidInput(f"token_budget must be 1 to {TOKEN_BUDGET_MAX}", field="token_budget")
        if self.audience is not None and not self.audience:
            raise InvalidInput("audience is an empty list; leave it out for no filter", field="audience")


@dataclass(frozen=True, slots=True)
class Pointer:
    """A memory of a topic, without its body: `preview` is its first line, cut. `unit`: it stands for the topic."""

    id: UUID
    topic: str = field(repr=False)
    kind: str
    preview: str = field(repr=False)
    freshness: Freshness
    conflict: bool
    updated_at: datetime
    version: int
    unit: bool
    match: Match


@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """Pointers, best first; `over_budget` counts those that the budget left out; `suggestions`: topics that may have been meant, if none is
    the one that was asked for or lies below it.
    """

    pointers: tuple[Pointer, ...]
    over_budget: int
    suggestions: tuple[str, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class TopicCount:
    """A topic with what a reader finds there."""

    topic: str = field(repr=False)
    label: str = field(repr=False)
    memories: int
    units: int
    changed_at: datetime


async def query_topic(runtime: Runtime, reader: Reader, query: TopicQuery) -> TopicAnswer:
    """Point at what a brain knows about a topic: the topic itself, then those below it, then those that share words with it; within each
    the unit first, then by freshness and by how useful it proved.

    Raises:
        NotFound: the brain is unknown or not readable.
        InvalidInput: the topic is blank or too long, or a number out of range.
        RedactionUnavailable: the redactor failed; nothing was looked up.
    """
    query.check()
    require_role(reader.principal, reader.access, query.brain_id, Role.READER)
    path = await fold_topic(runtime, reader, query.brain_id, query.topic)
    now = runtime.clock.now()
    request = RecallRequest(query="", brains=frozenset({query.brain_id}), audience=query.audience)
    async with runtime.database.read(identity_of(reader.principal)) as conn:
        scope = await authorise(conn, reader.principal, reader.access, request)
        if not scope.brain_ids:
            return TopicAnswer((), 0, ())
        bound = scope_parameters(scope) | filter_parameters(unfiltered(now)) | below(path)
        words = topic_words(path)
        bound |= {"words": words, "topics_max": TOPICS_MAX, "limit": query.limit}
        rows = await search(conn, _STATEMENTS["topic_pointers"].sql, bound)
        found = await memories.list_by_id(conn, scope, [row.memory_id for row in rows], runtime.keyring)
        served = {m: row for m, row in found.items() if is_servable(row, scope, now)}
        flagged = {m: row.memory for m, row in served.items() if row.contested}
        contested = await load_conflicts(conn, scope, flagged, runtime.keyring, now)
        shown = [
            _Found(row, stored, freshness_of(stored.memory, now, reader.memory))
            for row in rows
            if (stored := served.get(row.memory_id)) is not None
        ]
        pointers = [one.pointer(contested=one.row.memory_id in contested) for one in sorted(shown, key=_Found.order)]
        # What has every word that was asked for is what was meant.
        meant = any(p.match is not Match.WORDS for p in pointers) or any(one.row.shared == len(words) for one in shown)
        near = [] if meant else await _list_near(conn, scope, now, path)
    kept = _within(pointers, query.token_budget)
    return TopicAnswer(tuple(kept), len(pointers) - len(kept), tuple(near))


async def list_topics(
    runtime: Runtime, reader: Reader, brain_id: UUID, prefix: str | None, *, after: str, limit: int
) -> tuple[list[TopicCount], list[str]]:
    """Topics of a brain in byte order, at most `limit` of those behind `after`; with a prefix this topic and those below it, and when there
    is none topics that may have been meant.

    Raises:
        NotFound: the brain is unknown or not readable.
        InvalidInput: the prefix is blank or too long.
    """
    require_role(reader.principal, reader.access, brain_id, Role.READER)
    path = "" if prefix is None else await fold_topic(runtime, reader, brain_id, prefix)
    now = runtime.clock.now()
    async with runtime.database.read(identity_of(reader.principal)) as conn:
        scope = await authorise(conn, reader.principal, reader.access, RecallRequest(query="", brains=frozenset({brain_id})))
        rows = await _count(conn, scope, now, [path], after=after, limit=limit)
        labels = await topics.list_labels(conn, scope, [row.folded for row in rows])
        near = await _list_near(conn, scope, now, path) if path and not rows and not after else []
    counts = [TopicCount(row.folded, labels[row.folded], row.memories, row.units, row.changed_at) for row in rows if row.folded in labels]
    return counts, near


async def fold_topic(runtime: Runtime, reader: Reader, brain_id: UUID, topic: str) -> str:
    """A topic that is asked for, checked, redacted as texts of its brain are, in the form of the index.

    Raises:
        InvalidInput: blank or too long.
        RedactionUnavailable: the redactor failed.
    """
    checked = check_topic(topic)
    rules, identity = reader.redaction.rules_for(brain_id), identity_of(reader.principal)
    known = await runtime.directory.names(runtime.database, identity) if rules.finds_names else NOBODY
    key = runtime.keyring.derive(Purpose.PSEUDONYM, reader.principal.org_id, context="question")
    redacted = await asyncio.to_thread(runtime.redactor.redact, checked, rules=rules, key=key, known=known, field="topic")
    return fold(redacted.text)


def below(path: str) -> dict[str, str]:
    """A topic and the range, in byte order, of those below it."""
    return {"path": path, "below": path + "/", "behind": path + "0"}  # "0" is the character behind "/"


def unfiltered(now: datetime) -> Filters:
    """What is current, and nothing else is asked for."""
    return Filters(None, None, None, None, None, None, None, None, valid_at=now, as_of=None, now=now)


async def _list_near(conn: ReadConn, scope: ScopeFilter, now: datetime, path: str) -> list[str]:
    """Near misses with a memory there or below that may be served: of a topic without one nobody learns."""
    rows = await search(conn, _STATEMENTS["topics_known"].sql, scope_parameters(scope) | {"limit": KNOWN_MAX})
    near = await asyncio.to_thread(suggest, path, [row.folded for row in rows])
    if not near:
        return []
    topic_of = {row.path: row.folded for row in await _count(conn, scope, now, near, after="", limit=1)}
    labels = await topics.list_labels(conn, scope, topic_of.values())
    found = {path: labels[folded] for path, folded in topic_of.items() if folded in labels}
    return ["/".join(found[topic].split("/")[: topic.count("/") + 1]) for topic in near if topic in found]


async def _count(conn: ReadConn, scope: ScopeFilter, now: datetime, paths: Sequence[str], *, after: str, limit: int) -> Sequence[Any]:
    ranges = [below(path) for path in paths]
    bound = scope_parameters(scope) | filter_parameters(unfiltered(now)) | {"after": after, "limit": limit}
    bound |= {f"{name}s": [one[name] for one in ranges] for name in ("path", "below", "behind")}
    return await search(conn, _STATEMENTS["topic_counts"].sql, bound)


@dataclass(frozen=True, slots=True)
class _Found:
    """A row of the index with the memory that it points at."""

    row: Any
    stored: Stored
    freshness: Freshness

    def order(self) -> tuple[object, ...]:
        """Smallest first: the match, the unit, the freshest, the most useful, the newest."""
        memory = self.stored.memory
        age = -memory.updated_at.timestamp()
        fresh = _FRESHEST.index(self.freshness)
        return (self.row.near, -self.row.shared, not self.row.unit, fresh, -_usefulness(self.stored), age, memory.id)

    def pointer(self, *, contested: bool) -> Pointer:
        memory = self.stored.memory
        line = memory.content.strip().split("\n", 1)[0]
        preview = line if len(line) <= PREVIEW_CHARACTERS else line[:PREVIEW_CHARACTERS].rstrip() + CUT_MARK
        return Pointer(
            id=memory.id,
            topic=memory.topic or "",
            kind=memory.kind.value,
            preview=preview,
            freshness=self.freshness,
            conflict=contested,
            updated_at=memory.updated_at,
            version=memory.version,
            unit=self.row.unit,
            match=_MATCHES[self.row.near],
        )


def _usefulness(stored: Stored) -> float:
    """Share of good outcomes, shrunk towards a half as if one good and one bad had been given before."""
    good = sum(stored.outcomes.get(name, 0) for name in ("used", "helpful"))
    return (good + 1) / (sum(stored.outcomes.values()) + 2)


def _within(pointers: Sequence[Pointer], token_budget: int | None) -> list[Pointer]:
    if token_budget is None:
        return list(pointers)
    kept, size = [], 0
    for pointer in pointers:
        size += count_tokens(json.dumps(pointer_json(pointer), ensure_ascii=False))
        if size > token_budget:
            break
        kept.append(pointer)
    return kept


def pointer_json(pointer: Pointer) -> dict[str, object]:
    """A pointer as it is sent over HTTP; the budget counts this form."""
    return {
        "id": str(pointer.id),
        "topic": pointer.topic,
        "kind": pointer.kind,
        "preview": pointer.preview,
        "freshness": pointer.freshness.value,
        "conflict": pointer.conflict,
        "updated_at": pointer.updated_at.isoformat().replace("+00:00", "Z"),
        "version": pointer.version,
        "unit": pointer.unit,
        "match": pointer.match.value,
    }
