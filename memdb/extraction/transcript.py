"""What a handler reads: a bounded run of turns, already redacted, with who is known in the room. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memdb.models.turn import TurnRole as TurnRole  # noqa: PLC0414 - re-exported: handlers look for it here


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """A turn as a handler sees it.

    `number` counts from 1 in the order of the session and is what a model is given instead of an id. `speaker_id` is the subject that
    spoke, None when unknown; `speaker` its name or label as redacted. `said_at` is aware and in the zone of the speaker, so that relative
    dates resolve in it; None when the turn does not say. `reply_to` is the number of the utterance that it answers. `trusted`: False for a
    guest, a tool or pasted text. `read_only`: given as context, nothing is learned from it.
    """

    number: int
    turn_id: UUID
    role: TurnRole
    speaker_id: UUID | None
    speaker: str | None = field(repr=False)
    text: str = field(repr=False)
    said_at: datetime | None
    reply_to: int | None = None
    trusted: bool = True
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Transcript:
    """Utterances in order, and who may be meant by a name in this room.

    `names`: folded label (`memdb.text.normalise.fold`) -> the subjects that bear it here; several mean that nobody may choose one.
    `titles`: how a subject is called in a statement.
    """

    utterances: tuple[Utterance, ...]
    names: Mapping[str, tuple[UUID, ...]] = field(default_factory=dict, repr=False)
    titles: Mapping[UUID, str] = field(default_factory=dict, repr=False)
