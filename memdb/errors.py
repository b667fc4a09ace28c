"""The rest of the error tree; refusals stand in `governance/errors.py`.

ServiceError
├─ StorageError
│  ├─ VersionConflict         version_conflict
│  ├─ IdempotencyConflict     idempotency_conflict      same key, other body
│  ├─ AlreadyExists           already_exists
│  ├─ AlreadyMerged           already_merged
│  ├─ SessionClosed           session_closed            it takes no more turns
│  ├─ FrontFull               front_full                more about a subject than its card shows first
│  ├─ Erased                  erased                    it was forgotten for good, and is not brought back
│  ├─ IntegrityFailed         integrity_failed          a row was changed behind the product's back
│  ├─ AuditDiverged           audit_diverged            the log was cut or rewritten, or the database is older
│  ├─ SelectionGrown          selection_grown           more would be held than the preview counted
│  ├─ StorageUnavailable      storage_unavailable       retryable
│  └─ SchemaMismatch          schema_mismatch           start-up
├─ ProviderError              provider_failed
│  ├─ ProviderUnavailable     provider_unavailable      retryable
│  └─ DimensionMismatch       dimension_mismatch
├─ RecallError
│  └─ AllBranchesFailed       all_branches_failed       retryable
├─ Overloaded                 overloaded                retryable
└─ ConfigurationError         configuration             start-up
   ├─ UnsafeRole              unsafe_database_role
   ├─ WrongSecret             wrong_secret
   └─ PortInUse               port_in_use
"""

from __future__ import annotations

from governance.errors import ServiceError


class StorageError(ServiceError):
    """The database refused or failed."""

    code = "storage_failed"


class VersionConflict(StorageError):
    """The object has changed since the version that the request names; read it again and retry."""

    code = "version_conflict"

    def __init__(self, message: str | None = None, *, field: str | None = None, current: int | None = None) -> None:
        """`current` is the version of the object now."""
        super().__init__(message, field=field, facts={} if current is None else {"current_version": current})


class IdempotencyConflict(StorageError):
    """This idempotency key was used with another body in the last 24 hours; use a new key."""

    code = "idempotency_conflict"


class AlreadyExists(StorageError):
    """An object with this name or identity exists already."""

    code = "already_exists"


class AlreadyMerged(StorageError):
    """Another subject stands for this one already; split it first."""

    code = "already_merged"


class SessionClosed(StorageError):
    """The session is closed and takes no more turns; open another one."""

    code = "session_closed"


class SelectionGrown(StorageError):
    """More memories meet the selection now than the preview counted; look at the preview again."""

    code = "selection_grown"


class FrontFull(StorageError):
    """The front of a subject's card has no room for this memory; move one that stands there to the drawer first."""

    code = "front_full"


class Erased(StorageError):
    """What this request names was erased from this org, and is not brought back."""

    code = "erased"


class IntegrityFailed(StorageError):
    """The stored row does not match its seal and is not served; an administrator should verify the audit."""

    code = "integrity_failed"


class AuditDiverged(StorageError):
    """The audit does not extend the head that was exported last, and is not extended; an administrator should verify it."""

    code = "audit_diverged"


class StorageUnavailable(StorageError):
    """The database cannot be reached or did not answer in time; try again."""

    code = "storage_unavailable"
    retryable = True


class SchemaMismatch(StorageError):
    """The database schema is not the one that this release needs; run `memdb migrate`."""

    code = "schema_mismatch"


class ProviderError(ServiceError):
    """A model provider failed."""

    code = "provider_failed"


class ProviderUnavailable(ProviderError):
    """A model provider cannot be reached or did not answer in time."""

    code = "provider_unavailable"
    retryable = True


class DimensionMismatch(ProviderError):
    """The embedding provider returned vectors of another dimension than the space of this database."""

    code = "dimension_mismatch"


class RecallError(ServiceError):
    """The recall could not be answered."""

    code = "recall_failed"


class AllBranchesFailed(RecallError):
    """Every search branch failed or was late; try again."""

    code = "all_branches_failed"
    retryable = True


class Overloaded(ServiceError):
    """The server has more work than it takes at once; try again."""

    code = "overloaded"
    retryable = True


class ConfigurationError(ServiceError):
    """A setting is missing or contradicts another."""

    code = "configuration"


class UnsafeRole(ConfigurationError):
    """The database role could bypass row-level security, so the server does not start with it."""

    code = "unsafe_database_role"


class WrongSecret(ConfigurationError):
    """The root secret is not the one that this database was sealed with."""

    code = "wrong_secret"


class PortInUse(ConfigurationError):
    """Another process listens on this port; choose another one or stop it."""

    code = "port_in_use"
