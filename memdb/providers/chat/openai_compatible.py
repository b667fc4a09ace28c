"""Answers from any server that speaks OpenAI's `/chat/completions`: OpenAI, vLLM, Ollama, LM Studio.

Only the configured address is called. Replies are read up to a bound. SECURITY: a server may echo in an error what it was sent, so no text
of its replies is part of an error or a log line of ours.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, TypeGuard, cast

import openai

from memdb.errors import ConfigurationError, ProviderError, ProviderUnavailable
from memdb.providers.chat.base import Message, Reply, Spent
from memdb.text.tokens import count_tokens

if TYPE_CHECKING:
    from openai.types.chat import ChatCompletionMessageParam

    from memdb.providers.chat.settings import ChatSettings

REPLY_BYTES_MAX: Final = 1_048_576
"""Of a reply with everything around it; two hundred statements are a tenth of this."""
_RETRYABLE: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.CONFLICT, HTTPStatus.TOO_MANY_REQUESTS})
_UNKNOWN_OPTION: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
_FORMS: Final = 4
"""How a question may be put: a schema at temperature 0; a schema alone, for models with a temperature of their own; any JSON; any text."""


def make_openai_compatible(settings: ChatSettings) -> OpenAICompatible:
    """Build it without any call.

    Raises:
        ConfigurationError: `model` or `base_url` is missing.
    """
    if not settings.base_url or not settings.base_url.startswith(("http://", "https://")):
        raise ConfigurationError("a language model needs a base_url that starts with http:// or https://")
    if not settings.model or not settings.model.strip():
        raise ConfigurationError("the name of the language model is empty; name one, or leave the setting out")
    return OpenAICompatible(settings, settings.model.strip())


class OpenAICompatible:
    """A `ChatModel`."""

    def __init__(self, settings: ChatSettings, model: str) -> None:
        """Take the settings; nothing is sent."""
        self._model = model
        self._settings = settings
        self._form = 0  # the first that this server is not known to refuse
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
    def name(self) -> str:
        """As `ChatModel.name`."""
        return self._model

    async def aclose(self) -> None:
        """As `ChatModel.aclose`."""
        await self._client.close()

    async def ask(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> Reply:
        """As `ChatModel.ask`. A server that refuses a form of question is asked in the next one, and from then on at once."""
        body = b""
        for form in range(self._form, _FORMS):
            try:
                # The SDK honours Retry-After for up to two minutes; a job does not wait longer than its tries may take.
                async with asyncio.timeout(self._settings.timeout_s * (self._settings.retries + 1)):
                    body = await self._send(messages, _options(form, schema))
            except (TimeoutError, openai.APIConnectionError) as error:  # the SDK's time-out is one of the latter
                raise ProviderUnavailable("the language model cannot be reached or did not answer in time") from error
            except openai.APIStatusError as error:
                if error.status_code in _UNKNOWN_OPTION and form + 1 < _FORMS:
                    continue
                raise _refusal(error.status_code) from error
            except openai.OpenAIError as error:
                raise ProviderError("the language model answered something that is not a completion") from error
            self._form = form
            break
        return self._read(body, messages)

    async def _send(self, messages: Sequence[Message], options: Mapping[str, Any]) -> bytes:
        sent = cast("list[ChatCompletionMessageParam]", [{"role": one.role, "content": one.text} for one in messages])
        create = self._client.chat.completions.with_streaming_response.create
        async with create(model=self._model, messages=sent, extra_headers=self._absent, **options) as response:
            pieces, size = [], 0
            try:
                async for piece in response.iter_bytes():
                    pieces.append(piece)
                    size += len(piece)
                    if size > REPLY_BYTES_MAX:
                        break
            except Exception as error:  # the transport below the SDK is not always the same library
                raise ProviderUnavailable("the language model broke off in the middle of its answer") from error
            if size > REPLY_BYTES_MAX:
                raise ProviderError(f"the language model answered more than {REPLY_BYTES_MAX} bytes", facts=self._rambled(messages).facts)
            return b"".join(pieces)

    def _read(self, body: bytes, messages: Sequence[Message]) -> Reply:
        try:
            answer = json.loads(body)
            text = answer["choices"][0]["message"]["content"]
            usage = answer.get("usage")
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise ProviderError("the language model answered something that is not a completion") from error
        text = text if isinstance(text, str) else ""  # a refusal, or a call of a tool that nobody offered
        return Reply(text, self._spent(usage, messages, text))

    def _spent(self, usage: object, messages: Sequence[Message], text: str) -> Spent:
        """What the server says; what it does not say is counted here, so that a budget holds with every server."""
        said = usage if isinstance(usage, dict) else {}
        tokens_in, tokens_out = said.get("prompt_tokens"), said.get("completion_tokens")
        return self._priced(
            tokens_in if _is_count(tokens_in) else sum(count_tokens(one.text) for one in messages),
            tokens_out if _is_count(tokens_out) else count_tokens(text),
        )

    def _rambled(self, messages: Sequence[Message]) -> Spent:
        return self._priced(sum(count_tokens(one.text) for one in messages), REPLY_BYTES_MAX // 4)

    def _priced(self, tokens_in: int, tokens_out: int) -> Spent:
        return Spent(tokens_in, tokens_out, round(tokens_in * self._settings.price_in + tokens_out * self._settings.price_out))


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**40


def _options(form: int, schema: Mapping[str, Any]) -> dict[str, Any]:
    strict = {"type": "json_schema", "json_schema": {"name": "reply", "strict": True, "schema": dict(schema)}}
    return (
        {"response_format": strict, "temperature": 0},
        {"response_format": strict},
        {"response_format": {"type": "json_object"}},
        {},
    )[form]


def _refusal(status: int) -> ProviderError:
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _RETRYABLE:
        return ProviderUnavailable(f"the language model answered {status}; try again later")
    return ProviderError(f"the language model refused with {status}; check its key, name and address")
