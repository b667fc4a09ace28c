"""Embeddings from a sentence-transformers model on this machine (extra `sentence-transformers`).

A model name that is not a local folder is downloaded by the library at start, unless it is told to stay offline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memdb.errors import ConfigurationError
from memdb.providers.embedding.base import EmbeddingSpace, make_space_name
from memdb.providers.embedding.prepare import RECIPE, Limits
from memdb.providers.embedding.runner import ModelEmbedder, Purpose
from memdb.providers.embedding.worker import Worker

if TYPE_CHECKING:
    from memdb.providers.embedding.settings import EmbeddingSettings
    from memdb.providers.embedding.vectors import Matrix

PROVIDER: Final = "sentence-transformers"
_TOKENS_DEFAULT = 512
_BATCH_TEXTS = 16  # of 512 tokens; larger batches of a base model pass 1 GiB


def make_sentence_transformers(settings: EmbeddingSettings) -> ModelEmbedder:
    """Load the model, now.

    Raises:
        ConfigurationError: the library is not installed, `model` is missing, or the model has another dimension than the configured one.
    """
    if not settings.model or not settings.model.strip():
        raise ConfigurationError("the embedding provider sentence-transformers needs a model")
    tokens = settings.max_tokens or _TOKENS_DEFAULT
    limits = Limits(
        document_tokens=tokens, query_tokens=tokens, batch_texts=_BATCH_TEXTS, batch_tokens=_BATCH_TEXTS * tokens, piece_units=None,
        encoding="cl100k_base",
    )  # fmt: skip
    return ModelEmbedder(_SentenceTransformersModel(settings.model.strip(), settings), limits)


class _SentenceTransformersModel:
    def __init__(self, model: str, settings: EmbeddingSettings) -> None:
        try:
            from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - an optional SDK of gigabytes
        except ImportError as error:
            raise ConfigurationError(
                "the embedding provider sentence-transformers is not installed; run `pip install 'memdb-server[sentence-transformers]'`"
            ) from error
        try:
            self._transformer: Any = SentenceTransformer(model)  # Any: the extra is not there when types are checked
        except (OSError, ValueError) as error:  # what the library raises for an unknown or unreachable model
            raise ConfigurationError(f"the embedding model {model} cannot be loaded by sentence-transformers") from error
        dimension = int(self._transformer.get_sentence_embedding_dimension())
        if settings.dimension is not None and settings.dimension != dimension:
            raise ConfigurationError(f"the embedding model {model} has dimension {dimension}, not the configured {settings.dimension}")
        self._space = EmbeddingSpace(make_space_name(PROVIDER, model, dimension, RECIPE), PROVIDER, model, dimension, RECIPE)
        self._timeout_s = settings.timeout_s
        self._worker = Worker("memdb-embed")

    @property
    def space(self) -> EmbeddingSpace:
        return self._space

    async def load(self) -> None:
        """The constructor has loaded it."""

    async def encode(self, texts: list[str], purpose: Purpose) -> Matrix:
        # Models such as e5 name their prefixes in their own configuration; those without get none.
        prompt = purpose.value if purpose.value in (self._transformer.prompts or {}) else None
        return await self._worker.run(
            lambda: np.asarray(self._transformer.encode(texts, prompt_name=prompt, show_progress_bar=False), dtype=np.float32),
            self._timeout_s,
        )

    async def aclose(self) -> None:
        self._worker.close()
