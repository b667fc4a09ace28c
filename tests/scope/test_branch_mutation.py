"""Statements of the branches run as memdb_search, which no policy holds back: each condition of each of them has to matter.

For every condition a prepared world holds a row that breaks that one alone. Without the condition the row is found, and the mutant is dead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import combinations
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from sqlalchemy import create_engine, text

from memdb.ids import make_id
from memdb.storage.database import sqlalchemy_url
from memdb.storage.statements import load
from retrieval.branches.binding import filter_parameters, scope_parameters
from retrieval.branches.lexical import CONTEXT_SHARE, K1, B
from retrieval.branches.vector import statement
from retrieval.query import Filters
from tests.scope.conjuncts import Conjunct, find_conjuncts, without
from tests.scope.search_world import LATER, World, make_world, scope_of
from tests.support.rows import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine

    from memdb.providers.embedding.base import EmbeddingSpace
    from tests.support.database import FreshDatabase

STATEMENTS = load("retrieval.sql")

PREFILTERS = {
    "d.terms && CAST(:terms AS text[])": "spares unnesting rows that hold none of the words; u.term says the same of each word",
    "u.topic = n.folded": "leads to the index; a memory stands for one topic, its own",
    "u.topic = t.folded": "as above",
    "u.brain_id = ANY (CAST(:brain_ids AS uuid[]))": "leads to the index; a unit lies in the brain of its memory",
    "i.brain_id = n.brain_id": "leads to the index in its order; one brain is asked at a time",
    "u.brain_id = n.brain_id": "leads to the index; one brain is asked at a time",
    "i.about && CAST(:subject_ids AS uuid[])": "leads to the index; the join says the same of each subject",
    "(i.about && CAST(:subject_ids AS uuid[]) OR i.said_by = ANY (CAST(:subject_ids AS uuid[])))": "leads to the indexes; the join says the same of each subject",
}
"""Conditions that change how much is read and not what is found, with the reason."""
REPEATED = {
    ("exact_topic", "(CAST(:topic AS text) IS NULL OR i.topic = CAST(:topic AS text) OR starts_with(i.topic, CAST(:topic AS text) || '/'))"):
        "the topic that is asked for and the one that is filtered by are trees: one holds the other, or they have nothing in common",
    ("topic_pointers", "t.brain_id = ANY (CAST(:brain_ids AS uuid[]))"): "what stands for a topic, and what lies in it, says the same again",
    ("subject_memories", "(CAST(:about AS uuid[]) IS NULL OR i.about && CAST(:about AS uuid[]))"): "the subject asked for says the same",
    ("subjects_known", "(CAST(:about AS uuid[]) IS NULL OR i.about && CAST(:about AS uuid[]))"): "the subjects asked for say the same",
    ("lexical", "h.words @@ q.lexeme"): "spares counting words that are not there: 0 times adds nothing",
    ("vector_near", "e.brain_id = ANY (CAST(:brain_ids AS uuid[]))"):
        "keeps the places of the nearest for the brains in scope; the vectors that are compared say the same again",
}  # fmt: skip
"""Statement and condition whose first occurrence another one makes up for, with the reason."""
ENCLOSED = {
    ("topic_pointers", "i.brain_id = ANY (CAST(:brain_ids AS uuid[]))"): "a memory lies in the brain of its topic, which is in scope",
}
"""Statement and condition that others make up for wherever it stands, with the reason."""
_BY_BRAIN = "the brains in scope are taken one by one, and its brain is the one whose turn it is"
WITHOUT_BRAIN = {
    "feedback": {
        "q": "a question belongs to who asked it; it is reached through what was said about memories in scope",
        "f": _BY_BRAIN,
        "n": _BY_BRAIN,
        "o": _BY_BRAIN,
    },
}
"""Statement -> alias of a table whose rows belong to no brain, with the reason."""
PATHS = {"topic_counts": 3}
"""Of `_of_topics` those that a statement finds something for: topics are counted by path alone."""
_ORG_VALUE = re.compile(r"(\w+)\.org_id = :org_id")
_ORG_JOIN = re.compile(r"(\w+)\.org_id = (\w+)\.org_id")


@pytest.fixture(scope="module")
def world(module_database: FreshDatabase, space: EmbeddingSpace) -> World:
    with psycopg.connect(module_database.owner_url, autocommit=True) as conn:
        return make_world(conn, space)


@pytest.fixture(scope="module")
def engine(module_database: FreshDatabase) -> Iterator[Engine]:
    opened = create_engine(sqlalchemy_url(module_database.app_url))
    yield opened
    opened.dispose()


@dataclass(frozen=True, slots=True)
class Case:
    """A statement with the questions that it is tried with."""

    name: str
    sql: str
    questions: tuple[dict[str, Any], ...] = field(repr=False)

    def answers(self, engine: Engine, sql: str) -> list[list[tuple[Any, ...]]]:
        """What each question finds, in a fixed order."""
        found = []
        with engine.connect() as conn:
            conn.exec_driver_sql("SET LOCAL ROLE memdb_search")
            for question in self.questions:
                used = {name: value for name, value in question.items() if f":{name}" in sql}
                found.append(sorted((tuple(map(str, row)) for row in conn.execute(text(sql), used)), key=str))
            conn.rollback()
        return found


def cases(world: World, space: EmbeddingSpace) -> list[Case]:
    made = []
    for name in STATEMENTS:
        sql = statement(name, space)
        questions = tuple(_questions(world, space, past=name.endswith("_past")))
        if name.startswith("topic"):
            questions = tuple(asked for question in questions for asked in _of_topics(question, PATHS.get(name, 4)))
        made.append(Case(name, sql, questions))
    return made


def _questions(world: World, space: EmbeddingSpace, *, past: bool) -> Iterator[dict[str, Any]]:
    unfiltered = Filters(None, None, None, None, None, None, None, None, NOW, None, NOW)
    filtered = Filters(
        ("semantic",), (world.person,), (world.person,), "clients", ("shared",), ('place="dock"',),
        NOW - timedelta(hours=1), NOW + timedelta(hours=1), NOW, None, NOW,
    )  # fmt: skip
    fixed: dict[str, Any] = {
        "query": world.query, "limit": 1_000, "nearest": 1_000, "candidates": 1_000, "average": 2.0, "k1": K1, "b": B, "context_share": CONTEXT_SHARE, "words": "'alpha'", "terms": ["alpha", "beta"],
        "lexemes": ["'alpha'", "'beta'"], "votes": world.window, "space": space.name, "distance_max": 0.4, "word_of": [0, 1], "idfs": [1.0, 0.5],
    }  # fmt: skip
    fixed |= {
        "ids": world.ids, "seeds": world.ids, "names": ["alpha"], "ends": ["alpha\U0010ffff"], "places": [0], "names_max": 1_000, "counted_max": 1_000, "hub": 1_000,
        "entity_ids": [world.rare, world.frequent], "rare_max": 1_000, "front_max": 1_000, "path": "clients", "phrase": "'alpha' <-> 'beta'", "subject_ids": [world.person, make_id()], "exact": True,
        "member_ids": [world.person, make_id()], "placement": "front", "below": "clients/", "behind": "clients0", "after": "archive/clients", "topics_max": 1_000,
    }  # fmt: skip
    for filters in (unfiltered, filtered):
        for as_of in (None, LATER) if past else (None,):
            yield (
                fixed
                | {"exact": False, "rare_max": 0, "nearest": 0}
                | scope_parameters(scope_of(world))
                | filter_parameters(filters)
                | {"as_of": as_of}
            )
            yield fixed | scope_parameters(scope_of(world)) | filter_parameters(filters) | {"as_of": as_of}


def _of_topics(question: dict[str, Any], count: int) -> Iterator[dict[str, Any]]:
    """A path with topics below it, one that is a topic, one of which only a word is known, and every topic."""
    paths = (("clients", ["clients"]), ("clients/meridian", ["nobody"]), ("", ["clients"]), ("papers", ["meridian"]))
    for path, words in paths[:count]:
        one = {"path": path, "below": f"{path}/", "behind": f"{path}0"}
        yield question | one | {"words": words} | {f"{name}s": [value] for name, value in one.items()}


def _mutants(case: Case) -> Iterator[tuple[Conjunct, ...]]:
    """Conditions to take out: each alone, and of those that bind the org all that hold some of the tables.

    With the org of each table compared to a value and to its neighbour's, one of these alone goes unnoticed: any two give the third. They are
    all there because each scan has to show its org to be routed on a distributed Postgres (the plan tests look), so what is tested is that no
    table, and no group of tables, can come loose.
    """
    found = find_conjuncts(case.sql)
    binding = [c for c in found if _ORG_VALUE.fullmatch(c.text) or _ORG_JOIN.fullmatch(c.text)]
    made_up = {next(c for c in found if c.text == text) for name, text in REPEATED if name == case.name}
    made_up |= {c for c in found if (case.name, c.text) in ENCLOSED}
    yield from ((c,) for c in found if c not in binding and c.text not in PREFILTERS and c not in made_up)
    for half in _halves(case.sql, binding):
        tables = sorted({name for c in half for name in _tables(c)})
        for size in range(1, len(tables) + 1):
            for loose in combinations(tables, size):
                yield tuple(c for c in half if len(_tables(c) & set(loose)) == 1 and (len(_tables(c)) == 2 or _tables(c) <= set(loose)))


def _tables(conjunct: Conjunct) -> set[str]:
    return set(re.findall(r"(\w+)\.org_id", conjunct.text))


def _halves(sql: str, conjuncts: list[Conjunct]) -> list[list[Conjunct]]:
    ends = [match.start() for match in re.finditer("UNION ALL", sql)] + [len(sql)]
    starts = [0, *ends[:-1]]
    return [[c for c in conjuncts if start <= c.start < end] for start, end in zip(starts, ends, strict=True)]


def test_every_condition_matters(world: World, engine: Engine, space: EmbeddingSpace) -> None:
    survivors, tried = [], 0
    for case in cases(world, space):
        right = case.answers(engine, case.sql)
        assert all(right), f"{case.name} finds nothing in this world"
        for taken in _mutants(case):
            tried += 1
            if case.answers(engine, without(case.sql, taken)) == right:
                survivors.append(f"{case.name}: {' and '.join(c.text for c in taken)}")
    assert not survivors, "nothing notices when these are gone:\n" + "\n".join(survivors)
    assert tried > 150


def test_each_reference_to_a_tenant_table_binds_org_and_brains(world: World, space: EmbeddingSpace) -> None:
    for case in cases(world, space):
        texts = [c.text for c in find_conjuncts(case.sql)]
        for alias in _aliases(case.sql):
            brains = [] if alias in WITHOUT_BRAIN.get(case.name, {}) else [f"{alias}.brain_id = ANY (CAST(:brain_ids AS uuid[]))"]
            for wanted in (f"{alias}.org_id = :org_id", *brains):
                assert texts.count(wanted) >= _aliases(case.sql).count(alias), (case.name, wanted)


def _aliases(sql: str) -> list[str]:
    words = sql.replace("(", " ").replace(")", " ").split()
    return [words[place + 2] for place, word in enumerate(words) if word in {"FROM", "JOIN"} and words[place + 1].startswith("mem.")]


def test_filters_keep_the_wanted_memory_and_leave_others_out(world: World, engine: Engine, space: EmbeddingSpace) -> None:
    """The world does what it says: each filtered question finds the wanted memory, and fewer others than the unfiltered one."""
    for case in cases(world, space):
        if case.name.startswith(("vector_", "lexical", "feedback")):
            answers = case.answers(engine, case.sql)
            half = len(answers) // 2
            for every, filtered in zip(answers[:half], answers[half:], strict=True):
                assert str(world.wanted) in {row[0] for row in filtered}, case.name
                assert len(filtered) < len(every) - 5, case.name


@pytest.mark.parametrize(
    ("sql", "wanted"),
    [
        ("SELECT 1 FROM t WHERE a = 1 AND (b IS NULL OR c = f(d)) LIMIT 1", ["a = 1", "(b IS NULL OR c = f(d))"]),
        ("SELECT 1 FROM t JOIN u ON t.a = u.a AND t.b = u.b WHERE NOT t.c ORDER BY 1", ["t.a = u.a", "t.b = u.b", "NOT t.c"]),
        ("SELECT 1 FROM t WHERE ((a AND b) OR (c AND 'x AND (y'))", ["((a AND b) OR (c AND 'x AND (y'))", "a", "b", "c", "'x AND (y'"]),
        ("WITH x AS (SELECT 1 FROM t WHERE a) SELECT 1 FROM x", ["a"]),
    ],
)
def test_conditions_are_found_at_every_depth(sql: str, wanted: list[str]) -> None:
    assert [c.text for c in find_conjuncts(sql)] == wanted
    assert without(sql, find_conjuncts(sql)[:1]).count("true") == 1
