"""Rows of turns: appended, read, never changed."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, exists, select

from governance.principals import Principal
from governance.redaction.findings import RedactedJson, RedactedText
from memdb.models.memory import StoredRedaction
from memdb.models.turn import Turn, TurnRole
from memdb.storage import quarantine_tables as q
from memdb.storage import tables as t
from memdb.storage.database import Database, ReadConn, WriteConn, identity_of
from memdb.storage.rows import redaction_json
from memdb.storage.sending import fetch, run_with_next
from memdb.storage.statements import load
from memdb.storage.subjects import SubjectKind

_STATEMENTS = load("memdb.storage.sql")
FIND_RECORDING = _STATEMENTS["find_recording"]
_T = t.turns.c
_COLUMNS = (
    _T.id, _T.session_id, _T.brain_id, _T.position, _T.role, _T.speaker_id, _T.speaker, _T.text, _T.redactions, _T.attachments,
    _T.said_at, _T.utc_offset, _T.reply_to, _T.trust, _T.source_kind, _T.written_by, _T.written_key, _T.writer_label, _T.created_at,
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A turn to append. Its texts passed the redactor; `reply_hash` is of the caller's id of the turn that it answers, if it has one."""

    id: UUID
    role: TurnRole
    speaker_id: UUID | None
    speaker: RedactedText | None
    text: RedactedText
    redactions: tuple[StoredRedaction, ...]
    attachments: RedactedJson
    said_at: datetime | None
    reply_to: UUID | None
    reply_hash: bytes | None = field(repr=False)
    client_hash: bytes | None = field(repr=False)
    body_hash: bytes | None = field(repr=False)
    trust: str
    source_kind: str | None


@dataclass(frozen=True, slots=True)
class Appended:
    """Where a turn stands. `replayed`: it was there already, and then said what `body_hash` is of."""

    id: UUID
    position: int
    replayed: bool
    body_hash: bytes | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class Recording:
    """The brain of a session, and those of the subjects asked for that there are, with their kinds."""

    brain_id: UUID
    kinds: dict[UUID, SubjectKind]


async def find_recording(database: Database, principal: Principal, session_id: UUID, named: Collection[UUID]) -> Recording | None:
    """What has to be known before turns are redacted, in one round trip; None when no such session is in reach of the caller."""
    row = await database.look_up(identity_of(principal), FIND_RECORDING.sql, recording_values(principal.org_id, session_id, named))
    if row is None:
        return None
    return Recording(row.brain_id, {subject: SubjectKind(kind) for subject, kind in zip(row.known or (), row.kinds or (), strict=True)})


def recording_values(org_id: UUID, session_id: UUID, named: Collection[UUID]) -> dict[str, object]:
    """Parameters of FIND_RECORDING."""
    return {"org_id": org_id, "session_id": session_id, "named": sorted(named)}


async def append(
    conn: WriteConn, principal: Principal, where: tuple[UUID, UUID], turns: Sequence[NewTurn], now: datetime
) -> list[Appended] | None:
    """Append turns to a session, in order, except those whose client id it has; one answer each.

    None: the session is gone, or it is closed and does not have all of them.

    Args:
        conn: in a transaction; the session stays locked until it ends.
        principal: who writes.
        where: (brain, session).
        turns: with client ids that differ from each other.
        now: the time of the write.
    """
    brain_id, session_id = where
    whose = {"org_id": principal.org_id, "session_id": session_id}
    # A statement of its own, so that whoever waited for the lock sees what was appended meanwhile; it travels with the next one.
    await run_with_next(conn, _STATEMENTS["lock_session"].sql, whose)
    wanted = {hash_ for turn in turns for hash_ in (turn.client_hash, turn.reply_hash) if hash_ is not None}
    values = whose | {
        "brain_id": brain_id,
        "turns": json.dumps([_row(place, turn) for place, turn in enumerate(turns)], ensure_ascii=False),
        "hashes": sorted(wanted),
        "written_by": principal.subject_id,
        "written_key": principal.key_id,
        "writer_label": principal.writer_label,
        "now": now,
    }
    rows = await fetch(conn, _STATEMENTS["append_turns"].sql, values)
    if not rows or any(row.position is None for row in rows):
        return None
    return [Appended(row.id, row.position, row.replayed, None if row.body_hash is None else bytes(row.body_hash)) for row in rows]


async def list_turns(conn: ReadConn, org_id: UUID, session_id: UUID, *, first: int, last: int) -> list[Turn]:
    """Turns of a session from position `first` to `last`, both included, in order; of one that is held none. The session was found within
    the scope.
    """
    where = (_T.org_id == org_id, _T.session_id == session_id, _T.position.between(first, last), ~_held(org_id))
    return [_turn(row) for row in await conn.execute(select(*_COLUMNS).where(*where).order_by(_T.position))]


async def find_turn(conn: ReadConn, org_id: UUID, turn_id: UUID) -> Turn | None:
    """A turn of a brain that the transaction's identity may read, in a session that is not held."""
    row = (await conn.execute(select(*_COLUMNS).where(_T.org_id == org_id, _T.id == turn_id, ~_held(org_id)))).first()
    return None if row is None else _turn(row)


def _held(org_id: UUID) -> ColumnElement[bool]:
    h = q.session_holds.c
    return exists().where(h.org_id == org_id, h.session_id == _T.session_id)


async def list_sizes(conn: WriteConn, org_id: UUID, session_id: UUID, positions: tuple[int, int]) -> list[tuple[int, int]]:
    """(position, bytes) of turns from the first to before the second position, in order."""
    values = {"org_id": org_id, "session_id": session_id, "from_position": positions[0], "to_position": positions[1]}
    return [(row.position, row.bytes) for row in await fetch(conn, _STATEMENTS["list_open_sizes"].sql, values)]


def _row(place: int, turn: NewTurn) -> dict[str, Any]:
    offset = None if turn.said_at is None else turn.said_at.utcoffset()
    return {
        "place": place,
        "id": str(turn.id),
        "client_hash": None if turn.client_hash is None else turn.client_hash.hex(),
        "body_hash": None if turn.body_hash is None else turn.body_hash.hex(),
        "role": turn.role.value,
        "speaker_id": None if turn.speaker_id is None else str(turn.speaker_id),
        "speaker": None if turn.speaker is None else turn.speaker.text,
        "text": turn.text.text,
        "redactions": [redaction_json(r) for r in turn.redactions],
        "attachments": turn.attachments.value,
        "said_at": None if turn.said_at is None else turn.said_at.isoformat(),
        "utc_offset": None if offset is None else offset // timedelta(minutes=1),
        "reply_to": None if turn.reply_to is None else str(turn.reply_to),
        "reply_hash": None if turn.reply_hash is None else turn.reply_hash.hex(),
        "trust": turn.trust,
        "source_kind": turn.source_kind,
    }


def _turn(row: Any) -> Turn:  # noqa: ANN401 - a database row
    said_at = row.said_at
    if said_at is not None and row.utc_offset is not None:
        said_at = said_at.astimezone(timezone(timedelta(minutes=row.utc_offset)))
    return Turn(
        id=row.id,
        session_id=row.session_id,
        brain_id=row.brain_id,
        position=row.position,
        role=TurnRole(row.role),
        speaker_id=row.speaker_id,
        speaker=row.speaker,
        text=row.text,
        redactions=tuple(StoredRedaction(**r) for r in row.redactions),
        attachments=tuple(row.attachments),
        said_at=said_at,
        reply_to=row.reply_to,
        trust=row.trust,
        source_kind=row.source_kind,
        written_by=row.written_by,
        written_key=row.written_key,
        writer_label=row.writer_label,
        created_at=row.created_at,
    )
