"""Facts: preferences, identity, home, work, health, plans with a day, and what somebody asks to be remembered."""

from __future__ import annotations

from typing import Final

from memdb.extraction.candidates import Candidate
from memdb.extraction.rules import (
    english,
    english_daily,
    english_life,
    english_room,
    portuguese,
    portuguese_daily,
    portuguese_life,
    portuguese_room,
)
from memdb.extraction.rules.agreed import find_agreed
from memdb.extraction.rules.dated import PLANS
from memdb.extraction.rules.engine import find_all, read_all
from memdb.extraction.rules.remembered import find_remembered
from memdb.extraction.rules.settling import propose
from memdb.extraction.rules.standing import find_standing
from memdb.extraction.rules.subjects import Subjects
from memdb.extraction.rules.things import find_things
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind

_RULES: Final = (
    *english_room.RULES, *english_life.RULES, *english.RULES, *english_daily.RULES,
    *portuguese_daily.RULES, *portuguese_room.RULES, *portuguese_life.RULES, *portuguese.RULES, *PLANS,
)  # fmt: skip


def semantic(transcript: Transcript) -> list[Candidate]:
    """Facts about the speakers of a transcript and about whom they name, in the order in which they were said."""
    sentences, subjects = read_all(transcript), Subjects(transcript)
    found = find_all(sentences, _RULES, subjects)
    told = {(one.sentence.utterance.number, one.sentence.start) for one in found}
    unnamed = (
        find_things(sentences, subjects),
        find_standing(sentences, subjects),
        find_agreed(sentences, subjects),
        find_remembered(transcript),
    )
    for ones in unnamed:
        more = [one for one in ones if (one.sentence.utterance.number, one.sentence.start) not in told]
        told |= {(one.sentence.utterance.number, one.sentence.start) for one in more}
        found += more
    found.sort(key=lambda one: (one.sentence.utterance.number, one.at))
    return propose(found, transcript, Kind.SEMANTIC, lambda _: {})
