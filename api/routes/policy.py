"""`/v1/admin/policy`: what an org does with its texts and with doubtful writes, and how long it keeps what. JSON, or the same as YAML."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import Depends, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError

from api.auth import Who
from api.cursors import decode_number, encode
from api.policy_yaml import PolicyFileInvalid, parse_policy, write_policy
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.inlining import inlined
from api.schemas.policy import PolicyReply, PolicyRequest, PreviewReply
from governance.principals import Capability
from memdb.directory import policies
from memdb.lifecycle.policy_preview import PREVIEW_MAX, preview

router = make_router("policy")
YAML = "application/yaml"
_YAML_TYPES = frozenset({YAML, "application/x-yaml", "text/yaml"})
Version = Annotated[int | None, Query(ge=0, le=2**31 - 1)]
Last = Annotated[int, Query(ge=1, le=PREVIEW_MAX, description="on how many of the last memories of the org it is tried")]
_SCHEMA = inlined(PolicyRequest)
_YAML_SCHEMA = {"type": "string", "description": "the same as one YAML document; `docs/examples/policy.yaml` names every key"}
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": _SCHEMA},
            YAML: {"schema": _YAML_SCHEMA, "example": "redaction:\n  actions:\n    EMAIL_ADDRESS: mask\n"},
        },
    }
}


async def _read_policy(request: Request) -> PolicyRequest:
    """The body of a request, whichever of the two it is.

    Raises:
        RequestValidationError: it is no policy; for YAML each error has its line.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in _YAML_TYPES:
        try:
            return PolicyRequest.model_validate(await request.json())
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False)
            raise RequestValidationError([{**each, "loc": ("body", *each["loc"])} for each in found]) from None
        except ValueError:
            raise RequestValidationError([{"type": "json_invalid", "loc": ("body",), "msg": ""}]) from None
    try:
        return await asyncio.to_thread(parse_policy, await request.body())
    except PolicyFileInvalid as invalid:
        problems = [
            {"type": "memdb", "loc": ("body",), "msg": each.reason, "ctx": {"line": each.line, "path": each.path}}
            for each in invalid.problems
        ]
        raise RequestValidationError(problems) from None


PolicyBody = Annotated[PolicyRequest, Depends(_read_policy)]


@router.get(
    "/v1/admin/policy",
    summary="Read the policy",
    response_model=PolicyReply,
    responses={200: {"content": {YAML: {"schema": _YAML_SCHEMA, "example": "# version 0\n{}\n"}}}},
)
async def get_policy(runtime: InRuntime, who: Who, request: Request, version: Version = None) -> PolicyReply | Response:
    """The version that holds, or an earlier one; version 0 is the defaults. With `Accept: application/yaml` as it would be set."""
    reply = PolicyReply.of(await policies.get_policy(runtime, who, version))
    accepted = {each.partition(";")[0].strip().lower() for each in request.headers.get("accept", "").split(",")}
    if accepted & _YAML_TYPES:
        return Response(write_policy(reply.model_dump(mode="json"), reply.told), media_type=YAML)
    return reply


@router.put("/v1/admin/policy", summary="Set the policy", openapi_extra=_BODY)
async def set_policy(runtime: InRuntime, who: Who, body: PolicyBody, expected_version: Version = None) -> PolicyReply:
    """It holds for every request that begins from now on; memories that are stored stay as they are (`memdb redact scan`)."""
    expected = body.expected_version if expected_version is None else expected_version
    return PolicyReply.of(await policies.set_policy(runtime, who, body.document(), expected))


@router.post("/v1/admin/policy:preview", summary="Try a policy", openapi_extra=_BODY)
async def preview_policy(runtime: InRuntime, who: Who, body: PolicyBody, last: Last = 200) -> PreviewReply:
    """What it would have done otherwise to the last writes, as they are stored; nothing is changed. Ids need the capability reviewer."""
    found = await preview(runtime, who, body.document(), last)
    return PreviewReply.of(found, with_ids=Capability.REVIEWER in who.principal.capabilities)


@router.get("/v1/admin/policy/versions", summary="List versions of the policy")
async def list_policies(runtime: InRuntime, who: Who, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[PolicyReply]:
    """Those that were set, newest first."""
    question = {"list": "policies", "org": who.principal.org_id}
    before = None if cursor is None else decode_number(cursor, question)
    found = await policies.list_policies(runtime, who, before=before, limit=limit + 1)
    more = encode(str(found[limit - 1].version), question) if len(found) > limit else None
    return Page(items=[PolicyReply.of(row) for row in found[:limit]], next_cursor=more)
