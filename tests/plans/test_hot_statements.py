"""Each hot statement uses the index that schema.sql made for it, as the role that runs it, and shows its org in every scan."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import delete

from memdb.ids import make_id
from memdb.keyring import Keyring
from memdb.models.memory import Kind, Placement
from memdb.storage import (
    access,
    brains,
    conflicts,
    contents,
    contexts,
    fronts,
    holds,
    idempotency,
    keys,
    links,
    memories,
    origins,
    subjects,
    upkeep,
)
from memdb.storage import tables as t
from memdb.storage.database import Database, Identity, set_local
from memdb.storage.idempotency import Ticket
from memdb.storage.links import NewMention
from memdb.storage.listing import ListFilter, list_memories
from memdb.storage.statements import load
from memdb.text.lexemes import query_terms
from retrieval.branches.base import Asked
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.branches.entity import EntityBranch
from retrieval.branches.feedback import FeedbackBranch
from retrieval.branches.graph import GraphBranch
from retrieval.branches.lexical import LexicalBranch
from retrieval.branches.vector import VectorBranch
from retrieval.front import list_memory_ids, read_front, read_known
from retrieval.names import find_names
from retrieval.people.folder import everything_now
from retrieval.query import Filters, Question
from retrieval.routing import Exact
from retrieval.topics import TOPICS_MAX, below, unfiltered
from tests.plans.asking import At, Hot, Run
from tests.plans.conftest import PLAN_SPACE
from tests.plans.explaining import Sent, explain_generic, explain_with_values, explained, indexes, whole_scans, without_org
from tests.plans.loading import Loaded
from tests.plans.of_holding import OF_HOLDING
from tests.plans.of_talk import OF_TALK
from tests.support.rows import NOW, set_identity

if TYPE_CHECKING:
    from governance.scopes import ScopeFilter
    from tests.support.database import FreshDatabase

LARGE = {
    "memories", "memory_index", "memory_stats", "memory_versions", "memory_version_index", "memory_vectors_plans_64", "memory_version_vectors_plans_64",
    "fragments", "memory_fragments", "memory_entities", "term_stats", "embedding_pending", "brain_access", "api_keys", "subjects", "subject_aliases",
    "subject_identities", "idempotency_keys", "term_deltas", "outcomes", "feedback_queries", "topics", "conflicts",
    "sessions", "snapshots", "extractions", "derivations", "reconciliations", "review_requests", "hold_targets", f"turns_{NOW:%Y_%m}",
}  # fmt: skip
"""Tables that no hot statement may read from end to end."""


def question(loaded: Loaded, *, words: str = "word30 word900", **changes: Any) -> Question:
    none: dict[str, Any] = dict.fromkeys(("kinds", "about", "said_by", "topic", "tags", "facets", "created_from", "created_to", "as_of"))
    filters = Filters(**(none | {"valid_at": NOW, "now": NOW} | changes))
    seeds = dict.fromkeys(loaded.ids[:30], 0.5)
    text: Any = None  # branches read no text
    return Question(
        text,
        "en",
        tuple(query_terms(words, ("en",))),
        find_names("Name 7 and Nane", {"name 7": [loaded.person]}),
        Exact(),
        loaded.vectors[17],
        filters,
        10,
        seeds=seeds,
    )


def search(branch: Any, scope: Callable[[Loaded], ScopeFilter], **changes: Any) -> Run:
    return lambda at: branch.find(at.conn, asked(scope(at.loaded), question(at.loaded, **changes)))


def asked(scope: ScopeFilter, of: Question) -> Asked:
    return Asked.of(scope, of, PLAN_SPACE, dict.fromkeys(of.seeds, Kind.SEMANTIC))


def everything(loaded: Loaded) -> ScopeFilter:
    return loaded.scope()


def some(loaded: Loaded) -> ScopeFilter:
    return loaded.scope("hundreds", "hundred")


def one(loaded: Loaded) -> ScopeFilter:
    return loaded.scope("middle")


PAST = {"as_of": NOW - timedelta(days=2), "valid_at": NOW - timedelta(days=2)}
VECTORS, OLD_VECTORS = "memory_vectors_plans_64", "memory_version_vectors_plans_64"
LEXICAL, VECTOR, ENTITY, FEEDBACK, GRAPH = LexicalBranch(), VectorBranch(), EntityBranch(), FeedbackBranch(), GraphBranch()


async def erase_links(at: At) -> object:
    """What `memories.erase` sends for links to a memory."""
    return await at.conn.execute(delete(t.links).where(t.links.c.org_id == at.org, t.links.c.to_id == at.loaded.ids[4]))


async def front(at: At) -> object:
    """What a card shows of a subject; the statement runs as memdb_search, and what it finds is fetched as memdb_app."""
    return await read_front(at.conn, at.loaded.scope(), question(at.loaded, about=(at.loaded.person,)), at.keyring)


async def card(at: At) -> object:
    """What the card of a subject sends, one that two were merged into."""
    groups = {at.loaded.person: frozenset({at.loaded.person, at.loaded.small_person})}
    return await read_known(at.conn, at.loaded.scope(), groups, everything_now(NOW), 12)


async def folder(at: At) -> object:
    """What grep and notes look through."""
    return await list_memory_ids(at.conn, at.loaded.scope(), frozenset({at.loaded.person}), everything_now(NOW), Placement.DRAWER, 20_000)


async def standing(at: At) -> object:
    """What a write counts that wants the front."""
    keys_ = {(at.loaded.brains[name], at.loaded.person) for name in ("huge", "hundred")}
    await fronts.lock_fronts(at.conn, at.org, keys_)
    return await fronts.list_standing(at.conn, at.org, keys_, NOW)


def of_topics(name: str, **values: Any) -> Run:
    """One of the statements on topics, in one brain, as `retrieval/topics.py` binds it."""

    async def run(at: At) -> object:
        bound = scope_parameters(one(at.loaded)) | filter_parameters(unfiltered(NOW)) | below("clients/c7") | values
        return await at.conn.execute(load("retrieval.sql")[name].clause, bound)

    return run


async def credential(at: At) -> object:
    return await at.conn.execute(keys.LOAD_CREDENTIAL.clause, keys.credential_values(Identity(at.org, at.loaded.person, at.loaded.key)))


async def erase_outcomes(at: At) -> object:
    """What `memories.erase` sends for what was said about a memory."""
    return await at.conn.execute(delete(t.outcomes).where(t.outcomes.c.org_id == at.org, t.outcomes.c.memory_id == at.loaded.ids[10]))


def mentions(loaded: Loaded) -> list[NewMention]:
    """One memory mentions a name that many share, and another one twice."""
    return [NewMention(loaded.ids[0], loaded.brains["huge"], "person", f"Name {n}", f"name {n}") for n in (7, 8, 8)]


HOT: tuple[Hot, ...] = (
    *OF_TALK,
    *OF_HOLDING,
    Hot("corpus, lexical", search(LEXICAL, everything), ("memory_index_words_idx", "term_stats_pk", "corpus_stats_pk", "term_deltas_pk"), "memdb_search"),
    Hot("lexical, small scope", search(LEXICAL, some), ("term_stats_pk",), "memdb_search"),
    # Of the current rows nothing had been recorded by then, which the order of a topic's memories tells as well.
    Hot("lexical_past", search(LEXICAL, everything, **PAST), ("memory_index_words_idx|memory_index_brain_idx", "memory_version_index_words_idx"), "memdb_search"),
    Hot("corpus, vector_near", search(VECTOR, everything), (f"{VECTORS}_hnsw", f"{VECTORS}_pk", "memory_index_pk"), "memdb_search"),
    Hot("vector_exact", search(VECTOR, some), (f"{VECTORS}_brain_idx",), "memdb_search"),
    Hot("vector_past", search(VECTOR, some, **PAST), (f"memory_version_index_brain_idx|{OLD_VECTORS}_brain_idx",), "memdb_search"),
    Hot("feedback", search(FEEDBACK, everything), ("outcomes_brain_idx", "feedback_queries_pk", "memory_index_pk"), "memdb_search"),
    Hot("feedback, small scope", search(FEEDBACK, some), ("outcomes_brain_idx", "feedback_queries_pk", "memory_index_pk"), "memdb_search"),
    Hot("entity_names, entity_memories, entity_subjects", search(ENTITY, everything), ("entities_prefix_idx", "memory_entities_pk", "memory_index_pk", "memory_index_about_idx"), "memdb_search"),
    Hot("graph_edges", search(GRAPH, everything), ("memory_fragments_pk", "fragments_pk", "fragments_episode_idx|fragments_text_uq", "memory_fragments_fragment_idx", "links_pk", "links_to_idx", "memory_entities_memory_idx", "memory_index_pk"), "memdb_search"),
    Hot("topic_pointers", of_topics("topic_pointers", words=["clients", "c7"], topics_max=TOPICS_MAX, limit=20), ("topics_pk|topics_words_idx", "memory_index_brain_idx", "units_pk"), "memdb_search"),
    Hot("topic_counts", of_topics("topic_counts", paths=["clients/c7"], belows=["clients/c7/"], behinds=["clients/c70"], after="", limit=50), ("topics_pk", "memory_index_brain_idx", "units_pk"), "memdb_search"),
    Hot("list_open", lambda at: conflicts.list_open(at.conn, at.loaded.scope(), at.loaded.ids[:20]), ("conflicts_open_idx", "conflicts_other_idx")),
    Hot("list_unattributed", lambda at: holds.list_unattributed(at.conn, at.loaded.scope(), at.loaded.brains["middle"], after=None, limit=50), ("holds_brain_idx|holds_pk|holds_action_idx",)),
    Hot("subjects_known", front, ("memory_index_about_idx",)),
    Hot("subjects_known of a card", card, ("memory_index_about_idx",)),
    Hot("subject_memories", folder, ("memory_index_about_idx",)),
    Hot("list_contents", lambda at: contents.list_contents(at.conn, at.loaded.scope(), at.loaded.ids[:1_000]), ("memories_pk|memories_brain_idx",)),
    Hot("list_standing", standing, ("memory_index_front_idx", "memories_pk")),
    Hot("list_by_id", lambda at: memories.list_by_id(at.conn, at.loaded.scope(), at.loaded.ids[:60], at.keyring), ("memories_pk", "holds_pk", "memory_stats_pk")),
    Hot("list_versions", lambda at: memories.list_versions(at.conn, at.loaded.scope(), [(m, 1) for m in at.loaded.ids[:20]], at.keyring), ("memory_versions_pk",)),
    Hot("list_history", lambda at: memories.list_history(at.conn, at.loaded.scope(), at.loaded.ids[0], at.keyring), ("memory_versions_pk",)),
    Hot("list_memories", lambda at: list_page(at, one), ("memories_brain_idx", "memory_index_pk")),
    Hot("list_memories of many brains", lambda at: list_page(at, everything), ("memories_pk", "memory_index_pk")),
    Hot("list_memories of small brains", lambda at: list_page(at, some), ("memories_brain_idx",)),
    Hot("lock", lambda at: memories.lock(at.conn, at.loaded.scope(), at.loaded.ids[3], at.keyring), ("memories_pk",)),
    Hot("find_duplicates", lambda at: memories.find_duplicates(at.conn, at.org, duplicates(at.loaded)), ("memories_duplicate_uq",)),
    Hot("list_depending", lambda at: contexts.list_depending(at.conn, at.org, at.loaded.brains.values(), [at.loaded.fragments[9]]), ("memory_index_context_fragments_idx",)),
    Hot("list_sources", lambda at: origins.list_sources(at.conn, at.org, at.loaded.scope().brain_ids, [(m, 1) for m in at.loaded.ids[:10]]), ("memory_fragments_pk", "fragments_pk")),
    Hot("find_episodes", lambda at: origins.find_episodes(at.conn, at.org, [(at.loaded.brains["middle"], "call-7")]), ("episodes_external_uq|episodes_source_idx",)),
    Hot("list_fragments", lambda at: origins.list_fragments(at.conn, at.org, make_id()), ("fragments_episode_idx",)),
    Hot("delete_orphans", lambda at: origins.delete_orphans(at.conn, at.org, at.loaded.ids[5]), ("memory_fragments_pk", "fragments_pk", "memory_fragments_fragment_idx")),
    Hot("add_mentions", lambda at: links.keep_mentions(at.conn, at.org, mentions(at.loaded), NOW), ("entities_name_uq|entities_prefix_idx", "memory_entities_pk", "memories_pk|memories_brain_idx")),
    Hot("forget_mentions", lambda at: links.forget_mentions(at.conn, at.org, at.loaded.ids[0]), ("memory_entities_memory_idx", "links_pk")),
    Hot("replace_mentions", lambda at: links.replace_mentions(at.conn, at.org, at.loaded.ids[0], mentions(at.loaded), NOW), ("memory_entities_memory_idx", "entities_name_uq|entities_prefix_idx")),
    Hot("erase", erase_links, ("links_to_idx",)),
    Hot("load_access", lambda at: access.load_access(at.conn, at.org, at.loaded.person), ("brain_access_pk",)),
    Hot("load_audience", lambda at: access.load_audience(at.conn, at.org, [at.loaded.person, make_id()]), ("brain_access_pk",)),
    Hot("load_credential", credential, ("api_keys_pk", "subjects_pk", "brain_access_pk")),
    Hot("find_key", lambda at: keys.find_key(at.conn, at.org, at.loaded.key), ("api_keys_pk",)),
    Hot("list_keys", lambda at: keys.list_keys(at.conn, at.org, subject_id=at.loaded.person, after=None, limit=50), ("api_keys_subject_idx",)),
    Hot("list_brains", lambda at: brains.list_brains(at.conn, at.loaded.scope(), kind=None, after=None, limit=50), ()),
    Hot("list_known", lambda at: subjects.list_known(at.conn, at.org, [at.loaded.person, make_id()]), ("subjects_pk",)),
    Hot("find_by_identity", lambda at: subjects.find_by_identity(at.conn, at.org, "chat", [b"x" * 32]), ("subject_identities_pk",)),
    Hot("list_subjects", lambda at: subjects.list_subjects(at.conn, at.org, kind=None, after=make_id(), limit=50), ("subjects_pk",)),
    Hot("list_aliases", lambda at: subjects.list_aliases(at.conn, at.org, [at.loaded.person, make_id()]), ("subject_aliases_subject_idx",)),
    Hot("list_identities", lambda at: subjects.list_identities(at.conn, at.org, [at.loaded.person, make_id()]), ("subject_identities_subject_idx",)),
    Hot("find_result", lambda at: idempotency.find_result(at.conn, ticket(at), NOW), ("idempotency_keys_pk",)),
    Hot("forget_replays", lambda at: upkeep.forget_replays(at.conn, at.org, NOW - timedelta(hours=40)), ("idempotency_keys_age_idx",)),
    Hot("claim_pending", lambda at: upkeep.claim_pending(at.conn, at.org, PLAN_SPACE, NOW, 20), ("embedding_pending_due_idx", "embedding_pending_pk")),
    Hot("list_unembedded", lambda at: upkeep.list_unembedded(at.conn, at.org, at.loaded.brains["huge"], at.loaded.ids[:30]), ("memories_pk|memories_brain_idx",), job=True),
    Hot("fold_deltas", lambda at: upkeep.fold_deltas(at.conn, at.org, at.loaded.brains["huge"]), ("term_deltas_pk", "corpus_stats_pk"), job=True),
    Hot("count_outcomes", lambda at: upkeep.count_outcomes(at.conn, at.org, at.loaded.brains["huge"]), ("outcomes_uncounted_idx", "memory_stats_pk"), job=True),
    Hot("list_brains_with_outcomes", lambda at: upkeep.list_brains_with_outcomes(at.conn, at.org), ("outcomes_uncounted_idx",), job=True),
    Hot("erase outcomes", erase_outcomes, ("outcomes_memory_idx",)),
    Hot("list_brains_with_deltas", lambda at: upkeep.list_brains_with_deltas(at.conn, at.org), ("term_deltas_pk",), job=True),
)  # fmt: skip
PLANNED_EACH_TIME = {"list_memories", "list_memories of many brains", "list_memories of small brains"}
"""These set plan_cache_mode for themselves, as all branches do: which index is right depends on the size of the scope."""


LOOKING_UP = {"feedback", "graph_edges"}
"""Statements of branches that have one plan for all values."""


def missing(hot: Hot, used: set[str]) -> list[str]:
    """Indexes that did not appear; `a|b` is one of two that serve alike."""
    return [wanted for wanted in hot.indexes if not set(wanted.split("|")) & used]


async def list_page(at: At, scope: Callable[[Loaded], ScopeFilter]) -> object:
    return await list_memories(at.conn, scope(at.loaded), ListFilter(NOW), at.keyring, before=None, limit=50)


def duplicates(loaded: Loaded) -> list[Any]:
    return [
        (loaded.brain_of[n], "semantic", loaded.duplicate_keys[n]) for n in range(0, 40, 4) if loaded.brain_of[n] in loaded.brains.values()
    ]


def ticket(at: At) -> Ticket:
    return Ticket(at.org, at.loaded.key, "POST /v1/memories", b"x" * 32, b"y" * 32)


@pytest.fixture(scope="package")
async def sent(app: Database, loaded: Loaded, keyring: Keyring) -> dict[str, list[Sent]]:
    """What each of HOT sends, explained; every transaction is rolled back."""
    return {hot.name: await _send(hot, app, loaded, keyring) for hot in HOT}


class _Enough(Exception):
    pass


async def _send(hot: Hot, app: Database, loaded: Loaded, keyring: Keyring) -> list[Sent]:
    identity = Identity(loaded.org, job_brain_id=loaded.brains["huge"]) if hot.job else Identity(loaded.org, loaded.person, loaded.key)
    found: list[Sent] = []
    try:
        async with app.write(identity) as conn, explained(app) as found:
            if hot.role != "memdb_app":
                await set_local(conn, role=hot.role)
            await hot.run(At(conn, loaded, keyring))
            raise _Enough
    except _Enough:
        return found


@pytest.mark.parametrize("hot", HOT, ids=lambda hot: hot.name)
async def test_it_uses_its_index(sent: dict[str, list[Sent]], hot: Hot) -> None:
    statements = sent[hot.name]
    assert statements, "nothing was sent"
    used = set().union(*(indexes(s.plan) for s in statements))
    assert not missing(hot, used), f"{missing(hot, used)} not among {used}"
    assert not set().union(*(whole_scans(s.plan) for s in statements)) & LARGE


REUSED = [hot for hot in HOT if (hot.role == "memdb_app" and hot.name not in PLANNED_EACH_TIME) or hot.name in LOOKING_UP]


@pytest.mark.parametrize("hot", REUSED, ids=lambda hot: hot.name)
async def test_it_uses_its_index_whatever_the_values_are(
    sent: dict[str, list[Sent]], hot: Hot, loaded: Loaded, loaded_database: FreshDatabase
) -> None:
    """psycopg prepares what it sends often, and Postgres may then plan it once for all values."""
    used, whole = set[str](), set[str]()
    with psycopg.connect(loaded_database.app_url) as conn:
        who: Any = (None, None) if hot.job else (loaded.person, loaded.key)
        set_identity(conn, loaded.org, *who, job_brain_id=loaded.brains["huge"] if hot.job else None)
        for statement in sent[hot.name]:
            conn.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(statement.role)))
            plan = explain_generic(conn, statement)
            used |= indexes(plan)
            whole |= whole_scans(plan)
        conn.rollback()
    assert not missing(hot, used), f"{missing(hot, used)} not among {used}"
    assert not whole & LARGE


@pytest.mark.parametrize("hot", HOT, ids=lambda hot: hot.name)
async def test_each_scan_shows_its_org(sent: dict[str, list[Sent]], hot: Hot, loaded: Loaded, loaded_database: FreshDatabase) -> None:
    with psycopg.connect(loaded_database.owner_url) as conn:
        tenant = {
            row[0]
            for row in conn.execute(
                "SELECT table_name FROM information_schema.columns WHERE table_schema = 'mem' AND column_name = 'org_id'"
            )
        }
        unrouted = [f for s in sent[hot.name] for f in without_org(explain_with_values(conn, s), loaded.org, tenant)]
    assert not unrouted


def test_the_checks_see_a_statement_that_lost_its_index_or_its_org(loaded: Loaded, loaded_database: FreshDatabase) -> None:
    with psycopg.connect(loaded_database.owner_url) as conn:
        lost = Sent(
            f"SELECT 1 FROM mem.{VECTORS} e ORDER BY 1 - (e.embedding <=> %(query)s) DESC LIMIT 10",
            {"query": str(loaded.vectors[0].tolist())},
            {},
        )
        lost = Sent(lost.sql.replace("%(query)s", "%(query)s::halfvec"), lost.parameters, {})
        plan = explain_with_values(conn, lost)
        assert not indexes(plan)
        assert whole_scans(plan) & LARGE
        assert without_org(plan, loaded.org, {VECTORS})
