"""`/v1/sessions`: conversations, their turns, what an agent needs in one, and the snapshots that they are cut into."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, Response

from api.auth import Who
from api.callers import HTTP, count_recall, reader_of, writer_of
from api.cursors import decode_id, decode_number, encode
from api.routing import PAGE_DEFAULT, Cursor, InLearner, InMetrics, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.history import DerivationOut
from api.schemas.sessions import (
    ContextBody,
    ContextOut,
    FlushedOut,
    IdentityOut,
    RecordedOut,
    RecordedTurnsOut,
    SessionBody,
    SessionOut,
    TurnOut,
    TurnsBody,
)
from api.schemas.snapshots import DifferencesOut, ExtractBody, SnapshotOut
from memdb.extraction.reextract import preview_again, read_again
from memdb.sessions import cutting, opening, reading
from memdb.sessions.record import record_turns
from memdb.sessions.speakers import Speaker, find_speakers
from retrieval.context import get_context

router = make_router("sessions")
InBrain = Annotated[UUID | None, Query(description="only of this brain")]


@router.post("/v1/sessions", status_code=201, summary="Begin a session")
async def begin(runtime: InRuntime, who: Who, response: Response, body: SessionBody) -> SessionOut:
    """201 for a new one, 200 for the session that has this external id already, which then stays as it is."""
    session, new = await opening.open_session(runtime, writer_of(who, HTTP), body.to_request())
    response.status_code = 201 if new else 200
    return SessionOut.of(session, who.principal)


@router.get("/v1/sessions", summary="List sessions")
async def list_all(
    runtime: InRuntime, who: Who, brain_id: InBrain = None, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[SessionOut]:
    """Of the brains that the caller may read, newest first."""
    question = {"list": "sessions", "org": who.principal.org_id, "subject": who.principal.subject_id, "brain": brain_id}
    before = None if cursor is None else decode_id(cursor, question)
    found = await opening.list_readable(runtime, writer_of(who, HTTP), brain_id, before=before, limit=limit + 1)
    more = encode(found[limit - 1].id, question) if len(found) > limit else None
    return Page(items=[SessionOut.of(one, who.principal) for one in found[:limit]], next_cursor=more)


@router.get("/v1/sessions/{session_id}", summary="Read a session")
async def read(runtime: InRuntime, who: Who, session_id: UUID) -> SessionOut:
    """Without its turns."""
    return SessionOut.of(await opening.get_session(runtime, writer_of(who, HTTP), session_id), who.principal)


@router.post("/v1/sessions/{session_id}/turns", status_code=201, summary="Append turns")
async def append(runtime: InRuntime, who: Who, metrics: InMetrics, session_id: UUID, body: TurnsBody) -> RecordedTurnsOut:
    """They are redacted and stored; nothing waits for what is learned from them. Sending them again, with the same ids, changes nothing."""
    named = [
        None if turn.speaker is None else Speaker(turn.speaker.subject_id, turn.speaker.platform, turn.speaker.external_id)
        for turn in body.turns
    ]
    speakers = await find_speakers(runtime, who.principal, named)
    submitted = [turn.to_submission(speaker) for turn, speaker in zip(body.turns, speakers, strict=True)]
    recorded = await record_turns(runtime, writer_of(who, HTTP), session_id, submitted)
    metrics.turns.inc(sum(not one.replayed for one in recorded))
    turns = [RecordedOut.of(one) for one in recorded]
    return RecordedTurnsOut(session_id=session_id, turns=turns, identity=IdentityOut.of(who.principal))


@router.get("/v1/sessions/{session_id}/turns", summary="Read the turns of a session")
async def list_said(runtime: InRuntime, who: Who, session_id: UUID, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[TurnOut]:
    """In order, from the first on."""
    question = {"list": "turns", "org": who.principal.org_id, "subject": who.principal.subject_id, "session": session_id}
    after = -1 if cursor is None else decode_number(cursor, question)
    found = await reading.read_turns(runtime, writer_of(who, HTTP), session_id, after=after, limit=limit + 1)
    more = encode(str(found[limit - 1][0].position), question) if len(found) > limit else None
    return Page(items=[TurnOut.of(*one) for one in found[:limit]], next_cursor=more)


@router.get("/v1/sessions/{session_id}/turns/{turn_id}/learned", summary="What was learned from a turn")
async def list_learned(runtime: InRuntime, who: Who, session_id: UUID, turn_id: UUID) -> list[DerivationOut]:
    """The memories that rest on it and may be shown, the earliest first."""
    found = await reading.read_learned(runtime, writer_of(who, HTTP), session_id, turn_id)
    return [DerivationOut.of(one) for one in found]


@router.post("/v1/sessions/{session_id}/context", summary="What an agent needs in a session")
async def context(runtime: InRuntime, who: Who, metrics: InMetrics, session_id: UUID, body: ContextBody) -> ContextOut:
    """Recent turns within a budget, and the card for what is asked, of what everybody who reads the session's brain may read."""
    found = await get_context(runtime, reader_of(who), body.to_request(session_id))
    if found.answer is not None:
        count_recall(metrics, found.answer)
    return ContextOut.of(found)


@router.post("/v1/sessions/{session_id}:flush", summary="Cut the open turns of a session now")
async def flush(runtime: InRuntime, who: Who, session_id: UUID) -> FlushedOut:
    """What is learned from them comes later; `…/snapshots` tells how far it is."""
    return await _cut(runtime, who, session_id, close=False)


@router.post("/v1/sessions/{session_id}:close", summary="Close a session")
async def close(runtime: InRuntime, who: Who, session_id: UUID) -> FlushedOut:
    """Its open turns are cut, and it takes no more. Closing it again changes nothing."""
    return await _cut(runtime, who, session_id, close=True)


@router.get("/v1/sessions/{session_id}/snapshots", summary="List the snapshots of a session")
async def list_cut(runtime: InRuntime, who: Who, session_id: UUID, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[SnapshotOut]:
    """In their order, with what each handler has made of them."""
    question = {"list": "snapshots", "org": who.principal.org_id, "subject": who.principal.subject_id, "session": session_id}
    after = -1 if cursor is None else decode_number(cursor, question)
    found = await reading.read_snapshots(runtime, writer_of(who, HTTP), session_id, after=after, limit=limit + 1)
    more = encode(str(found[limit - 1][0].first_position), question) if len(found) > limit else None
    return Page(items=[SnapshotOut.of(*one) for one in found[:limit]], next_cursor=more)


@router.post("/v1/sessions/{session_id}/snapshots/{snapshot_id}:extract", status_code=202, summary="Read a snapshot anew")
async def extract_again(runtime: InRuntime, who: Who, session_id: UUID, snapshot_id: UUID, body: ExtractBody) -> SnapshotOut:
    """What it alone had made is replaced by what its handlers find now, in the background."""
    return SnapshotOut.of(*await read_again(runtime, writer_of(who, HTTP), session_id, snapshot_id, body.kinds))


@router.post("/v1/sessions/{session_id}/snapshots/{snapshot_id}:preview", summary="See what reading a snapshot anew would change")
async def preview(
    runtime: InRuntime, learner: InLearner, who: Who, session_id: UUID, snapshot_id: UUID, body: ExtractBody
) -> DifferencesOut:
    """A dry run: its handlers read it at once, and nothing changes."""
    found = await preview_again(runtime, learner, writer_of(who, HTTP), (session_id, snapshot_id), body.kinds)
    return DifferencesOut.of(snapshot_id, found)


async def _cut(runtime: InRuntime, who: Who, session_id: UUID, *, close: bool) -> FlushedOut:
    writer = writer_of(who, HTTP)
    session, made = await cutting.flush(runtime, writer, session_id, close=close)
    states = await reading.read_extractions(runtime, writer, [one.id for one in made])
    snapshots = [SnapshotOut.of(one, states.get(one.id, [])) for one in made]
    return FlushedOut(session=SessionOut.of(session, who.principal), snapshots=snapshots)
