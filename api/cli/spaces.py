"""The embedding space that the settings name."""

from __future__ import annotations

from memdb.config import Settings
from memdb.errors import ConfigurationError
from memdb.providers.embedding.base import EmbeddingSpace
from memdb.providers.embedding.registry import make_embedder


async def find_space(settings: Settings) -> EmbeddingSpace:
    """The configured space; a remote model of unknown dimension is asked for it.

    Raises:
        ConfigurationError: the settings of the provider are wrong.
        ProviderUnavailable, ProviderError: it was asked and did not answer.
    """
    embedder = make_embedder(settings.embedding)
    try:
        try:
            return embedder.space
        except ConfigurationError:
            await embedder.warm()
            return embedder.space
    finally:
        await embedder.aclose()
