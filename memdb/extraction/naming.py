"""Who may be meant by the names in a talk: labels that occur in it, and first names of people who are in the room."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from uuid import UUID

from memdb.directory.labels import first_name_of
from memdb.directory.matching import Match, Named, decide
from memdb.directory.resolving import LABELS_LOOKED_AT_MAX, list_in_brain
from memdb.models.turn import Turn
from memdb.storage import subjects
from memdb.storage.subjects import SubjectKind
from memdb.text.normalise import fold
from memdb.text.times import fold_in_place

if TYPE_CHECKING:
    from memdb.storage.database import ReadConn
    from memdb.storage.subjects import Groups

_WORD: Final = re.compile(r"\w+")
_SURNAME: Final = re.compile(r" (?P<name>[^\W\d_a-zß-ÿ][^\W\d_A-ZÀ-Þ]+)")
"""A word with a capital letter: behind a first name it is another name of the same person."""


@dataclass(frozen=True, slots=True)
class Known:
    """Who may be meant here: by name, how they are called, and who is one with whom."""

    names: dict[str, tuple[UUID, ...]] = field(repr=False)
    titles: dict[UUID, str] = field(repr=False)
    same: Groups


@dataclass(frozen=True, slots=True)
class Spoken:
    """Folded labels that occur in a talk, and first names that do, with the labels that begin with each."""

    whole: frozenset[str] = field(repr=False)
    short: Mapping[str, Sequence[str]] = field(repr=False)


async def find_known(conn: ReadConn, org_id: UUID, brain_id: UUID, said: Sequence[Turn], dictionary: Mapping[str, Sequence[UUID]]) -> Known:
    """Whom the names in turns of a brain may mean. Of a name that several bear, those in the room alone; merged subjects are one.

    SECURITY: by their first name only those are known who are in the room, so that nothing said there is laid at the door of somebody of
    whom its readers need not know.
    """
    spoken = find_spoken([part for turn in said for part in (turn.speaker or "", turn.text)], dictionary)
    speakers = {turn.speaker_id for turn in said if turn.speaker_id is not None}
    labels = spoken.whole.union(*spoken.short.values())
    everyone = {subject for label in labels for subject in dictionary[label]} | speakers
    same = await subjects.expand(conn, org_id, everyone)
    present = await list_in_brain(conn, org_id, brain_id, same.members | everyone) | speakers
    present |= {subject for label in spoken.whole for subject in dictionary[label] if len(dictionary[label]) == 1}
    here = {same.root(subject) for subject in present}
    people = {row.id for row in await subjects.list_by_id(conn, org_id, here) if row.kind is SubjectKind.PERSON}
    names: dict[str, tuple[UUID, ...]] = {}
    for name in spoken.whole:
        roots = {same.root(subject) for subject in dictionary[name]}
        names[name] = tuple(sorted(roots & here or roots))
    for first, full in spoken.short.items():
        bearers = {label: [same.root(subject) for subject in dictionary[label]] for label in full}
        meant = pick(first, bearers, here=here, people=people, whole=names.get(first, ()))
        if meant:
            names[first] = meant
    titles = await subjects.list_names(conn, org_id, {same.root(subject) for subject in everyone})
    return Known(names, titles, same)


def find_spoken(parts: Sequence[str], dictionary: Mapping[str, Sequence[UUID]]) -> Spoken:
    """The labels of a dictionary that occur in texts, and the first names of labels that do: an org may have very many.

    A first name behind which another surname is written, "Emma Stone" where the label is "emma reed", is also somebody else's: left out.
    """
    shown = "\n".join(parts)
    text = fold(shown)
    words = set(_WORD.findall(text))
    whole: set[str] = set()
    short: dict[str, list[str]] = {}
    for label in dictionary:
        first = _WORD.search(label)
        if first is None or first[0] not in words:
            continue
        if label in text:
            whole.add(label)
        name = first_name_of(label)
        if name is not None and name in words:
            short.setdefault(name, []).append(label)
    return Spoken(frozenset(whole), {name: labels for name, labels in short.items() if not _is_of_another(name, labels, shown)})


def pick(
    first: str, bearers: Mapping[str, Sequence[UUID]], *, here: Collection[UUID], people: Collection[UUID], whole: tuple[UUID, ...]
) -> tuple[UUID, ...]:
    """Whom a first name means: one person who is here, or all of them, among whom nobody may choose; empty for nobody.

    Args:
        first: folded.
        bearers: labels that begin with it, with their subjects.
        here: who is in the room.
        people: those of them who are persons; nothing else is called by the first word of its name.
        whole: who bears it as a label.
    """
    labels: dict[UUID, list[str]] = {subject: [first] for subject in whole}
    for label, ids in bearers.items():
        for subject in ids:
            if subject in people:
                labels.setdefault(subject, []).append(label)
    named = [Named(subject, tuple(of), here=subject in here) for subject, of in labels.items()]
    meant = decide(first, named, complete=sum(map(len, bearers.values())) < LABELS_LOOKED_AT_MAX)
    if meant.answer is not None:
        return (meant.answer,)
    shared = sorted(subject for subject, match in meant.candidates if subject in here or match is Match.EXACT)
    return tuple(shared)


def _is_of_another(first: str, labels: Sequence[str], shown: str) -> bool:
    """Tell whether a talk calls somebody by this first name and a surname that none of the labels has."""
    surnames = {word for label in labels for word in label.split()[1:]}
    called = re.finditer(rf"(?<!\w){re.escape(first)}(?= )", fold_in_place(shown))
    behind = (_SURNAME.match(shown, match.end()) for match in called)
    return any(match is not None and fold(match["name"]) not in surnames for match in behind)
