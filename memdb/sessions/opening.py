"""Sessions: begun in a brain, found by id or by the caller's id of the conversation, closed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from governance.audit import actor_of
from governance.errors import InvalidInput, NotFound
from governance.principals import Role
from governance.redaction.names.known import NOBODY
from governance.scopes import ScopeFilter, readable_by, require_role
from memdb.directory.labels import NAME_CHARACTERS_MAX, ExternalId, check_external, hash_external
from memdb.ids import make_id
from memdb.keyring import Purpose
from memdb.models.turn import IDLE_SECONDS, IDLE_SECONDS_MAX, MAX_MESSAGES, OVERLAP, OVERLAP_MAX, TURNS_MAX, Session
from memdb.storage import sessions
from memdb.storage.audit import Auditor, record
from memdb.storage.database import ReadConn, WriteConn, identity_of
from memdb.text.normalise import clean, is_blank

if TYPE_CHECKING:
    from governance.redaction.findings import RedactedText
    from memdb.formation.pipeline import Writer
    from memdb.runtime import Runtime


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRequest:
    """A session as it was asked for. `external`: the platform and its id of the conversation; the same one again is the same session.

    A snapshot is cut after `max_messages` turns, or when none came for `idle_seconds`; `overlap` turns before it are given to be read.
    """

    brain_id: UUID | None = None
    title: str | None = field(default=None, repr=False)
    external: ExternalId | None = None
    max_messages: int = MAX_MESSAGES
    idle_seconds: int = IDLE_SECONDS
    overlap: int = OVERLAP

    def check(self) -> None:
        """Raise InvalidInput for what is out of range."""
        for name, most, least in (
            ("max_messages", TURNS_MAX, 1),
            ("idle_seconds", IDLE_SECONDS_MAX, 1),
            ("overlap", OVERLAP_MAX, 0),
        ):
            if not least <= getattr(self, name) <= most:
                raise InvalidInput(f"{name} must be {least} to {most}", field=name)
        if self.title is not None and (is_blank(self.title) or len(self.title) > NAME_CHARACTERS_MAX):
            raise InvalidInput(f"title must be 1 to {NAME_CHARACTERS_MAX} characters and not blank", field="title")
        if self.external is not None:
            check_external(self.external, "external")


async def open_session(runtime: Runtime, writer: Writer, request: SessionRequest) -> tuple[Session, bool]:
    """Begin a session, or find the one of the same external id in that brain; True when it is new.

    Raises:
        NotFound: the brain is unknown or not readable.
        AccessDenied: it may be read but not written.
        InvalidInput: a field is out of range, or no brain is named and the subject has no home brain.
        RedactionUnavailable: the redactor failed.
    """
    request.check()
    brain_id = request.brain_id or writer.home_brain_id
    if brain_id is None:
        raise InvalidInput("this subject has no home brain; name one in brain_id", field="brain_id")
    principal, now = writer.principal, runtime.clock.now()
    require_role(principal, writer.access, brain_id, Role.WRITER)
    title = await _redact_title(runtime, writer, brain_id, request.title)
    hashes = () if request.external is None else hash_external(runtime.keyring, principal.org_id, request.external)
    session = Session(
        id=make_id(),
        brain_id=brain_id,
        platform=None if request.external is None else request.external.platform,
        title=None if title is None else title.text,
        max_messages=request.max_messages,
        idle_seconds=request.idle_seconds,
        overlap=request.overlap,
        next_position=0,
        open_from=0,
        last_turn_at=None,
        due_at=None,
        created_at=now,
        created_by=principal.subject_id,
        created_key=principal.key_id,
        closed_at=None,
    )
    auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)
    async with runtime.database.write(identity_of(principal)) as conn:
        known = await sessions.find_by_external(conn, principal.org_id, brain_id, hashes) if hashes else None
        if known is None and not await sessions.add_session(conn, principal.org_id, session, title, hashes[0] if hashes else None):
            known = await sessions.find_by_external(conn, principal.org_id, brain_id, hashes)
        if known is not None:
            return known, False
        await record(conn, auditor.event("session.open", ("session", session.id), brain_id=brain_id))
    return session, True


async def get_session(runtime: Runtime, writer: Writer, session_id: UUID) -> Session:
    """A session of a brain that the caller may read. Raises NotFound for any other."""
    scope = readable_by(writer.principal, writer.access)
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        return await require_session(conn, scope, session_id)


async def list_readable(runtime: Runtime, writer: Writer, brain_id: UUID | None, *, before: UUID | None, limit: int) -> list[Session]:
    """Sessions that the caller may read, newest first, of one brain or of all.

    Raises:
        NotFound: the brain is unknown or not readable.
    """
    scope = readable_by(writer.principal, writer.access)
    if brain_id is not None:
        scope = scope.narrow([brain_id])
    async with runtime.database.read(identity_of(writer.principal)) as conn:
        return await sessions.list_sessions(conn, scope, before=before, limit=limit)


async def require_session(conn: ReadConn | WriteConn, scope: ScopeFilter, session_id: UUID, *, lock: bool = False) -> Session:
    """The session within the scope. Raises NotFound for any other."""
    found = await sessions.find_session(conn, scope, session_id, lock=lock)
    if found is None:
        raise no_session()
    return found


def no_session() -> NotFound:
    """The same words whether there is no such session or one that the caller may not read."""
    return NotFound("no such session among those that this key may read", field="session_id")


async def _redact_title(runtime: Runtime, writer: Writer, brain_id: UUID, title: str | None) -> RedactedText | None:
    if title is None:
        return None
    rules = writer.redaction.rules_for(brain_id)
    known = await runtime.directory.names(runtime.database, identity_of(writer.principal)) if rules.finds_names else NOBODY
    key = runtime.keyring.derive(Purpose.PSEUDONYM, writer.principal.org_id, context=str(brain_id))
    return runtime.redactor.redact(clean(title, "title"), rules=rules, key=key, field="title", known=known)
