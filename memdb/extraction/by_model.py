"""Extraction by a language model: one question for each kind, and one more where the answer cannot be used."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from memdb.errors import ProviderError
from memdb.extraction.answers import schema_of
from memdb.extraction.asking import people_of, prompt_of, prompt_version, question_of
from memdb.extraction.extractor import Found
from memdb.extraction.proposing import Proposer
from memdb.extraction.replying import Items, Unusable, read_reply
from memdb.extraction.transcript import Transcript, TurnRole
from memdb.models.memory import Kind
from memdb.providers.chat.base import Message, Spent

if TYPE_CHECKING:
    from memdb.providers.chat.base import ChatModel, Reply

_SHOWN_MAX: Final = 16_000
"""Characters of an answer that the model is shown again."""
_NOT_USABLE: Final = 'Your reply cannot be used: {reason}. Reply once more, with the JSON object {{"items": [...]}} alone.'

log = structlog.get_logger()


class ByModel:
    """An `Extractor` that asks a language model. What it answers is checked against the transcript; see `Proposer`."""

    def __init__(self, model: ChatModel) -> None:
        """Take the model, which `aclose` closes."""
        self._model = model

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        """As `Extractor.read`. What a failure cost is among the facts of the error. Nobody is asked where no person said anything."""
        label = f"{self._model.name}/{prompt_version(kind)}"
        if not any(one.role is TurnRole.USER and not one.read_only and one.text.strip() for one in transcript.utterances):
            return Found((), label)
        people = people_of(transcript)
        items, spent = await self._ask(kind, question_of(transcript, people))
        proposer = Proposer(kind, transcript, people, label)
        candidates = await asyncio.to_thread(proposer.propose, items.answers)
        if proposer.refused or items.misshapen:
            log.info("items_refused", handler=kind.value, misshapen=items.misshapen, **proposer.refused)
        refused = items.misshapen + proposer.refused.total()
        return Found(candidates, label, spent.tokens_in, spent.tokens_out, spent.cost_micros, refused)

    async def aclose(self) -> None:
        """Give back connections."""
        await self._model.aclose()

    async def _ask(self, kind: Kind, question: str) -> tuple[Items, Spent]:
        messages = [Message("system", prompt_of(kind)), Message("user", question)]
        first = await self._answer(kind, messages, Spent())
        try:
            return await asyncio.to_thread(read_reply, kind, first.text), first.spent
        except Unusable as error:
            log.info("reply_not_usable", handler=kind.value, reason=str(error))
            messages += [Message("assistant", first.text[:_SHOWN_MAX]), Message("user", _NOT_USABLE.format(reason=error))]
        second = await self._answer(kind, messages, first.spent)
        spent = first.spent + second.spent
        try:
            return await asyncio.to_thread(read_reply, kind, second.text), spent
        except Unusable as error:
            raise ProviderError(f"the language model answered twice what cannot be used ({error})", facts=spent.facts) from None

    async def _answer(self, kind: Kind, messages: list[Message], before: Spent) -> Reply:
        try:
            return await self._model.ask(messages, schema_of(kind))
        except ProviderError as error:
            error.facts = {**error.facts, **(before + Spent.of(error)).facts}
            raise
