"""Rules matched against clauses: who is meant, what is told, how it reads. Pure; the handlers choose the rules."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from memdb.extraction.rules.beside import Beside, find_beside
from memdb.extraction.rules.endings import strip_ending
from memdb.extraction.rules.exceptions import exception_at
from memdb.extraction.rules.leads import after_lead, leading_time
from memdb.extraction.rules.moments import Period, Settled, period, settle, upto_time, without_times
from memdb.extraction.rules.past import Past, find_past
from memdb.extraction.rules.reading import Sentence, has_correction, read
from memdb.extraction.rules.rewording import cared_by, owned_by, reword
from memdb.extraction.rules.rule import Compiled, Rule
from memdb.extraction.rules.subjects import Subjects
from memdb.extraction.rules.values import is_readable, is_value, trim, upto_duration, with_list
from memdb.extraction.rules.wording import told, without_marks
from memdb.extraction.transcript import Transcript

_ARTICLE = re.compile(r"(?:o|a|seu|dona|sr|sra|dr|dra|dr\.|dra\.|sr\.|sra\.|mr|mrs|ms|mr\.|mrs\.|ms\.) ")

_APPOSITION = re.compile(r", (?:our|the|an?|my|from|who|o|a|nosso|nossa|meu|minha|d[aoe]s?)\b[^,;:.!?()\n\ufffc]{2,40}, ")
"""Who it is, between the name and the verb: "Luma, our headliner, has …"."""
_WORD_BEFORE = re.compile(r"(?<![\w.-])(?P<word>\w[\w.-]*)(?:,| and|, and| e| ou| or) (?:o |a )?$")
_LOOK_BACK = 30
_HABITS = ("habit", "diet", "hobby")
_HABIT_BEGINS = timedelta(days=30)
_TASTES = frozenset({"likes", "dislikes"})
_SHARED = frozenset({"home", "pet", "household", "car", "owns"})
"""What holds of a speaker who says it of "us"."""
_SINCE = re.compile(r"(?:since|desde) ", re.IGNORECASE)
_HANGING = re.compile(r"\s+(?:that|which|who|where|que|onde)\b")
"""What tells which one is meant was cut off: "a place that …" is any place."""
_CUT_SHORT = re.compile(r"\b(?:an?|the|some|um|uma|o|a) \w+$")
"""An article and one word before a comma: "a safe, inviting place" is no list, and was cut in the middle."""
_OTHER_DAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?\b(?!\s?(?:h|am|pm|people|pessoas|min)\b|[:h]\d)")
"""A number behind a plan may be the day that was really meant: "in two weeks, 16 to 20 Feb"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a rule found: whom it is about, the statement, the value, and where it was said.

    `at`: offset into the turn. `over`: the value does not hold any more, and `content` is of no use. `span`: the time that is spoken of.
    `of_kin`: it is of a relative of the subject.
    """

    rule: Rule
    language: str
    sentence: Sentence = field(repr=False)
    at: int
    subject: UUID | None
    content: str = field(repr=False)
    attribute: str | None
    value: str | None = field(repr=False)
    quote: str = field(repr=False)
    former: str | None = field(default=None, repr=False)
    over: bool = False
    span: tuple[datetime, datetime] | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    of_kin: bool = False

    @property
    def is_past(self) -> bool:
        """True for what had ended when it was said."""
        said_at = self.sentence.utterance.said_at
        return self.valid_to is not None and said_at is not None and self.valid_to <= said_at


@dataclass(frozen=True, slots=True)
class _Place:
    """A clause: its text, where the verb may begin, its subject, whether that is named, and a time that stands before it.

    over, began: it says of what it states that this is over, or has begun. whole: its words were put in another way, so that the sentence
    as a whole is what can be quoted. beside: it is of somebody beside the subject. past: it held for a time.
    """

    sentence: Sentence
    begins: int
    plain: str
    shown: str
    at: int
    subject: UUID
    third: bool
    when: str | None
    over: bool = False
    began: bool = False
    whole: bool = False
    beside: Beside | None = None
    past: Past | None = None


def read_all(transcript: Transcript) -> list[Sentence]:
    """What the people of a transcript state, sentence by sentence."""
    return [sentence for utterance in transcript.utterances for sentence in read(utterance)]


def find_all(sentences: Iterable[Sentence], rules: Sequence[Compiled], subjects: Subjects) -> list[Found]:
    """What the rules find in sentences of one transcript, in order."""
    return [found for sentence in sentences for found in find(sentence, rules, subjects)]


def find(sentence: Sentence, rules: Sequence[Compiled], subjects: Subjects) -> Iterator[Found]:
    """What the rules find in a sentence, in order, at most one for each clause."""
    taken = -1
    for begins, at, when in _clauses(sentence):
        if at <= taken:
            continue
        found = next(_matches(_places(sentence, begins, at, when, subjects), rules, subjects), None)
        if found is not None:
            taken = at
            yield found


def _clauses(sentence: Sentence) -> Iterator[tuple[int, int, str | None]]:
    """Where clauses begin, where their statement begins, and the time that leads in."""
    for start in sentence.clauses():
        at = after_lead(sentence.plain, start)
        timed = leading_time(sentence, at)
        if timed is not None:
            yield at, timed[0], timed[1]
        else:
            yield at, at, None


def _places(sentence: Sentence, begins: int, at: int, when: str | None, subjects: Subjects) -> Iterator[_Place]:
    plain, shown = sentence.plain, sentence.shown
    found: list[tuple[int, UUID, bool]] = []
    if sentence.utterance.speaker_id is not None:
        found.append((at, sentence.utterance.speaker_id, False))
    article = _ARTICLE.match(plain, at)
    for start in dict.fromkeys((at, article.end() if article else at)):
        one = subjects.one_at(plain, start)
        if one is not None and not _is_one_of_several(plain, start, subjects):
            apposition = _APPOSITION.match(plain, one[1])
            found.append((one[1] if apposition is None else apposition.end() - 1, one[0], True))
    for verb, subject, third in found:
        yield from _ways(_Place(sentence, begins, plain, shown, verb, subject, third, when))
    if sentence.utterance.speaker_id is not None:
        for beside in find_beside(plain, shown, at):
            told = (beside.plain, beside.shown, 0, sentence.utterance.speaker_id)
            yield from _ways(_Place(sentence, begins, *told, third=True, when=when, whole=True, beside=beside))
    for named, third in ((owned_by(plain, shown, at, subjects), False), (cared_by(plain, shown, at, subjects), True)):
        if named is not None:
            yield _Place(sentence, begins, *named[:2], 0, named[2], third, when, whole=True)


def _ways(place: _Place) -> Iterator[_Place]:
    """A clause as it stands, and as the plain statement of what it says is over, has begun, goes on, or held for a time."""
    plain, shown, at, third = place.plain, place.shown, place.at, place.third
    stripped = strip_ending(plain, shown, at, third=third)
    if stripped is None:
        yield place
    else:
        yield replace(place, plain=stripped.plain, shown=stripped.shown, at=0, when=place.when or stripped.when, over=True, whole=True)
    put = reword(plain, shown, at, third=third)
    if put is not None:
        yield replace(place, plain=put.plain, shown=put.shown, at=0, when=place.when or put.when, began=put.began, whole=True)
    past = find_past(plain, shown, at, place.sentence.utterance.said_at, third=third)
    if past is not None:
        yield replace(place, plain=past.plain, shown=past.shown, at=0, past=past, whole=True)


def _is_one_of_several(plain: str, start: int, subjects: Subjects) -> bool:
    """Tell whether a name stands behind another one, "Bruno and Ana": what follows is about both."""
    before = _WORD_BEFORE.search(plain, max(0, start - _LOOK_BACK), start)
    return before is not None and subjects.at(plain, before.start("word")) is not None


def _matches(places: Iterable[_Place], rules: Sequence[Compiled], subjects: Subjects) -> Iterator[Found]:
    for place in places:
        for compiled in rules:
            pattern = compiled.third if place.third else compiled.first
            match = pattern.match(place.plain, place.at) if pattern is not None else None
            found = _make(compiled, match, place, subjects) if match is not None else None
            if found is not None:
                yield found


def _make(compiled: Compiled, match: re.Match[str], place: _Place, subjects: Subjects) -> Found | None:
    language, sentence = compiled.language, place.sentence
    rule = _fitting(compiled, match, place)
    said_at = sentence.utterance.said_at
    if rule is None:
        return None
    start, end = _value_span(rule, match, place)
    value = place.shown[start:end] if end > start else None
    if _is_cut_off(compiled, match, place, (start, end)) or (rule.attribute in _TASTES and subjects.within(place.plain[start:end])):
        return None  # what one thinks of another is gossip
    whole_end = match.end() if value is not None and end == match.end("value") else end
    statement = told(compiled, match, place.shown, whole_end, value)
    excepted = exception_at(place.plain, place.shown, whole_end)
    held = _held(place, whole_end, language)
    if excepted is None or held is None or not is_readable(statement.lower() if rule.attribute != "pronouns" else ""):
        return None
    whole = f"{statement}{excepted}{held.text}"
    settled = None if _is_passing(rule, held, said_at) else _settled(rule, place, whole, language)
    if settled is None or not _is_in_time(rule, settled, said_at) or (rule.dated and _OTHER_DAY.search(place.plain, end)):
        return None
    text = settled.text
    if place.began and place.when:
        text = whole
    elif rule.begins and rule.shown is not None and value is not None and settled.count:
        text = told(compiled, match, place.shown, whole_end, without_times(value, language))
    content = _content(place, text, whole, subjects.title(place.subject, sentence.utterance, language))
    if content is None:
        return None
    began = settled.span[0] if settled.span and (rule.begins or place.began or place.over or settled.ranged) else None
    given = None if value is None else without_marks(without_times(value, language) or value)
    return Found(
        rule=rule,
        language=language,
        sentence=sentence,
        at=sentence.start + place.begins,
        subject=place.subject,
        content=content,
        attribute=rule.attribute,
        value=given if rule.valued is None else rule.valued.format(value=given or rule.unsaid),
        quote=sentence.shown[place.begins : len(sentence.shown) if place.whole else whole_end + len(excepted)].strip(),
        former=without_marks(place.shown[slice(*match.span("former"))]) if match.groupdict().get("former") else None,
        over=place.over,
        span=settled.span,
        valid_from=held.valid_from or began,
        valid_to=held.valid_to or (settled.span[1] if settled.ranged and settled.span else None),
        of_kin=place.beside is not None and place.beside.kin is not None,
    )


def _settled(rule: Rule, place: _Place, whole: str, language: str) -> Settled | None:
    """The statement with its times in absolute words, those that stand before it too where it has none."""
    said_at = place.sentence.utterance.said_at
    direction = rule.dated or (-1 if rule.begins or place.began else 0)
    settled = settle(whole, language, said_at, direction)
    if settled is not None and place.when and not settled.count and place.past is None:
        return settle(f"{whole} {place.when}", language, said_at, direction)
    return settled


def _content(place: _Place, text: str, whole: str, name: str) -> str | None:
    """The sentence that is kept: who, and what of them; None where it cannot be put so. `whole`: the statement, its times as written."""
    told_of = text if place.past is None else place.past.told(whole)
    if place.beside is not None:
        name, told_of = place.beside.title(name), None if told_of is None else place.beside.told(told_of)
    if told_of is None:
        return None
    joint = "" if told_of.startswith("'s") else " "
    return f"{name}{joint}{told_of}."


def _fitting(compiled: Compiled, match: re.Match[str], place: _Place) -> Rule | None:
    """The rule as it holds of whom the clause is about, with its attribute filled in; None where it does not hold of them."""
    rule = compiled.rule
    attribute = rule.attribute
    if attribute is not None and "topic" in match.groupdict():
        attribute = attribute.replace("{topic}", match["topic"].replace(" ", "-"))
    if place.past is not None:
        if rule.dated or place.when:
            return None
        rule = replace(rule, name=f"{rule.name}-once", single=False)
    beside = place.beside
    if beside is None:
        return rule if attribute is rule.attribute else replace(rule, attribute=attribute)
    if beside.language != compiled.language or (beside.kin is None and not rule.dated and attribute not in _SHARED):
        return None
    if attribute is not None:
        attribute = beside.attribute(attribute if not rule.denies else f"{attribute}/") and beside.attribute(attribute)
        if attribute is None:
            return None
    single = rule.single and (beside.one or beside.kin is None)
    return replace(rule, name=f"{rule.name}-{'we' if beside.kin is None else 'kin'}", attribute=attribute, single=single)


def _held(place: _Place, end: int, language: str) -> Period | None:
    """The period that is told with the statement: behind it, before it ("since 2019 I …"), or already read; None where it is not known."""
    if place.past is not None:
        return Period("", place.past.period.valid_from, place.past.period.valid_to)
    said_at = place.sentence.utterance.said_at
    held = period(place.shown[end : end + 60], language, said_at)
    if held is not None and not held.text and place.when and _SINCE.match(place.when):
        return period(f" {place.when[:1].lower()}{place.when[1:]}", language, said_at)
    return Period("") if held is None and place.over else held


def _is_passing(rule: Rule, held: Period, said_at: datetime | None) -> bool:
    """Tell whether a habit began so shortly before that it says nothing: "I don't smoke since yesterday"."""
    if held.valid_from is None or said_at is None or rule.attribute is None:
        return False
    return rule.attribute.startswith(_HABITS) and said_at - held.valid_from < _HABIT_BEGINS


def _is_cut_off(compiled: Compiled, match: re.Match[str], place: _Place, value: tuple[int, int]) -> bool:
    """Tell whether what was found is no statement: without its value, in the middle of a word, corrected, or without what says which."""
    start, end = value
    if start == end and match.groupdict().get("value") is not None:
        return True
    if has_correction(place.plain[match.start() : end]) or place.plain[end : end + 1].isalnum():
        return True
    cut = compiled.rule.attribute in _TASTES and place.plain[end : end + 2] == ", "
    cut = cut or (compiled.rule.attribute == "goal" and place.plain[end : end + 5] == " and ")
    if cut and _CUT_SHORT.search(place.plain[start:end]):
        return True
    if not compiled.rule.dated or start == end:
        return False
    return not without_times(place.shown[start:end], compiled.language).strip() or _HANGING.match(place.plain, end) is not None


def _value_span(rule: Rule, match: re.Match[str], place: _Place) -> tuple[int, int]:
    """Where the value stands; two equal offsets, at the end of the match, where there is none."""
    if match.groupdict().get("value") is None:
        return match.end(), match.end()
    start, end = match.span("value")
    start += len(match["value"]) - len(match["value"].lstrip())
    end = trim(place.plain, start, end)
    end = upto_time(place.shown, start, end) if rule.dated else upto_duration(place.plain, start, end)
    if not is_value(rule, place.plain[start:end], place.shown[start:end]):
        return start, start
    return start, with_list(place.plain, end) if rule.lists else end


def _is_in_time(rule: Rule, settled: Settled, said_at: datetime | None) -> bool:
    """Tell whether a plan lies ahead, and an event behind."""
    if not rule.dated:
        return True
    if settled.span is None or settled.count != 1 or said_at is None:
        return False
    if rule.dated > 0:
        return settled.span[1] > said_at and (settled.span[0] > said_at or settled.span[1] - settled.span[0] > timedelta(minutes=1))
    return settled.span[0] <= said_at
