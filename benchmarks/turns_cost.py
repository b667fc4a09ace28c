"""What recording a turn costs beside redacting it and storing its row with an INSERT written by hand.

Both are done in turn, in changing order, in one run and one process, under the same identity and settings and with a commit that waits for
the disk. By hand: the redactor on each of the turn's texts, then one transaction with one statement of `sql/turns.sql`, whose values have
been made before. Recorded: `record_turns`, which also looks for the session and the speakers, keeps the turns of a session in order without
a gap, and finds a repetition.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

from benchmarks.harness import Bench, open_bench, percentile, writer_of
from governance.redaction.policy import OrgRedaction
from memdb.directory.authentication import Authenticated
from memdb.keyring import Purpose
from memdb.models.turn import TurnRole, TurnSubmission
from memdb.sessions.opening import SessionRequest, open_session
from memdb.sessions.record import record_turns
from memdb.sessions.turning import Recorder, check_turns, prepare
from memdb.storage.database import identity_of
from memdb.storage.sending import fetch
from memdb.storage.statements import load
from memdb.storage.turns import NewTurn

BATCH: Final = 20
WARM_UP: Final = 50
BAR: Final = 2.0
SAID: Final = (
    "I moved the weekly meeting to Thursday afternoon because the customer asked for it",
    "Can you look at the second draft before lunch? The part on prices is still open",
    "Ontem o pedido chegou atrasado de novo, e o cliente quer saber o que aconteceu",
    "Fine with me. I'd rather keep the old layout until somebody has tested the new one",
)

_STATEMENTS = load("benchmarks.sql")


@dataclass(frozen=True, slots=True)
class Place:
    """Who records, and two sessions of one brain: one for each way."""

    bench: Bench
    who: Authenticated
    brain_id: UUID
    recorded: UUID
    by_hand: UUID


async def measure_cost(rounds: int) -> dict[str, dict[str, object]]:
    """Figures of single turns and of batches of twenty: p50 of both ways in ms, their ratio, and `met`."""
    async with open_bench() as bench:
        who = await bench.enter()
        writer = writer_of(who)
        assert who.home_brain_id is not None, "an administrator has a home brain"
        sessions = [(await open_session(bench.runtime, writer, SessionRequest(brain_id=who.home_brain_id)))[0].id for _ in range(2)]
        place = Place(bench, who, who.home_brain_id, *sessions)
        return {"one": await _compare(place, 1, rounds), "twenty": await _compare(place, BATCH, max(WARM_UP, rounds // 4))}


async def _compare(place: Place, size: int, rounds: int) -> dict[str, object]:
    recorded: list[float] = []
    by_hand: list[float] = []
    redacting: list[float] = []
    for n in range(rounds + WARM_UP):
        said = make_turns(f"{size}-{n}", size)
        row = _prepared(place, said)
        first = n * size + size * 1_000_000
        ways = (False, True) if n % 2 else (True, False)
        for hand in ways:
            began = time.perf_counter()
            if hand:
                _redact(place, said)
                redacted = time.perf_counter()
                await _insert(place, row, first)
            else:
                await record_turns(place.bench.runtime, writer_of(place.who), place.recorded, said)
            took = (time.perf_counter() - began) * 1_000
            if n >= WARM_UP:
                (by_hand if hand else recorded).append(took)
                if hand:
                    redacting.append((redacted - began) * 1_000)
    ratio = statistics.median(recorded) / statistics.median(by_hand)
    return {
        "ratio": round(ratio, 2),
        "met": ratio <= BAR,
        "recorded_ms_p50": round(statistics.median(recorded), 2),
        "by_hand_ms_p50": round(statistics.median(by_hand), 2),
        "of_that_redacting_ms_p50": round(statistics.median(redacting), 2),
        "recorded_ms_p95": round(percentile(recorded, 0.95), 2),
        "by_hand_ms_p95": round(percentile(by_hand, 0.95), 2),
        "rounds": rounds,
    }


def make_turns(name: str, size: int) -> list[TurnSubmission]:
    """Turns as a chat sends them, with client ids that begin with `name`."""
    said_at = datetime.now(UTC)
    return [
        TurnSubmission(
            text=f"{SAID[n % len(SAID)]} ({name} {n})",
            role=TurnRole.ASSISTANT if n % 4 == 3 else TurnRole.USER,
            said_at=said_at,
            client_turn_id=f"{name}-{n}",
        )
        for n in range(size)
    ]


def _prepared(place: Place, said: Sequence[TurnSubmission]) -> list[NewTurn]:
    runtime, who = place.bench.runtime, place.who
    into = Recorder(who.principal, place.brain_id, place.by_hand, {})
    return prepare(
        check_turns(said, runtime.clock.now()),
        into,
        places=range(len(said)),
        redactor=runtime.redactor,
        org=OrgRedaction(who.redaction),
        keyring=runtime.keyring,
    )


def _redact(place: Place, said: Sequence[TurnSubmission]) -> None:
    runtime, who = place.bench.runtime, place.who
    rules = who.redaction.rules_for(place.brain_id)
    key = runtime.keyring.derive(Purpose.PSEUDONYM, who.principal.org_id, context=str(place.brain_id))
    for turn in said:
        runtime.redactor.check_identifier(turn.client_turn_id or "", "client_turn_id")
        runtime.redactor.redact(turn.text, rules=rules, key=key, field="text")


async def _insert(place: Place, turns: Sequence[NewTurn], first: int) -> None:
    principal = place.who.principal
    rows = [_row(turn, first + n) for n, turn in enumerate(turns)]
    shared: dict[str, object] = {
        "org_id": principal.org_id,
        "brain_id": place.brain_id,
        "session_id": place.by_hand,
        "written_by": principal.subject_id,
        "written_key": principal.key_id,
        "writer_label": principal.writer_label,
        "created_at": datetime.now(UTC),
    }
    async with place.bench.runtime.database.write(identity_of(principal)) as conn:
        if len(rows) == 1:
            await fetch(conn, _STATEMENTS["insert_turn"].sql, shared | rows[0])
        else:
            await fetch(conn, _STATEMENTS["insert_turns"].sql, shared | {"turns": json.dumps([_as_json(row) for row in rows])})


def _row(turn: NewTurn, position: int) -> dict[str, Any]:
    return {
        "id": turn.id,
        "position": position,
        "role": turn.role.value,
        "speaker_id": turn.speaker_id,
        "speaker": None,
        "text": turn.text.text,
        "redactions": "[]",
        "attachments": "[]",
        "said_at": turn.said_at,
        "utc_offset": 0,
        "reply_to": None,
        "client_hash": turn.client_hash,
        "body_hash": turn.body_hash,
        "trust": turn.trust,
        "source_kind": None,
    }


def _as_json(row: dict[str, Any]) -> dict[str, Any]:
    plain = {name: value.hex() if isinstance(value, bytes) else value for name, value in row.items()}
    return plain | {"id": str(row["id"]), "said_at": row["said_at"].isoformat(), "redactions": [], "attachments": []}
