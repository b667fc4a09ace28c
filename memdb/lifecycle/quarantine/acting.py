"""Quarantine as an action: previewed, run, carried on by whoever comes by, released. Each step is one transaction that may be the last."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.audit import Actor, DetailValue, actor_of
from governance.errors import InvalidInput, NotFound
from governance.principals import Capability, require
from governance.redaction.names.known import NOBODY
from governance.scopes import of_job
from memdb.errors import SelectionGrown
from memdb.ids import make_id
from memdb.keyring import Purpose
from memdb.lifecycle.quarantine.holding import Chunk, hold_some, release_some
from memdb.lifecycle.quarantine.selection import Found, Selection, find
from memdb.storage import holding, memories, quarantine
from memdb.storage.audit import Auditor, record
from memdb.storage.database import Identity, tried_again
from memdb.storage.quarantine import QUARANTINE, ActionRow, ActionState
from memdb.storage.queue import defer, extract_job
from memdb.storage.selecting import PAGE
from memdb.text.normalise import clean, is_blank
from memdb.timing import Stopwatch

if TYPE_CHECKING:
    from memdb.directory.authentication import Authenticated
    from memdb.models.memory import Memory
    from memdb.runtime import Runtime

CHUNK: Final = 200
"""Memories of one transaction, so that no writer waits for more."""
AT_ONCE_S: Final = 10.0
"""How long a request itself works on an action; a worker does the rest."""
SHOWN_MAX: Final = 50
REASON_CHARACTERS_MAX: Final = 500
ABANDONED_AFTER: Final = timedelta(minutes=10)
"""Longer than gathering takes: an action that has not gathered by then never will."""
MAY_ACT = (Capability.ADMIN, Capability.REVIEWER)


@dataclass(frozen=True, slots=True)
class Preview:
    """What a quarantine would hold. `held`: of the memories, those that are held already. `shown`: the first of them with their content,
    for a reviewer; `first`: their ids.
    """

    memories: int
    held: int
    sessions: tuple[UUID, ...]
    by_kind: dict[str, int]
    by_brain: dict[str, int]
    by_writer: dict[str, int]
    first: tuple[UUID, ...]
    shown: tuple[Memory, ...] = field(repr=False)


async def preview(runtime: Runtime, who: Authenticated, wanted: Selection, *, shown: int) -> Preview:
    """Count what a selection comes to. It is audited: whoever is a reviewer is shown content.

    Raises:
        AccessDenied: the caller has neither the capability admin nor reviewer.
        InvalidInput: the selection is empty, of everything, or comes to too much; `shown` is out of range.
    """
    require(who.principal, *MAY_ACT)
    wanted.check()
    if not 0 <= shown <= SHOWN_MAX:
        raise InvalidInput(f"shown must be 0 to {SHOWN_MAX}", field="shown")
    org_id = who.principal.org_id
    found = await find(runtime, org_id, wanted)
    ids = sorted(found.memories)
    first = ids[:shown]
    held = 0
    async with runtime.database.read(Identity(org_id)) as conn:
        for start in range(0, len(ids), PAGE):
            held += await holding.count_held(conn, org_id, ids[start : start + PAGE])
    content = await _read(runtime, org_id, found, first) if Capability.REVIEWER in who.principal.capabilities else ()
    auditor = Auditor(runtime.keyring, org_id, actor_of(who.principal), at=runtime.clock.now(), request_id=who.request_id)
    detail: dict[str, DetailValue] = {"memories": len(ids), "shown": [one.id for one in content]}
    async with runtime.database.write(who.identity) as conn:
        await record(conn, auditor.event("quarantine.preview", ("org", org_id), detail=detail))
    return Preview(
        memories=len(ids),
        held=held,
        sessions=tuple(session for _, session in found.sessions),
        by_kind=found.count(lambda one: one.kind),
        by_brain=found.count(lambda one: one.brain_id),
        by_writer=found.count(lambda one: one.written_by),
        first=tuple(first),
        shown=content,
    )


async def _read(runtime: Runtime, org_id: UUID, found: Found, ids: Sequence[UUID]) -> tuple[Memory, ...]:
    shown: dict[UUID, Memory] = {}
    for brain_id in sorted({found.memories[one].brain_id for one in ids}):
        mine = [one for one in ids if found.memories[one].brain_id == brain_id]
        async with runtime.database.read(Identity(org_id, job_brain_id=brain_id)) as conn:
            rows = await memories.list_by_id(conn, of_job(org_id, brain_id), mine, runtime.keyring)
        shown |= {one: row.memory for one, row in rows.items()}
    return tuple(shown[one] for one in ids if one in shown)


# -------------------------------------------------------------------------------------------------------------------- run
async def run(runtime: Runtime, who: Authenticated, wanted: Selection, *, expected: int, reason: str | None) -> ActionRow:
    """Hold what a selection comes to; the action as it is after some seconds, `running` when a worker is to do the rest.

    Args:
        runtime: what the process holds.
        who: the caller.
        wanted: the selection.
        expected: how many memories the preview counted.
        reason: why, for whoever reviews; it is redacted.

    Raises:
        AccessDenied, InvalidInput: as `preview`, or the reason is too long.
        SelectionGrown: it comes to more than that by now; nothing is held.
        NotFound: nothing meets it.
        RedactionUnavailable: the redactor failed; nothing is held.
    """
    require(who.principal, *MAY_ACT)
    wanted.check()
    said = await _redact(runtime, who, reason)
    org_id, now = who.principal.org_id, runtime.clock.now()
    action = ActionRow(
        id=make_id(), kind=QUARANTINE, reasons=(QUARANTINE,), created_at=now, created_by=who.principal.subject_id,
        created_key=who.principal.key_id, state=ActionState.RUNNING, reason=said, selection=wanted.to_json(), memories=0, sessions=0,
        done=0, changed_at=None, released_at=None, released_by=None, released_key=None,
    )  # fmt: skip
    found = await find(runtime, org_id, wanted)
    _check(found, expected)
    async with runtime.database.write(Identity(org_id)) as conn:
        await quarantine.add_action(conn, org_id, action)
    try:
        if found.sessions:
            # What is being learned from them is then either among what is found, or sees that they are held.
            for brain_id, session_id in found.sessions:
                await tried_again(partial(_hold_session, runtime, org_id, action, brain_id, session_id))
            found = replace(await find(runtime, org_id, wanted), sessions=found.sessions)
            _check(found, expected)
        await _gather(runtime, who, action, found)
    except BaseException:
        # What was begun is undone as a release is; should this be interrupted, a worker does it.
        await _undo(runtime, org_id, action.id)
        raise
    await carry_on(runtime, org_id, action.id, AT_ONCE_S)
    return await get(runtime, who, action.id)


def _check(found: Found, expected: int) -> None:
    if not found.memories and not found.sessions:
        raise NotFound("nothing meets the selection, so there is nothing to hold", field="selection")
    if len(found.memories) > expected:
        message = f"{len(found.memories)} memories meet the selection, the preview counted {expected}; nothing is held"
        raise SelectionGrown(message, field="expected", facts={"memories": len(found.memories)})


async def _hold_session(runtime: Runtime, org_id: UUID, action: ActionRow, brain_id: UUID, session_id: UUID) -> None:
    async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
        await quarantine.hold_session(conn, org_id, (brain_id, action.id), session_id, action.created_at)
    async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
        # Whoever is storing what was learned has finished once this returns; whoever stores later sees the hold.
        await quarantine.lock_extractions(conn, org_id, session_id)


async def _gather(runtime: Runtime, who: Authenticated, action: ActionRow, found: Found) -> None:
    org_id, sessions = who.principal.org_id, len(found.sessions)
    targets = sorted((one.brain_id, one.memory_id) for one in found.memories.values())
    auditor = Auditor(runtime.keyring, org_id, actor_of(who.principal), at=action.created_at, request_id=who.request_id)
    flags = sorted(name for name, value in action.selection.items() if value)
    detail: dict[str, DetailValue] = {"memories": len(targets), "sessions": sessions, "selection": flags}
    async with runtime.database.write(Identity(org_id)) as conn:
        await quarantine.add_targets(conn, org_id, action.id, targets)
        values = {"memories": len(targets), "sessions": sessions, "changed_at": action.created_at}
        await quarantine.set_action(conn, org_id, action.id, **values)
        await record(conn, auditor.event("quarantine.run", ("hold_action", action.id), detail=detail))


async def _undo(runtime: Runtime, org_id: UUID, action_id: UUID) -> None:
    now = runtime.clock.now()
    async with runtime.database.write(Identity(org_id)) as conn:
        await quarantine.drop_targets(conn, org_id, action_id)
        values = {"state": ActionState.RELEASING.value, "done": 0, "changed_at": now, "released_at": now}
        await quarantine.set_action(conn, org_id, action_id, **values)
    await carry_on(runtime, org_id, action_id, AT_ONCE_S)


async def _redact(runtime: Runtime, who: Authenticated, reason: str | None) -> str | None:
    if reason is None or is_blank(reason):
        return None
    if len(reason) > REASON_CHARACTERS_MAX:
        raise InvalidInput(f"reason is longer than {REASON_CHARACTERS_MAX} characters", field="reason")
    rules = who.redaction.strictest(())
    known = await runtime.directory.names(runtime.database, who.identity) if rules.finds_names else NOBODY
    key = runtime.keyring.derive(Purpose.PSEUDONYM, who.principal.org_id, context="reason")
    said = clean(reason, "reason")
    text = await asyncio.to_thread(lambda: runtime.redactor.redact(said, rules=rules, key=key, field="reason", known=known))
    return text.text


# ---------------------------------------------------------------------------------------------------------------- release
async def release(runtime: Runtime, who: Authenticated, action_id: UUID) -> ActionRow:
    """Delete the holds of a quarantine, and of no other; the action as it is after some seconds. One that is released stays as it is.

    Raises:
        AccessDenied: the caller has neither the capability admin nor reviewer.
        NotFound: the org has no such quarantine.
    """
    require(who.principal, *MAY_ACT)
    org_id, now = who.principal.org_id, runtime.clock.now()
    auditor = Auditor(runtime.keyring, org_id, actor_of(who.principal), at=now, request_id=who.request_id)
    async with runtime.database.write(Identity(org_id)) as conn:
        action = await quarantine.lock_action(conn, org_id, action_id, wait=True)
        if action is None or action.kind != QUARANTINE:
            raise _no_quarantine()
        if action.state in {ActionState.RUNNING, ActionState.DONE}:
            await quarantine.drop_targets(conn, org_id, action_id)
            await quarantine.set_action(
                conn, org_id, action_id, state=ActionState.RELEASING.value, memories=action.done, done=0, changed_at=now, released_at=now,
                released_by=who.principal.subject_id, released_key=who.principal.key_id,
            )  # fmt: skip
            await record(conn, auditor.event("quarantine.release", ("hold_action", action_id), detail={"memories": action.done}))
    await carry_on(runtime, org_id, action_id, AT_ONCE_S)
    return await get(runtime, who, action_id)


async def get(runtime: Runtime, who: Authenticated, action_id: UUID) -> ActionRow:
    """A quarantine of the caller's org. Raises AccessDenied and NotFound as `release`."""
    require(who.principal, *MAY_ACT)
    async with runtime.database.read(who.identity) as conn:
        action = await quarantine.find_action(conn, who.principal.org_id, action_id)
    if action is None or action.kind != QUARANTINE:
        raise _no_quarantine()
    return action


async def list_all(runtime: Runtime, who: Authenticated, *, before: UUID | None, limit: int) -> list[ActionRow]:
    """Quarantines of the caller's org, newest first; at most `limit` of those before an id. Raises AccessDenied as `release`."""
    require(who.principal, *MAY_ACT)
    async with runtime.database.read(who.identity) as conn:
        return await quarantine.list_actions(conn, who.principal.org_id, before=before, limit=limit)


def _no_quarantine() -> NotFound:
    return NotFound("no such quarantine in this org", field="action_id")


# --------------------------------------------------------------------------------------------------------------- carry on
async def carry_on_all(runtime: Runtime, org_id: UUID, seconds: float) -> int:
    """Work on every action of an org that is not finished, the oldest first, for about so long; memories that changed."""
    async with runtime.database.read(Identity(org_id)) as conn:
        waiting = await quarantine.list_open_actions(conn, org_id)
    watch, changed = Stopwatch(), 0
    for action_id in waiting:
        changed += await carry_on(runtime, org_id, action_id, seconds - watch.total_ms / 1_000)
    return changed


async def carry_on(runtime: Runtime, org_id: UUID, action_id: UUID, seconds: float) -> int:
    """Work on an action chunk by chunk until it is finished, somebody else is at it, or the time is over; memories that changed."""
    watch, changed = Stopwatch(), 0
    while watch.total_ms < seconds * 1_000:
        count = await tried_again(partial(_step, runtime, org_id, action_id))
        if count is None:
            break
        changed += count
    return changed


async def _step(runtime: Runtime, org_id: UUID, action_id: UUID) -> int | None:
    """One chunk; how many memories changed, None when there is nothing to do here."""
    async with runtime.database.read(Identity(org_id)) as conn:
        action = await quarantine.find_action(conn, org_id, action_id)
        if action is None or action.state not in {ActionState.RUNNING, ActionState.RELEASING}:
            return None
        running = action.state is ActionState.RUNNING
        read = quarantine.list_targets if running else holding.list_held_by
        rows = await read(conn, org_id, action_id, CHUNK)
    if running and action.changed_at is None:
        # Not gathered: whoever began it is about to, or was killed.
        abandoned = action.created_at < runtime.clock.now() - ABANDONED_AFTER
        return await _undo_abandoned(runtime, org_id, action_id) if abandoned else None
    if not rows:
        await _finish(runtime, org_id, action)
        return None
    brain_id = rows[0][0]
    return await _chunk(runtime, org_id, action, brain_id, [memory for brain, memory in rows if brain == brain_id])


async def _undo_abandoned(runtime: Runtime, org_id: UUID, action_id: UUID) -> int | None:
    now = runtime.clock.now()
    async with runtime.database.write(Identity(org_id)) as conn:
        current = await quarantine.lock_action(conn, org_id, action_id, wait=False)
        if current is None or current.state is not ActionState.RUNNING or current.changed_at is not None:
            return None
        values = {"state": ActionState.RELEASING.value, "done": 0, "changed_at": now, "released_at": now}
        await quarantine.set_action(conn, org_id, action_id, **values)
    return 0


async def _chunk(runtime: Runtime, org_id: UUID, action: ActionRow, brain_id: UUID, ids: Sequence[UUID]) -> int | None:
    now = runtime.clock.now()
    async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
        current = await quarantine.lock_action(conn, org_id, action.id, wait=False)
        if current is None or current.state is not action.state:
            return None
        at = Chunk(runtime, conn, _auditor(runtime, org_id, current), org_id, brain_id, now)
        if current.state is ActionState.RUNNING:
            changed = await hold_some(at, action.id, ids)
            await quarantine.drop_targets(conn, org_id, action.id, ids)
        else:
            changed = await release_some(at, [action.id], ids)
        await quarantine.set_action(conn, org_id, action.id, done=current.done + changed, changed_at=now)
    return changed


async def _finish(runtime: Runtime, org_id: UUID, action: ActionRow) -> None:
    """Let the sessions of an action that is released go on, and say that it is done with."""
    now = runtime.clock.now()
    if action.state is ActionState.RELEASING:
        async with runtime.database.read(Identity(org_id)) as conn:
            sessions = await quarantine.list_sessions_of(conn, org_id, action.id)
        for session_id, brain_id in sessions:
            await _release_session(runtime, org_id, action.id, (brain_id, session_id))
    async with runtime.database.write(Identity(org_id)) as conn:
        current = await quarantine.lock_action(conn, org_id, action.id, wait=False)
        if current is None or current.state is not action.state:
            return
        state = ActionState.DONE if current.state is ActionState.RUNNING else ActionState.RELEASED
        await quarantine.set_action(conn, org_id, action.id, state=state.value, changed_at=now)
        name = "quarantine.done" if state is ActionState.DONE else "quarantine.released"
        auditor = _auditor(runtime, org_id, current)
        await record(conn, auditor.event(name, ("hold_action", action.id), detail={"memories": current.done}))


async def _release_session(runtime: Runtime, org_id: UUID, action_id: UUID, of: tuple[UUID, UUID]) -> None:
    """Let a session go on: what waits to be learned from it is, once no other action holds it."""
    brain_id, session_id = of
    async with runtime.database.write(Identity(org_id, job_brain_id=brain_id)) as conn:
        await quarantine.unhold_session(conn, org_id, action_id, session_id)
        if not await quarantine.is_session_held(conn, org_id, session_id):
            waiting = await quarantine.lock_extractions(conn, org_id, session_id)
            await defer(conn, [extract_job(org_id, brain_id, snapshot, handler) for snapshot, handler in waiting])


def _auditor(runtime: Runtime, org_id: UUID, action: ActionRow) -> Auditor:
    """Whoever began it acts, or whoever releases it, whatever process does the work."""
    released = action.state in {ActionState.RELEASING, ActionState.RELEASED}
    actor = Actor(action.released_by, action.released_key) if released else Actor(action.created_by, action.created_key)
    return Auditor(runtime.keyring, org_id, actor, at=runtime.clock.now(), request_id=None)
