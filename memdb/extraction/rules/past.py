"""What held from one time to another, "I worked at Spotify from 2019 to 2022", "morei em Roma até 2014": read as if it held, told as past.

Without an end that is named nothing is read: when it was over would be a guess. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from memdb.extraction.rules.moments import Period
from memdb.text.time_spans import year_span
from memdb.text.times import find_times

_EN: Final = {
    "worked": ("work", "works"), "lived": ("live", "lives"), "studied": ("study", "studies"), "taught": ("teach", "teaches"),
    "played": ("play", "plays"), "was": ("am", "is"), "ran": ("run", "runs"), "managed": ("manage", "manages"), "led": ("lead", "leads"),
    "owned": ("own", "owns"), "drove": ("drive", "drives"), "used": ("use", "uses"), "volunteered": ("volunteer", "volunteers"),
    "had": ("have", "has"),
}  # fmt: skip
_PT: Final = {
    "trabalhei": ("trabalho", "trabalha"), "morei": ("moro", "mora"), "vivi": ("vivo", "vive"), "estudei": ("estudo", "estuda"),
    "fui": ("sou", "é"), "joguei": ("jogo", "joga"), "toquei": ("toco", "toca"), "usei": ("uso", "usa"), "tive": ("tenho", "tem"),
    "namorei": ("namoro", "namora"), "fiz": ("faco", "faz"),
}  # fmt: skip
_PT_THIRD: Final = {
    "trabalhou": "trabalhei", "morou": "morei", "viveu": "vivi", "estudou": "estudei", "foi": "fui", "jogou": "joguei", "tocou": "toquei",
    "usou": "usei", "teve": "tive", "namorou": "namorei", "fez": "fiz",
}  # fmt: skip
_FIRST: Final = re.compile(rf"(?:i (?:also |once )?(?P<en>{'|'.join(_EN)})|(?:eu )?(?:ja )?(?P<pt>{'|'.join(_PT)}))\b")
_THIRD: Final = re.compile(rf" (?:also |once )?(?:(?P<en>{'|'.join(_EN)})|(?P<pt>{'|'.join(_PT_THIRD)}))\b")
_TIME: Final = r"[a-z0-9][a-z0-9 /-]{3,24}?"
_LASTED: Final = re.compile(
    rf" (?:(?:from|between) (?P<began>{_TIME}) (?:to|until|till|and) (?P<over>{_TIME})|(?:until|till) (?P<till>{_TIME})"
    rf"|(?:de|entre) (?P<comecou>{_TIME}) (?:a|ate|e) (?P<acabou>{_TIME})|ate (?P<ate>{_TIME}))(?=$|[.!;,)]|\s(?:and|but|as|e|mas|como)\s)"
)
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class Past:
    """A clause in the present, without its period, both forms; the period; and the verb that says that it is over, as written.

    present: how the verb in the present reads in a statement.
    """

    plain: str = field(repr=False)
    shown: str = field(repr=False)
    period: Period
    present: str
    verb: str

    def told(self, text: str) -> str | None:
        """A statement in the present, told as past and with its period; None where it has no such form."""
        first, space, rest = text.partition(" ")
        return f"{self.verb}{space}{rest}{self.period.text}" if first == self.present else None


def find_past(plain: str, shown: str, at: int, said_at: datetime | None, *, third: bool) -> Past | None:
    """What held of the subject for a time that is over by now; None when it says nothing like that. `at`: as in `rewording.reword`."""
    match = (_THIRD if third else _FIRST).match(plain, at)
    lasted = None if match is None else _LASTED.search(plain, match.end())
    if match is None or lasted is None or said_at is None or re.search(r"[,;:!?(]", plain[match.end() : lasted.start()]):
        return None
    began, over = (lasted["began"] or lasted["comecou"]), (lasted["over"] or lasted["acabou"] or lasted["till"] or lasted["ate"])
    language = "en" if match["en"] else "pt"
    until = _bound(over, language, said_at)
    since = None if began is None else _bound(began, language, said_at)
    if until is None or until[1] > said_at or (began is not None and (since is None or since[0] >= until[0])):
        return None
    word = match["en"] or match["pt"]
    if language == "en":
        first, other = _EN[word]
        verb = word
    else:
        mine = _PT_THIRD.get(word, word)
        first, other = _PT[mine]
        verb = next(theirs for theirs, own in _PT_THIRD.items() if own == mine)
    front = f" {other}" if third else f"i {first}" if language == "en" else first
    period = Period(shown[lasted.start() : lasted.end()], None if since is None else since[0], until[1])
    return Past(
        front + plain[match.end() : lasted.start()] + plain[lasted.end() :],
        front + shown[match.end() : lasted.start()] + shown[lasted.end() :],
        period,
        other,
        verb,
    )


def _bound(words: str, language: str, said_at: datetime) -> tuple[datetime, datetime] | None:
    words = words.strip()
    if _YEAR.fullmatch(words) and said_at.tzinfo is not None:
        year = year_span(int(words), said_at.tzinfo)
        return year.from_, year.to
    mentions = find_times(words, language, said_at)
    if len(mentions) != 1 or mentions[0].from_ is None or mentions[0].to is None or mentions[0].end < len(words):
        return None
    return mentions[0].from_, mentions[0].to
