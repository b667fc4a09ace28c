"""Root of every error that memdb raises on purpose, and the refusals.

    ServiceError                     code, retryable, a message that a stranger may read
    └─ Refusal                       "no", not a fault
       ├─ Unauthenticated            unauthenticated
       ├─ AccessDenied               access_denied
       ├─ NotFound                   not_found
       ├─ InvalidInput               invalid_input
       │  ├─ PersonalDataInIdentifier  personal_data_in_identifier
       │  └─ ContentTooLarge         content_too_large
       ├─ PolicyRejected             policy_rejected
       ├─ RateLimited                rate_limited (retryable, after the time that it names)
       │  └─ LockedOut               locked_out
       └─ RedactionUnavailable       redaction_unavailable (retryable; nothing was stored)

The rest of the tree is drawn in `memdb/errors.py`. Domain code knows no HTTP: `api/errors.py` maps codes to statuses.

INVARIANT: a message names the object and says what to do; it never contains memory text, a query, or a redacted value.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


class ServiceError(Exception):
    """Something was refused or failed in a way that callers can act on."""

    code: ClassVar[str] = "service_error"
    retryable: ClassVar[bool] = False

    def __init__(self, message: str | None = None, *, field: str | None = None, facts: Mapping[str, object] | None = None) -> None:
        """Keep a message for people; the class docstring is the default.

        Args:
            message: lower case, names the object, says what to do; never input text.
            field: path of the input field at fault, such as `source.episode.started_at`.
            facts: ids and numbers that a program acts on, by name, such as `current_version`; never text.
        """
        self.message = message or _first_line(type(self))
        self.field = field
        self.facts = facts or {}
        super().__init__(self.message)


class Refusal(ServiceError):
    """The request is understood and not allowed."""

    code = "refused"


class Unauthenticated(Refusal):
    """The credential is missing, unknown, expired or revoked."""

    code = "unauthenticated"


class AccessDenied(Refusal):
    """The credential may see this object but not do this with it."""

    code = "access_denied"


class NotFound(Refusal):
    """No such object, or none that this credential may read: the two are not told apart."""

    code = "not_found"


class InvalidInput(Refusal):
    """A field of the request is missing, malformed or out of range."""

    code = "invalid_input"


class PersonalDataInIdentifier(InvalidInput):
    """Personal data or a secret stands where an identifier is expected; identifiers are never rewritten."""

    code = "personal_data_in_identifier"


class ContentTooLarge(InvalidInput):
    """The text is longer than a memory may be; split it into statements."""

    code = "content_too_large"


class PolicyRejected(Refusal):
    """The policy of this org does not allow this write."""

    code = "policy_rejected"


class RateLimited(Refusal):
    """More requests than this key or its org may send in a minute; slow down."""

    code = "rate_limited"
    retryable = True

    def __init__(self, message: str | None = None, *, retry_after_s: int) -> None:
        """`retry_after_s`: whole seconds, at least 1, after which the next request may be answered."""
        super().__init__(message, facts={"retry_after_s": retry_after_s})


class LockedOut(RateLimited):
    """Too many failed attempts with this key id from this address; wait, then send the right key."""

    code = "locked_out"


class UnderLegalHold(Refusal):
    """It is under a legal hold of this org's policy, and is not deleted; an administrator may end the hold."""

    code = "legal_hold"


class RedactionUnavailable(ServiceError):
    """The redactor failed, so nothing was stored; try again."""

    code = "redaction_unavailable"
    retryable = True


def _first_line(cls: type) -> str:
    return (cls.__doc__ or cls.__name__).strip().splitlines()[0].rstrip(".").lower()
