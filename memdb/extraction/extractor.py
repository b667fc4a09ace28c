"""What reads a transcript for one kind of memory: rules, or a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memdb.extraction.candidates import Candidate
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind


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


class Extractor(Protocol):
    """Reads a transcript for one kind of memory. Nothing is written, and no transaction is open while it does."""

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        """What of this kind is learned from the transcript, in the order in which it is said.

        Raises:
            ProviderUnavailable: a model did not answer; try again later.
            ProviderError: it answered what cannot be used.
            Both tell in their facts what was spent: `tokens_in`, `tokens_out`, `cost_micros`.
        """
        ...
