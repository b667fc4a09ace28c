"""Writes a data set through the pipeline and asks its questions through the engine, once for every ranking that is compared.

What a branch finds depends on the question and on the branches before it, never on the weights of the request, which come in at fusion.
So the branches run once for a question, and the engine answers again from what they found for each branch alone. A branch is left out by
taking it from the list of branches and running the others anew, because what it found is where later ones begin; the last one in the list
feeds nobody and only its hits are taken out, and one that found nothing changes nothing. Embedding is done once for a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Self
from unittest import mock
from uuid import UUID

from benchmarks.bm25 import Corpus
from benchmarks.documents import Asked, Dataset
from benchmarks.harness import Bench, reader_of, writer_of
from governance.scopes import ScopeFilter
from memdb.formation.pipeline import form
from memdb.formation.stages import Receipt
from memdb.lifecycle.upkeep import run_once
from memdb.providers.embedding.base import Embedded, Embedder, EmbeddingSpace
from memdb.runtime import Runtime
from memdb.storage.database import ReadConn
from memdb.timing import Stopwatch
from retrieval import engine
from retrieval.branches import run
from retrieval.branches.registry import BRANCHES
from retrieval.branches.run import Found, ask, finish
from retrieval.engine import Reader, Recall, recall
from retrieval.query import LIMIT_MAX, Question, RecallRequest

BATCH = 200
DEPTH = 20
FUSED, BM25, WITHOUT = "fused", "bm25", "without "
BRANCH_NAMES = tuple(branch.name for branch in BRANCHES)


@dataclass(frozen=True, slots=True)
class Stored:
    """What was written: brains by their name in the set, labels by memory, and the first label of each memory that holds several."""

    brains: Mapping[str, UUID]
    labels: Mapping[UUID, str]
    same: Mapping[str, str]
    refused: int

    def relevant(self, asked: Asked) -> frozenset[str]:
        """Labels that answer; of documents that became one memory only one is left. What was not stored stays, and is missed."""
        return frozenset(self.same.get(label, label) for label in asked.relevant)


async def write(bench: Bench, dataset: Dataset) -> Stored:
    """Write all documents in their order, and let upkeep finish."""
    brains = {brain: await bench.make_brain(f"brain {n}") for n, brain in enumerate(dict.fromkeys(d.brain for d in dataset.documents))}
    writer, labels, same, refused = writer_of(await bench.enter()), dict[UUID, str](), dict[str, str](), 0
    for start in range(0, len(dataset.documents), BATCH):
        part = dataset.documents[start : start + BATCH]
        outcomes = (await form(bench.runtime, writer, [replace(d.submission, brain_id=brains[d.brain]) for d in part])).outcomes
        for document, outcome in zip(part, outcomes, strict=True):
            if isinstance(outcome, Receipt):
                same.setdefault(document.label, labels.setdefault(outcome.id, document.label))
            else:
                refused += 1
                print(f"not stored: {document.id}: {outcome.code}")
    await run_once(bench.runtime)
    return Stored(brains, labels, same, refused)


@dataclass(slots=True)
class Asking:
    """Asks through the engine; an async context manager, because it stands between the engine and its branches meanwhile."""

    bench: Bench
    dataset: Dataset
    stored: Stored
    depth: int
    degraded: list[str] = field(default_factory=list)
    _corpora: dict[tuple[str, ...], Corpus] = field(default_factory=dict)
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _branches: _RememberedBranches = field(init=False)
    _runtime: Runtime = field(init=False)
    _reader: Reader = field(init=False)

    async def __aenter__(self) -> Self:
        self._branches = _RememberedBranches()
        self._runtime = replace(self.bench.runtime, embedder=_RememberedQueries(self.bench.runtime.embedder))
        self._reader = reader_of(await self.bench.enter())
        self._stack.enter_context(mock.patch.object(engine, "ask", self._branches))
        self._stack.enter_context(mock.patch.object(engine, "finish", _as_remembered))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._stack.aclose()

    async def rankings(self, asked: Asked, others: Mapping[str, Mapping[str, float]], *, brief: bool) -> dict[str, list[str]]:
        """Labels by ranking, best first: fused, by other weights, each branch alone, plain BM25; each branch left out unless `brief`."""
        self._branches.forget()
        ranked = {FUSED: await self._ask(asked, None)}
        found = self._branches.found
        for name in BRANCH_NAMES:
            ranked[name] = await self._ask(asked, {name: 1.0}) if found.hits.get(name) else []
        for name, weights in others.items():
            ranked[name] = await self._ask(asked, weights)
        for name in () if brief else BRANCH_NAMES:
            ranked[WITHOUT + name] = await self._ask_without(asked, name, found) if found.hits.get(name) else ranked[FUSED]
        ranked[BM25] = [self.stored.same.get(label, label) for label in self._corpus(asked.brains).rank(asked.text, self.depth)]
        return ranked

    async def has_evidence(self, asked: Asked, brains: tuple[str, ...] | None = None) -> bool:
        """Whether anything is above the floor of this release, in the question's brains or in others."""
        self._branches.forget()
        request = self._request(replace(asked, brains=brains or asked.brains), None)
        return bool((await self._recall(replace(request, min_score=None, limit=1))).evidence)

    async def _ask(self, asked: Asked, weights: Mapping[str, float] | None) -> list[str]:
        answer = await self._recall(self._request(asked, weights))
        return [self.stored.labels[e.memory.id] for e in answer.evidence]

    async def _ask_without(self, asked: Asked, name: str, found: Found) -> list[str]:
        if name == BRANCHES[-1].name:
            self._branches.found = replace(found, hits={other: hits for other, hits in found.hits.items() if other != name})
        else:
            self._branches.forget()
        with mock.patch.object(run, "BRANCHES", tuple(branch for branch in BRANCHES if branch.name != name)):
            ranked = await self._ask(asked, None)
        self._branches.found = found
        return ranked

    def _request(self, asked: Asked, weights: Mapping[str, float] | None) -> RecallRequest:
        brains = frozenset(self.stored.brains[b] for b in asked.brains if b in self.stored.brains)
        return RecallRequest(asked.text, brains=brains, valid_at=asked.valid_at, limit=self.depth, min_score=0.0, weights=weights)

    async def _recall(self, request: RecallRequest) -> Recall:
        answer = await recall(self._runtime, self._reader, request)
        self.degraded += answer.degraded
        return answer

    def _corpus(self, brains: tuple[str, ...]) -> Corpus:
        if brains not in self._corpora:
            self._corpora[brains] = Corpus((d.label, d.submission.content) for d in self.dataset.documents if d.brain in brains)
        return self._corpora[brains]


def depth_of(unit: str) -> int:
    """How many memories are asked for; several turns of a session become one hit."""
    return LIMIT_MAX if unit == "sessions" else DEPTH


class _RememberedBranches:
    """Takes the place of what asks the branches in the engine; asks them when it remembers nothing."""

    def __init__(self) -> None:
        self._found: Found | None = None

    @property
    def found(self) -> Found:
        assert self._found is not None, "nothing was asked yet"
        return self._found

    @found.setter
    def found(self, found: Found) -> None:
        self._found = found

    def forget(self) -> None:
        self._found = None

    async def __call__(self, runtime: Runtime, conn: ReadConn, scope: ScopeFilter, question: Question, watch: Stopwatch) -> Found:
        if self._found is None:
            self._found = await finish(await ask(runtime, conn, scope, question, watch), watch)
        return self._found


async def _as_remembered(found: Found, _watch: Stopwatch) -> Found:
    return found


class _RememberedQueries:
    """An embedder that keeps its last query."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._last: tuple[list[str], list[Embedded]] = [], []
        self.max_batch, self.max_tokens = embedder.max_batch, embedder.max_tokens

    @property
    def space(self) -> EmbeddingSpace:
        return self._embedder.space

    async def warm(self) -> None:
        await self._embedder.warm()

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedded]:
        return await self._embedder.embed_documents(texts)

    async def embed_queries(self, texts: Sequence[str]) -> list[Embedded]:
        if list(texts) != self._last[0]:
            self._last = list(texts), await self._embedder.embed_queries(texts)
        return self._last[1]

    async def aclose(self) -> None:
        await self._embedder.aclose()
