"""Who is meant by a name: one subject, or several and nobody chosen. Pure; `resolving.py` finds the people and tells them apart.

A name is the whole of a label ("mike"), whole words of one ("mike" in "mike okafor"), or near one ("mkie"). One subject is the answer when
nobody else could be meant: two who share the name as a label or as the beginning of one stay two, and what is only near is never an answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from rapidfuzz import fuzz, process

NEAR_MIN = 75
"""Of 100, by rapidfuzz's ratio: one typing error in a name of four letters ("mkie", "mike") or two in one of eight."""
NEAR_LABELS_MAX = 20
_WORDS_MAX = 8  # of a name, whose runs are looked for as labels: "dona ana souza" may be somebody known as Ana
_NEAR_WORD_MIN = 3  # letters; shorter words are near everything
_WORD = re.compile(r"\w+")
# Scripts that write no space between words: a name may end anywhere in a run of them. Thai, Lao, Myanmar, Khmer, kana, Han, Hangul.
_UNSPACED = re.compile("[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]")


class Match(StrEnum):
    """How well a name fits a label, best first."""

    EXACT = "exact"
    PART = "part"
    NEAR = "near"


@dataclass(frozen=True, slots=True)
class Named:
    """A person, or whatever has labels, with those that may hold the name, folded. `here`: where the question was asked."""

    subject_id: UUID
    labels: tuple[str, ...]
    here: bool = True


@dataclass(frozen=True, slots=True)
class Meant:
    """Whom a name means: one, or nobody and the `candidates`, best first. Never both."""

    answer: UUID | None
    candidates: tuple[tuple[UUID, Match], ...] = ()


@dataclass(frozen=True, slots=True)
class _Graded:
    named: Named
    match: Match
    begins: bool  # a label is the name or begins with it


def decide(name: str, people: Sequence[Named], *, complete: bool = True) -> Meant:
    """Whom a folded name means among everybody who may be.

    Those who are here come first, and only one of them can be the answer. `people` who do not bear the name are left out; with
    `complete` False there are more than were looked at, and nobody is chosen.

    >>> okafor, larsen = Named(UUID(int=1), ("mike okafor",)), Named(UUID(int=2), ("mike larsen",))
    >>> decide("okafor", [okafor, larsen]).answer
    UUID('00000000-0000-0000-0000-000000000001')
    >>> decide("mike", [okafor, larsen]).answer is None
    True
    """
    found = [graded for person in people if (graded := _grade(name, person)) is not None]
    here = [graded for graded in found if graded.named.here]
    chosen = _only(here) if complete else None
    if chosen is not None and (chosen.begins or not any(graded.begins for graded in found)):
        return Meant(chosen.named.subject_id)
    # Whoever is here only by a name in the middle does not stand before somebody elsewhere who is called so.
    shown = here if here and chosen is None else found
    ranked = sorted(shown, key=lambda g: (not g.named.here, g.match is not Match.EXACT, not g.begins, g.named.subject_id))
    return Meant(None, tuple((graded.named.subject_id, graded.match) for graded in ranked))


def find_near(name: str, labels: Collection[str]) -> list[str]:
    """Folded labels that a folded name may be a near miss of, nearest first: mistyped as a whole or in one word, or longer.

    >>> find_near("mkie", ["mike okafor", "ana"]), find_near("ana souza", ["ana", "bruno"])
    (['mike okafor'], ['ana'])
    """
    scores: dict[str, float] = {}
    for run in _runs(name) & set(labels):
        scores[run] = 99.0
    for label, score, _ in process.extract(name, labels, scorer=fuzz.ratio, score_cutoff=NEAR_MIN, limit=NEAR_LABELS_MAX):
        scores[label] = max(score, scores.get(label, 0.0))
    of_word: dict[str, list[str]] = {}
    for label in labels:
        for word in _WORD.findall(label):
            if len(word) >= _NEAR_WORD_MIN:
                of_word.setdefault(word, []).append(label)
    for word, score, _ in process.extract(name, of_word.keys(), scorer=fuzz.ratio, score_cutoff=NEAR_MIN, limit=NEAR_LABELS_MAX):
        for label in of_word[word]:
            scores[label] = max(score - 1, scores.get(label, 0.0))
    return sorted(scores, key=lambda label: (-scores[label], label))[:NEAR_LABELS_MAX]


def _only(here: Sequence[_Graded]) -> _Graded | None:
    """The one whom the name can mean, if nobody else shares it."""
    exact = [graded for graded in here if graded.match is Match.EXACT]
    if len(exact) == 1 and sum(graded.begins for graded in here) == 1:
        return exact[0]
    return here[0] if len(here) == 1 else None


def _grade(name: str, person: Named) -> _Graded | None:
    if name in person.labels:
        return _Graded(person, Match.EXACT, begins=True)
    starts = [start for label in person.labels for start in _starts(name, label)]
    return _Graded(person, Match.PART, begins=0 in starts) if starts else None


def holds_words(name: str, label: str) -> int | None:
    """Where a folded label holds a folded name as whole words, first; None when it does not.

    >>> holds_words("mike", "mike okafor"), holds_words("ana", "banana")
    (0, None)
    """
    return next(iter(_starts(name, label)), None)


def _starts(name: str, label: str) -> list[int]:
    """Where a name stands in a label as whole words."""
    found = []
    start = label.find(name)
    while start >= 0:
        end = start + len(name)
        if not _joined(label[start - 1 : start], name[:1]) and not _joined(name[-1:], label[end : end + 1]):
            found.append(start)
        start = label.find(name, start + 1)
    return found


def _joined(before: str, after: str) -> bool:
    """True when no word ends between two neighbouring characters."""
    if not before or not after or not (_WORD.match(before) and _WORD.match(after)) or "_" in (before, after):
        return False
    return not (_UNSPACED.match(before) and _UNSPACED.match(after))


def _runs(name: str) -> set[str]:
    """Runs of whole words of a name, without the whole of it."""
    words = name.split()[:_WORDS_MAX]
    places = range(len(words))
    return {" ".join(words[i : j + 1]) for i in places for j in places if i <= j} - {name}
