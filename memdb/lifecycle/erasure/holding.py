"""What an org's policy must keep, so that it is not erased."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from governance.errors import UnderLegalHold
from memdb.runtime import Runtime
from memdb.storage.database import Identity
from memdb.storage.policies import find_policy


async def legal_holds(runtime: Runtime, org_id: UUID) -> tuple[frozenset[UUID], frozenset[UUID]]:
    """(subjects, brains) under legal hold by the policy that holds now; none where the policy has no such section."""
    async with runtime.database.read(Identity(org_id)) as conn:
        row = await find_policy(conn, org_id)
    section = {} if row is None else row.document.to_json().get("legal_hold") or {}
    if not isinstance(section, dict):
        return frozenset(), frozenset()
    subjects, brains = (frozenset(UUID(str(one)) for one in section.get(name) or ()) for name in ("subjects", "brains"))
    return subjects, brains


async def require_free(runtime: Runtime, org_id: UUID, subjects: Collection[UUID], brains: Collection[UUID]) -> None:
    """Pass when nothing that would be erased is under legal hold.

    Raises:
        UnderLegalHold: one of the subjects, or a brain that would lose something, is.
    """
    held_subjects, held_brains = await legal_holds(runtime, org_id)
    if held_subjects & set(subjects):
        raise UnderLegalHold("this subject is under a legal hold of the org's policy and is not erased; end the hold first")
    if held_brains & set(brains):
        raise UnderLegalHold("it lies in a brain under a legal hold of the org's policy and is not erased; end the hold first")
