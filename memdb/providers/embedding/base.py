"""What an embedding provider is: the space that its vectors live in, and the two ways to embed.

Vectors of two spaces are never compared. Everything that changes a vector (provider, model, dimension, recipe) is part of the space.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from memdb.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Sequence

Vector = NDArray[np.float32]
"""Shape `(dimension,)`, float32, unit length."""

DIMENSION_MAX = 4000
"""The most that an HNSW index on `halfvec` holds. Source: pgvector 0.8 README, "Indexing"."""

_SPACE_NAME = re.compile(r"[a-z0-9_]{1,30}")
_SLUG_MAX = 18  # keeps `memory_vectors_<name>` with an index suffix below the 63 bytes of a Postgres identifier


@dataclass(frozen=True, slots=True)
class EmbeddingSpace:
    """Where vectors are comparable. `name` is safe inside an SQL identifier; `recipe` versions what is done to a text before the model.

    Raises:
        ConfigurationError: the dimension is not in 1..4000, or the name does not fit `[a-z0-9_]{1,30}`.
    """

    name: str
    provider: str
    model: str
    dimension: int
    recipe: str

    def __post_init__(self) -> None:
        if not 1 <= self.dimension <= DIMENSION_MAX:
            raise ConfigurationError(
                f"embedding dimension {self.dimension} is outside 1..{DIMENSION_MAX}, which is what the vector index holds; "
                "choose a smaller model or set a smaller dimension"
            )
        if not _SPACE_NAME.fullmatch(self.name):
            raise ConfigurationError(f"embedding space name {self.name!r} must match [a-z0-9_]{{1,30}}")


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """One vector, unit length; `truncated` says that part of the text was left out (the middle: head and tail are kept)."""

    vector: Vector
    truncated: bool


class Embedder(Protocol):
    """Turns texts into unit vectors. Order is kept, an empty list gives an empty list, a batch equals single calls within 1e-5."""

    @property
    def space(self) -> EmbeddingSpace:
        """The space of every vector from here on.

        Raises:
            ConfigurationError: the dimension is not known before `warm` has asked the provider for it.
        """
        ...

    @property
    def max_batch(self) -> int:
        """The most texts in one call to the model; longer lists are split, so callers may pass any length."""
        ...

    @property
    def max_tokens(self) -> int:
        """The most tokens of one document that reach the model; longer texts keep their head and tail."""
        ...

    async def warm(self) -> None:
        """Load weights, or ask a remote provider for its dimension. Idempotent.

        Raises:
            ProviderUnavailable: it cannot be reached in time.
            ProviderError: it refuses.
            DimensionMismatch: it answers with another dimension than the configured one.
            ConfigurationError: its dimension is more than the vector index holds.
        """
        ...

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedded]:
        """Embed texts that are to be found.

        Raises:
            InvalidInput: a text is blank.
            ProviderUnavailable, ProviderError, DimensionMismatch: as `warm`; nothing of the list is returned.
        """
        ...

    async def embed_queries(self, texts: Sequence[str]) -> list[Embedded]:
        """Embed questions. Raises as `embed_documents`."""
        ...

    async def aclose(self) -> None:
        """Give back threads and connections; the embedder is not used afterwards."""
        ...


def make_space_name(provider: str, model: str, dimension: int, recipe: str) -> str:
    """Name a space: readable start of the model, six digits of a digest over all parts, dimension.

    >>> make_space_name("openai-compatible", "text-embedding-3-small", 1536, "1")
    'text_embedding_3_s_d9dbed_1536'
    """
    slug = re.sub(r"[^a-z0-9]+", "_", model.lower().rsplit("/", 1)[-1]).strip("_")[:_SLUG_MAX].strip("_") or "model"
    digest = hashlib.sha256("\x1f".join((provider, model, str(dimension), recipe)).encode("utf-8", "replace")).hexdigest()
    return f"{slug}_{digest[:6]}_{dimension}"
