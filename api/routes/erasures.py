"""Forgetting for good: subjects, memories, conversations and sources, with a look before and a receipt behind."""

from __future__ import annotations

from uuid import UUID

from fastapi import Response

from api.auth import Who
from api.cursors import decode, decode_id, encode
from api.routing import PAGE_DEFAULT, Cursor, InRuntime, Limit, make_router
from api.schemas.base import Page
from api.schemas.erasures import DecideBody, ErasureOut, ForgetBody, LeftOut
from memdb.lifecycle.erasure import requests
from memdb.storage.erasures import Erasure, State, Target

router = make_router("erasures")
_ACCEPTED = 202


@router.post("/v1/subjects/{subject_id}:forget", summary="Erase a subject")
async def forget_subject(runtime: InRuntime, who: Who, subject_id: UUID, body: ForgetBody, response: Response) -> ErasureOut:
    """Everything about and by it, and by all that were merged with it. 202 while a job goes on. Needs the capability admin."""
    if body.dry_run:
        return ErasureOut.looked(await requests.look_at_subject(runtime, who, subject_id))
    return _reply(await requests.forget_subject(runtime, who, subject_id), response)


@router.post("/v1/memories/{memory_id}:forget", summary="Erase a memory for good")
async def forget_memory(runtime: InRuntime, who: Who, memory_id: UUID, body: ForgetBody, response: Response) -> ErasureOut:
    """As DELETE, and what it alone rests on: turns, questions that it answered, how it was derived."""
    return await _object(runtime, who, (Target.MEMORY, memory_id), body, response)


@router.post("/v1/sessions/{session_id}:forget", summary="Erase what was said in a session")
async def forget_session(runtime: InRuntime, who: Who, session_id: UUID, body: ForgetBody, response: Response) -> ErasureOut:
    """Its turns are blanked, and what was learned from it alone goes. The session stays and takes further turns."""
    return await _object(runtime, who, (Target.SESSION, session_id), body, response)


@router.post("/v1/episodes/{episode_id}:forget", summary="Erase a source")
async def forget_source(runtime: InRuntime, who: Who, episode_id: UUID, body: ForgetBody, response: Response) -> ErasureOut:
    """Its fragments go, and the memories that came from it alone."""
    return await _object(runtime, who, (Target.SOURCE, episode_id), body, response)


@router.get("/v1/admin/erasures", summary="List erasures")
async def list_erasures(runtime: InRuntime, who: Who, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT) -> Page[ErasureOut]:
    """Newest first."""
    question = {"list": "erasures", "org": who.principal.org_id}
    before = None if cursor is None else decode_id(cursor, question)
    found = await requests.list_erasures(runtime, who, before=before, limit=limit + 1)
    more = encode(found[limit - 1].id, question) if len(found) > limit else None
    return Page(items=[ErasureOut.of(one, {}) for one in found[:limit]], next_cursor=more)


@router.get("/v1/admin/erasures/{erasure_id}", summary="Read an erasure")
async def get_erasure(runtime: InRuntime, who: Who, erasure_id: UUID) -> ErasureOut:
    """How far it is, what it has counted, and its receipt once it is complete."""
    return ErasureOut.of(*await requests.get_erasure(runtime, who, erasure_id))


@router.get("/v1/admin/erasures/{erasure_id}/decisions", summary="List what an erasure leaves to a person")
async def list_decisions(
    runtime: InRuntime, who: Who, erasure_id: UUID, cursor: Cursor = None, limit: Limit = PAGE_DEFAULT
) -> Page[LeftOut]:
    """By kind and id; no text."""
    question = {"list": "decisions", "org": who.principal.org_id, "erasure": erasure_id}
    after = None if cursor is None else _parse(decode(cursor, question))
    found = await requests.list_decisions(runtime, who, erasure_id, after=after, limit=limit + 1)
    last = found[limit - 1] if len(found) > limit else None
    more = None if last is None else encode(f"{last.object_kind}/{last.object_id}", question)
    return Page(items=[LeftOut.of(one) for one in found[:limit]], next_cursor=more)


@router.post("/v1/admin/erasures/{erasure_id}:decide", summary="Decide what an erasure left")
async def decide(runtime: InRuntime, who: Who, erasure_id: UUID, body: DecideBody, response: Response) -> ErasureOut:
    """Whether a name that others share means the subject there; the erasure goes on with that."""
    return _reply(await requests.decide(runtime, who, erasure_id, body.decision.value, body.objects), response)


async def _object(runtime: InRuntime, who: Who, target: tuple[Target, UUID], body: ForgetBody, response: Response) -> ErasureOut:
    if body.dry_run:
        return ErasureOut.looked(await requests.look_at_object(runtime, who, *target))
    return _reply(await requests.forget_object(runtime, who, *target), response)


def _reply(erasure: Erasure, response: Response) -> ErasureOut:
    if erasure.state is State.RUNNING:
        response.status_code = _ACCEPTED
    return ErasureOut.of(erasure, {})


def _parse(kept: str) -> tuple[str, UUID]:
    kind, _, object_id = kept.partition("/")
    return kind, UUID(object_id)
