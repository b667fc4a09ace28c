"""Looks: an administrator reads a brain for a while, with a reason, and its members see it (break_glass).

A look belongs to one key and to one brain, and only reads. Whatever that key asks for while it is open is in the audit.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from governance.audit import DetailValue, actor_of
from governance.errors import AccessDenied, InvalidInput, NotFound
from governance.principals import Capability, Role, require
from governance.scopes import require_role
from memdb.directory.authentication import Authenticated
from memdb.directory.reasons import redact_reason
from memdb.errors import AlreadyExists
from memdb.ids import make_id
from memdb.runtime import Runtime
from memdb.storage import looks
from memdb.storage.audit import Auditor, record_all
from memdb.storage.looks import LookRow

SECONDS_MIN = 60
SECONDS_MAX = 3_600
SECONDS_DEFAULT = 900
_NO_BRAIN = "no such brain in this org"


async def break_glass(runtime: Runtime, who: Authenticated, brain_id: UUID, reason: str, seconds: int) -> LookRow:
    """Let the caller's key read a brain that its subject does not reach.

    Args:
        runtime: of this process.
        who: an administrator, acting for nobody.
        brain_id: of the org.
        reason: raw; shown, redacted, to everybody who reads the brain.
        seconds: SECONDS_MIN to SECONDS_MAX.

    Raises:
        AccessDenied: the caller lacks the capability admin, or its key is limited to other brains.
        NotFound: the org has no such brain.
        AlreadyExists: the caller reads the brain as it is, as a member or through a look.
        InvalidInput: the reason is blank or too long, or the time out of range.
        RedactionUnavailable: the redactor failed.
    """
    principal = who.principal
    require(principal, Capability.ADMIN)
    if not SECONDS_MIN <= seconds <= SECONDS_MAX:
        raise InvalidInput(f"seconds must be {SECONDS_MIN} to {SECONDS_MAX}", field="seconds")
    if principal.brains is not None and brain_id not in principal.brains:
        raise AccessDenied("this key is limited to other brains", field="brain_id")
    if brain_id in who.scope.brain_ids:
        raise AlreadyExists("this key reads the brain already", field="brain_id")
    why = await redact_reason(runtime, who, reason, who.redaction.rules_for(brain_id), str(brain_id))
    now = runtime.clock.now()
    ends_at = now + timedelta(seconds=seconds)
    row = LookRow(make_id(), brain_id, principal.key_id, principal.subject_id, why.text, now, ends_at)
    detail: dict[str, DetailValue] = {"look": row.id, "seconds": seconds}
    event = _auditor(runtime, who).event("break_glass.open", ("brain", brain_id), brain_id=brain_id, detail=detail)
    async with runtime.database.write(who.identity) as conn:
        if not await looks.open_look(conn, row, why):
            raise NotFound(_NO_BRAIN, field="brain_id")
        await record_all(conn, [event])
    return row


async def end(runtime: Runtime, who: Authenticated, brain_id: UUID, look_id: UUID) -> None:
    """End a look before its time, one's own or another administrator's. One that is over stays as it is.

    Raises:
        AccessDenied: the caller lacks the capability admin.
        NotFound: there is no such look into this brain.
    """
    require(who.principal, Capability.ADMIN)
    event = _auditor(runtime, who).event("break_glass.end", ("brain", brain_id), brain_id=brain_id, detail={"look": look_id})
    async with runtime.database.write(who.identity) as conn:
        if not await looks.end_look(conn, brain_id, look_id, runtime.clock.now()):
            raise NotFound("no such look into this brain", field="look_id")
        await record_all(conn, [event])


async def list_looks(runtime: Runtime, who: Authenticated, brain_id: UUID, *, before: UUID | None, limit: int) -> list[LookRow]:
    """Looks into a brain that the caller reads, newest first, open and past ones; at most `limit` of those before `before`.

    Raises:
        NotFound: the brain is unknown or not readable.
    """
    require_role(who.principal, who.access, brain_id, Role.READER)
    async with runtime.database.read(who.identity) as conn:
        return await looks.list_looks(conn, who.principal.org_id, brain_id, before=before, limit=limit)


async def record_use(runtime: Runtime, who: Authenticated, asked: str) -> None:
    """Put a request that is made while looks of its key are open into the audit, before it is answered; it fails if that fails.

    Args:
        runtime: of this process.
        who: the caller.
        asked: method and route template, such as `GET /v1/memories/{memory_id}`.
    """
    auditor = _auditor(runtime, who)
    detail = {"route": asked.replace("{", "").replace("}", "").replace(" ", ":").replace("/", ".")}
    events = [auditor.event("break_glass.use", ("look", look.id), brain_id=look.brain_id, detail=detail) for look in who.principal.looks]
    async with runtime.database.write(who.identity) as conn:
        await record_all(conn, events)


def _auditor(runtime: Runtime, who: Authenticated) -> Auditor:
    principal = who.principal
    return Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=runtime.clock.now(), request_id=who.request_id)
