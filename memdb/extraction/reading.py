"""A snapshot as a transcript: its turns, those before it that are only read, and who may be meant by a name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from governance.scopes import of_job
from governance.trust import Trust
from memdb.extraction.transcript import Transcript, Utterance
from memdb.models.turn import Session, Snapshot, Turn
from memdb.storage import access, quarantine, sessions, subjects, turns
from memdb.storage.database import Identity
from memdb.text.normalise import fold

if TYPE_CHECKING:
    from memdb.runtime import Runtime
    from memdb.storage.database import ReadConn
    from memdb.storage.subjects import Groups

_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Material:
    """What a handler gets, and the turns behind the numbers of its utterances (counted from 1)."""

    session: Session
    snapshot: Snapshot
    transcript: Transcript = field(repr=False)
    turns: tuple[Turn, ...] = field(repr=False)

    def turn(self, number: int) -> Turn | None:
        """The turn behind a number, None for a number that no utterance has or that was given only to be read."""
        if not 1 <= number <= len(self.turns) or self.transcript.utterances[number - 1].read_only:
            return None
        return self.turns[number - 1]


async def read_material(runtime: Runtime, org_id: UUID, brain_id: UUID, snapshot_id: UUID) -> Material | None:
    """The snapshot of a brain as a transcript; None when it is gone, or its session is held."""
    identity = Identity(org_id, job_brain_id=brain_id)
    dictionary = await runtime.directory.get(runtime.database, identity)
    async with runtime.database.read(identity) as conn:
        scope = of_job(org_id, brain_id)
        snapshot = await sessions.find_snapshot(conn, scope, snapshot_id)
        session = None if snapshot is None else await sessions.find_session(conn, scope, snapshot.session_id)
        if snapshot is None or session is None or await quarantine.is_session_held(conn, org_id, session.id):
            return None
        said = await turns.list_turns(conn, org_id, session.id, first=snapshot.overlap_from, last=snapshot.last_position)
        known = await _known(conn, org_id, brain_id, said, dictionary)
    numbers = {turn.id: number for number, turn in enumerate(said, 1)}
    utterances = tuple(
        Utterance(
            number=number,
            turn_id=turn.id,
            role=turn.role,
            speaker_id=None if turn.speaker_id is None else known.same.root(turn.speaker_id),
            speaker=turn.speaker,
            text=turn.text,
            said_at=turn.said_at,
            reply_to=None if turn.reply_to is None else numbers.get(turn.reply_to),
            trusted=Trust.parse(turn.trust) >= Trust.AGENT,
            read_only=turn.position < snapshot.first_position,
        )
        for number, turn in enumerate(said, 1)
    )
    return Material(session, snapshot, Transcript(utterances, known.names, known.titles), tuple(said))


@dataclass(frozen=True, slots=True)
class _Known:
    """Who may be meant here: by name, how they are called, and who is one with whom."""

    names: dict[str, tuple[UUID, ...]] = field(repr=False)
    titles: dict[UUID, str] = field(repr=False)
    same: Groups


async def _known(conn: ReadConn, org_id: UUID, brain_id: UUID, said: Sequence[Turn], dictionary: Mapping[str, Sequence[UUID]]) -> _Known:
    """Of a name that several bear, those in the room alone; merged subjects are one."""
    spoken = _mentioned(said, dictionary)
    speakers = {turn.speaker_id for turn in said if turn.speaker_id is not None}
    everyone = {subject for ids in spoken.values() for subject in ids} | speakers
    same = await subjects.expand(conn, org_id, everyone)
    here = {same.root(s) for s in await access.list_reaching(conn, org_id, brain_id, everyone)} | {same.root(s) for s in speakers}
    names: dict[str, tuple[UUID, ...]] = {}
    for name, ids in spoken.items():
        roots = {same.root(subject) for subject in ids}
        names[name] = tuple(sorted(roots & here or roots))
    return _Known(names, await subjects.list_names(conn, org_id, {same.root(s) for s in everyone}), same)


def _mentioned(said: Sequence[Turn], dictionary: Mapping[str, Sequence[UUID]]) -> dict[str, Sequence[UUID]]:
    """The labels that occur in what was said or that a speaker has: an org may have very many."""
    text = fold("\n".join(part for turn in said for part in (turn.speaker or "", turn.text)))
    words = set(_WORD.findall(text))
    return {name: ids for name, ids in dictionary.items() if (first := _WORD.search(name)) and first[0] in words and name in text}
