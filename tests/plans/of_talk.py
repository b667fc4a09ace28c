"""Hot statements on sessions, turns, snapshots, extractions and what was learned."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from governance.principals import Capability, Principal, Role
from governance.trust import Trust
from memdb.ids import make_id
from memdb.models.memory import Kind
from memdb.models.turn import ExtractionState, TurnRole
from memdb.storage import claims, extractions, neighbours, reconciliations, sessions, turns
from memdb.storage.database import search
from memdb.storage.neighbours import Near
from memdb.storage.turns import NewTurn
from tests.plans.asking import At, Hot
from tests.plans.conftest import PLAN_SPACE
from tests.plans.talk import client_hash
from tests.support.rows import NOW

if TYPE_CHECKING:
    from uuid import UUID


async def recording(at: At) -> object:
    values = turns.recording_values(at.org, at.session, [at.loaded.person, make_id()])
    return await at.conn.execute(turns.FIND_RECORDING.clause, values)


async def append_turns(at: At) -> object:
    """One turn that is there and one that is not."""
    shared: dict[str, Any] = {
        "role": TurnRole.USER,
        "speaker_id": None,
        "speaker": None,
        "redactions": (),
        "said_at": None,
        "reply_to": None,
    }
    shared |= {"reply_hash": None, "body_hash": bytes(32), "trust": "member", "source_kind": None}
    passed: Any = SimpleNamespace(text="hello", value=[])  # the redactor alone makes what storage takes
    made = [NewTurn(id=make_id(), text=passed, attachments=passed, client_hash=client_hash(7, n), **shared) for n in (3, 99)]
    key = at.loaded.key
    who = Principal(at.org, key, at.loaded.person, at.loaded.person, "tests", Role.WRITER, frozenset[Capability](), Trust.MEMBER)
    appended = await turns.append(at.conn, who, (at.loaded.brains["huge"], at.session), made, NOW)
    assert appended is not None
    assert [one.replayed for one in appended] == [True, False]
    return appended


async def unfinished(at: At) -> object:
    return await extractions.list_unfinished(at.conn, at.org, ExtractionState.WAITING, before=NOW, after=None, limit=50)


async def near(at: At) -> object:
    asked = [
        Near(n, at.loaded.brain_of[n], "semantic", (at.loaded.person,), at.loaded.vectors[n], NOW, None)
        for n in range(0, 80, 20)
        if at.loaded.brain_of[n] in at.loaded.brains.values()
    ]
    return await neighbours.find_neighbours(partial(search, at.conn), at.org, PLAN_SPACE, asked, NOW, 0.5)


async def similar(at: At) -> object:
    made = [neighbours.Link(at.loaded.ids[n], at.loaded.ids[n + 1], at.loaded.brain_of[n], 0.5) for n in range(3)]
    await neighbours.add_similar(at.conn, at.org, made, NOW)
    return made


def told(at: At) -> tuple[tuple[UUID, UUID, Kind], list[UUID], str]:
    """An attribute of the one of whom the huge brain knows some 200 memories."""
    return (at.org, at.loaded.brains["huge"], Kind.SEMANTIC), [at.loaded.told], claims.attribute_facet("a4")


def _turns_index(last: str) -> str:
    """An index of the present month's partition, which Postgres names by its columns."""
    return f"turns_{NOW:%Y_%m}_org_id_session_id_{last}_idx"


OF_TALK: tuple[Hot, ...] = (
    Hot("find_session", lambda at: sessions.find_session(at.conn, at.loaded.scope(), at.session), ("sessions_pk",)),
    Hot("list_due_sessions", lambda at: sessions.list_due(at.conn, at.org, NOW, 500), ("sessions_due_idx",), job=True),
    Hot("list_snapshots", lambda at: sessions.list_snapshots(at.conn, at.org, at.session, after=-1, limit=50), ("snapshots_first_uq",)),
    Hot("find_recording", recording, ("sessions_pk", "subjects_pk")),
    Hot("append_turns", append_turns, ("sessions_pk", _turns_index("client_hash"))),
    Hot("list_turns", lambda at: turns.list_turns(at.conn, at.org, at.session, first=5, last=25), (_turns_index("position"),)),
    Hot("list_open_sizes", lambda at: turns.list_sizes(at.conn, at.org, at.session, (30, 40)), (_turns_index("position"),)),
    Hot("find_extraction", lambda at: extractions.find(at.conn, at.org, at.loaded.talk.snapshots[3], Kind.SEMANTIC, lock=True), ("extractions_pk",), job=True),
    Hot("list_unfinished_extractions", unfinished, ("extractions_unfinished_idx",), job=True),
    Hot("count_waiting_extractions", lambda at: extractions.count_waiting(at.conn, at.org), ("extractions_unfinished_idx",), job=True),
    Hot("list_of_memories", lambda at: extractions.list_of_memories(at.conn, at.org, at.loaded.ids[:5]), ("derivations_memory_idx",)),
    Hot("list_of_snapshot", lambda at: extractions.list_of_snapshot(at.conn, at.org, at.loaded.talk.snapshots[3]), ("derivations_snapshot_idx",)),
    Hot("list_holders", lambda at: claims.list_holders(at.conn, *told(at), NOW), ("memory_index_neighbours_idx|memory_index_about_idx",), role="memdb_search", job=True),
    Hot("find_next_claim", lambda at: claims.find_next(at.conn, *told(at), NOW), ("memory_index_neighbours_idx|memory_index_about_idx",), role="memdb_search", job=True),
    Hot("list_past_claims", lambda at: claims.end_past(at.conn, *told(at), NOW), ("memory_index_neighbours_idx|memory_index_about_idx", "memory_version_index_pk"), role="memdb_search", job=True),
    Hot("list_claims", lambda at: claims.list_all(at.conn, *told(at)[:2], "a4", 20), ("memory_index_neighbours_idx|memory_index_about_idx",), role="memdb_search", job=True),
    Hot("find_neighbours", near, ("memory_index_neighbours_idx", "memory_vectors_plans_64_pk")),
    Hot("add_similar", similar, ("memories_pk|memories_brain_idx",)),
    Hot("list_of_memory", lambda at: reconciliations.list_of_memory(at.conn, at.loaded.scope(), at.loaded.ids[0]), ("reconciliations_memory_idx",)),
)  # fmt: skip
