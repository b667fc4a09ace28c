"""Duplicate keys made again: of a text that was rewritten where it stands, and of rows whose key an earlier release made in another way."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final
from uuid import UUID

from governance.scopes import of_job
from memdb.formation.episode import duplicate_key, held_key, is_current
from memdb.models.memory import Memory
from memdb.storage import duplicate_keys, memories
from memdb.storage.database import Identity, WriteConn, tried_again

if TYPE_CHECKING:
    from memdb.keyring import Keyring
    from memdb.runtime import Runtime

RENEWED_MAX: Final = 500
"""Of one org in one pass; each in a transaction of its own, so that nobody waits for more than one."""


async def key_of(conn: WriteConn, keyring: Keyring, org_id: UUID, memory: Memory, *, held: bool) -> bytes | None:
    """The key that a write of today would meet, for a locked memory that has one.

    None where another memory of the brain has it: then that is the one which a repetition reinforces, and this one may repeat it.
    """
    if await duplicate_keys.find(conn, org_id, memory.id) is None:
        return None
    tokens = [r.token or r.entity for r in memory.redactions if r.field == "content"]
    key = duplicate_key(keyring, org_id, memory.content, tokens, memory.about, memory.topic)
    key = held_key(key) if held else key
    taken = await memories.find_duplicates(conn, org_id, [(memory.brain_id, memory.kind.value, key)])
    return None if set(taken.values()) - {memory.id} else key


async def renew_old(runtime: Runtime, org_id: UUID) -> int:
    """Give memories that an earlier release stored the keys of today; how many, RENEWED_MAX when there may be more.

    What cannot have one, because another memory has it or because its seal does not match, loses the old one, which no write meets: so
    nothing is looked at twice.

    Raises:
        StorageUnavailable: the database is away.
    """
    async with runtime.database.read(Identity(org_id)) as conn:
        old = await duplicate_keys.list_old(conn, RENEWED_MAX)
    for brain_id, memory_id in old:
        await tried_again(partial(_renew, runtime, Identity(org_id, job_brain_id=brain_id), memory_id))
    return len(old)


async def _renew(runtime: Runtime, identity: Identity, memory_id: UUID) -> None:
    org_id, brain_id = identity.org_id, identity.job_brain_id
    assert brain_id is not None, "a memory lies in a brain"
    async with runtime.database.write(identity) as conn:
        found = await memories.lock(conn, of_job(org_id, brain_id), memory_id, runtime.keyring)
        if found is None:
            return
        before = await duplicate_keys.find(conn, org_id, memory_id)
        if before is None or is_current(before):
            return  # somebody was faster
        key = await key_of(conn, runtime.keyring, org_id, found.memory, held=bool(found.holds)) if found.intact else None
        await duplicate_keys.put(conn, org_id, memory_id, key)
