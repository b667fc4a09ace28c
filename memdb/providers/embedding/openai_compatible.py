"""Embeddings from any server that speaks OpenAI's `/embeddings`: OpenAI, vLLM, TEI, Ollama, LM Studio.

Only the configured address is called.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import numpy as np
import openai

from memdb.errors import ConfigurationError, DimensionMismatch, ProviderError, ProviderUnavailable
from memdb.providers.embedding.base import EmbeddingSpace, make_space_name
from memdb.providers.embedding.prepare import RECIPE, Limits
from memdb.providers.embedding.runner import ModelEmbedder, Purpose

if TYPE_CHECKING:
    from openai.types import CreateEmbeddingResponse

    from memdb.providers.embedding.settings import EmbeddingSettings
    from memdb.providers.embedding.vectors import Matrix

PROVIDER: Final = "openai-compatible"
TOKENS_DEFAULT: Final = 8_192  # of text-embedding-3 and bge-m3
_PROBE_TEXT = "dimension"
_BATCH_TEXTS = 128
_BATCH_TOKENS = 200_000  # OpenAI refuses more than 300,000 in one request; other tokenisers count up to a half more
_RETRYABLE = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS})


def make_openai_compatible(settings: EmbeddingSettings) -> ModelEmbedder:
    """Build it without any call.

    Raises:
        ConfigurationError: `model` or `base_url` is missing.
    """
    if not settings.base_url or not settings.base_url.startswith(("http://", "https://")):
        raise ConfigurationError("the embedding provider openai-compatible needs a base_url that starts with http:// or https://")
    if not settings.model or not settings.model.strip():
        raise ConfigurationError("the embedding provider openai-compatible needs a model")
    tokens = settings.max_tokens or TOKENS_DEFAULT
    limits = Limits(
        document_tokens=tokens, query_tokens=tokens, batch_texts=_BATCH_TEXTS, batch_tokens=_BATCH_TOKENS, piece_units=None,
        encoding="cl100k_base",
    )  # fmt: skip
    return ModelEmbedder(_RemoteModel(settings, settings.model.strip()), limits)


class _RemoteModel:
    def __init__(self, settings: EmbeddingSettings, model: str) -> None:
        self._model = model
        self._configured = settings.dimension
        self._dimension = settings.dimension
        self._is_probed = False
        self._cut_to: int | None = None
        self._total_timeout_s = settings.timeout_s * (settings.retries + 1)
        key = settings.api_key.get_secret_value() if settings.api_key is not None else None
        # SECURITY: what is not configured is left out, else the SDK takes key, organisation and project from its own environment
        # variables and sends them to whatever address is configured. A redirect would carry texts to another host, so none is followed.
        self._absent: dict[str, str | openai.Omit] = {"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit}
        if key is None:
            self._absent["Authorization"] = openai.omit
        self._client = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=settings.base_url,
            timeout=settings.timeout_s,
            max_retries=settings.retries,
            http_client=openai.DefaultAsyncHttpxClient(follow_redirects=False, timeout=settings.timeout_s),
        )

    @property
    def space(self) -> EmbeddingSpace:
        if self._dimension is None:
            raise ConfigurationError("the dimension of the embedding model is not known yet; set one, or start while the provider answers")
        return EmbeddingSpace(
            make_space_name(PROVIDER, self._model, self._dimension, RECIPE), PROVIDER, self._model, self._dimension, RECIPE
        )

    async def load(self) -> None:
        """Learn the model's dimension from one probe, and whether it must be asked to cut its vectors to the configured one."""
        if self._is_probed:
            return
        natural = (await self._request([_PROBE_TEXT], None)).shape[1]
        if self._configured is not None and natural != self._configured:
            await self._require_cut(natural, self._configured)
            self._cut_to = self._configured
        self._dimension = self._configured or natural
        _ = self.space  # refuses a dimension that the index cannot hold
        self._is_probed = True

    async def encode(self, texts: list[str], purpose: Purpose) -> Matrix:  # noqa: ARG002 - the interface has one kind of text
        return await self._request(texts, self._cut_to)

    async def aclose(self) -> None:
        await self._client.close()

    async def _require_cut(self, natural: int, wanted: int) -> None:
        try:
            found = (await self._request([_PROBE_TEXT], wanted)).shape[1]
        except ProviderUnavailable:
            raise
        except ProviderError as error:
            raise DimensionMismatch(_mismatch(self._model, natural, wanted)) from error
        if found != wanted:
            raise DimensionMismatch(_mismatch(self._model, natural, wanted))

    async def _request(self, texts: list[str], dimensions: int | None) -> Matrix:
        try:
            # The SDK honours Retry-After up to a minute; the caller does not wait so long.
            async with asyncio.timeout(self._total_timeout_s):
                reply = await self._client.embeddings.create(
                    model=self._model,
                    input=texts,
                    encoding_format="float",
                    extra_headers=self._absent,
                    dimensions=openai.omit if dimensions is None else dimensions,
                )
        except (TimeoutError, openai.APIConnectionError) as error:  # the SDK's time-out is one of the latter
            raise ProviderUnavailable("the embedding provider cannot be reached or did not answer in time") from error
        except openai.APIStatusError as error:
            status = error.status_code
            if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _RETRYABLE:
                raise ProviderUnavailable(f"the embedding provider answered {status}; try again later") from error
            raise ProviderError(f"the embedding provider refused with {status}; check its key, model and address") from error
        except (openai.OpenAIError, ValueError) as error:
            raise ProviderError("the embedding provider answered something that is not a list of embeddings") from error
        return _read_rows(reply, len(texts))


def _read_rows(reply: CreateEmbeddingResponse, count: int) -> Matrix:
    """Read the vectors in the order of the texts; the reply may be in any. Its parts are not validated by the SDK."""
    try:
        by_index = {entry.index: entry.embedding for entry in reply.data}
        if len(reply.data) != count or set(by_index) != set(range(count)):
            raise ProviderError(f"the embedding provider returned {len(reply.data)} vectors for {count} texts")
        rows = np.asarray([by_index[index] for index in range(count)], dtype=np.float32)
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise ProviderError("the embedding provider answered something that is not a list of embeddings") from error
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise ProviderError("the embedding provider answered something that is not a list of embeddings")
    return rows


def _mismatch(model: str, natural: int, wanted: int) -> str:
    return (
        f"the embedding model {model} has dimension {natural} and cannot be cut to the configured {wanted}; set the dimension to {natural}"
    )
