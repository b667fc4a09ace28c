"""Who is meant by a name, in a room or in the whole org: one subject, or candidates and what tells them apart. It never guesses.

`matching.py` decides; this file finds the people and says of them what the caller may know. Ids on platforms are looked up, not resolved.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from governance.errors import InvalidInput
from governance.principals import Role
from governance.scopes import require_role
from memdb.directory.authentication import Authenticated
from memdb.directory.labels import NAME_CHARACTERS_MAX, check_platform
from memdb.directory.matching import Match, Meant, Named, decide, find_near
from memdb.directory.subjects import Subject, describe
from memdb.runtime import Runtime
from memdb.storage import access, sightings, subjects
from memdb.storage.database import ReadConn
from memdb.storage.sightings import Place, Sighting
from memdb.storage.subjects import Groups, SubjectKind, SubjectRow
from memdb.text.normalise import clean, fold, is_blank

CANDIDATES_MAX = 20
LABELS_LOOKED_AT_MAX = 1_000  # that hold the name; where there are more nobody is chosen
SHOWN_MAX = 10  # brains and sightings of one candidate


@dataclass(frozen=True, slots=True)
class Asked:
    """A name and where it was said. `brain_id` and `platform` are places: who is there is meant before anybody else."""

    name: str
    brain_id: UUID | None = None
    platform: str | None = None
    kind: SubjectKind | None = None


@dataclass(frozen=True, slots=True)
class Platform:
    """A platform on which somebody has an id, and the label of that id."""

    platform: str
    label: str


@dataclass(frozen=True, slots=True)
class TellsApart:
    """What tells a candidate from others, as far as the caller may know: `brains` are those that both reach."""

    platforms: tuple[Platform, ...]
    brains: tuple[tuple[UUID, str], ...]
    seen: tuple[Sighting, ...]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Candidate:
    """Somebody who may be meant; who was merged into them is them."""

    row: SubjectRow
    aliases: tuple[str, ...]
    match: Match
    tells_apart: TellsApart


@dataclass(frozen=True, slots=True)
class Resolved:
    """One subject, or none and the candidates, best first; `left_out` counts those behind the first CANDIDATES_MAX."""

    subject: Subject | None
    candidates: tuple[Candidate, ...] = ()
    left_out: int = 0


async def resolve(runtime: Runtime, who: Authenticated, asked: Asked) -> Resolved:
    """Whom a name means.

    Raises:
        NotFound: the brain is unknown or not readable.
        InvalidInput: the name is blank or too long, or the platform malformed.
    """
    name = _check(who, asked)
    async with runtime.database.read(who.identity) as conn:
        rows = await sightings.list_labelled(conn, who.principal.org_id, name, limit=LABELS_LOOKED_AT_MAX)
        people, same = await _gather(conn, who, asked, rows)
        meant = decide(name, [person.named for person in people.values()], complete=len(rows) < LABELS_LOOKED_AT_MAX)
        if meant.answer is not None:
            return Resolved((await describe(conn, who, [people[meant.answer].row]))[0])
        if meant.candidates:
            return await _tell_apart(conn, who, meant, people, same)
    dictionary = await runtime.directory.get(runtime.database, who.identity)
    labels = await asyncio.to_thread(find_near, name, dictionary.keys())
    async with runtime.database.read(who.identity) as conn:
        people, same = await _gather(conn, who, asked, [(label, s) for label in labels for s in dictionary[label]])
        ranked = sorted(people, key=lambda root: not people[root].named.here)
        return await _tell_apart(conn, who, Meant(None, tuple((root, Match.NEAR) for root in ranked)), people, same)


@dataclass(frozen=True, slots=True)
class _Person:
    row: SubjectRow
    named: Named


def _check(who: Authenticated, asked: Asked) -> str:
    kept = " ".join(clean(asked.name, "name").split())
    if is_blank(kept) or len(kept) > NAME_CHARACTERS_MAX:
        raise InvalidInput(f"name must be 1 to {NAME_CHARACTERS_MAX} characters and not blank", field="name")
    if asked.platform is not None:
        check_platform(asked.platform, "platform")
    if asked.brain_id is not None:
        require_role(who.principal, who.access, asked.brain_id, Role.READER)
    return fold(kept)


async def _gather(
    conn: ReadConn, who: Authenticated, asked: Asked, rows: Sequence[tuple[str, UUID]]
) -> tuple[Mapping[UUID, _Person], Groups]:
    """Who stands for those with these labels, in the order of the labels, with all of these labels that their identities have."""
    org_id = who.principal.org_id
    same = await subjects.expand(conn, org_id, {subject_id for _, subject_id in rows})
    labels: dict[UUID, list[str]] = {}
    for label, subject_id in rows:
        labels.setdefault(same.root(subject_id), []).append(label)
    places = await _list_places(conn, org_id, asked, same.members)
    found = {row.id: row for row in await subjects.list_by_id(conn, org_id, labels.keys())}
    return {
        root: _Person(found[root], Named(root, tuple(labels[root]), here=all(same.group(root) & place for place in places)))
        for root in labels
        if root in found and _fits(found[root].kind, asked.kind)
    }, same


def _fits(kind: SubjectKind, wanted: SubjectKind | None) -> bool:
    return kind is not SubjectKind.ORG if wanted is None else kind is wanted


async def _list_places(conn: ReadConn, org_id: UUID, asked: Asked, members: frozenset[UUID]) -> list[frozenset[UUID]]:
    """For each place where the name was said, who is there: reaches the brain or has an id on the platform, or was seen there."""
    places = []
    if asked.brain_id is not None:
        seen = await sightings.list_seen(conn, org_id, Place(brain_id=asked.brain_id), members)
        places.append(seen | await access.list_reaching(conn, org_id, asked.brain_id, members))
    if asked.platform is not None:
        seen = await sightings.list_seen(conn, org_id, Place(platform=asked.platform), members)
        places.append(seen | await sightings.list_on_platform(conn, org_id, asked.platform, members))
    return places


async def _tell_apart(conn: ReadConn, who: Authenticated, meant: Meant, people: Mapping[UUID, _Person], same: Groups) -> Resolved:
    org_id, shown = who.principal.org_id, meant.candidates[:CANDIDATES_MAX]
    ids: Collection[UUID] = frozenset().union(*(same.group(root) for root, _ in shown))
    labels = await subjects.list_aliases(conn, org_id, ids)
    identities = await subjects.list_identities(conn, org_id, ids)
    seen = await sightings.list_sightings(conn, who.scope, ids)
    shared = await access.list_shared(conn, who.scope, ids, limit=SHOWN_MAX)
    candidates = []
    for root, match in shown:
        members = sorted(same.group(root))
        aliases = dict(label for member in members for label in labels.get(member, ()))
        times = sorted((s for member in members for s in seen.get(member, ())), key=lambda s: s.last_seen_at, reverse=True)
        tells_apart = TellsApart(
            platforms=tuple(Platform(i.platform, i.label) for member in members for i in identities.get(member, ())),
            brains=tuple(sorted({brain for member in members for brain in shared.get(member, ())})[:SHOWN_MAX]),
            seen=tuple(times[:SHOWN_MAX]),
            created_at=people[root].row.created_at,
        )
        candidates.append(Candidate(people[root].row, tuple(aliases[folded] for folded in sorted(aliases)), match, tells_apart))
    return Resolved(None, tuple(candidates), left_out=len(meant.candidates) - len(shown))
