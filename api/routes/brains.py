"""`/v1/brains`: containers of memories and their members."""

from __future__ import annotations

from uuid import UUID

from api.auth import Who
from api.cursors import decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.brains import BrainChange, BrainDetailReply, BrainReply, BrainRequest, Member, MemberReply, RoleRequest
from governance.errors import InvalidInput
from memdb.directory import brains, looks
from memdb.directory.authentication import Authenticated
from memdb.storage.brains import BrainKind

router = make_router("brains")
LOOKS_SHOWN = 20


@router.post("/v1/brains", status_code=201, summary="Make a brain")
async def create_brain(runtime: InRuntime, who: Who, body: BrainRequest) -> BrainReply:
    """Makes a brain of kind room, team or org. The caller administers it. Personal and agent brains are made with their subject."""
    members = {member.subject_id: member.role for member in body.members}
    if len(members) < len(body.members):
        raise InvalidInput("a subject is a member once", field="members")
    return BrainReply.of(await brains.create_brain(runtime, who, body.kind, body.name, members, body.sharing))


@router.get("/v1/brains", summary="List brains that the caller may read")
async def list_brains(
    runtime: InRuntime, who: Who, kind: BrainKind | None = None, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[BrainReply]:
    """Oldest first."""
    question = _question(who, "brains", kind=kind)
    after = None if cursor is None else decode_id(cursor, question)
    found = await brains.list_brains(runtime, who, kind=kind, after=after, limit=limit + 1)
    more = encode(found[limit - 1].row.id, question) if len(found) > limit else None
    return Page(items=[BrainReply.of(brain) for brain in found[:limit]], next_cursor=more)


@router.get("/v1/brains/{brain_id}", summary="Read a brain")
async def get_brain(runtime: InRuntime, who: Who, brain_id: UUID) -> BrainDetailReply:
    """An unknown brain and one that the caller may not read are both 404. Looks of administrators into it are part of the reply."""
    brain = await brains.get_brain(runtime, who, brain_id)
    return BrainDetailReply.of_looked_into(brain, await looks.list_looks(runtime, who, brain_id, before=None, limit=LOOKS_SHOWN))


@router.patch("/v1/brains/{brain_id}", summary="Change a brain")
async def update_brain(runtime: InRuntime, who: Who, brain_id: UUID, body: BrainChange) -> BrainReply:
    """Gives it another name, or says who may share out of it. Needs the role admin in the brain."""
    return BrainReply.of(await brains.update_brain(runtime, who, brain_id, name=body.name, sharing=body.sharing))


@router.get("/v1/brains/{brain_id}/members", summary="List the members of a brain")
async def list_members(
    runtime: InRuntime, who: Who, brain_id: UUID, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[MemberReply]:
    """Direct members, by subject id: a team or the org stands for all of its members."""
    question = _question(who, "members", brain_id=brain_id)
    after = None if cursor is None else decode_id(cursor, question)
    found = await brains.list_members(runtime, who, brain_id, after=after, limit=limit + 1)
    more = encode(found[limit - 1].subject_id, question) if len(found) > limit else None
    return Page(items=[MemberReply.of(row) for row in found[:limit]], next_cursor=more)


@router.post("/v1/brains/{brain_id}/members", status_code=201, summary="Add a member")
async def add_member(runtime: InRuntime, who: Who, brain_id: UUID, body: Member) -> MemberReply:
    """Needs the role admin in the brain."""
    return MemberReply.of(await brains.add_member(runtime, who, brain_id, body.subject_id, body.role))


@router.patch("/v1/brains/{brain_id}/members/{subject_id}", status_code=204, summary="Change the role of a member")
async def change_role(runtime: InRuntime, who: Who, brain_id: UUID, subject_id: UUID, body: RoleRequest) -> None:
    """Needs the role admin in the brain. The last administrator stays one."""
    await brains.change_role(runtime, who, brain_id, subject_id, body.role)


@router.delete("/v1/brains/{brain_id}/members/{subject_id}", status_code=204, summary="Remove a member")
async def remove_member(runtime: InRuntime, who: Who, brain_id: UUID, subject_id: UUID) -> None:
    """Needs the role admin in the brain. The last administrator cannot be removed; nor can a subject be from its home brain."""
    await brains.remove_member(runtime, who, brain_id, subject_id)


def _question(who: Authenticated, name: str, **filters: object) -> dict[str, object]:
    return {"list": name, "org": who.principal.org_id, "subject": who.principal.subject_id, **filters}
