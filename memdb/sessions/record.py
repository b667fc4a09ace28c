"""Appending turns: redacted, in order, each once, and nobody waits for what is learned from them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from governance.errors import InvalidInput
from governance.principals import Role
from governance.redaction.names.known import NOBODY
from governance.redaction.policy import OrgRedaction
from governance.scopes import readable_by, require_role
from memdb.errors import IdempotencyConflict, SessionClosed
from memdb.models.memory import StoredRedaction
from memdb.models.turn import TurnRole, TurnSubmission
from memdb.sessions.opening import no_session
from memdb.sessions.turning import Recorder, check_turns, prepare, subjects_named
from memdb.storage import turns
from memdb.storage.database import identity_of, tried_again
from memdb.storage.subjects import SubjectKind

if TYPE_CHECKING:
    from memdb.formation.pipeline import Writer
    from memdb.runtime import Runtime
    from memdb.storage.turns import NewTurn

_SPEAKS = {TurnRole.USER: frozenset({SubjectKind.PERSON}), TurnRole.ASSISTANT: frozenset({SubjectKind.AGENT, SubjectKind.SERVICE})}


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where a turn stands now; `replayed`: it was there already. `redactions` are of its stored text, empty for a replay."""

    id: UUID
    position: int
    speaker_id: UUID | None
    redactions: tuple[StoredRedaction, ...]
    replayed: bool


async def record_turns(runtime: Runtime, writer: Writer, session_id: UUID, submitted: Sequence[TurnSubmission]) -> list[Recorded]:
    """Append turns to a session; one answer each, in order. All of them or none.

    Raises:
        NotFound: the session is in no brain that the caller may read.
        AccessDenied: the caller may read it but not write.
        SessionClosed: it takes no more turns.
        IdempotencyConflict: a client id was used for a turn that said something else.
        InvalidInput, ContentTooLarge: a turn is malformed, or its speaker is no subject of this org.
        RedactionUnavailable: nothing was stored.
    """
    checked, firsts, places = _distinct(check_turns(submitted, runtime.clock.now()))
    principal = writer.principal
    named = {*subjects_named(checked), principal.subject_id, principal.key_subject_id}
    found = await turns.find_recording(runtime.database, principal, session_id, named)
    if found is None or not readable_by(principal, writer.access).allows(principal.org_id, found.brain_id):
        raise no_session()
    brain_id, kinds = found.brain_id, found.kinds
    require_role(principal, writer.access, brain_id, Role.WRITER)
    unknown = next((place for place, turn in enumerate(checked) if turn.speaker_id is not None and turn.speaker_id not in kinds), None)
    if unknown is not None:
        field = f"turns[{firsts[unknown]}].speaker_id"
        raise InvalidInput(f"{field} names a subject that this org does not have", field=field)
    own = {TurnRole.USER: principal.subject_id, TurnRole.ASSISTANT: principal.key_subject_id}
    speakers = {role: subject for role, subject in own.items() if kinds.get(subject) in _SPEAKS[role]}
    into = Recorder(principal, brain_id, session_id, speakers)
    rules = writer.redaction.rules_for(brain_id)
    known = await runtime.directory.names(runtime.database, identity_of(principal)) if rules.finds_names else NOBODY
    org = OrgRedaction(writer.redaction, known)
    ready = await asyncio.to_thread(prepare, checked, into, places=firsts, redactor=runtime.redactor, org=org, keyring=runtime.keyring)
    stored = await _store(runtime, writer, into, ready, firsts)
    return [stored[place] for place in places]


def _distinct(checked: Sequence[TurnSubmission]) -> tuple[list[TurnSubmission], list[int], list[int]]:
    """The turns, those with the same client id once; the place of each of them in the request; and where each of the given ones is among
    them.
    """
    kept: list[TurnSubmission] = []
    first: dict[str, int] = {}
    firsts: list[int] = []
    places: list[int] = []
    for place, turn in enumerate(checked):
        known = None if turn.client_turn_id is None else first.get(turn.client_turn_id)
        if known is not None and kept[known] != turn:
            message = f"turns[{place}] has the client_turn_id of turns[{firsts[known]}] and says something else"
            raise InvalidInput(message, field=f"turns[{place}].client_turn_id")
        if known is None:
            known = len(kept)
            kept.append(turn)
            firsts.append(place)
            if turn.client_turn_id is not None:
                first[turn.client_turn_id] = known
        places.append(known)
    return kept, firsts, places


async def _store(runtime: Runtime, writer: Writer, into: Recorder, ready: Sequence[NewTurn], firsts: Sequence[int]) -> list[Recorded]:
    now = runtime.clock.now()

    async def once() -> list[turns.Appended]:
        async with runtime.database.write(identity_of(writer.principal)) as conn:
            appended = await turns.append(conn, writer.principal, (into.brain_id, into.session_id), ready, now)
            if appended is None:
                raise SessionClosed
            _refuse_changed(appended, ready, firsts)
            return appended

    appended = await tried_again(once)
    return [
        Recorded(one.id, one.position, turn.speaker_id, () if one.replayed else turn.redactions, one.replayed)
        for one, turn in zip(appended, ready, strict=True)
    ]


def _refuse_changed(appended: Sequence[turns.Appended], ready: Sequence[NewTurn], firsts: Sequence[int]) -> None:
    for place, one, turn in zip(firsts, appended, ready, strict=True):
        if one.replayed and one.body_hash != turn.body_hash:
            message = f"the client id of turns[{place}] was used in this session for a turn that said something else; use a new one"
            raise IdempotencyConflict(message, field=f"turns[{place}].client_turn_id")
