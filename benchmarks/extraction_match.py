"""Whether a candidate says what a gold memory says. Deterministic, no judge.

A candidate matches when its persons are those of the memory (projects and customers are left out on both sides: nobody in the talk says
that it is about a project), when every number, day and name in it stands in the memory too, when at least half of its content words do,
and at least one, and when it does not deny what the memory states. The memory may say more: gold sentences often hold two facts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from benchmarks.extraction_gold import Expected, Unwanted
from memdb.extraction.candidates import Candidate
from memdb.providers.entities.names import find_names
from memdb.text.normalise import fold
from memdb.text.stemming import forms
from memdb.text.stop_words import STOP_WORDS
from memdb.text.time_spans import Precision
from memdb.text.times import find_times

SHARE: Final = 0.5
"""Of the content words of a candidate, those that the memory has too."""
SHARE_UNWANTED: Final = 0.75
_WORD: Final = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_DENIAL: Final = re.compile(r"\b(?:not|no|never|n't|cannot|can't|don't|doesn't|isn't|nao|nunca|nem|sem|nada)\b")
_OVER: Final = re.compile(
    r"\b(?:no longer|anymore|any more|used to|former(?:ly)?|moved from|was|until"
    r"|nao (?:\w+ ){1,3}mais|trabalhou|morou|saiu|deixou|ate|terminaram)\b"
)
_SYNONYMS: Final = (
    frozenset(form for word in ("called", "goes", "named") for form in forms(word, "en")),
    frozenset(form for word in ("chamada", "chamado", "atende", "nome") for form in forms(word, "pt")),
)
"""Two ways of saying that somebody goes by a name."""
_PREFIX: Final[Mapping[Precision, int]] = {Precision.YEAR: 4, Precision.MONTH: 7}


@dataclass(frozen=True, slots=True)
class Said:
    """A text, taken apart: stems, numbers, days (ISO prefixes), names; and whether it denies something."""

    words: frozenset[str]
    numbers: frozenset[str]
    days: frozenset[str]
    denies: bool


def take_apart(text: str, lang: str, without: Collection[str]) -> Said:
    """Args: text; its language (en, pt); folded words that are no content: how its subjects are called."""
    days, rest = set[str](), text
    for mention in reversed(find_times(text, lang, None)):
        if mention.from_ is not None and mention.precision is not None:
            days.add(mention.from_.isoformat()[: _PREFIX.get(mention.precision, 10)])
            rest = rest[: mention.start] + " " + rest[mention.end :]
    words = set[str]()
    for match in _WORD.finditer(rest):
        word = fold(match[0])
        if word in STOP_WORDS["en"] or word in STOP_WORDS["pt"] or word in without or any(map(str.isdigit, word)):
            continue
        stems = set(forms(match[0], lang))
        for group in _SYNONYMS:
            stems |= group if stems & group else set()
        words |= {min(stems)}
    numbers = frozenset(number.strip(".,:") for number in _NUMBER.findall(rest))
    return Said(frozenset(words), numbers, frozenset(days), _DENIAL.search(fold(text)) is not None)


def says_the_same(candidate: Candidate, gold: Expected, called: Mapping[UUID, frozenset[str]]) -> bool:
    """Whether the words agree; persons are not looked at."""
    without = _called(called)
    has = take_apart(gold.text, gold.lang, without)
    if candidate.content is None:
        return _ends_the_same(candidate, gold, has, without)
    told = take_apart(candidate.content, _lang(candidate), without)
    days = gold.days | has.days
    if not all(any(day.startswith(known) or known.startswith(day) for known in days) for day in told.days):
        return False
    # The first word has a capital letter because it comes first.
    names = {fold(name.surface) for name in find_names(candidate.content) if name.start} - without
    if not told.numbers <= _loose(has.numbers, gold.text) or not all(
        name in fold(gold.text) or set(name.split()) <= without for name in names
    ):
        return False
    if told.denies and not has.denies:
        return False
    return _share(told.words, has.words) >= SHARE


def is_unwanted(candidate: Candidate, negative: Unwanted, called: Mapping[UUID, frozenset[str]], names: Mapping[UUID, str]) -> bool:
    """Whether a candidate states what must not be learned, of the same persons, or holds a string that may stand nowhere."""
    texts = [text for text in (candidate.content, candidate.value, candidate.quote) if text]
    if any(string in text for string in negative.strings for text in texts):
        return True
    about = frozenset(one for one in candidate.about if names.get(one, "").startswith("p-"))
    if candidate.content is None or about != negative.about or (negative.strings and not about):
        return False
    without = _called(called)
    told, has = take_apart(candidate.content, _lang(candidate), without), take_apart(negative.text, negative.lang, without)
    if told.denies != has.denies or not has.numbers <= told.numbers | _digits(told.days) or not has.words:
        return False
    return _share(has.words, told.words) >= SHARE_UNWANTED


def touches(candidate: Candidate, negative: Unwanted) -> bool:
    """Whether a candidate that says nothing of the gold shares a word with what must not be learned from the same turn."""
    if candidate.content is None:
        return False
    return bool(take_apart(candidate.content, _lang(candidate), ()).words & take_apart(negative.text, negative.lang, ()).words)


def _ends_the_same(candidate: Candidate, gold: Expected, has: Said, without: Collection[str]) -> bool:
    if not (gold.over or _OVER.search(fold(gold.text))):
        return False
    values = take_apart(" ".join(end.value or end.attribute for end in candidate.ends), _lang(candidate), without)
    return bool(values.words) and _share(values.words, has.words) >= SHARE and values.numbers <= has.numbers


def _lang(candidate: Candidate) -> str:
    return candidate.rule.partition("-")[0] if candidate.rule[:3] in {"en-", "pt-"} else "en"


def _called(called: Mapping[UUID, frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*called.values())


def _share(part: Collection[str], whole: Collection[str]) -> float:
    return len(set(part) & set(whole)) / len(part) if part else 0.0


def _loose(numbers: Collection[str], text: str) -> frozenset[str]:
    """Numbers of a memory, with those that are written without a thousands separator or inside a time."""
    return frozenset(numbers) | frozenset(re.findall(r"\d+", text)) | frozenset(number.replace(".", "") for number in numbers)


def _digits(days: Collection[str]) -> frozenset[str]:
    return frozenset(str(int(part)) for day in days for part in day.split("-"))
