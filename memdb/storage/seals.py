"""Seals of stored memories: made when a row is written, checked when it is served."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from governance.seal import SealedVersion, matches, seal_state, seal_version
from memdb.keyring import Keyring, Purpose
from memdb.models.memory import Memory


def sealed_fields(memory: Memory) -> SealedVersion:
    """What a version of a memory commits to."""
    return SealedVersion(
        org_id=memory.org_id,
        memory_id=memory.id,
        version=memory.version,
        brain_id=memory.brain_id,
        kind=memory.kind.value,
        topic=memory.topic,
        content=memory.content,
        data=memory.data,
        about=memory.about,
        said_by=memory.said_by,
        trust=memory.trust,
        source_kind=memory.source_kind,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        written_by=memory.written_by,
        written_key=memory.written_key,
        writer_label=memory.writer_label,
    )


def make_seals(keyring: Keyring, memory: Memory, holds: Sequence[UUID]) -> tuple[str, bytes, bytes]:
    """(key id, mac_version, mac_state) of a row about to be written."""
    key = keyring.derive(Purpose.MAC, memory.org_id)
    version = seal_version(key, sealed_fields(memory))
    return keyring.current_id, version, seal_state(key, version, memory.status.value, holds)


def version_intact(keyring: Keyring, memory: Memory, key_id: str, mac_version: bytes) -> bool:
    """True when an older version is as it was written.

    Raises:
        WrongSecret: the secret file lacks the key that sealed it.
    """
    return matches(seal_version(keyring.derive(Purpose.MAC, memory.org_id, key_id=key_id), sealed_fields(memory)), mac_version)


def state_intact(keyring: Keyring, memory: Memory, key_id: str, macs: tuple[bytes, bytes], holds: Sequence[UUID]) -> bool:
    """True when the current row and its holds are as they were written. Raises as `version_intact`."""
    if not version_intact(keyring, memory, key_id, macs[0]):
        return False
    key = keyring.derive(Purpose.MAC, memory.org_id, key_id=key_id)
    return matches(seal_state(key, macs[0], memory.status.value, holds), macs[1])
