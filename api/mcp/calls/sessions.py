"""What the tools on conversations do: each calls what its HTTP routes call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter, ValidationError

from api.callers import MCP, writer_of
from api.mcp.replies import dump
from api.schemas.sessions import ZonedMoment
from governance.errors import InvalidInput
from memdb.directory.labels import ExternalId
from memdb.models.turn import TurnRole, TurnSubmission
from memdb.sessions.opening import SessionRequest, open_session
from memdb.sessions.record import record_turns as record

if TYPE_CHECKING:
    from datetime import datetime

    from api.mcp.arguments import Arguments
    from api.mcp.caller import Caller

PLATFORM: Final = "mcp"
"""Of conversations that are named by agents; each brain has its own."""
_MOMENT: Final[TypeAdapter[datetime]] = TypeAdapter(ZonedMoment)


async def record_turns(caller: Caller, given: Arguments) -> str:
    """Append turns to the session of a conversation, which is begun with its first one."""
    writer = writer_of(caller.who, MCP)
    turns = [_turn(place, one) for place, one in enumerate(given.get_records("turns"))]
    external = ExternalId(PLATFORM, given.get_text("conversation"))
    session, _ = await open_session(caller.runtime, writer, SessionRequest(brain_id=given.find_id("brain_id"), external=external))
    recorded = await record(caller.runtime, writer, session.id, turns)
    fresh = sum(not one.replayed for one in recorded)
    caller.metrics.turns.inc(fresh)
    redacted = sorted({redaction.entity for one in recorded for redaction in one.redactions})
    return dump(
        {
            "session_id": session.id,
            "brain_id": session.brain_id,
            "recorded": fresh,
            "known_already": len(recorded) - fresh or None,
            "redacted": redacted or None,
        }
    )


def _turn(place: int, one: Arguments) -> TurnSubmission:
    role, said_at = one.find_text("role"), one.find_text("said_at")
    return TurnSubmission(
        text=one.get_text("text"),
        role=TurnRole.USER if role is None else TurnRole(role),
        speaker_id=one.find_id("speaker_id"),
        speaker=one.find_text("speaker_name"),
        said_at=None if said_at is None else _moment(said_at, f"turns[{place}].said_at"),
        client_turn_id=one.find_text("client_turn_id"),
    )


def _moment(text: str, field: str) -> datetime:
    try:
        return _MOMENT.validate_python(text)
    except ValidationError as error:
        raise InvalidInput(f"{field} {error.errors()[0]['msg']}", field=field) from None
