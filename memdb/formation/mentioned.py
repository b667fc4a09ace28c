"""The entities of a memory: what its text mentions, and the label of who said it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memdb.models.memory import SPEAKER
from memdb.storage import links
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from uuid import UUID

    from memdb.formation.stages import Decided


def mentions_of(item: Decided, memory_id: UUID) -> tuple[links.NewMention, ...]:
    """What a memory mentions, and who said it."""
    named = [links.NewMention(memory_id, item.brain_id, m.kind.value, m.surface, m.name_folded) for m in item.mentions]
    return (*named, *speaker_of(item, memory_id))


def speaker_of(item: Decided, memory_id: UUID) -> tuple[links.NewMention, ...]:
    """Who said it; also what is known already is found by whoever said it again."""
    speaker = None if item.fragment is None else item.fragment.speaker
    if speaker is None or speaker.redactions or not fold(speaker.text):  # a label such as [PERSON_1] names nobody
        return ()
    return (links.NewMention(memory_id, item.brain_id, SPEAKER, speaker.text, fold(speaker.text)),)
