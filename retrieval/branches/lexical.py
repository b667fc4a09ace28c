"""Lexical branch: memories that share words with the question, ranked by BM25 over their own text and the context it was said in.

Natural questions are joined by OR. Candidates come from the rarest words of the question only: letting in a frequent word costs seconds at
200,000 rows and changes no rank worth having; frequent words still count in the score of what the rare ones found.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy.ext.asyncio import AsyncConnection

from governance.scopes import ScopeFilter
from memdb.storage.sending import fetch
from memdb.storage.statements import load
from memdb.text.lexemes import QueryTerm
from retrieval.branches.base import HITS_MAX, KINDS, Asked, Corpus, Hit
from retrieval.branches.binding import filter_parameters, scope_parameters

K1 = 1.2
B = 0.75
"""BM25's usual constants. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.3."""
CONTEXT_SHARE = 0.3
"""How much of a score is the context's, where there is one. Turns of LoCoMo, 212 questions: recall@10 0.594 without, 0.708 with 0.3,
0.680 with 0.5."""
CANDIDATES_MAX = 4_000
EXACT_STATISTICS_BRAINS_MAX = 200
"""Above this many brains frequencies are rounded up to powers of two, so that they say little about any one of them."""

_STATEMENTS = load("retrieval.sql")


@dataclass(frozen=True, slots=True)
class _Word:
    """A query word: its lexemes, and in about how many documents of the scope the most frequent of them stands."""

    surface: str
    lexemes: tuple[str, ...]
    documents: int
    idf: float


class LexicalBranch:
    """BM25 in SQL over the word index."""

    name = "lexical"
    looks_up = False

    async def find(self, conn: AsyncConnection, asked: Asked) -> list[Hit]:
        question, scope = asked.question, asked.scope
        if not question.terms:
            return []
        corpus = await asked.statistics.get(conn)
        if corpus.documents <= 0:
            return []
        words = weigh(question.terms, corpus, scope)
        chosen = choose_candidates(words)
        if question.filters.past:
            # Superseded versions are not counted any more: a word that no memory holds today may be in one of them.
            chosen += [word for word in words if word.documents == 0]
        if not chosen:
            return []
        parameters = scope_parameters(scope) | filter_parameters(question.filters) | _word_parameters(words)
        parameters |= {"words": tsquery(chosen), "average": corpus.average, "k1": K1, "b": B, "context_share": CONTEXT_SHARE}
        parameters |= {"candidates": CANDIDATES_MAX * 2, "limit": HITS_MAX}
        name = "lexical"
        if question.filters.past:
            name, parameters["as_of"] = "lexical_past", question.filters.as_of
        # What a document that holds every word of the question often would score: the same for all hits, so order is kept.
        ceiling = sum(word.idf for word in words) * (K1 + 1)
        rows = await fetch(conn, _STATEMENTS[name].sql, parameters)
        return [
            Hit(
                memory_id=row.memory_id,
                version=row.version,
                kind=KINDS[row.kind],
                rank=rank,
                raw=float(row.score),
                strength=min(1.0, float(row.score) / ceiling) if ceiling > 0 else 0.0,
                found=tuple(words[w].surface for w in sorted(row.words or ())),
            )
            for rank, row in enumerate(rows, 1)
        ]


def weigh(terms: Sequence[QueryTerm], corpus: Corpus, scope: ScopeFilter) -> list[_Word]:
    """Each word with its frequency, that of its most frequent lexeme."""
    documents = _coarse(corpus.documents, scope)
    words = []
    for term in terms:
        holding = max((_coarse(corpus.holding.get(lexeme, 0), scope) for lexeme in term.alternatives), default=0)
        count = min(documents, holding)
        words.append(_Word(term.surface, term.alternatives, count, inverse_frequency(count, documents)))
    return words


def inverse_frequency(holding: int, documents: int) -> float:
    """BM25's inverse document frequency, always positive.

    >>> inverse_frequency(1, 100) > inverse_frequency(50, 100) > 0
    True
    """
    return math.log(1 + (documents - holding + 0.5) / (holding + 0.5))


def choose_candidates(words: Sequence[_Word]) -> list[_Word]:
    """The rarest words that together hold at most CANDIDATES_MAX documents; at least one that occurs at all."""
    chosen: list[_Word] = []
    total = 0
    for word in sorted((w for w in words if w.documents > 0), key=lambda w: (w.documents, w.surface)):
        if chosen and total + word.documents > CANDIDATES_MAX:
            break
        chosen.append(word)
        total += word.documents
    return chosen


def tsquery(words: Sequence[_Word]) -> str:
    """The lexemes of words joined by OR, quoted for a cast to tsquery.

    >>> tsquery([_Word("don't", ("don't", "dont"), 1, 1.0)])
    "'don''t' | 'dont'"
    """
    return " | ".join(_quoted(lexeme) for lexeme in dict.fromkeys(lexeme for word in words for lexeme in word.lexemes))


def _quoted(lexeme: str) -> str:
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


def _word_parameters(words: Sequence[_Word]) -> dict[str, list[object]]:
    rows = [(lexeme, place, word.idf) for place, word in enumerate(words) for lexeme in word.lexemes]
    return {"lexemes": [_quoted(r[0]) for r in rows], "word_of": [r[1] for r in rows], "idfs": [r[2] for r in rows]}


def _coarse(documents: int, scope: ScopeFilter) -> int:
    if len(scope.brain_ids) <= EXACT_STATISTICS_BRAINS_MAX or documents <= 0:
        return int(documents)
    return 1 << (int(documents) - 1).bit_length()
