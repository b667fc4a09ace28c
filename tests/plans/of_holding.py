"""Statements of quarantine and review: what is selected and followed, held and released, and what stands in the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from governance.scopes import of_job
from memdb.ids import make_id
from memdb.storage import contexts, holding, quarantine, reviews, selecting
from memdb.storage.reviews import Cause
from memdb.storage.selecting import Conditions
from tests.plans.asking import At, Hot
from tests.plans.holding import QUARANTINE, RUNNING
from tests.support.rows import NOW

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from uuid import UUID


def select(**wanted: object) -> Callable[[At], Awaitable[object]]:
    """A page of what meets some conditions."""
    return lambda at: selecting.select_memories(at.conn, at.org, Conditions(**wanted), after=None, limit=200)  # type: ignore[arg-type]  # by name


def some(at: At, count: int = 50) -> list[UUID]:
    huge = at.loaded.brains["huge"]
    return [one for one, brain in zip(at.loaded.ids, at.loaded.brain_of, strict=True) if brain == huge][:count]


async def hold(at: At) -> object:
    """As a chunk of a quarantine does it."""
    huge = at.loaded.brains["huge"]
    ids = some(at)
    await holding.lock_many(at.conn, of_job(at.org, huge), ids, at.keyring)
    await holding.set_held(at.conn, at.org, ids, [make_id() for _ in ids], held=True)
    return await holding.unhold(at.conn, at.org, [QUARANTINE], ids)


async def request(at: At) -> object:
    await reviews.request_reviews(at.conn, at.org, Cause.HARMFUL, [(at.loaded.ids[0], at.loaded.brain_of[0], [])], NOW)
    return await reviews.close_requests(at.conn, at.org, at.loaded.ids[0])


def page(at: At) -> Awaitable[object]:
    return holding.list_reviews(at.conn, at.org, brain_id=None, action_id=None, after=at.loaded.ids[50], limit=51)


OF_HOLDING: tuple[Hot, ...] = (
    Hot("select_memories of a writer", select(writer=make_id()), ("memories_writer_idx",), "memdb_search"),
    Hot("select_memories of a key", select(key_id="nobody"), ("memories_key_idx",), "memdb_search"),
    Hot("select_memories by id", lambda at: select(ids=tuple(at.loaded.ids[:20]))(at), ("memories_pk",), "memdb_search"),
    Hot("select_memories of a brain", lambda at: select(brain_id=at.loaded.brains["hundred"])(at), ("memories_brain_idx",), "memdb_search"),
    Hot("select_of_source", lambda at: selecting.select_of_source(at.conn, at.org, "call-7"), ("episodes_source_idx", "fragments_episode_idx|fragments_text_uq", "memory_fragments_fragment_idx"), "memdb_search"),
    Hot("select_of_sessions", lambda at: selecting.select_of_sessions(at.conn, at.org, [at.session]), ("derivations_snapshot_idx",), "memdb_search"),
    Hot("list_came_from", lambda at: selecting.list_came_from(at.conn, at.org, at.loaded.ids[:50]), ("derivations_memory_idx", "links_to_idx"), "memdb_search"),
    Hot("list_made_of", lambda at: selecting.list_made_of(at.conn, at.org, at.loaded.ids[:50]), ("memory_fragments_pk", "memory_fragments_fragment_idx", "links_pk"), "memdb_search"),
    Hot("list_sessions_of_memories", lambda at: selecting.list_sessions_of_memories(at.conn, at.org, at.loaded.ids[:50]), ("derivations_memory_idx",), "memdb_search"),
    Hot("count_held", lambda at: holding.count_held(at.conn, at.org, at.loaded.ids[:50]), ("holds_pk",), "memdb_search"),
    Hot("list_held_by", lambda at: holding.list_held_by(at.conn, at.org, RUNNING, 200), ("holds_action_idx",), "memdb_search"),
    Hot("list_reviews", page, ("holds_pk",), "memdb_search"),
    Hot("list_requested", lambda at: reviews.list_requested(at.conn, at.org, brain_id=None, after=at.loaded.ids[50], limit=51), ("review_requests_pk",), "memdb_search"),
    Hot("find_requests", lambda at: reviews.find_requests(at.conn, at.org, at.loaded.ids[:50]), ("review_requests_pk",), "memdb_search"),
    Hot("request and close a review", request, ("review_requests_pk",), job=True),
    Hot("list_targets", lambda at: quarantine.list_targets(at.conn, at.org, RUNNING, 200), ("hold_targets_pk",)),
    Hot("hold a chunk", hold, ("memories_pk|memories_brain_idx", "holds_pk|holds_action_idx"), job=True),
    Hot("list_after", lambda at: contexts.list_after(at.conn, at.org, at.loaded.fragments[:20], 20), ("fragments_pk", "fragments_episode_idx|fragments_text_uq", "memory_fragments_fragment_idx", "memory_index_pk"), job=True),
)  # fmt: skip
