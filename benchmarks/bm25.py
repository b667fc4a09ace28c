"""Plain BM25 over the own text of each document, by itself: what fused rankings are compared with.

The words are those of the product (`memdb.text.lexemes`), its constants too; there is no context, no cut of candidates and no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from memdb.text.language import detect
from memdb.text.lexemes import analyse, query_terms
from retrieval.branches.lexical import K1, B, inverse_frequency
from retrieval.engine import LANGUAGES


class Corpus:
    """Documents that are searched together; ids in the order of writing, which decides ties."""

    def __init__(self, documents: Iterable[tuple[str, str]]) -> None:
        self._ids: list[str] = []
        self._lengths: list[int] = []
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for place, (name, text) in enumerate(documents):
            words = analyse(text, detect(text))
            self._ids.append(name)
            self._lengths.append(words.length)
            for lexeme, count in words.counts.items():
                self._postings.setdefault(lexeme, []).append((place, count))
        self._average = max(1.0, sum(self._lengths) / len(self._lengths)) if self._lengths else 1.0

    def rank(self, question: str, limit: int) -> list[str]:
        """At most `limit` ids of documents that share a word with the question, best first."""
        scores: dict[int, float] = {}
        for term in query_terms(question, (detect(question), *LANGUAGES)):
            for place, score in self._of_word(term.alternatives).items():
                scores[place] = scores.get(place, 0.0) + score
        best = sorted(scores, key=lambda place: (-scores[place], place))[:limit]
        return [self._ids[place] for place in best]

    def _of_word(self, alternatives: Sequence[str]) -> dict[int, float]:
        """Score by document; of the lexemes that stand for one word the best counts."""
        found = [self._postings.get(lexeme, []) for lexeme in alternatives]
        idf = inverse_frequency(max((len(postings) for postings in found), default=0), len(self._ids))
        scores: dict[int, float] = {}
        for place, count in chain.from_iterable(found):
            norm = K1 * (1 - B + B * self._lengths[place] / self._average)
            scores[place] = max(scores.get(place, 0.0), idf * count * (K1 + 1) / (count + norm))
        return scores
