"""Cards, drawers and folders of subjects: people, agents, teams and projects alike."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import Query, Response

from api.auth import Who
from api.callers import reader_of
from api.routing import InRuntime, make_router
from api.schemas.people import CardReply, GrepBody, GrepReply
from retrieval.people.card import read_card
from retrieval.people.folder import Wanted, read_contents
from retrieval.people.grep import grep
from retrieval.people.notes import write_notes

router = make_router("people")

MARKDOWN = "text/markdown"
Brains = Annotated[list[UUID] | None, Query(description="only these brains; one that the caller may not read is 404")]
Audience = Annotated[
    list[UUID] | None, Query(description="subjects who will see the answer: only what all of them may read; an unknown id is a guest")
]
TokenBudget = Annotated[int | None, Query(description="tokens (o200k) of the text at most")]


@router.get("/v1/subjects/{subject_id}/card", summary="Read the card of a subject")
async def read_subject_card(
    subject_id: UUID,
    who: Who,
    runtime: InRuntime,
    brain_id: Brains = None,
    audience: Audience = None,
    token_budget: TokenBudget = None,
) -> CardReply:
    """What is always to be kept in mind of a subject, and one line on what else there is and how to open it."""
    return CardReply.of(await read_card(runtime, reader_of(who), _wanted(subject_id, brain_id, audience), token_budget))


@router.post("/v1/subjects/{subject_id}/drawer:grep", summary="Grep in the drawer of a subject")
async def grep_drawer(subject_id: UUID, body: GrepBody, who: Who, runtime: InRuntime) -> GrepReply:
    """Lines that hold a text or match an expression, newest memory first. Time is bounded whatever the pattern is."""
    return GrepReply.of(await grep(runtime, reader_of(who), body.wanted(subject_id), body.to_request()))


@router.get(
    "/v1/subjects/{subject_id}/notes.md",
    summary="Read the folder of a subject as Markdown",
    response_class=Response,
    responses={200: {"content": {MARKDOWN: {"schema": {"type": "string"}, "example": "# Ana\n\n## Front\n\n## Drawer\n"}}}},
)
async def read_notes(subject_id: UUID, who: Who, runtime: InRuntime, brain_id: Brains = None, audience: Audience = None) -> Response:
    """Front and drawer, everything that the caller and the audience may read. Text of memories cannot pass for a heading."""
    contents = await read_contents(runtime, reader_of(who), _wanted(subject_id, brain_id, audience))
    return Response(write_notes(contents), media_type=f"{MARKDOWN}; charset=utf-8")


def _wanted(subject_id: UUID, brains: list[UUID] | None, audience: list[UUID] | None) -> Wanted:
    return Wanted(subject_id, None if brains is None else frozenset(brains), None if audience is None else tuple(audience))
