"""From items of a language model to candidates. Whatever does not rest on the turns that it was shown is left out, item by item. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final
from uuid import UUID

from governance.redaction.findings import JsonValue
from memdb.extraction.answers import Answer, End, Event, Fact, HowTo, Term
from memdb.extraction.asking import Person
from memdb.extraction.candidates import Candidate, Ended
from memdb.extraction.rules.reading import is_suspicious
from memdb.extraction.transcript import Transcript, TurnRole, Utterance
from memdb.models.memory import Kind
from memdb.text.normalise import fold

_YEARS: Final = range(1900, 2201)
_UNRESOLVED: Final = re.compile(
    r"(?:i|you|he|she|they|my|your|his|her|their|someone|somebody|(?:(?:the|this) )?(?:user|speaker|assistant)|this person"
    r"|(?:[oa]s? )?(?:meus?|minhas?|seus?|suas?)|eu|voces?|eles?|elas?|alguem|(?:[oa] )?usuari[oa])(?!\w)"
)
"""How a statement begins, folded, that cannot be read without the talk: it calls nobody by a name."""


class Ungrounded(Exception):
    """An item does not rest on what it was made from. The argument is a word for the reason."""


class Proposer:
    """Makes candidates of one transcript; `refused` counts by reason what it left out."""

    def __init__(self, kind: Kind, transcript: Transcript, people: Sequence[Person], rule: str) -> None:
        """Take what the model was shown. `rule` names the model."""
        self._kind, self._rule = kind, rule
        self._turns = {one.number: one for one in transcript.utterances}
        self._spoken = _by_speaker(transcript.utterances)
        self._people = {one.number: one for one in people}
        self._suspicious: dict[int, bool] = {}
        self.refused: Counter[str] = Counter()

    def propose(self, answers: Sequence[Answer]) -> list[Candidate]:
        """Candidates in the order of the answers; what is said twice is proposed once."""
        found: dict[tuple[object, ...], Candidate] = {}
        for answer in answers:
            try:
                one = self._candidate(answer)
            except Ungrounded as error:
                self.refused[str(error)] += 1
                continue
            found.setdefault((one.about, fold(one.content or ""), one.ends), one)
        return list(found.values())

    def _candidate(self, answer: Answer) -> Candidate:
        turns = self._evidence(answer)
        said_by = next(one.speaker_id for one in turns if one.role is TurnRole.USER)
        made = _Made(self._kind, said_by, tuple(one.number for one in turns), answer.quote, self._rule)
        match answer:
            case Fact():
                return self._fact(answer, made, turns[0])
            case Event():
                return self._event(answer, made, turns[0])
            case HowTo():
                steps = "; ".join(step.strip().rstrip(" .;") for step in answer.steps)
                data: dict[str, JsonValue] = {"name": answer.name, "steps": list(answer.steps)}
                data |= {} if answer.use_when is None else {"use_when": answer.use_when}
                return made.candidate(f"{answer.name[:1].upper()}{answer.name[1:]}: {steps}.", (), data)
            case Term():
                meaning = answer.definition.strip().rstrip(".")
                terms: dict[str, JsonValue] = {"term": answer.term, "definition": answer.definition, "aliases": list(answer.aliases)}
                return made.candidate(f"{answer.term[:1].upper()}{answer.term[1:]}: {meaning}.", (), terms)
        raise AssertionError("every kind of answer is known")

    def _evidence(self, answer: Answer) -> list[Utterance]:
        """The turns that an item names, each once.

        SECURITY: at least one is a user's, and follows what an assistant or a tool said first, so that nobody's words become somebody
        else's; none looks like an instruction that was put there to be stored.
        """
        turns: list[Utterance] = []
        for number in dict.fromkeys(answer.evidence):
            turn = self._turns.get(number)
            if turn is None or turn.read_only:
                raise Ungrounded("unknown_turn")
            turns.append(turn)
        if not any(one.role is TurnRole.USER and one.number >= turns[0].number for one in turns):
            raise Ungrounded("nobody_said_it")
        if not answer.quote.strip() or answer.quote not in turns[0].text:
            raise Ungrounded("quote_not_found")
        if any(self._is_suspicious(one) for one in turns):
            raise Ungrounded("looks_like_an_instruction")
        return turns

    def _is_suspicious(self, turn: Utterance) -> bool:
        """SECURITY: also with what the same speaker said just before or after: an instruction may be put in turn by turn."""
        if turn.number not in self._suspicious:
            texts = [turn.text, *(" ".join(pair) for pair in self._spoken[turn.number])]
            self._suspicious[turn.number] = any(map(is_suspicious, texts))
        return self._suspicious[turn.number]

    def _fact(self, answer: Fact, made: _Made, turn: Utterance) -> Candidate:
        about = self._about(answer.about, answer.content)
        ends = tuple(Ended(one.attribute, one.value) for one in answer.ends if not _states(answer, one)) if about else ()
        if answer.content is None and not ends:
            raise Ungrounded("says_nothing")
        valid = _times(answer.valid_from, answer.valid_to, turn.said_at)
        topic = _Topic(answer.attribute, answer.value if answer.attribute else None, single=answer.single and answer.attribute is not None)
        return made.candidate(answer.content, about, {}, topic=topic, ends=ends, valid=valid)

    def _event(self, answer: Event, made: _Made, turn: Utterance) -> Candidate:
        about = self._about(answer.about, answer.content)
        taking_part: list[JsonValue] = [*sorted({str(one.subject_id) for one in self._known(answer.participants)} | set(map(str, about)))]
        began, over = _times(answer.valid_from, answer.valid_to, turn.said_at)
        if began is None or (turn.said_at is not None and began > turn.said_at):
            raise Ungrounded("no_time_before")
        return made.candidate(answer.content, about, {"participants": taking_part}, valid=(began, over))

    def _known(self, numbers: Sequence[int]) -> list[Person]:
        if any(number not in self._people for number in numbers):
            raise Ungrounded("unknown_person")
        return [self._people[number] for number in numbers]

    def _about(self, numbers: Sequence[int], content: str | None) -> tuple[UUID, ...]:
        """Subjects, each of whom the statement calls by a name: else it would say of one person what it says of another."""
        people = self._known(numbers)
        if content is not None and not people and _UNRESOLVED.match(fold(content)):
            raise Ungrounded("nobody_named")
        if content is not None and not all(_is_named(one, fold(content)) for one in people):
            raise Ungrounded("person_not_named")
        return tuple(sorted({one.subject_id for one in people}))


class _Topic:
    """What of its subjects a statement tells."""

    def __init__(self, attribute: str | None = None, value: str | None = None, *, single: bool = False) -> None:
        self.attribute, self.value, self.single = attribute, value, single


class _Made:
    """What every candidate of an item has."""

    def __init__(self, kind: Kind, said_by: UUID | None, evidence: tuple[int, ...], quote: str, rule: str) -> None:
        self._kind, self._said_by, self._evidence, self._quote, self._rule = kind, said_by, evidence, quote, rule

    def candidate(
        self,
        content: str | None,
        about: tuple[UUID, ...],
        data: Mapping[str, JsonValue],
        *,
        topic: _Topic | None = None,
        ends: tuple[Ended, ...] = (),
        valid: tuple[datetime | None, datetime | None] = (None, None),
    ) -> Candidate:
        told = topic or _Topic()
        return Candidate(
            kind=self._kind,
            content=content,
            about=about,
            said_by=self._said_by,
            attribute=told.attribute,
            value=told.value,
            single=told.single,
            ends=ends,
            data=data,
            valid_from=valid[0],
            valid_to=valid[1],
            evidence=self._evidence,
            quote=self._quote,
            rule=self._rule,
        )


def _by_speaker(utterances: Sequence[Utterance]) -> dict[int, list[tuple[str, str]]]:
    """Of each utterance by its number what it says together with the one before and the one after of the same speaker."""
    pairs: dict[int, list[tuple[str, str]]] = {one.number: [] for one in utterances}
    last: dict[tuple[UUID | None, str | None], Utterance] = {}
    for one in utterances:
        speaker = (one.speaker_id, one.speaker if one.speaker_id is None else None)
        before = last.get(speaker)
        if before is not None:
            for number in (before.number, one.number):
                pairs[number].append((before.text, one.text))
        last[speaker] = one
    return pairs


def _states(fact: Fact, end: End) -> bool:
    """True when a statement says what it is said to end."""
    same = fact.value is not None and (end.value is None or fold(end.value) == fold(fact.value))
    return fact.content is not None and fact.attribute == end.attribute and same


def _is_named(person: Person, folded: str) -> bool:
    if person.name is None:
        return False
    name = fold(person.name)
    return any(re.search(rf"(?<!\w){re.escape(label)}(?!\w)", folded) for label in (name, name.partition(" ")[0], *person.also) if label)


def _times(began: str | None, over: str | None, said_at: datetime | None) -> tuple[datetime | None, datetime | None]:
    zone = UTC if said_at is None or said_at.tzinfo is None else said_at.tzinfo
    valid_from, valid_to = _moment(began, zone), _moment(over, zone)
    if valid_from is not None and valid_to is not None and valid_to <= valid_from:
        raise Ungrounded("times_contradict")
    return valid_from, valid_to


def _moment(written: str | None, zone: tzinfo) -> datetime | None:
    """A day is its first moment in the zone of who spoke. A statement whose time cannot be read would say something else without it."""
    if written is None:
        return None
    try:
        moment = datetime.fromisoformat(written.strip())
    except ValueError:
        raise Ungrounded("unreadable_time") from None
    if moment.year not in _YEARS:
        raise Ungrounded("unreadable_time")
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
