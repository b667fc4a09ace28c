"""A selection of a quarantine as it was sent, made into one that the product takes: patterns compiled, questions asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from api.callers import reader_of
from governance.errors import InvalidInput
from governance.redaction.names.known import NOBODY
from memdb.keyring import Purpose
from memdb.lifecycle.quarantine.selection import Match, Selection
from memdb.text.normalise import clean
from retrieval.engine import recall
from retrieval.people.matching import PATTERN_CHARACTERS_MAX, Pattern, compile_pattern, has_line
from retrieval.query import RecallRequest

if TYPE_CHECKING:
    from uuid import UUID

    from api.schemas.quarantine import PatternBody, SelectionBody
    from memdb.directory.authentication import Authenticated
    from memdb.runtime import Runtime

PURPOSE = "quarantine"


async def selection_of(runtime: Runtime, who: Authenticated, body: SelectionBody) -> Selection:
    """The selection of a request.

    Raises:
        InvalidInput: a pattern or a question is refused.
        PersonalDataInIdentifier: the id of a key is none.
        RedactionUnavailable: the redactor failed.
    """
    if body.key_id is not None:
        runtime.redactor.check_identifier(body.key_id, "selection.key_id")
    found: tuple[UUID, ...] | None = None
    if body.search is not None:
        request = RecallRequest(query=body.search.query, limit=body.search.limit, min_score=0.0, purpose=PURPOSE)
        answer = await recall(runtime, reader_of(who), request)
        found = tuple(one.memory.id for one in answer.evidence)
    ids = None if body.ids is None else tuple(body.ids)
    if found is not None and ids is not None:
        ids = tuple(one for one in ids if one in found)
    return Selection(
        ids=found if ids is None else ids,
        writer=body.writer,
        key_id=body.key_id,
        session_id=body.session_id,
        source=body.source,
        created_from=body.created_from,
        created_to=body.created_to,
        brain_id=body.brain_id,
        match=None if body.pattern is None else await _match(runtime, who, body.pattern),
        searched=found is not None,
        forward=body.forward,
        backward=body.backward,
    )


async def _match(runtime: Runtime, who: Authenticated, body: PatternBody) -> Match:
    # What no pattern can be is refused before the redactor reads it.
    if len(body.text) > PATTERN_CHARACTERS_MAX:
        raise InvalidInput(f"pattern is longer than {PATTERN_CHARACTERS_MAX} characters", field="pattern")
    rules = who.redaction.strictest(())
    known = await runtime.directory.names(runtime.database, who.identity) if rules.finds_names else NOBODY
    key = runtime.keyring.derive(Purpose.PSEUDONYM, who.principal.org_id, context="question")

    def read() -> Pattern:
        text = runtime.redactor.redact(clean(body.text, "pattern"), rules=rules, key=key, field="pattern", known=known)
        return compile_pattern(text, regex=body.regex, folded=True)

    pattern = await asyncio.to_thread(read)
    return lambda texts: [has_line(text, pattern) for text in texts]
