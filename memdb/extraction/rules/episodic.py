"""Events: what a speaker, or somebody that is named, did at a time that is known."""

from __future__ import annotations

from collections.abc import Mapping

from governance.redaction.findings import JsonValue
from memdb.extraction.candidates import Candidate
from memdb.extraction.rules.dated import EVENTS
from memdb.extraction.rules.engine import Found, find_all, read_all
from memdb.extraction.rules.reading import plain_of
from memdb.extraction.rules.settling import propose
from memdb.extraction.rules.subjects import Subjects
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind


def episodic(transcript: Transcript) -> list[Candidate]:
    """Past events of the subjects of a transcript; `participants` has the ids of those who took part and are known, sorted."""
    subjects = Subjects(transcript)

    def taking_part(found: Found) -> Mapping[str, JsonValue]:
        known = {name.subjects[0] for name in subjects.within(plain_of(found.value or "")) if len(name.subjects) == 1}
        took_part = {found.subject} if found.subject and not found.of_kin else set()
        participants: list[JsonValue] = [*sorted(str(one) for one in known | took_part)]
        return {"participants": participants}

    found = [one for one in find_all(read_all(transcript), EVENTS, subjects) if not one.over]
    return propose(found, transcript, Kind.EPISODIC, taking_part)
