"""One question to a language model, and one more where the answer cannot be used."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

import structlog
from pydantic import BaseModel

from memdb.errors import ProviderError
from memdb.extraction.answers import schema_of
from memdb.extraction.replying import Items, Unusable, read_reply
from memdb.providers.chat.base import Message, Spent

if TYPE_CHECKING:
    from memdb.providers.chat.base import ChatModel, Reply

_SHOWN_MAX: Final = 16_000
"""Characters of an answer that the model is shown again."""
_NOT_USABLE: Final = 'Your reply cannot be used: {reason}. Reply once more, with the JSON object {{"items": [...]}} alone.'

A = TypeVar("A", bound=BaseModel)
log = structlog.get_logger()


async def ask(model: ChatModel, shape: type[A], prompt: str, question: str, handler: str) -> tuple[Items[A], Spent]:
    """Items of a shape, and what both questions cost.

    Args:
        model: who is asked.
        shape: of an item.
        prompt: what the task is.
        question: the data, in JSON.
        handler: who asks, for the log.

    Raises:
        ProviderUnavailable, ProviderError: with what was spent among the facts; also when the second answer cannot be used either.
    """
    messages = [Message("system", prompt), Message("user", question)]
    first = await _answer(model, shape, messages, Spent())
    try:
        return await asyncio.to_thread(read_reply, shape, first.text), first.spent
    except Unusable as error:
        log.info("reply_not_usable", handler=handler, reason=str(error))
        messages += [Message("assistant", first.text[:_SHOWN_MAX]), Message("user", _NOT_USABLE.format(reason=error))]
    second = await _answer(model, shape, messages, first.spent)
    spent = first.spent + second.spent
    try:
        return await asyncio.to_thread(read_reply, shape, second.text), spent
    except Unusable as error:
        raise ProviderError(f"the language model answered twice what cannot be used ({error})", facts=spent.facts) from None


async def _answer(model: ChatModel, shape: type[BaseModel], messages: list[Message], before: Spent) -> Reply:
    try:
        return await model.ask(messages, schema_of(shape))
    except ProviderError as error:
        error.facts = {**error.facts, **(before + Spent.of(error)).facts}
        raise
