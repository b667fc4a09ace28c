"""`/v1/admin/keys` and `/v1/keys`: credentials of an org, and those that concern the caller."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Path

from api.auth import Who
from api.cursors import decode, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.keys import CreatedKeyReply, KeyReply, KeyRequest, RotationRequest
from memdb.directory import keys, rotating
from memdb.storage.keys import KeyRow

router = make_router("keys")
KeyId = Annotated[str, Path(pattern="^[a-z0-9]{4,32}$")]


@router.post("/v1/admin/keys", status_code=201, summary="Make a key")
async def create_key(runtime: InRuntime, who: Who, body: KeyRequest) -> CreatedKeyReply:
    """The key itself is in this reply and nowhere else. It cannot be allowed more than the key that makes it."""
    return CreatedKeyReply.of_created(await keys.create_key(runtime, who, body.grant(), body.reason))


@router.get("/v1/admin/keys", summary="List keys")
async def list_keys(
    runtime: InRuntime, who: Who, subject_id: UUID | None = None, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[KeyReply]:
    """By key id, revoked and expired ones too; never a secret."""
    question = {"list": "keys", "org": who.principal.org_id, "subject": subject_id}
    after = None if cursor is None else decode(cursor, question)
    return _page(await keys.list_keys(runtime, who, subject_id=subject_id, after=after, limit=limit + 1), limit, question)


@router.get("/v1/keys", summary="List the keys that concern the caller")
async def list_own_keys(runtime: InRuntime, who: Who, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[KeyReply]:
    """Keys of the caller's subject, those that may act for it and those that may act in a brain that it reads: by id, never a secret."""
    question = {"list": "own_keys", "org": who.principal.org_id, "subject": who.principal.subject_id}
    after = None if cursor is None else decode(cursor, question)
    return _page(await keys.list_own_keys(runtime, who, after=after, limit=limit + 1), limit, question)


@router.post("/v1/admin/keys/{key_id}:rotate", status_code=201, summary="Rotate a key")
async def rotate_key(runtime: InRuntime, who: Who, key_id: KeyId, body: RotationRequest) -> CreatedKeyReply:
    """Makes a successor with the same rights, shown in this reply and nowhere else; the former goes on for a while. Needs the capability
    admin, or is the key itself.
    """
    rotation = rotating.Rotation(body.grace_seconds, body.expires_at, body.reason)
    return CreatedKeyReply.of_created(await rotating.rotate_key(runtime, who, key_id, rotation))


@router.delete("/v1/admin/keys/{key_id}", status_code=204, summary="Revoke a key")
async def revoke_key(runtime: InRuntime, who: Who, key_id: KeyId) -> None:
    """At once and for good."""
    await keys.revoke_key(runtime, who, key_id)


def _page(found: list[KeyRow], limit: int, question: dict[str, object]) -> Page[KeyReply]:
    more = encode(found[limit - 1].id, question) if len(found) > limit else None
    return Page(items=[KeyReply.of(row) for row in found[:limit]], next_cursor=more)
