"""The idempotency key of a request, for every route that writes memories."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, Annotated

from fastapi import Header, Request

from memdb.formation.check import check_identifier
from memdb.keyring import Purpose
from memdb.storage.idempotency import Ticket

if TYPE_CHECKING:
    from memdb.directory.authentication import Authenticated
    from memdb.runtime import Runtime

IdempotencyKey = Annotated[
    str | None,
    Header(max_length=200, description="the same key and body within 24 hours write once; another body is 409. No personal data."),
]


async def ticket_of(runtime: Runtime, who: Authenticated, request: Request, key: str | None) -> Ticket | None:
    """The ticket of a request; None when it carries no key.

    Raises:
        InvalidInput, PersonalDataInIdentifier: the key is blank, too long or holds personal data.
    """
    if key is None:
        return None
    name = check_identifier(key, "Idempotency-Key")
    runtime.redactor.check_identifier(name, "Idempotency-Key", who.redaction.rules)
    secret = runtime.keyring.derive(Purpose.IDEMPOTENCY, who.principal.org_id)
    # The subject is part of the body: the same key acting for somebody else asks for something else. So is the path with the ids in it.
    body = f"{who.principal.subject_id}\x1f{request.url.path}\x1f".encode() + await request.body()
    return Ticket(
        org_id=who.principal.org_id,
        key_id=who.principal.key_id,
        route=f"{request.method} {request.scope['route'].path}",
        key_digest=hmac.digest(secret, name.encode(), hashlib.sha256),
        body_digest=hmac.digest(secret, body, hashlib.sha256),
    )
