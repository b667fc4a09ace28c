"""Who asks: a credential in use, bound to exactly one subject, with what it may do.

Rights are the intersection of the key and the subject: a key never widens what its subject may do, and a key that acts for another
subject gets that subject's brains, never that subject's capabilities.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from governance.errors import AccessDenied
from governance.trust import Trust

if TYPE_CHECKING:
    from uuid import UUID


EXTRACTION_LABEL = "extraction"
"""Writer label of what was learned from turns."""


class Role(StrEnum):
    """What a subject may do in a brain; each role includes the ones before it."""

    READER = "reader"
    WRITER = "writer"
    ADMIN = "admin"

    @property
    def strength(self) -> int:
        """1 for reader to 3 for admin."""
        return _STRENGTH[self]

    def covers(self, needed: Role) -> bool:
        """True when this role allows what `needed` allows."""
        return self.strength >= needed.strength


_STRENGTH = {Role.READER: 1, Role.WRITER: 2, Role.ADMIN: 3}


class Capability(StrEnum):
    """What a key may do in its org. No capability reads memory content by itself."""

    OPERATOR = "operator"  # orgs of this server
    ADMIN = "admin"  # subjects, keys and brains of the org
    REVIEWER = "reviewer"  # held memories and their lineage
    AUDITOR = "auditor"  # the audit
    LOADER = "loader"  # bulk loads
    ACT_AS = "act_as"  # requests in the name of the subjects or brains that the key lists


@dataclass(frozen=True, slots=True)
class Look:
    """A look of an administrator's key into a brain that its subject does not reach (break_glass), while it is open."""

    id: UUID
    brain_id: UUID


@dataclass(frozen=True, slots=True)
class Principal:
    """A credential in use.

    `subject_id` is the identity of this request; it differs from `key_subject_id` when the key acts for somebody. `brains` None means every
    brain of the subject. `only_brains` is set when acting was allowed through brains: nothing outside them. `job_brain_id` is set for work
    that the product does later in the name of whoever caused it: it reaches that brain alone, whatever has become of the key.
    `looks` are open: their brains may be read, and nothing may be left in them.
    """

    org_id: UUID
    key_id: str
    key_subject_id: UUID
    subject_id: UUID
    writer_label: str
    max_role: Role
    capabilities: frozenset[Capability]
    trust: Trust
    brains: frozenset[UUID] | None = None
    act_as_subjects: frozenset[UUID] = frozenset()
    act_as_brains: frozenset[UUID] = frozenset()
    only_brains: frozenset[UUID] | None = None
    job_brain_id: UUID | None = None
    looks: tuple[Look, ...] = ()

    @property
    def acting(self) -> bool:
        """True when this request is made in the name of another subject than the key's."""
        return self.subject_id != self.key_subject_id


def of_job(org_id: UUID, brain_id: UUID, subject_id: UUID, key_id: str, trust: Trust) -> Principal:
    """Who writes what is learned from a conversation in a brain: whoever recorded it, believed as far as what was said."""
    brains = frozenset({brain_id})
    return Principal(
        org_id=org_id,
        key_id=key_id,
        key_subject_id=subject_id,
        subject_id=subject_id,
        writer_label=EXTRACTION_LABEL,
        max_role=Role.WRITER,
        capabilities=frozenset(),
        trust=trust,
        brains=brains,
        only_brains=brains,
        job_brain_id=brain_id,
    )


def act_as(principal: Principal, subject_id: UUID, reachable: frozenset[UUID]) -> Principal:
    """The principal that acts for `subject_id`.

    Args:
        principal: the key, not yet acting.
        subject_id: an existing subject of the same org.
        reachable: the brains that this subject reaches, whatever the role.

    Raises:
        AccessDenied: the key lists neither the subject nor a brain that the subject reaches.
    """
    if subject_id == principal.key_subject_id:
        return principal
    if Capability.ACT_AS in principal.capabilities:
        if subject_id in principal.act_as_subjects:
            return replace(principal, subject_id=subject_id, capabilities=frozenset(), looks=())
        shared = principal.act_as_brains & reachable
        if shared:
            return replace(principal, subject_id=subject_id, capabilities=frozenset(), only_brains=shared, looks=())
    raise AccessDenied("this key may not act for that subject; list the subject or one of its brains on the key")


def require(principal: Principal, *capabilities: Capability) -> None:
    """Raise AccessDenied unless the principal has one of the capabilities (admin does not include the others)."""
    if principal.capabilities.isdisjoint(capabilities):
        raise AccessDenied("this needs a key with the capability " + " or ".join(sorted(c.value for c in capabilities)))
