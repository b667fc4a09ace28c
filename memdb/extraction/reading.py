"""A snapshot as a transcript: its turns, those before it that are only read, and who may be meant by a name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from governance.scopes import of_job
from governance.trust import Trust
from memdb.extraction.naming import find_known
from memdb.extraction.transcript import Transcript, Utterance
from memdb.models.turn import Session, Snapshot, Turn
from memdb.storage import quarantine, sessions, turns
from memdb.storage.database import Identity

if TYPE_CHECKING:
    from memdb.runtime import Runtime


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
        known = await find_known(conn, org_id, brain_id, said, dictionary)
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
