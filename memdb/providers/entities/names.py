"""Names by capital letters: runs of capitalised words, the particles between them, and what kind of thing they name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from memdb.providers.entities.base import Mention, MentionKind
from memdb.providers.entities.lists import (
    BEFORE_PLACES,
    CALENDAR,
    HONORIFICS,
    ORG_WORDS,
    PARTICLES,
    PERSON_VERBS,
    PLACE_WORDS,
    ROLES,
    STARTERS,
)
from memdb.text.normalise import LETTER, fold
from memdb.text.sentences import split_sentences
from memdb.text.stop_words import stop_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = re.compile(rf"{LETTER}+(?:['’&-]{LETTER}+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_FUNCTION_WORDS = stop_words(("en", "pt", "es"))
_NO_NAMES = _FUNCTION_WORDS | CALENDAR | ROLES
_RUN_WORDS_MAX = 6
_SHOUTED_WORDS_MIN = 4
_SHOUTED_SHARE = 0.8
# Function words that open names of places: "São Paulo", "Los Angeles", "La Paz".
_NAME_OPENERS = frozenset({"sao", "los", "las", "el", "la"})
_ACRONYM_LENGTHS = range(2, 7)


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    text: str
    folded: str
    is_capital: bool
    opens_sentence: bool


def find_names(text: str) -> list[Mention]:
    """Find capitalised names, in order, without overlaps. A text that is capitalised throughout tells nothing and gives none.

    >>> [mention.surface for mention in find_names("Yesterday Ana Souza da Silva met Bruno in Lisbon on Monday.")]
    ['Ana Souza da Silva', 'Bruno', 'Lisbon']
    """
    words = list(_words(text))
    inside = [word.is_capital for word in words if not word.opens_sentence]
    if len(words) >= _SHOUTED_WORDS_MIN and sum(inside) >= _SHOUTED_SHARE * len(inside) and not _is_list_of_names(words):
        return []
    return [mention for run in _runs(text, words) if (mention := _make_mention(text, words, run)) is not None]


def _words(text: str) -> Iterator[_Word]:
    for start, end in split_sentences(text):
        is_first = True
        for match in _WORD.finditer(text, start, end):
            surface = _POSSESSIVE.sub("", match[0])
            opens = is_first or text[match.start() - 1 : match.start()] in {"“", '"', "«"}
            yield _Word(match.start(), match.start() + len(surface), surface, fold(surface), _is_capital(surface), opens)
            is_first = False


def _is_capital(word: str) -> bool:
    # "iPhone" and "McDonald" have a capital inside; a single letter is an initial only inside a run.
    return word[:1].isupper() or (word[:1].islower() and any(map(str.isupper, word)) and word.isalpha())


def _is_list_of_names(words: Sequence[_Word]) -> bool:
    """Short texts such as "Ana Souza, Bruno Lima" are names throughout; a title has function words among its capitals."""
    return not any(word.folded in _FUNCTION_WORDS and word.folded not in PARTICLES for word in words) and not all(
        word.text.isupper() for word in words
    )


def _runs(text: str, words: Sequence[_Word]) -> Iterator[list[int]]:
    """Give the places of the words of each run: capitalised words one space apart, with at most two particles between two of them."""
    run: list[int] = []
    for index, word in enumerate(words):
        if not word.is_capital:
            continue
        if run and _continues(text, words, run[-1], index) and len(run) < _RUN_WORDS_MAX:
            run.extend(range(run[-1] + 1, index + 1))
            continue
        if run:
            yield run
        run = [index]
    if run:
        yield run


def _continues(text: str, words: Sequence[_Word], last: int, index: int) -> bool:
    between = words[last + 1 : index]
    gaps = (text[left.end : right.start] for left, right in pairwise(words[last : index + 1]))
    joined = all(gap == " " or (gap == ". " and len(words[last].text) <= 3) for gap in gaps)
    # A function word is a name inside a run ("Maria Dos Santos"), not its continuation from "Monday Ana".
    return (
        joined
        and len(between) <= 2
        and all(word.folded in PARTICLES for word in between)
        and (words[last].folded not in _NO_NAMES or words[last].folded in _NAME_OPENERS)
    )


def _make_mention(text: str, words: Sequence[_Word], run: list[int]) -> Mention | None:
    kept = _trim(words, run)
    if not kept:
        return None
    first, last = words[kept[0]], words[kept[-1]]
    surface = text[first.start : last.end]
    if text[max(0, first.start - 1) : first.start] in {"[", "_"} or len(surface) < 2 or not any(map(str.isalpha, surface)):
        return None  # "[EMAIL_1]" is the redactor's label: its number means another thing in each memory
    return Mention(first.start, last.end, surface, fold(surface), _kind(words, kept))


def _trim(words: Sequence[_Word], run: list[int]) -> list[int]:
    """Take words off the front that start sentences or are no names, and particles and such off the end."""
    kept = list(run)
    while kept:
        word = words[kept[0]]
        starts_only = word.opens_sentence and word.folded in STARTERS and len(kept) <= 2
        if word.folded in _NAME_OPENERS and len(kept) > 1:
            break
        if word.folded in _NO_NAMES or word.folded in HONORIFICS or starts_only:
            kept.pop(0)
            continue
        break
    while kept and _ends_no_name(words, kept):
        kept.pop()
    return kept


def _ends_no_name(words: Sequence[_Word], kept: list[int]) -> bool:
    last = words[kept[-1]].folded
    if last in PARTICLES or (len(kept) == 1 and last in _NO_NAMES):
        return True
    # "Rio de Janeiro" ends in a month, "Ana Monday" does not.
    return last in CALENDAR and (len(kept) < 2 or words[kept[-2]].folded not in PARTICLES)


def _kind(words: Sequence[_Word], kept: list[int]) -> MentionKind:
    """Say what the name names where words beside it tell; `thing` otherwise."""
    folded = {words[index].folded for index in kept}
    before = [word.folded for word in words[max(0, kept[0] - 2) : kept[0]]]
    following = [word.folded for word in words[kept[-1] + 1 : kept[-1] + 2]]
    only = words[kept[0]].text if len(kept) == 1 else ""
    if before and before[-1] in HONORIFICS:
        return MentionKind.PERSON
    if folded & ORG_WORDS or (only.isupper() and len(only) in _ACRONYM_LENGTHS):
        return MentionKind.ORG
    if folded & PLACE_WORDS or any(word in BEFORE_PLACES for word in before):
        return MentionKind.PLACE
    if following and following[0] in PERSON_VERBS:
        return MentionKind.PERSON
    return MentionKind.THING
