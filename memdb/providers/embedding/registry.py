"""From settings to an embedder, by the name of the provider."""

from __future__ import annotations

from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import structlog

from memdb.errors import ConfigurationError, ProviderUnavailable
from memdb.providers.embedding.base import DIMENSION_MAX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memdb.providers.embedding.base import Embedder
    from memdb.providers.embedding.settings import EmbeddingSettings

PROVIDERS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "local": "local.make_local",
        "openai-compatible": "openai_compatible.make_openai_compatible",
        "sentence-transformers": "sentence_transformers.make_sentence_transformers",
        "hashing": "hashing.make_hashing",
    }
)
"""Provider name to module and factory beside this file. Only the chosen one is imported: the client libraries of the others take as long
as the rest of the start."""

_log = structlog.get_logger(__name__)


def make_embedder(settings: EmbeddingSettings) -> Embedder:
    """Build the configured embedder; no network is used, except that `sentence-transformers` may download its model.

    Raises:
        ConfigurationError: an unknown provider, a missing model or address, a dimension that the index cannot hold or the model does
            not have. Nothing has been changed then.
    """
    path = PROVIDERS.get(settings.provider)
    if path is None:
        raise ConfigurationError(f"embedding provider {settings.provider!r} is unknown; use one of {', '.join(PROVIDERS)}")
    if settings.model is not None and not settings.model.strip():
        raise ConfigurationError("the name of the embedding model is empty; name one, or leave the setting out")
    if settings.dimension is not None and not 1 <= settings.dimension <= DIMENSION_MAX:
        raise ConfigurationError(
            f"embedding dimension {settings.dimension} is outside 1..{DIMENSION_MAX}, which is what the vector index holds"
        )
    if settings.timeout_s <= 0 or settings.retries < 0 or (settings.max_tokens is not None and settings.max_tokens < 16):
        raise ConfigurationError("the embedding provider needs timeout_s above 0, retries of 0 or more and max_tokens of 16 or more")
    module, _, factory = path.partition(".")
    make: Callable[[EmbeddingSettings], Embedder] = getattr(import_module(f"memdb.providers.embedding.{module}"), factory)
    return make(settings)


async def open_embedder(settings: EmbeddingSettings) -> Embedder:
    """Build the configured embedder and warm it.

    A provider that is down does not stop the start if the dimension is configured: memories are stored and embedded later.

    Raises:
        ConfigurationError: as `make_embedder`, or the model's dimension is more than the index holds.
        ProviderUnavailable: it is down and its dimension is not configured.
        ProviderError, DimensionMismatch: it refuses, or its dimension is not the configured one.
    """
    embedder = make_embedder(settings)
    try:
        await embedder.warm()
    except ProviderUnavailable:
        if settings.dimension is None:
            await embedder.aclose()
            raise
        _log.warning("embedder_unavailable_at_start", provider=settings.provider, space=embedder.space.name)
    except BaseException:
        await embedder.aclose()
        raise
    return embedder
