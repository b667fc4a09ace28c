"""What reads a transcript for one kind of memory: rules, or a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memdb.extraction.candidates import Candidate
from memdb.extraction.transcript import Transcript
from memdb.formation.judging import Judge
from memdb.models.memory import Kind

if TYPE_CHECKING:
    from memdb.providers.chat.base import Spent


@dataclass(frozen=True, slots=True)
class Found:
    """What a handler proposes of one transcript, and what it cost: tokens and millionths of a unit of money, 0 for rules.

    `refused`: what a model proposed beside it that does not rest on the transcript.
    """

    candidates: Sequence[Candidate]
    extractor: str
    tokens_in: int = 0
    tokens_out: int = 0
    cost_micros: int = 0
    refused: int = 0


class SpendingJudge(Judge, Protocol):
    """A judge that tells what it has cost, and what went wrong."""

    @property
    def spent(self) -> Spent:
        """So far, failures too."""
        ...

    @property
    def failures(self) -> Sequence[str]:
        """Codes of the questions that a model failed, in order."""
        ...


class Extractor(Protocol):
    """Reads a transcript for one kind of memory. Nothing is written, and no transaction is open while it does."""

    def judge(self) -> SpendingJudge | None:
        """Who is asked, in one extraction, what statements are to those that they are near; None: nobody, and rules decide."""
        ...

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        """What of this kind is learned from the transcript, in the order in which it is said.

        Raises:
            ProviderUnavailable: a model did not answer; try again later.
            ProviderError: it answered what cannot be used.
            Both tell in their facts what was spent: `tokens_in`, `tokens_out`, `cost_micros`.
        """
        ...
