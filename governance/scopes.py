"""What a request may see: the one place that turns a principal into brains.

| question | call |
| --- | --- |
| which brains may this request search? | `readable_by` |
| only these of them | `ScopeFilter.narrow` |
| only what every one of these people may read | `ScopeFilter.for_audience` |
| may it write here, administer this? | `require_role` |
| may it leave what every reader may leave: a judgement, a count? | `require_member` |
| what does a job that is bound to one brain see? | `of_job` |

SECURITY: only this module makes a ScopeFilter; an architecture test looks. A filter can be narrowed, never widened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from governance.errors import AccessDenied, NotFound
from governance.principals import Role

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from uuid import UUID

    from governance.principals import Principal


@dataclass(frozen=True, slots=True)
class ScopeFilter:
    """An org and the brains of it that a request may read, in sorted order. No brain means no result, never every result."""

    org_id: UUID
    brain_ids: tuple[UUID, ...]

    def allows(self, org_id: UUID, brain_id: UUID) -> bool:
        """True when a row of this org and brain may be shown."""
        return org_id == self.org_id and brain_id in self.brain_ids

    def narrow(self, brain_ids: Iterable[UUID]) -> ScopeFilter:
        """Only these brains.

        Raises:
            NotFound: one of them is unknown or not readable; the two are not told apart.
        """
        wanted = frozenset(brain_ids)
        if not wanted <= frozenset(self.brain_ids):
            raise NotFound("no such brain among those that this key may read", field="brains")
        return replace(self, brain_ids=tuple(sorted(wanted)))

    def for_audience(self, members: Collection[Collection[UUID]]) -> ScopeFilter:
        """Only brains that every member of the audience reaches.

        Args:
            members: for each member the brains that they reach; for a guest those that the whole org reads.
        """
        shared = set(self.brain_ids)
        for reachable in members:
            shared &= set(reachable)
        return replace(self, brain_ids=tuple(sorted(shared)))


def readable_by(principal: Principal, access: Mapping[UUID, Role]) -> ScopeFilter:
    """The filter of a principal.

    Args:
        principal: who asks.
        access: brain -> role of the principal's subject, team and org membership expanded.
    """
    return ScopeFilter(principal.org_id, tuple(sorted(b for b in access if _reaches(principal, b))))


def of_brain(principal: Principal, access: Mapping[UUID, Role], brain_id: UUID) -> ScopeFilter:
    """The one brain, if the principal reaches it.

    Raises:
        NotFound: it is unknown or not readable.
    """
    return readable_by(principal, access).narrow([brain_id])


def effective_role(principal: Principal, access: Mapping[UUID, Role], brain_id: UUID) -> Role | None:
    """The lower of the subject's role and the key's cap; None when the brain is out of reach."""
    role = access.get(brain_id)
    if role is None or not _reaches(principal, brain_id):
        return None
    return min(role, principal.max_role, key=lambda r: r.strength)


def of_job(org_id: UUID, brain_id: UUID) -> ScopeFilter:
    """The one brain that a job is bound to; row-level security binds its transactions to the same."""
    return ScopeFilter(org_id, (brain_id,))


def require_role(principal: Principal, access: Mapping[UUID, Role], brain_id: UUID, needed: Role) -> None:
    """Pass when the principal has the role in the brain.

    Raises:
        NotFound: the brain is unknown or unreadable.
        AccessDenied: it may be read, but the role does not suffice.
    """
    role = effective_role(principal, access, brain_id)
    if role is None:
        raise NotFound("no such brain among those that this key may read", field="brain_id")
    if not role.covers(needed):
        raise AccessDenied(f"this needs the role {needed.value} in the brain", field="brain_id")


def require_member(principal: Principal, access: Mapping[UUID, Role], brain_id: UUID) -> None:
    """Pass when the principal reads the brain otherwise than through a look, which must leave nothing behind.

    Raises:
        NotFound: the brain is unknown or unreadable.
        AccessDenied: it is only looked into.
    """
    require_role(principal, access, brain_id, Role.READER)
    if any(look.brain_id == brain_id for look in principal.looks):
        raise AccessDenied("a look into a brain only reads; nothing may be left there", field="brain_id")


def _reaches(principal: Principal, brain_id: UUID) -> bool:
    return (principal.brains is None or brain_id in principal.brains) and (
        principal.only_brains is None or brain_id in principal.only_brains
    )
