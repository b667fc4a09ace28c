"""Reasons: why an administrator does something that concerns somebody else, redacted before it is stored, and shown to whom it concerns."""

from __future__ import annotations

import asyncio

from governance.errors import InvalidInput
from governance.redaction.findings import RedactedText
from governance.redaction.names.known import NOBODY
from governance.redaction.rules import RedactionRules
from memdb.directory.authentication import Authenticated
from memdb.keyring import Purpose
from memdb.runtime import Runtime
from memdb.text.normalise import clean, is_blank

REASON_CHARS_MAX = 1_000


async def redact_reason(runtime: Runtime, who: Authenticated, reason: str, rules: RedactionRules, context: str) -> RedactedText:
    """The reason past the redactor.

    Args:
        runtime: of this process.
        who: gives it.
        reason: raw.
        rules: of the brain that it is about, or of the org.
        context: where it stays, so that its tokens link nothing elsewhere.

    Raises:
        InvalidInput: it is blank, too long or not storable.
        RedactionUnavailable: the redactor failed.
    """
    if is_blank(reason) or len(reason) > REASON_CHARS_MAX:
        raise InvalidInput(f"reason must say something in at most {REASON_CHARS_MAX} characters", field="reason")
    known = await runtime.directory.names(runtime.database, who.identity) if rules.finds_names else NOBODY
    key = runtime.keyring.derive(Purpose.PSEUDONYM, who.principal.org_id, context=context)
    return await asyncio.to_thread(runtime.redactor.redact, clean(reason, "reason"), rules=rules, key=key, field="reason", known=known)
