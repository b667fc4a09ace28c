"""The default extractor: the org's dictionary of subjects first, then identifiers, then names by capital letters. No model, no guess."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from memdb.providers.entities.base import Mention, MentionKind
from memdb.providers.entities.identifiers import find_identifiers
from memdb.providers.entities.lists import BEFORE_MONTHS, CALENDAR, NOT_SUBJECT_OF_VERB
from memdb.providers.entities.names import find_names
from memdb.text.normalise import LETTER, fold
from memdb.text.stop_words import stop_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

_UNSPACED = "\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff"
# A script without spaces has no words to look up, so each of its characters is one.
_WORD = re.compile(rf"(?P<character>[{_UNSPACED}])|(?:(?![{_UNSPACED}]){LETTER})+")
_WORDS_MAX = 5
_CHARACTERS_MAX = 10  # of a name in a script without spaces
_SIGNS_OF_NAMES = frozenset(".!+#)")  # "Acme Inc.", "Yahoo!", "C++"
_GAP_MAX = 2  # characters between two words of one name, as in "Souza, A."
_fold_word = lru_cache(maxsize=32_768)(fold)
_COMMON_WORDS = stop_words(("en", "pt", "es")) | CALENDAR


class RuleExtractor:
    """An `EntityExtractor`; holds no state, so one serves all threads."""

    def extract(self, text: str, language: str, dictionary: Mapping[str, Sequence[UUID]]) -> list[Mention]:  # noqa: ARG002 - the rules read both languages at once
        """Find mentions; of two that overlap a subject wins over an identifier, an identifier over a name.

        Linear in the length of the text, whatever the size of the dictionary: a few look-ups per word.
        """
        kept: list[Mention] = []
        taken = bytearray(len(text))
        for mention in (*_find_subjects(text, dictionary), *find_identifiers(text), *find_names(text)):
            if any(taken[mention.start : mention.end]):
                continue
            taken[mention.start : mention.end] = b"\x01" * (mention.end - mention.start)
            kept.append(mention)
        return sorted(kept, key=lambda mention: mention.start)


def _find_subjects(text: str, dictionary: Mapping[str, Sequence[UUID]]) -> list[Mention]:
    """Look up runs of whole words, the longest first at each place."""
    if not dictionary:
        return []
    words = list(_WORD.finditer(text))
    folded = [_fold_word(word[0]) for word in words]
    found: list[Mention] = []
    index = 0
    while index < len(words):
        match = _longest(text, words, folded, index, dictionary)
        if match is None:
            index += 1
            continue
        found.append(match[0])
        index = match[1]
    return found


def _longest(
    text: str, words: Sequence[re.Match[str]], folded: Sequence[str], first: int, dictionary: Mapping[str, Sequence[UUID]]
) -> tuple[Mention, int] | None:
    """Give the longest known name that begins with this word, and the place of the word after it."""
    limit = _CHARACTERS_MAX if words[first]["character"] else _WORDS_MAX
    label = ""
    best: tuple[Mention, int] | None = None
    for index in range(first, min(first + limit, len(words))):
        if index > first:
            gap = text[words[index - 1].end() : words[index].start()]
            if len(gap) > _GAP_MAX or "\n" in gap:
                break
            label += _fold_gap(gap)
        label += folded[index]
        end = words[index].end()
        ends = ((label, end),) if text[end : end + 1] not in _SIGNS_OF_NAMES else ((label + text[end], end + 1), (label, end))
        for known, stop in ends:
            ids = dictionary.get(known)
            if ids and _is_used_as_name(text, words, first, index, known):
                surface = text[words[first].start() : stop]
                best = Mention(words[first].start(), stop, surface, known, MentionKind.SUBJECT, tuple(sorted(set(ids)))), index + 1
                break
    return best


def _fold_gap(gap: str) -> str:
    """Fold what stands between two words as `fold` does in the whole name: a space stays one."""
    if not gap or gap == " ":
        return gap
    return (" " if gap[0].isspace() else "") + fold(gap) + (" " if gap[-1].isspace() and not gap.isspace() else "")


def _is_used_as_name(text: str, words: Sequence[re.Match[str]], first: int, last: int, label: str) -> bool:
    """Tell "Will said" from "will say": a name that is also a common word needs its capital, and must not open a question."""
    if words[first]["character"]:
        return last > first
    if first != last or label not in _COMMON_WORDS:
        return True
    if not words[first][0][:1].isupper():
        return False
    opens = first == 0 or not text[words[first - 1].end() : words[first].start()].isspace()
    before = _fold_word(words[first - 1][0]) if first > 0 else ""
    following = _fold_word(words[first + 1][0]) if first + 1 < len(words) else ""
    if label in CALENDAR and (following.isdigit() or before.isdigit() or before in BEFORE_MONTHS):
        return False
    return not (opens and following in NOT_SUBJECT_OF_VERB)
