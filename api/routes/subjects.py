"""`/v1/subjects`: people, agents, services, teams and projects of an org."""

from __future__ import annotations

from uuid import UUID

from api.auth import Who
from api.cursors import decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.subjects import (
    AliasBody,
    MergeBody,
    PlatformId,
    RenameBody,
    ResolveBody,
    ResolveReply,
    SubjectBody,
    SubjectReply,
    TeamMemberBody,
    TeamMemberReply,
)
from memdb.directory import merging, resolving, subjects
from memdb.storage.subjects import SubjectKind

router = make_router("subjects")


@router.post("/v1/subjects", status_code=201, summary="Make a subject")
async def create_subject(runtime: InRuntime, who: Who, body: SubjectBody) -> SubjectReply:
    """Makes a person, agent, service, team or project and its home brain. Needs the capability admin or loader."""
    return SubjectReply.of(await subjects.create_subject(runtime, who, body.request()))


@router.get("/v1/subjects", summary="List subjects")
async def list_subjects(
    runtime: InRuntime, who: Who, kind: SubjectKind | None = None, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[SubjectReply]:
    """The directory of the org, oldest first."""
    question = {"list": "subjects", "org": who.principal.org_id, "kind": kind}
    after = None if cursor is None else decode_id(cursor, question)
    found = await subjects.list_subjects(runtime, who, kind=kind, after=after, limit=limit + 1)
    more = encode(found[limit - 1].row.id, question) if len(found) > limit else None
    return Page(items=[SubjectReply.of(subject) for subject in found[:limit]], next_cursor=more)


@router.post("/v1/subjects:lookup", summary="Find a subject by its id on a platform")
async def look_up_subject(runtime: InRuntime, who: Who, body: PlatformId) -> SubjectReply:
    """The external id travels in the body, because it is often a telephone number. 404 when nobody has it."""
    return SubjectReply.of(await subjects.look_up_subject(runtime, who, body.external()))


@router.post("/v1/subjects:resolve", summary="Find out who is meant by a name")
async def resolve_subject(runtime: InRuntime, who: Who, body: ResolveBody) -> ResolveReply:
    """One subject if nobody else can be meant, else candidates and what tells them apart. It never guesses between two."""
    return ResolveReply.of(await resolving.resolve(runtime, who, body.asked()))


@router.get("/v1/subjects/{subject_id}", summary="Read a subject")
async def get_subject(runtime: InRuntime, who: Who, subject_id: UUID) -> SubjectReply:
    return SubjectReply.of(await subjects.get_subject(runtime, who, subject_id))


@router.patch("/v1/subjects/{subject_id}", summary="Rename a subject")
async def rename_subject(runtime: InRuntime, who: Who, subject_id: UUID, body: RenameBody) -> SubjectReply:
    """It stays known under its former labels. Needs the capability admin or loader."""
    return SubjectReply.of(await subjects.rename_subject(runtime, who, subject_id, body.name))


@router.post("/v1/subjects/{subject_id}:merge", summary="Say that a subject is the same as another one")
async def merge_subject(runtime: InRuntime, who: Who, subject_id: UUID, body: MergeBody) -> SubjectReply:
    """`into_id` stands for both from the next request on; no memory is rewritten. Needs the capability admin."""
    return SubjectReply.of(await merging.merge(runtime, who, subject_id, body.into_id))


@router.post("/v1/subjects/{subject_id}:split", summary="Undo a merge")
async def split_subject(runtime: InRuntime, who: Who, subject_id: UUID) -> SubjectReply:
    """The subject stands for itself again. 404 when it was merged into nobody. Needs the capability admin."""
    return SubjectReply.of(await merging.split(runtime, who, subject_id))


@router.post("/v1/subjects/{subject_id}/aliases", summary="Add an alias")
async def add_alias(runtime: InRuntime, who: Who, subject_id: UUID, body: AliasBody) -> SubjectReply:
    """A label that the subject has already is left as it is, and where it was seen is noted. Needs the capability admin or loader."""
    return SubjectReply.of(await subjects.add_alias(runtime, who, subject_id, body.alias, body.seen()))


@router.post("/v1/subjects/{subject_id}/identities", status_code=201, summary="Add a platform id")
async def add_identity(runtime: InRuntime, who: Who, subject_id: UUID, body: PlatformId) -> SubjectReply:
    """409 when a subject has it. Needs the capability admin or loader."""
    return SubjectReply.of(await subjects.add_identity(runtime, who, subject_id, body.external()))


@router.get("/v1/subjects/{subject_id}/members", summary="List the members of a team or project")
async def list_team(
    runtime: InRuntime, who: Who, subject_id: UUID, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[TeamMemberReply]:
    """By subject id."""
    question = {"list": "team", "org": who.principal.org_id, "team": subject_id}
    after = None if cursor is None else decode_id(cursor, question)
    found = await subjects.list_team(runtime, who, subject_id, after=after, limit=limit + 1)
    more = encode(found[limit - 1], question) if len(found) > limit else None
    return Page(items=[TeamMemberReply(subject_id=member_id) for member_id in found[:limit]], next_cursor=more)


@router.post("/v1/subjects/{subject_id}/members", status_code=204, summary="Add somebody to a team or project")
async def add_team_member(runtime: InRuntime, who: Who, subject_id: UUID, body: TeamMemberBody) -> None:
    """The new member reaches the brains of the group from the next request on. Needs the capability admin."""
    await subjects.add_team_member(runtime, who, subject_id, body.subject_id)


@router.delete("/v1/subjects/{subject_id}/members/{member_id}", status_code=204, summary="Take somebody out of a team or project")
async def remove_team_member(runtime: InRuntime, who: Who, subject_id: UUID, member_id: UUID) -> None:
    """Needs the capability admin."""
    await subjects.remove_team_member(runtime, who, subject_id, member_id)
