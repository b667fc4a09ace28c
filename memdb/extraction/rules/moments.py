"""Times in a statement: put into words that can be read on another day, or not at all."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from memdb.extraction.rules.bare_times import find_with_bare
from memdb.extraction.rules.rule import LASTS
from memdb.extraction.rules.vocabulary import one_of
from memdb.text.time_spans import Precision
from memdb.text.times import TimeMention, find_times, fold_in_place

_MONTHS: Final = {
    "en": "January February March April May June July August September October November December".split(),  # noqa: SIM905
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),  # noqa: SIM905
}
_YEAR = re.compile(r"(?:19|20)\d\d")
_NEXT_WEEKDAY = re.compile(r"^(?:next|proxim[ao])\s+\w+|que vem")
_UNIT = re.compile(r"\b(?:week|month|year|semana|mes|ano)\b")
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
_RANGE: Final = {
    "en": re.compile(r" (?:to|until|till|through) | ?[-–] ?"),
    "pt": re.compile(r" (?:a|até|ate|ao) (?:o )?(?:dia )?| ?[-–] ?"),
}
_POSSESSED: Final = re.compile(r"['’]s\b")
_JUST: Final = re.compile(r"\b(?:just|only|exactly|exatamente|justo)\s+$", re.IGNORECASE)
_JOINT: Final = {"en": re.compile(r"\b(?:on|in|at|by|to|till|through|until|since|from|of|before|after|for)\s+$", re.IGNORECASE), "pt": re.compile(
    r"\b(?:n[ao] dia|em|n[ao]|dia|desde|até|ate|de|d[ao]|a|a partir de|antes de|depois de|para|pra|pro)\s+$", re.IGNORECASE)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Settled:
    """A text with its times in absolute words, and the first of them; `span` is None when it has none that is known.

    ranged: the span runs from one time that is named to another one, which count as one.
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
    spans: list[tuple[datetime, datetime]] = []
    at = last = 0
    ranged = False
    for mention in find_with_bare(text, language, said_at, direction):
        written = text[mention.start : mention.end]
        if _POSSESSED.match(text, mention.end) is not None:
            return None  # "today's talk" is the talk's name, not its time
        span = (mention.from_, mention.to, mention.precision)
        if mention.from_ is None and direction and said_at is not None and re.search(r"\d", written):
            span = _in_year(written, language, said_at, direction)
        elif mention.from_ is None and re.search(r"\d", written) and not direction:
            continue  # a day of every year
        elif is_open(mention, written, said_at):
            return None
        if _ROUGHLY.search(fold_in_place(text[at : mention.start])) is not None:
            return None
        start, end, precision = span
        if start is None or end is None or precision is None:
            return None
        if spans and _RANGE[language].fullmatch(fold_in_place(text[last : mention.start])) and end > spans[-1][0]:
            spans[-1] = (spans[-1][0], end)
            ranged = True
        else:
            spans.append((start, end))
        last = mention.end
        if _YEAR.search(written):
            continue
        before = _JUST.sub("", text[at : mention.start])
        joint = _JOINT[language].search(before)
        if joint is not None and language == "pt" and precision is not Precision.WEEK and _ON_THE.search(joint[0]):
            before, joint = before[: joint.start()], None  # "na sexta", "em 1 de março"
        parts.append(before)
        parts.append(_words(start, end, precision, language, bare=joint is not None))
        at = mention.end
    whole = "".join(parts) + text[at:]
    if _VAGUE.search(fold_in_place("".join(parts[::2]) + text[at:])) is not None:
        return None
    return Settled(whole, spans[0] if spans else None, len(spans), ranged)


def without_times(value: str, language: str) -> str:
    """A value without a time at its end: "Baltimore last month" is Baltimore."""
    mentions = find_with_bare(value, language, None, -1)
    if not mentions or mentions[-1].end < len(value.rstrip()):
        return value
    bare = _JOINT[language].sub("", value[: mentions[0].start]).rstrip(" ,")
    return re.sub(r"\s(?:is|é|será|vai ser|ficou|fica)$", "", bare)


def upto_time(shown: str, start: int, end: int) -> int:
    """Where a dated statement ends that goes on after its time: "went to the fair yesterday and forgot the bread"."""
    for mention in find_times(shown[start:end], "und", None):
        if _GOES_ON.match(shown, start + mention.end, end) is not None:
            return start + mention.end
    return end


def _in_year(written: str, language: str, said_at: datetime, direction: int) -> tuple[datetime | None, datetime | None, Precision | None]:
    """The nearest day of that name after (1) or before (-1) it was said; today counts."""
    joint = " de " if language == "pt" else " "
    for year in (said_at.year, said_at.year + direction):
        for mention in find_times(f"{written}{joint}{year}", language, said_at):
            if mention.from_ is None:
                continue
            distance = (mention.from_.date() - said_at.date()).days * direction
            if distance >= 0:
                return mention.from_, mention.to, mention.precision
    return None, None, None


def _words(start: datetime, end: datetime, precision: Precision, language: str, *, bare: bool) -> str:
    """A time in words that `find_times` reads again."""
    last = end - timedelta(minutes=1)
    months = _MONTHS[language]
    if precision is Precision.YEAR:
        written, joint = str(start.year), ("in ", "em ")
    elif precision is Precision.MONTH:
        written = f"{months[start.month - 1]} {start.year}" if language == "en" else f"{months[start.month - 1]} de {start.year}"
        joint = ("in ", "em ")
    elif precision is Precision.WEEK:
        written = f"{start:%Y-%m-%d}/{last:%Y-%m-%d}"
        return written if bare else ("in the week ", "na semana ")[language == "pt"] + written
    else:
        day = f"{start.day} {months[start.month - 1]} {start.year}"
        written = day if language == "en" else day.replace(" ", " de ")
        joint = ("on ", "em ")
        if precision is not Precision.DAY:
            written += f" at {start:%H:%M}" if language == "en" else f" às {start:%H:%M}"
    return written if bare else joint[language == "pt"] + written


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
    name = _MONTHS[language][month.month - 1]
    return f"from {name} {month.year}" if language == "en" else f"a partir de {name} de {month.year}"


@dataclass(frozen=True, slots=True)
class Period:
    """Since when and until when something holds, and the words that say so, with the space before them."""

    text: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None


_SINCE: Final = re.compile(r"^ (?:since|desde|as of|a partir de|starting) ")
_UNTIL: Final = re.compile(r"^ (?:until|till|ate) ")
_LASTING: Final = re.compile(rf"^ {LASTS}")
_AGO: Final = {"en": "{} {} ago", "pt": "há {} {}"}
_SINCE_WHEN: Final = re.compile(r"^ (?:since|desde) (?:i|he|she|we|they|then|my|that|forever|always|que|sempre|crianca|pequen[oa]|os \d)\b")
"""Something of a life that has no date: it holds all the same."""


def period(tail: str, language: str, said_at: datetime | None) -> Period | None:
    """Read what follows a value: "since 2020", "for three years", "até sexta que vem"; empty for anything else, None where it is not known.

    How long something holds already is told as the time since when, not in words: on another day they would be wrong.
    """
    plain = fold_in_place(tail)
    lasting = _LASTING.match(plain)
    if lasting is not None or _SINCE_WHEN.match(plain) is not None:
        return Period("", valid_from=None if lasting is None else _since_ago(lasting, language, said_at))
    since, until = _SINCE.match(plain), _UNTIL.match(plain)
    if since is None and until is None:
        return Period("")
    mentions = find_times(tail, language, said_at)
    if not mentions or mentions[0].start > 12 or mentions[0].from_ is None or is_open(mentions[0], tail, said_at):
        return None
    text = tail[: mentions[0].end]
    return Period(text, valid_from=mentions[0].from_) if since is not None else Period(text, valid_to=mentions[0].to)


def _since_ago(lasting: re.Match[str], language: str, said_at: datetime | None) -> datetime | None:
    """When that began; None where it is told roughly."""
    if lasting["number"] is None or lasting["roughly"] is not None:
        return None
    mentions = find_times(_AGO[language].format(lasting["number"], lasting["unit"]), language, said_at)
    return mentions[0].from_ if mentions else None
