"""The credential of a request, checked before its body is read. `api/routing.py` calls `admit` for every route."""

from __future__ import annotations

import hmac
from typing import Annotated

from fastapi import Depends, Request

from api.access import Access, Door, is_loopback
from api.lockout import Lockout
from api.rate_limits import RateLimits
from governance.errors import AccessDenied, Unauthenticated
from memdb.directory import looks
from memdb.directory.authentication import Authenticated, Authenticator
from memdb.runtime import Runtime

ACT_AS_HEADER = "Memdb-Act-As"


async def admit(request: Request, access: Access) -> None:
    """Let a request in or refuse it; who it is stands in `request.state.who` from then on.

    Raises:
        Unauthenticated: a key is needed and missing, or a presented key is not accepted.
        AccessDenied: the key has none of the capabilities, or may not act for the subject of the header.
        RateLimited: the key or its org sends too much, or this address has tried too many wrong secrets for this key id.
    """
    presented = find_key(request)
    if access.door is Door.PUBLIC or (access.door is Door.LOOPBACK_OR_KEY and presented is None and is_loopback(request.scope)):
        return
    who = await authenticate(request, presented)
    limits: RateLimits = request.app.state.rate_limits
    limits.count(who.principal.org_id, who.principal.key_id, who.grant.requests_per_minute)
    if access.capabilities and not access.capabilities & who.principal.capabilities:
        needed = " or ".join(sorted(c.value for c in access.capabilities))
        raise AccessDenied(f"this needs a key with the capability {needed}")
    if who.principal.looks:
        runtime: Runtime = request.app.state.runtime
        await looks.record_use(runtime, who, f"{request.method} {request.scope['route'].path}")


async def authenticate(request: Request, presented: str | None) -> Authenticated:
    """Check the presented key.

    Raises:
        Unauthenticated: none, or not accepted.
        AccessDenied: it may not act for the subject of the header.
        LockedOut: too many wrong secrets came from this address for this key id.
    """
    if presented is None:
        raise Unauthenticated("send a key as `Authorization: Bearer …` or `X-API-Key: …`")
    authenticator: Authenticator = request.app.state.authenticator
    acting = request.headers.getlist(ACT_AS_HEADER)
    if len(acting) > 1:
        raise AccessDenied("a request acts for one subject")
    lockout: Lockout = request.app.state.lockout
    with lockout.attempt(None if request.client is None else request.client.host, presented):
        who = await authenticator.authenticate(presented, acting[0] if acting else None, request.state.request_id)
    request.state.key_id = who.principal.key_id
    request.state.who = who
    return who


def find_key(request: Request) -> str | None:
    """The presented key; None when there is none.

    Raises:
        Unauthenticated: several that differ, or a scheme other than Bearer.
    """
    keys = list(request.headers.getlist("x-api-key"))
    for value in request.headers.getlist("authorization"):
        scheme, _, key = value.partition(" ")
        if scheme.lower() != "bearer":
            raise Unauthenticated("the scheme of Authorization must be Bearer")
        keys.append(key.strip())
    if any(not hmac.compare_digest(key.encode(), keys[0].encode()) for key in keys[1:]):
        raise Unauthenticated("two different keys were sent; send one")
    return keys[0] if keys else None


def who_asks(request: Request) -> Authenticated:
    """The caller of a request that was admitted with a key."""
    who: Authenticated = request.state.who
    return who


async def _who(request: Request) -> Authenticated:  # async, or it would run in a thread
    return who_asks(request)


Who = Annotated[Authenticated, Depends(_who)]
"""The caller of a route whose line in the access table asks for a key."""
