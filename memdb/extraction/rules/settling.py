"""From what was found in a transcript to what is proposed: what was taken back is dropped, the last value wins, repeats become evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from governance.redaction.findings import JsonValue
from memdb.extraction.candidates import Candidate, Ended
from memdb.extraction.rules.denials import denial_of, excluded_by, excludes
from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.reading import Sentence, is_correction, is_spoken, plain_of
from memdb.extraction.transcript import Transcript, Utterance
from memdb.models.memory import Kind
from memdb.text.normalise import fold

_CORRECTED_WITHIN: Final = 4
"""Turns after a statement within which the next one of its speaker may take it back."""
_OPENING: Final = 60
"""Characters of a turn that tell whether it corrects."""


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
    for number, one in enumerate(kept):
        candidate = _candidate(one, kind, data(one))
        # Who says it counts; and what is said again behind the word of somebody else that it is not so is said anew.
        same = (candidate.about, fold(candidate.content or ""), candidate.ends, candidate.said_by, _spoken_against(one, kept[:number]))
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
    if (
        one.subject is None
        or one.subject != before.subject
        or one.attribute is None
        or before.over
        or not is_same_speaker(one.sentence, before.sentence)
    ):
        return False
    if _excludes(one, before):
        return True
    if one.over:
        return _is_ended_by(before, one)
    same_value = fold(one.value or "") == fold(before.value or "")
    if one.corrects and one.attribute == before.attribute and fold(one.former or "") == fold(before.value or ""):
        return True
    if _told(one) == _told(before):
        return (
            one.rule.single
            and not before.is_past
            and not same_value
            and fold(one.content) != fold(before.content)
            and not _is_later(one, before)
        )
    return False


def _excludes(one: Found, other: Found) -> bool:
    """True when one of two who are not over says of a subject what the other denies."""
    told, known = _told(one), _told(other)
    if one.over or other.over or one.subject is None or one.subject != other.subject or told is None or known is None:
        return False
    return excludes((told, one.value), (known, other.value))


def _spoken_against(one: Found, earlier: Iterable[Found]) -> int:
    """How often others have said so far that it is not so, or is over."""
    return sum(
        _excludes(other, one) or (other.over and _is_ended_by(one, other))
        for other in earlier
        if not is_same_speaker(one.sentence, other.sentence)
    )


def _is_ended_by(one: Found, over: Found) -> bool:
    same = one.subject == over.subject and one.attribute is not None and _told(one) == over.attribute
    return same and (over.value is None or fold(over.value) == fold(one.value or ""))


def _is_later(one: Found, before: Found) -> bool:
    """True when it was said at another time, and not to correct: then the former held until then, and is told too."""
    now, then = one.sentence.utterance.said_at, before.sentence.utterance.said_at
    return now is not None and then is not None and now > then and not is_correction(plain_of(one.sentence.utterance.text)[:_OPENING])


def is_same_speaker(one: Sentence, other: Sentence) -> bool:
    """Tell whether two sentences are of one speaker, by id or, without one, by label."""
    first, second = one.utterance, other.utterance
    return (first.speaker_id, first.speaker if first.speaker_id is None else None) == (
        second.speaker_id,
        second.speaker if second.speaker_id is None else None,
    )


def _candidate(one: Found, kind: Kind, data: Mapping[str, JsonValue]) -> Candidate:
    utterance, told = one.sentence.utterance, _told(one)
    return Candidate(
        kind=kind,
        content=None if one.over else one.content,
        about=() if one.subject is None else (one.subject,),
        said_by=utterance.speaker_id,
        attribute=told,
        value=one.value,
        single=one.rule.single,
        ends=_ends(one),
        excludes=() if one.over or one.subject is None or told is None else excluded_by(told, one.value),
        data=data,
        valid_from=one.valid_from,
        valid_to=one.valid_to,
        evidence=(utterance.number,),
        quote=one.quote,
        rule=one.rule.name,
    )


def _told(one: Found) -> str | None:
    return denial_of(one.attribute) if one.rule.denies and one.attribute is not None else one.attribute


def _ends(one: Found) -> tuple[Ended, ...]:
    if one.attribute is None:
        return ()
    if one.ended:
        return tuple(Ended(one.attribute, value) for value in one.ended)
    if one.over:
        return (Ended(one.attribute, one.value),)
    return () if one.former is None else (Ended(one.attribute, one.former),)
