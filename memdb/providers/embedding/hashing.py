"""An embedder without a model, for tests: hashed words and character n-grams. It finds the same words, not the same meaning."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

import numpy as np
import structlog

from memdb.errors import ConfigurationError
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.providers.embedding.prepare import RECIPE, Limits
from memdb.providers.embedding.runner import ModelEmbedder, Purpose
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.providers.embedding.settings import EmbeddingSettings
    from memdb.providers.embedding.vectors import Matrix

PROVIDER: Final = "hashing"
DIMENSION_DEFAULT: Final = 256
_DIMENSIONS = range(64, 513)
_LIMITS: Final = Limits(
    document_tokens=8_192, query_tokens=512, batch_texts=256, batch_tokens=1_000_000, piece_units=None, encoding="o200k_base"
)

_log = structlog.get_logger(__name__)


def make_hashing(settings: EmbeddingSettings) -> ModelEmbedder:
    """Build it and say so in the log, because a server must not run on it unnoticed.

    Raises:
        ConfigurationError: a dimension outside 64..512.
    """
    dimension = settings.dimension or DIMENSION_DEFAULT
    if dimension not in _DIMENSIONS:
        raise ConfigurationError(f"the hashing embedder has dimensions 64 to 512, not {dimension}")
    _log.warning("embedder_without_model", provider=PROVIDER, advice="for tests only; it knows words, not meanings")
    return ModelEmbedder(_HashingModel(dimension), _LIMITS)


class _HashingModel:
    def __init__(self, dimension: int) -> None:
        self._space = EmbeddingSpace(f"hashing_{dimension}", PROVIDER, "ngrams", dimension, RECIPE)

    @property
    def space(self) -> EmbeddingSpace:
        return self._space

    async def load(self) -> None:
        """Nothing to load."""

    async def encode(self, texts: list[str], purpose: Purpose) -> Matrix:  # noqa: ARG002 - both alike
        return np.stack([_hash_text(text, self._space.dimension) for text in texts])

    async def aclose(self) -> None:
        """Nothing to give back."""


def _hash_text(text: str, dimension: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Add up one signed coordinate per feature; words weigh three times an n-gram of three characters."""
    vector = np.zeros(dimension, dtype=np.float32)
    plain = fold(text)
    for word in plain.split():
        _add_feature(vector, f"w:{word}", 3.0)
        padded = f" {word} "
        for start in range(len(padded) - 2):
            _add_feature(vector, f"c:{padded[start : start + 3]}", 1.0)
    if not vector.any():  # features that cancel out, or a text that folds to nothing
        vector[_place(f"t:{text}", dimension)[0]] = 1.0
    return vector


def _add_feature(vector: np.ndarray[tuple[int], np.dtype[np.float32]], feature: str, weight: float) -> None:
    place, sign = _place(feature, len(vector))
    vector[place] += sign * weight


def _place(feature: str, dimension: int) -> tuple[int, float]:
    digest = hashlib.blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(digest[:6], "big") % dimension, 1.0 if digest[7] & 1 else -1.0
