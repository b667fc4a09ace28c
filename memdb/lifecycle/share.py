"""Sharing: the one way in which something known in one brain comes into another. By whoever said it, or whom it is about, and audited."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from governance.audit import DetailValue, actor_of
from governance.errors import AccessDenied, InvalidInput, ServiceError
from governance.principals import Role
from governance.scopes import readable_by, require_role
from governance.trust import Trust
from memdb.formation.authorise import authorise
from memdb.formation.batch import Batch
from memdb.formation.pipeline import Formed, Writer, form_authorised
from memdb.lifecycle.edit import get_served
from memdb.models.memory import Kind, Memory
from memdb.models.submission import Source, SourceKind, Submission
from memdb.runtime import Runtime
from memdb.storage import brains, subjects
from memdb.storage.audit import Auditor, record
from memdb.storage.brains import Sharing
from memdb.storage.database import identity_of


@dataclass(frozen=True, slots=True)
class Share:
    """Which memory goes into which brain."""

    memory_id: UUID
    brain_id: UUID


async def share(runtime: Runtime, writer: Writer, wanted: Share) -> Formed:
    """Copy the current version of a memory into another brain, through the whole write path; one receipt or error.

    The copy has the text, the subjects and the topic, and neither the excerpts of the conversation nor a link to it.

    Raises:
        NotFound: the memory or the brain is unknown or not readable.
        AccessDenied: the caller neither said it nor is it about them, or may not write into the brain, or the brain lets nobody share.
        InvalidInput: it lies in that brain already, or is a working memory.
        StorageUnavailable: as `form`.
    """
    now, principal = runtime.clock.now(), writer.principal
    memory = await get_served(runtime, writer, wanted.memory_id, now)
    require_role(principal, writer.access, wanted.brain_id, Role.WRITER)
    if memory.brain_id == wanted.brain_id:
        raise InvalidInput("the memory lies in this brain already", field="brain_id")
    if memory.kind is Kind.WORKING:
        raise InvalidInput("a working memory is not shared; it ends soon", field="memory_id")
    await _require_owner(runtime, writer, memory)
    batch = Batch.of([_copy(memory, wanted.brain_id)]).each(
        lambda s: authorise(s, principal=principal, access=writer.access, home_brain_id=None, now=now)
    )
    formed = await form_authorised(runtime, writer, batch, None, now)
    receipt = formed.outcomes[0]
    if not isinstance(receipt, ServiceError):
        auditor = Auditor(runtime.keyring, principal.org_id, actor_of(principal), at=now, request_id=writer.request_id)
        detail: dict[str, DetailValue] = {"version": memory.version, "to_brain": wanted.brain_id, "as": receipt.id}
        async with runtime.database.write(identity_of(principal)) as conn:
            await record(conn, auditor.event("memory.share", ("memory", memory.id), brain_id=memory.brain_id, detail=detail))
    return formed


async def _require_owner(runtime: Runtime, writer: Writer, memory: Memory) -> None:
    principal = writer.principal
    async with runtime.database.read(identity_of(principal)) as conn:
        row = await brains.find_brain(conn, readable_by(principal, writer.access), memory.brain_id)
        owners = {*memory.about, *([memory.said_by] if memory.said_by else [])}
        same = await subjects.expand(conn, principal.org_id, owners)
    if row is None or row.sharing is Sharing.NOBODY:
        raise AccessDenied("what this brain holds is shared by nobody; an admin of the brain may change its sharing", field="memory_id")
    if principal.subject_id not in same.members:
        raise AccessDenied("a memory is shared by who said it or whom it is about", field="memory_id")


def _copy(memory: Memory, brain_id: UUID) -> Submission:
    return Submission(
        content=memory.content,
        kind=memory.kind,
        brain_id=brain_id,
        topic=memory.topic,
        tags=memory.tags,
        data=memory.data if isinstance(memory.data, dict) else {},
        about=memory.about,
        said_by=memory.said_by,
        # SECURITY: whatever lowered its trust there lowers it here.
        source=None if memory.source_kind is None else Source(kind=SourceKind(memory.source_kind)),
        trust=Trust.parse(memory.trust),
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        placement=memory.placement,
    )
