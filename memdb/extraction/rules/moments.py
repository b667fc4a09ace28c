"""Times in a statement: put into words that can be read on another day, or not at all."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memdb.extraction.rules.rule import LASTS
from memdb.extraction.rules.vocabulary import one_of
from memdb.text.time_spans import Precision
from memdb.text.times import TimeMention, find_times, fold_in_place

_MONTHS: Final = {
    "en": "January February March April May June July August September October November December".split(),  # noqa: SIM905
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),  # noqa: SIM905
}
_NEXT_WEEKDAY = re.compile(r"^(?:next|proxim[ao])\s+\w+|que vem")
_UNIT = re.compile(r"\b(?:week|month|year|(?<!fim de )(?<!final de )semana|mes|ano)\b")
_VAGUE = re.compile(
    one_of(
        r"\b(?:yesterday|today|tonight|tomorrow|this (?:morning|afternoon|evening|weekend|summer|winter)|last (?:summer|weekend|winter|fall|spring)|next (?:weekend|summer)|recently|the other day|ontem|hoje|amanha|agora ha pouco|(?<!no )(?<!nos )fim de semana|depois de amanha|mais tarde",
        r"later|(?<!every )(?<!each )(?:mon|tues|wednes|thurs|fri|satur|sun)day(?! (?:morning|afternoon|evening|night)s)|(?<!toda )(?<!cada )(?:segunda|terca|quarta|quinta|sexta)(?:-feira)?|(?<!todo )(?<!cada )(?<!primeiro )(?<!ultimo )(?:sabado|domingo))\b",
    )
)
_ROUGHLY: Final = re.compile(
    r"\b(?:about|around|roughly|nearly|almost|over|approximately|some|like|(?:days?|weeks?|months?|years?) (?:from|after|before|past|until)|cerca de|(?:dias?|semanas?|mes|meses) (?:depois|antes|a partir) d[eao]|quase|uns|umas|mais ou menos|tipo)\s+$"
)
_GOES_ON: Final = re.compile(r"\s+(?:and|but|e|mas|so|então|entao|because|porque)\s", re.IGNORECASE)
_ON_THE: Final = re.compile(r"^n[ao]\s", re.IGNORECASE)
_POSSESSED: Final = re.compile(r"['’]s\b")
_JUST: Final = re.compile(r"\b(?:just|only|exactly|exatamente|justo)\s+$", re.IGNORECASE)
_OF_THE: Final = re.compile(r"^d[oa]\s", re.IGNORECASE)
_JOINT: Final = {"en": re.compile(r"\b(?:(?:in )?(?:early|mid|late)[ -]|(?:(?:at|by|until|till|in) )?(?:the )?(?:beginning|start|middle|end) of\s+|(?:on|in|at|by|to|till|through|until|since|from|of|before|after|for)\s+)$", re.IGNORECASE), "pt": re.compile(
    r"\b(?:n[ao] dia|em|n[ao]|dia|desde|até|ate|de|d[ao]|a|a partir de|antes de|depois de|para|pra|pro)\s+$", re.IGNORECASE)}  # fmt: skip

_PART_OF: Final = re.compile(
    r"\b(?:(?:em|no|até o|ate o) )?(?:meados|fim|final|início|inicio|começo|comeco|metade) d[aeo]\s+$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Settled:
    """A text with its times in absolute words, and the first of them; `span` is None when it has none that is known.

    ranged: the span runs from one time that is named to another one.
    """

    text: str
    span: tuple[datetime, datetime] | None
    count: int
    ranged: bool = False


def is_open(mention: TimeMention, written: str, said_at: datetime | None) -> bool:
    """Tell whether a mention is not known, or could mean two days: "next Friday", said on a Monday, is this week's to some."""
    if mention.from_ is None:
        return True
    words = fold_in_place(written)
    if said_at is None or _UNIT.search(words) or not _NEXT_WEEKDAY.search(words):
        return False
    monday = said_at.date() - timedelta(days=said_at.weekday())
    return mention.from_.date() < monday + timedelta(days=7)


def settle(text: str, language: str, said_at: datetime | None, direction: int = 0) -> Settled | None:
    """Put relative times into absolute words.

    Args:
        text: as written.
        language: en or pt.
        said_at: when the text was said, in the zone of the speaker; None leaves relative times unknown.
        direction: where a date without a year lies: 1 after it was said, -1 before, 0 leaves it as it is.

    Returns:
        None where a time stays open: the text could not be read on another day.

    >>> settle("has an exam tomorrow", "en", datetime.fromisoformat("2024-02-28T23:30-03:00")).text
    'has an exam on 29 February 2024'
    """
    parts: list[str] = []
    spans: list[TimeMention] = []
    at = 0
    for mention in find_times(text, language, said_at, direction):
        written = text[mention.start : mention.end]
        if _POSSESSED.match(text, mention.end) is not None:
            return None  # "today's talk" is the talk's name, not its time
        if mention.from_ is None and re.search(r"\d", written) and not direction:
            continue  # a day of every year
        if is_open(mention, written, said_at) or _ROUGHLY.search(fold_in_place(text[at : mention.start])) is not None:
            return None
        spans.append(mention)
        if any(one.from_ is not None for one in find_times(written, language, None)[:1]):
            continue  # it can be read on any day
        before, bare = _joint(_JUST.sub("", text[at : mention.start]), mention, language)
        parts.append(before)
        parts.append(_words(mention, language, bare=bare))
        at = mention.end
    whole = "".join(parts) + text[at:]
    if _VAGUE.search(fold_in_place("".join(parts[::2]) + text[at:])) is not None:
        return None
    first = spans[0] if spans else None
    span = None if first is None or first.from_ is None or first.to is None else (first.from_, first.to)
    return Settled(whole, span, len(spans), ranged=first is not None and first.precision is Precision.PERIOD)


def _joint(before: str, mention: TimeMention, language: str) -> tuple[str, bool]:
    """The words before a time as they read before its absolute words, and whether these need no preposition of their own."""
    joint = _JOINT[language].search(before)
    if joint is None:
        return before, False
    if mention.precision is Precision.PERIOD:  # "from … to …" brings its own
        return before[: joint.start()], False
    if language == "pt" and _ON_THE.search(joint[0]):
        return before[: joint.start()], False  # "na sexta", "em 1 de março"
    if language == "pt" and _OF_THE.search(joint[0]) and mention.precision is not Precision.WEEK:
        return f"{before[: joint.start()]}de ", True  # "o fim do mês", "o fim de março de 2026"
    return before, True


def without_times(value: str, language: str) -> str:
    """A value without a time at its end: "Baltimore last month" is Baltimore. A language other than en and pt reads both."""
    mentions = find_times(value, language, None, -1)
    if not mentions or mentions[-1].end < len(value.rstrip()):
        return value
    bare = _PART_OF.sub("", value[: mentions[0].start])
    for joint in (_JOINT[language],) if language in _JOINT else _JOINT.values():
        bare = joint.sub("", bare)
    bare = bare.rstrip(" ,")
    return re.sub(r"\s(?:is|é|será|vai ser|ficou|fica)$", "", bare)


def upto_time(shown: str, start: int, end: int) -> int:
    """Where a dated statement ends that goes on after its time: "went to the fair yesterday and forgot the bread"."""
    for mention in find_times(shown[start:end], "und", None):
        if _GOES_ON.match(shown, start + mention.end, end) is not None:
            return start + mention.end
    return end


def _words(mention: TimeMention, language: str, *, bare: bool) -> str:
    """A resolved time in words that `find_times` reads again. `bare`: without the preposition."""
    start, end, precision = mention.from_, mention.to, mention.precision
    assert start is not None, "it is resolved"
    assert end is not None, "it is resolved"
    english = language == "en"
    if precision is Precision.PERIOD:
        return _range_words(start, end, language)
    if precision is Precision.WEEK:
        written = f"{start:%Y-%m-%d}/{end - timedelta(days=1):%Y-%m-%d}"
        return (
            f"the week {written}"
            if bare and english
            else ("" if bare else "in the " if english else "na ") + f"{'week' if english else 'semana'} {written}"
        )
    if precision in {Precision.YEAR, Precision.MONTH}:
        written = str(start.year) if precision is Precision.YEAR else _month_words(start, language)
        return written if bare else f"{'in' if english else 'em'} {written}"
    written = _day_words(start, language)
    if precision is not Precision.DAY:
        written += f" at {start:%H:%M}" if english else f" às {start:%H:%M}"
    return written if bare else f"{'on' if english else 'em'} {written}"


def _range_words(start: datetime, end: datetime, language: str) -> str:
    """From a time through another: months, days, hours of one day, or moments of several."""
    english = language == "en"
    a_day, midnight = timedelta(days=1), (0, 0)
    if (start.hour, start.minute) == midnight == (end.hour, end.minute):
        first, last = _day_words(start, language), _day_words(end - a_day, language)
        if start.day == end.day == 1:
            first, last = _month_words(start, language), _month_words(end - a_day, language)
    elif start.date() == end.date():
        day = _day_words(start, language)
        return f"on {day} from {start:%H:%M} to {end:%H:%M}" if english else f"em {day} das {start:%H:%M} às {end:%H:%M}"
    else:
        first, last = (f"{_day_words(one, language)} {'at' if english else 'às'} {one:%H:%M}" for one in (start, end))
    return f"from {first} to {last}" if english else f"de {first} a {last}"


def _day_words(moment: datetime, language: str) -> str:
    joint = " " if language == "en" else " de "
    return f"{moment.day}{joint}{_month_words(moment, language)}"


def _month_words(moment: datetime, language: str) -> str:
    return f"{_MONTHS[language][moment.month - 1]}{' ' if language == 'en' else ' de '}{moment.year}"


def month_ahead(month: str, language: str, said_at: datetime | None) -> datetime | None:
    """The beginning of the next month of that plain name, or of this one; None where it is not known when it was said."""
    names = [fold_in_place(name) for name in _MONTHS[language]]
    if said_at is None or month not in names:
        return None
    number = names.index(month) + 1
    year = said_at.year + (number < said_at.month)
    return said_at.replace(year=year, month=number, day=1, hour=0, minute=0, second=0, microsecond=0)


def month_words(month: datetime, language: str) -> str:
    """Since when, in words."""
    return f"{'from' if language == 'en' else 'a partir de'} {_month_words(month, language)}"


@dataclass(frozen=True, slots=True)
class Period:
    """Since when and until when something holds, and the words that say so, with the space before them; `read`: how many characters they
    took where they stood.
    """

    text: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    read: int = 0


_SINCE: Final = re.compile(r"^ (?:(?P<past>since|desde)|as of|a partir d[eoa]|starting) ")
_UNTIL: Final = re.compile(r"^ (?:until|till|ate) ")
_BOUND_WITHIN: Final = len(" until the beginning of ")
"""Characters before the time itself."""
_LASTING: Final = re.compile(rf"^ {LASTS}")
_AGO: Final = {"en": "{} {} ago", "pt": "há {} {}"}
_SINCE_WHEN: Final = re.compile(r"^ (?:since|desde) (?:i|he|she|we|they|then|my|that|forever|always|que|sempre|crianca|pequen[oa]|os \d)\b")
"""Something of a life that has no date: it holds all the same."""


def period(tail: str, language: str, said_at: datetime | None) -> Period | None:
    """Read what follows a value: "since 2020", "for three years", "até sexta"; empty for anything else, None where it is not known.

    What is named without its year or week lies behind for "since", ahead for "until" and "as of". How long something holds already is told as the time since when, not in words: on another day they would be wrong.
    """
    plain = fold_in_place(tail)
    lasting = _LASTING.match(plain)
    if lasting is not None or _SINCE_WHEN.match(plain) is not None:
        return Period("", valid_from=None if lasting is None else _since_ago(lasting, language, said_at))
    since, until = _SINCE.match(plain), _UNTIL.match(plain)
    if since is None and until is None:
        return Period("")
    direction = -1 if since is not None and since["past"] else 1
    mentions = find_times(tail, language, said_at, direction)
    if not mentions or mentions[0].start > _BOUND_WITHIN or mentions[0].from_ is None or is_open(mentions[0], tail, said_at):
        return None
    settled = settle(tail[: mentions[0].end], language, said_at, direction)
    if settled is None:
        return None
    began, over = (mentions[0].from_, None) if since is not None else (None, mentions[0].to)
    return Period(settled.text, began, over, mentions[0].end)


def _since_ago(lasting: re.Match[str], language: str, said_at: datetime | None) -> datetime | None:
    """When that began; None where it is told roughly."""
    if lasting["number"] is None or lasting["roughly"] is not None:
        return None
    mentions = find_times(_AGO[language].format(lasting["number"], lasting["unit"]), language, said_at)
    return mentions[0].from_ if mentions else None
