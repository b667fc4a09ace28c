"""What was erased and is there again, because an older backup was restored: erased once more, before anybody is served."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from governance.audit import OWNER
from governance.errors import NotFound
from memdb.keyring import Keyring
from memdb.lifecycle.erasure.begin import begin_object, begin_subject
from memdb.lifecycle.erasure.check import match_ledger
from memdb.lifecycle.erasure.run import run
from memdb.runtime import Runtime
from memdb.storage import erasing
from memdb.storage.database import Identity
from memdb.storage.erasures import State, Target, Tombstone
from memdb.storage.owner import Connection


@dataclass(frozen=True, slots=True)
class Back:
    """What there is although the ledger has it: (org, what, id)."""

    orgs: tuple[UUID, ...]
    objects: tuple[tuple[UUID, Target, UUID], ...]

    def __bool__(self) -> bool:
        return bool(self.orgs or self.objects)


def find_back(conn: Connection, keyring: Keyring, tombstones: Sequence[Tombstone]) -> Back:
    """What came back, subjects first.

    Args:
        conn: as the owner of the database.
        keyring: the root secret.
        tombstones: of the ledger outside the database and of the one inside.
    """
    orgs = tuple(org_id for org_id, _, _ in match_ledger(conn, keyring, tombstones, "org"))
    gone = set(orgs)
    objects = [
        (org_id, target, UUID(bytes=value))
        for target in (Target.SUBJECT, Target.SESSION, Target.SOURCE, Target.MEMORY)
        for org_id, value, _ in match_ledger(conn, keyring, tombstones, target.value)
        if org_id not in gone
    ]
    return Back(orgs, tuple(objects))


async def erase_again(runtime: Runtime, back: Back) -> dict[str, int]:
    """Erase it; how many erasures are `complete`, and how many are `deciding`: somebody has to decide on names that others share.

    Raises:
        StorageUnavailable: the rest is left; restore again.
    """
    states: dict[str, int] = {}
    for org_id, target, object_id in back.objects:
        try:
            if target is Target.SUBJECT:
                begun = await begin_subject(runtime, org_id, object_id, OWNER, None)
            else:
                async with runtime.database.read(Identity(org_id)) as conn:
                    brain_id = await erasing.find_brain_of(conn, org_id, target.value, object_id)
                if brain_id is None:
                    continue
                begun = await begin_object(runtime, org_id, (target, object_id, brain_id), OWNER, None)
        except NotFound:
            continue  # it went with somebody with whom it was merged
        done = await run(runtime, org_id, begun.id)
        states[done.state.value] = states.get(done.state.value, 0) + 1
    assert State.RUNNING.value not in states, "without a budget nothing is left running"
    return states
