"""Notes: what somebody remarks on a memory or a conflict, redacted as a text of the brain where it stays."""

from __future__ import annotations

import asyncio
from uuid import UUID

from governance.errors import InvalidInput
from governance.principals import Principal
from governance.redaction.findings import RedactedText
from governance.redaction.names.known import NOBODY
from governance.redaction.policy import RedactionPolicy
from memdb.keyring import Purpose
from memdb.models.submission import NOTE_CHARS_MAX
from memdb.runtime import Runtime
from memdb.storage.database import identity_of
from memdb.text.normalise import clean, is_blank


def check_note(note: str | None) -> None:
    """Raise InvalidInput for a note that is blank or too long."""
    if note is not None and (is_blank(note) or len(note) > NOTE_CHARS_MAX):
        raise InvalidInput(f"note must say something in at most {NOTE_CHARS_MAX} characters, or be left out", field="note")


async def redact_note(
    runtime: Runtime, principal: Principal, policy: RedactionPolicy, note: str | None, brain_id: UUID
) -> RedactedText | None:
    """The note past the redactor; None for none.

    Raises:
        InvalidInput: it is not storable.
        RedactionUnavailable: the redactor failed.
    """
    if note is None:
        return None
    rules = policy.rules_for(brain_id)
    known = await runtime.directory.names(runtime.database, identity_of(principal)) if rules.finds_names else NOBODY
    key = runtime.keyring.derive(Purpose.PSEUDONYM, principal.org_id, context=str(brain_id))
    return await asyncio.to_thread(runtime.redactor.redact, clean(note, "note"), rules=rules, key=key, field="note", known=known)
