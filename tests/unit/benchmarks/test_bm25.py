from __future__ import annotations

import math

import pytest

from benchmarks.bm25 import Corpus


def test_documents_with_rarer_and_more_words_come_first() -> None:
    corpus = Corpus(
        [("a", "the boiler of the house"), ("b", "the red boiler"), ("c", "a red garden"), ("d", "a red house"), ("e", "nothing")]
    )
    assert corpus.rank("red boiler", 10)[0] == "b"
    assert set(corpus.rank("red boiler", 10)) == {"a", "b", "c", "d"}
    assert corpus.rank("red boiler", 1) == ["b"]
    assert corpus.rank("violin", 10) == []


def test_ties_keep_the_order_of_writing_and_nothing_is_an_answer() -> None:
    assert Corpus([("z", "green apple"), ("a", "green apple")]).rank("apple", 10) == ["z", "a"]
    assert Corpus([]).rank("apple", 10) == []


def test_a_word_counts_once_whatever_stands_for_it() -> None:
    # "running" is looked up as it stands and as "run": a document that holds both forms scores no higher than by the better one.
    corpus = Corpus([("a", "running running"), ("b", "running tree"), ("c", "stone tree")])
    found = corpus._of_word(("running", "run"))
    idf = math.log(1 + (3 - 2 + 0.5) / 2.5)
    assert found[0] == pytest.approx(idf * 2 * 2.2 / (2 + 1.2))
    assert found[1] == pytest.approx(idf * 2.2 / (1 + 1.2))
