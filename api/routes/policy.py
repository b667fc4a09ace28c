"""`/v1/admin/policy`: what an org does with personal data in its texts."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from api.auth import Who
from api.cursors import decode_number, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.policy import PolicyReply, PolicyRequest
from memdb.directory import policies

router = make_router("policy")
Version = Annotated[int | None, Query(ge=0, le=2**31 - 1)]


@router.get("/v1/admin/policy", summary="Read the policy")
async def get_policy(runtime: InRuntime, who: Who, version: Version = None) -> PolicyReply:
    """The version that holds, or an earlier one; version 0 is the defaults."""
    return PolicyReply.of(await policies.get_policy(runtime, who, version))


@router.put("/v1/admin/policy", summary="Set the policy")
async def set_policy(runtime: InRuntime, who: Who, body: PolicyRequest) -> PolicyReply:
    """It holds for every request that begins from now on; memories that are stored stay as they are (`memdb redact scan`)."""
    row = await policies.set_policy(runtime, who, body.document(), body.expected_version)
    return PolicyReply.of(row)


@router.get("/v1/admin/policy/versions", summary="List versions of the policy")
async def list_policies(runtime: InRuntime, who: Who, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[PolicyReply]:
    """Those that were set, newest first."""
    question = {"list": "policies", "org": who.principal.org_id}
    before = None if cursor is None else decode_number(cursor, question)
    found = await policies.list_policies(runtime, who, before=before, limit=limit + 1)
    more = encode(str(found[limit - 1].version), question) if len(found) > limit else None
    return Page(items=[PolicyReply.of(row) for row in found[:limit]], next_cursor=more)
