"""The embedder that every model shares: prepare texts, split into batches, call the model, check and average what it returns."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

import numpy as np

from memdb.providers.embedding.base import Embedded
from memdb.providers.embedding.prepare import Limits, Prepared, prepare_document, prepare_query
from memdb.providers.embedding.vectors import Matrix, average, require_unit_rows
from memdb.text.tokens import count_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memdb.providers.embedding.base import EmbeddingSpace

_INLINE_CHARACTERS_MAX = 20_000  # preparing as much takes a few milliseconds; more is done in a thread


class Purpose(StrEnum):
    """Some models embed questions and documents differently."""

    DOCUMENT = "document"
    QUERY = "query"


class Model(Protocol):
    """What a provider implements: it gets clean, short enough texts and returns raw vectors."""

    @property
    def space(self) -> EmbeddingSpace: ...

    async def load(self) -> None:
        """Load weights or ask for the dimension; idempotent."""
        ...

    async def encode(self, texts: list[str], purpose: Purpose) -> Matrix:
        """Embed one batch: `(len(texts), dimension)` float32, order kept, not yet checked.

        Raises:
            ProviderUnavailable, ProviderError: as `Embedder.embed_documents`.
        """
        ...

    async def aclose(self) -> None: ...


class ModelEmbedder:
    """An `Embedder` over one model."""

    def __init__(self, model: Model, limits: Limits) -> None:
        self._model = model
        self._limits = limits

    @property
    def space(self) -> EmbeddingSpace:
        return self._model.space

    @property
    def max_batch(self) -> int:
        return self._limits.batch_texts

    @property
    def max_tokens(self) -> int:
        return self._limits.document_tokens

    async def warm(self) -> None:
        await self._model.load()

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedded]:
        return await self._embed(texts, prepare_document, Purpose.DOCUMENT)

    async def embed_queries(self, texts: Sequence[str]) -> list[Embedded]:
        return await self._embed(texts, prepare_query, Purpose.QUERY)

    async def aclose(self) -> None:
        await self._model.aclose()

    async def _embed(self, texts: Sequence[str], prepare: Callable[[str, Limits], Prepared], purpose: Purpose) -> list[Embedded]:
        if not texts:
            return []

        def prepare_all() -> tuple[list[Prepared], list[list[str]]]:
            ready = [prepare(text, self._limits) for text in texts]
            return ready, list(_batches([piece for each in ready for piece in each.pieces], self._limits))

        is_small = sum(map(len, texts)) <= _INLINE_CHARACTERS_MAX
        prepared, batches = prepare_all() if is_small else await asyncio.to_thread(prepare_all)
        await self._model.load()
        answers = []
        for batch in batches:
            raw = await self._model.encode(batch, purpose)
            answers.append(require_unit_rows(raw, len(batch), self.space.dimension))
        rows = np.concatenate(answers)
        embedded, first = [], 0
        for each in prepared:
            last = first + len(each.pieces)
            embedded.append(Embedded(average(rows[first:last], each.weights), each.truncated))
            first = last
        return embedded


def _batches(texts: list[str], limits: Limits) -> Iterator[list[str]]:
    """Cut a list into calls of at most `batch_texts` texts and `batch_tokens` tokens; a single text always fits."""
    batch: list[str] = []
    tokens = 0
    for text in texts:
        # A short text has hardly more tokens than characters; counting is for the long ones.
        added = len(text) if len(text) < 256 else count_tokens(text, limits.encoding)
        if batch and (len(batch) == limits.batch_texts or tokens + added > limits.batch_tokens):
            yield batch
            batch, tokens = [], 0
        batch.append(text)
        tokens += added
    if batch:
        yield batch
