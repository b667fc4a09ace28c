"""Rows of the audit: appended in the transaction of what they tell about, never changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select

from governance.audit import Actor, AuditEvent, DetailValue, detail_json, seal
from memdb.ids import make_id
from memdb.keyring import Keyring, Purpose
from memdb.storage import tables as t
from memdb.storage.database import ReadConn, WriteConn


class Auditor:
    """Makes the sealed events of one request: its org, actor, moment and request id are said once."""

    def __init__(self, keyring: Keyring, org_id: UUID, actor: Actor, *, at: datetime, request_id: str | None) -> None:
        self._keyring = keyring
        self._org_id = org_id
        self._actor = actor
        self._at = at
        self._request_id = request_id

    def event(
        self,
        action: str,
        target: tuple[str, UUID | str],
        *,
        brain_id: UUID | None = None,
        detail: Mapping[str, DetailValue] | None = None,
        commitment: bytes | None = None,
    ) -> AuditEvent:
        """A sealed event.

        Args:
            action: such as `memory.add`.
            target: kind and id of the object, such as `("memory", memory_id)`.
            brain_id: where the object lies, if it lies in a brain.
            detail: ids, counts, flags and words of the product; text is refused.
            commitment: the seal of the state that the write made, `mac_state`.
        """
        kind, object_id = target
        event = AuditEvent(
            org_id=self._org_id,
            id=make_id(),
            at=self._at,
            actor=self._actor,
            action=action,
            object_kind=kind,
            object_id=str(object_id),
            brain_id=brain_id,
            detail=detail or {},
            request_id=self._request_id,
        )
        key = self._keyring.derive(Purpose.AUDIT, self._org_id)
        return seal(event, key_id=self._keyring.current_id, key=key, commitment=commitment)


async def record(conn: WriteConn, event: AuditEvent) -> None:
    """Append one event."""
    await record_all(conn, [event])


async def record_all(conn: WriteConn, events: Sequence[AuditEvent]) -> None:
    """Append events in one statement; none is fine."""
    assert all(event.digest is not None for event in events), "an audit event without its digest"
    if events:
        await conn.execute(insert(t.audit_events), [event_row(event) for event in events])


def event_row(event: AuditEvent) -> dict[str, object]:
    """The columns of an event."""
    return {
        "org_id": event.org_id,
        "id": event.id,
        "at": event.at,
        "action": event.action,
        "actor_subject": event.actor.subject_id,
        "actor_key": event.actor.key_id,
        "acting_for": event.actor.acting_for,
        "brain_id": event.brain_id,
        "object_kind": event.object_kind,
        "object_id": event.object_id,
        "detail": detail_json(event.detail),
        "mac_key_id": event.mac_key_id,
        "digest": event.digest,
        "request_id": event.request_id,
        "commitment": event.commitment,
    }


@dataclass(frozen=True, slots=True)
class EventFilter:
    """What events are asked for; None: any. `action`: the whole name, or its beginning with a dot, such as `memory.`.

    since, until: moments, the former included, the latter not.
    """

    action: str | None = None
    object_id: str | None = None
    actor_subject: UUID | None = None
    actor_key: str | None = None
    brain_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class PlacedEvent:
    """A stored event. `position`: its place in the log of the org, None while it waits for one."""

    event: AuditEvent
    position: int | None


async def list_events(conn: ReadConn, org_id: UUID, wanted: EventFilter, *, before: UUID | None, limit: int) -> list[PlacedEvent]:
    """Events of an org, newest first; at most `limit` of those older than `before`. Index: audit_events_pk, audit_events_object_idx."""
    e, c = t.audit_events.c, t.audit_chain.c
    both = t.audit_events.outerjoin(t.audit_chain, (c.org_id == e.org_id) & (c.event_id == e.id))
    query = select(t.audit_events, c.position).select_from(both).where(e.org_id == org_id)
    for column, value in (
        (e.object_id, wanted.object_id),
        (e.actor_subject, wanted.actor_subject),
        (e.actor_key, wanted.actor_key),
        (e.brain_id, wanted.brain_id),
    ):
        if value is not None:
            query = query.where(column == value)
    if wanted.action is not None:
        begins = wanted.action.endswith(".")
        query = query.where(e.action.startswith(wanted.action, autoescape=True) if begins else e.action == wanted.action)
    if wanted.since is not None:
        query = query.where(e.at >= wanted.since)
    if wanted.until is not None:
        query = query.where(e.at < wanted.until)
    if before is not None:
        query = query.where(e.id < before)
    return [PlacedEvent(event_of(row), row.position) for row in await conn.execute(query.order_by(e.id.desc()).limit(limit))]


def event_of(row: Any) -> AuditEvent:  # noqa: ANN401 - a database row
    """The event of a row."""
    return AuditEvent(
        org_id=row.org_id,
        id=row.id,
        at=row.at,
        actor=Actor(row.actor_subject, row.actor_key, row.acting_for),
        action=row.action,
        object_kind=row.object_kind,
        object_id=row.object_id,
        brain_id=row.brain_id,
        detail=row.detail,
        request_id=row.request_id,
        mac_key_id=row.mac_key_id,
        digest=None if row.digest is None else bytes(row.digest),
        commitment=None if row.commitment is None else bytes(row.commitment),
    )
