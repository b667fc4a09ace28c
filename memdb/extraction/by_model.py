"""Extraction by a language model: one question for each kind, and one more where the answer cannot be used."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from memdb.extraction.answers import ANSWERS
from memdb.extraction.asking import people_of, prompt_of, prompt_version, question_of
from memdb.extraction.deciding import Deciding
from memdb.extraction.extractor import Found
from memdb.extraction.proposing import Proposer
from memdb.extraction.repairing import ask
from memdb.extraction.transcript import Transcript, TurnRole
from memdb.models.memory import Kind

if TYPE_CHECKING:
    from memdb.providers.chat.base import ChatModel

log = structlog.get_logger()


class ByModel:
    """An `Extractor` that asks a language model. What it answers is checked against the transcript; see `Proposer` and `Deciding`."""

    def __init__(self, model: ChatModel) -> None:
        """Take the model, which `aclose` closes."""
        self._model = model

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        """As `Extractor.read`. What a failure cost is among the facts of the error. Nobody is asked where no person said anything."""
        label = f"{self._model.name}/{prompt_version(kind.value)}"
        if not any(one.role is TurnRole.USER and not one.read_only and one.text.strip() for one in transcript.utterances):
            return Found((), label)
        people = people_of(transcript)
        prompt = prompt_of("turns", kind.value)
        items, spent = await ask(self._model, ANSWERS[kind], prompt, question_of(transcript, people), kind.value)
        proposer = Proposer(kind, transcript, people, label)
        candidates = await asyncio.to_thread(proposer.propose, items.answers)
        if proposer.refused or items.misshapen:
            log.info("items_refused", handler=kind.value, misshapen=items.misshapen, **proposer.refused)
        refused = items.misshapen + proposer.refused.total()
        return Found(candidates, label, spent.tokens_in, spent.tokens_out, spent.cost_micros, refused)

    def judge(self) -> Deciding:
        """As `Extractor.judge`."""
        return Deciding(self._model)

    async def aclose(self) -> None:
        """Give back connections."""
        await self._model.aclose()
