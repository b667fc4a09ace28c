from __future__ import annotations

from uuid import UUID

from benchmarks.baseline_two import fuse
from benchmarks.latency import headline
from benchmarks.synthetic import EPISODE_TURNS, make_texts, submissions, vary_texts
from memdb.models.memory import Kind
from memdb.storage.statements import load

A, B, C = (UUID(int=n) for n in (1, 2, 3))


def test_reciprocal_ranks_add_up() -> None:
    assert fuse([A, B], [B, C]) == [B, A, C]
    assert fuse([B], [A]) == [A, B]  # a tie, by id
    assert fuse([], []) == []


def test_texts_are_different_and_the_same_each_time() -> None:
    texts = make_texts(500)
    assert texts == make_texts(500)
    assert len({said.text for said in texts}) == 500


def test_texts_of_a_set_differ_in_each_round() -> None:
    said = vary_texts(["one", "two"], ["one?", "two?", "three?"], 6)
    assert len({s.text for s in said}) == 6
    assert [s.text for s in said[:2]] == ["one", "two"]
    assert said[5].question == "three?"


def test_brains_get_equal_shares_and_half_of_them_conversations() -> None:
    rows = list(submissions(make_texts(100), 4))
    assert [sum(brain == n for brain, _ in rows) for n in range(4)] == [25, 25, 25, 25]
    assert {brain: s.kind for brain, s in rows} == {0: Kind.EPISODIC, 1: Kind.SEMANTIC, 2: Kind.EPISODIC, 3: Kind.SEMANTIC}
    sources = [s.source for _, s in rows if s.source is not None]
    assert len({(source.episode, source.position) for source in sources}) == 50
    assert max(source.position or 0 for source in sources) == EPISODE_TURNS - 1


def test_headline_is_the_worse_scope_of_each_figure() -> None:
    scopes = {
        "one": {"engine_over_baseline_two": 2.0, "http_extra_ms": 3.0},
        "all": {"engine_over_baseline_two": 4.0, "http_extra_ms": 1.0},
    }
    assert headline(scopes) == {"engine_over_baseline_two": 4.0, "http_extra_ms": 3.0}


def test_statements_of_the_baseline_bind_their_scope() -> None:
    statements = load("benchmarks.sql")
    asking = {"stem_counts", "near_exact", "near_index", "worded", "contents", "like_by_hand"}
    assert asking <= set(statements)
    assert all(":org_id" in statements[name].sql and ":brain_ids" in statements[name].sql for name in asking)
