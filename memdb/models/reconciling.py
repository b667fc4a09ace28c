"""What a write is compared with, what becomes of it, and why. Ids and codes, no text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID

from memdb.models.memory import WriteAction

END: Final = "END"
"""The action that lets a memory hold no longer; no write asks for it."""


class Reason(StrEnum):
    """Why a write was an ADD, an UPDATE or a REINFORCE, or a memory came to an END."""

    NEW = "new"
    SIMILAR = "similar"  # ADD: near others, and linked to them
    CONTRADICTS = "contradicts"  # ADD: somebody else says another value, and both are flagged
    SAME_STATEMENT = "same_statement"
    SAME_EVENT = "same_event"
    SAME_BY_MODEL = "same_by_model"
    OTHER_DATA = "other_data"  # UPDATE: the same statement with other data, validity or placement
    OTHER_VALUE = "other_value"
    OTHER_STEPS = "other_steps"
    OTHER_DEFINITION = "other_definition"
    CHANGED_BY_MODEL = "changed_by_model"
    NO_LONGER = "no_longer"  # END: somebody says that it is over
    OUTRANKED = "outranked"  # END: a statement that counts for more says another value


class Refused(StrEnum):
    """Why what a language model decided was not done, and the statement was added instead; or why what somebody says is over goes on."""

    TWO_ANSWERS = "two_answers"
    UNKNOWN_NEIGHBOUR = "unknown_neighbour"  # it named a memory that it was not shown
    OTHER_SUBJECTS = "other_subjects"
    OTHER_ATTRIBUTE = "other_attribute"
    OTHER_DATA = "other_data"  # steps or a definition would be lost
    NO_QUOTE = "no_quote"
    QUOTE_NOT_SAID = "quote_not_said"
    FORMER_NOT_NAMED = "former_not_named"  # the quote says what is new and not what is over, which may well go on beside it
    WORDS_DIFFER = "words_differ"  # and no quote shows that they mean one thing
    NEIGHBOUR_CHANGED = "neighbour_changed"  # what it was decided of is not there any more
    BEGAN_LATER = "began_later"
    SAID_BY_ANOTHER = "said_by_another"  # who counts for as much, and the two contradict each other; or, of an END, for more


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory of the same brain, kind and subjects whose text is near. `similarity`: cosine, 1 is the same direction."""

    memory_id: UUID
    similarity: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a language model decided of a statement among its neighbours, as far as it was believed.

    action: ADD: nothing of it is done. neighbour_id, version: what is repeated or replaced, as the model was shown it.
    model: who decided, with the prompt. refused: why what it answered is not done.
    """

    action: WriteAction
    model: str
    neighbour_id: UUID | None = None
    version: int = 0
    refused: Refused | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reconciliation:
    """What became of a write that had something to be compared with, or of a memory that something was said of."""

    id: UUID
    brain_id: UUID
    memory_id: UUID
    version: int
    action: str
    reason: str
    neighbour_ids: tuple[UUID, ...]
    model: str | None
    refused: str | None
    created_at: datetime
