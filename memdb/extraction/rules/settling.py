"""From what was found in a transcript to what is proposed: what was taken back is dropped, the last value wins, repeats become evidence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from governance.redaction.findings import JsonValue
from memdb.extraction.candidates import Candidate, Ended
from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.reading import is_correction, is_spoken, plain_of
from memdb.extraction.transcript import Transcript, Utterance
from memdb.models.memory import Kind
from memdb.text.normalise import fold

_CORRECTED_WITHIN: Final = 4
"""Turns after a statement within which the next one of its speaker may take it back."""
_OPENING: Final = 60
"""Characters of a turn that tell whether it corrects."""
_OPPOSITE: Final[Mapping[str, str]] = {"likes": "dislikes", "dislikes": "likes"}
DENIED: Final = "not"
"""Last part of the attribute of a statement that somebody does not have a value of it."""
_DENIABLE: Final = frozenset({"allergy", "diet", "habit/smoking"})
"""Attributes that rules deny."""


@dataclass(frozen=True, slots=True)
class _Key:
    subject: UUID | None
    attribute: str | None
    value: str


def propose(
    found: Sequence[Found], transcript: Transcript, kind: Kind, data: Callable[[Found], Mapping[str, JsonValue]]
) -> list[Candidate]:
    """Candidates of what was found, in the order in which it was said.

    Args:
        found: in order.
        transcript: that it was found in.
        kind: of all of them.
        data: what a candidate of this kind has beside its sentence.
    """
    kept = _last_values([one for number, one in enumerate(found) if not _is_taken_back(one, found[number + 1 :], transcript)])
    candidates: dict[tuple[object, ...], Candidate] = {}
    for one in kept:
        candidate = _candidate(one, kind, data(one))
        same = (candidate.about, fold(candidate.content or ""), candidate.ends)
        before = candidates.get(same)
        if before is None:
            candidates[same] = candidate
        else:
            candidates[same] = replace(before, evidence=tuple(sorted({*before.evidence, *candidate.evidence})))
    return list(candidates.values())


def _is_taken_back(one: Found, later: Sequence[Found], transcript: Transcript) -> bool:
    """Tell whether the same speaker takes it back: in the rest of the turn, or at the beginning of one of the next turns."""
    utterance = one.sentence.utterance
    if any(other.sentence.utterance is utterance and other.attribute == one.attribute and other.subject == one.subject for other in later):
        return is_correction(_rest(utterance, one.at + len(one.quote)))
    if is_correction(_rest(utterance, one.at + len(one.quote))):
        return True
    following = next(
        (other for other in transcript.utterances if other.number > utterance.number and other.speaker_id == utterance.speaker_id), None
    )
    return (
        following is not None
        and following.number <= utterance.number + _CORRECTED_WITHIN
        and is_spoken(following)
        and is_correction(plain_of(following.text)[:_OPENING])
        and not any(after.sentence.utterance is following for after in later)
    )


def _rest(utterance: Utterance, start: int) -> str:
    return plain_of(utterance.text)[start:].lstrip(" ,;:.!")


def _last_values(found: Sequence[Found]) -> list[Found]:
    """Leave out what its speaker replaces, ends or contradicts later in the same transcript; what another one says stands beside it."""
    kept: list[Found] = []
    for one in found:
        kept = [before for before in kept if not _replaces(one, before)]
        kept.append(one)
    return kept


def _replaces(one: Found, before: Found) -> bool:
    if one.subject is None or one.subject != before.subject or one.attribute is None or before.over or not _is_same_speaker(one, before):
        return False
    same_value = fold(one.value or "") == fold(before.value or "")
    if one.attribute == before.attribute:
        if one.over or one.rule.denies or before.rule.denies:
            return same_value or one.value is None
        return (
            one.rule.single
            and not before.is_past
            and not same_value
            and fold(one.content) != fold(before.content)
            and not _is_later(one, before)
        )
    return _OPPOSITE.get(one.attribute) == before.attribute and same_value


def _is_later(one: Found, before: Found) -> bool:
    """True when it was said at another time, and not to correct: then the former held until then, and is told too."""
    now, then = one.sentence.utterance.said_at, before.sentence.utterance.said_at
    return now is not None and then is not None and now > then and not is_correction(plain_of(one.sentence.utterance.text)[:_OPENING])


def _is_same_speaker(one: Found, other: Found) -> bool:
    first, second = one.sentence.utterance, other.sentence.utterance
    return (first.speaker_id, first.speaker if first.speaker_id is None else None) == (
        second.speaker_id,
        second.speaker if second.speaker_id is None else None,
    )


def _candidate(one: Found, kind: Kind, data: Mapping[str, JsonValue]) -> Candidate:
    utterance = one.sentence.utterance
    return Candidate(
        kind=kind,
        content=None if one.over else one.content,
        about=() if one.subject is None else (one.subject,),
        said_by=utterance.speaker_id,
        attribute=_told(one),
        value=one.value,
        single=one.rule.single,
        ends=_ends(one),
        data=data,
        valid_from=one.valid_from,
        valid_to=one.valid_to,
        evidence=(utterance.number,),
        quote=one.quote,
        rule=one.rule.name,
    )


def _told(one: Found) -> str | None:
    """What it tells: that somebody does not have a value is told beside the values, so that either ends the other and never itself."""
    return f"{one.attribute}/{DENIED}" if one.rule.denies and one.attribute is not None else one.attribute


def _ends(one: Found) -> tuple[Ended, ...]:
    if one.attribute is None:
        return ()
    if one.over or one.rule.denies:
        return (Ended(one.attribute, one.value),)
    denied = (Ended(f"{one.attribute}/{DENIED}", one.value),) if one.attribute in _DENIABLE else ()
    if one.former is not None:
        return (Ended(one.attribute, one.former), *denied)
    if one.attribute in _OPPOSITE and one.value is not None:
        return (Ended(_OPPOSITE[one.attribute], one.value),)
    return denied
