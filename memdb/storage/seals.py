"""Seals of stored memories: made when a row is written; those of the row are checked when it is served, those of what it is found by when
the audit is verified.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from uuid import UUID

import numpy as np

from governance.seal import SealedState, SealedVersion, matches, seal_former_state, seal_found_by, seal_state, seal_version
from memdb.keyring import Keyring, Purpose
from memdb.models.memory import Memory
from memdb.providers.embedding.base import Vector
from memdb.text.lexemes import Analysis

_POSITION_MAX: Final = 16_383  # Postgres sets larger positions to it
_LEXEME: Final = re.compile(r"'((?:[^']|'')*)'(?::([\d,]+))?")


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


def sealed_state(memory: Memory, holds: Sequence[UUID]) -> SealedState:
    """What its row commits to beside that."""
    return SealedState(
        status=memory.status.value,
        holds=tuple(holds),
        tags=memory.tags,
        placement=memory.placement.value,
        event_from=memory.event_from,
        event_to=memory.event_to,
        expires_at=memory.expires_at,
        created_at=memory.created_at,
        updated_at=memory.updated_at,
        confirmed_at=memory.confirmed_at,
        language=memory.language,
        importance=memory.importance,
        redactions=tuple((r.field, r.entity, r.action, r.start, r.end, r.token) for r in memory.redactions),
    )


def make_seals(keyring: Keyring, memory: Memory, holds: Sequence[UUID]) -> tuple[str, bytes, bytes]:
    """(key id, mac_version, mac_state) of a row about to be written."""
    key = keyring.derive(Purpose.MAC, memory.org_id)
    version = seal_version(key, sealed_fields(memory))
    return keyring.current_id, version, seal_state(key, version, sealed_state(memory, holds))


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
    if matches(seal_state(key, macs[0], sealed_state(memory, holds)), macs[1]):
        return True
    # What an earlier release wrote, and nobody has touched since.
    return matches(seal_former_state(key, macs[0], memory.status.value, holds), macs[1])


# ------------------------------------------------------------------------------------------------------ what it is found by
def seal_words(keyring: Keyring, org_id: UUID, memory_id: UUID, words: Analysis) -> bytes:
    """Of the words of a memory's own text."""
    return _seal_found_by(keyring, (org_id, memory_id), "words", canonical_words(words.positions, words.length))


def seal_context(keyring: Keyring, of: tuple[UUID, UUID], context: Analysis, fragment_ids: Sequence[UUID]) -> bytes:
    """Of the words of what was said before a memory, (org, id), and of the fragments that they come from."""
    return _seal_found_by(keyring, of, "context", canonical_words(context.positions, context.length, fragment_ids))


def seal_vector(keyring: Keyring, org_id: UUID, memory_id: UUID, field: str, vector: Vector) -> bytes:
    """Of a vector: `text` or `context`."""
    return _seal_found_by(keyring, (org_id, memory_id), field, canonical_vector(vector))


def seal_canonical(keyring: Keyring, of: tuple[UUID, UUID], what: str, value: bytes) -> bytes:
    """The seal of what a memory, (org, id), is found by, from its canonical form as it is stored."""
    return _seal_found_by(keyring, of, what, value)


def found_by_intact(keyring: Keyring, of: tuple[UUID, UUID], what: str, value: bytes, mac: bytes) -> bool:
    """True when what a memory, (org, id), is found by is as it was written, under any key of the ring.

    Args:
        keyring: the root secret.
        of: org and memory.
        what: `words`, `context`, or the field of a vector: `text`, `context`.
        value: its canonical form.
        mac: as it is stored.
    """
    org_id, memory_id = of
    seals = (
        seal_found_by(keyring.derive(Purpose.MAC, org_id, key_id=key_id), memory_id, what, value) for key_id in sorted(keyring.key_ids)
    )
    return any(matches(seal, mac) for seal in seals)


def canonical_words(positions: Mapping[str, Sequence[int]], count: int, fragment_ids: Sequence[UUID] = ()) -> bytes:
    """Lexemes in the order of their bytes, each with its positions: what Postgres keeps of a tsvector, in whatever order it was given.

    Args:
        positions: of each lexeme, from 1.
        count: how many words the text has.
        fragment_ids: what a context comes from.
    """
    parts = [f"{lexeme}\x00{','.join(str(min(p, _POSITION_MAX)) for p in places)}" for lexeme, places in positions.items()]
    return "\x01".join([str(count), *map(str, fragment_ids), *sorted(parts)]).encode("utf-8", "surrogatepass")


def words_of(tsvector: str, count: int, fragment_ids: Sequence[UUID] = ()) -> bytes:
    """The canonical form of a tsvector as Postgres writes it.

    >>> words_of("'don''t':1,3 'ana':2", 3) == canonical_words({"ana": [2], "don't": [1, 3]}, 3)
    True
    """
    found = {
        match[1].replace("''", "'").replace("\\\\", "\\"): [int(p) for p in match[2].split(",")] if match[2] else []
        for match in _LEXEME.finditer(tsvector)
    }
    return canonical_words(found, count, fragment_ids)


def canonical_vector(vector: Vector) -> bytes:
    """The half floats that Postgres keeps of it, little-endian."""
    return five_digits(vector).astype("<f2").tobytes()


def five_digits(vector: Vector) -> Vector:
    """A unit vector as it is written, with five digits: more than a half float keeps, and whole numbers are written fastest.

    The division rounds once and correctly, as Postgres does when it reads the decimal number.
    """
    digits: Vector = np.rint(vector * 1e5).astype(np.float32) / np.float32(1e5) + np.float32(0)  # of -0 the database keeps 0
    return digits


def halfvec(vector: Vector) -> str:
    """A unit vector as the text of a halfvec, see `five_digits`."""
    return "[" + ",".join([f"{n}e-5" for n in np.rint(vector * 1e5).astype(np.int32).tolist()]) + "]"


def vector_of(halfvec: str) -> bytes:
    """The canonical form of a halfvec as Postgres writes it."""
    return np.array([float(each) for each in halfvec[1:-1].split(",")], dtype=np.float32).astype("<f2").tobytes()


def _seal_found_by(keyring: Keyring, of: tuple[UUID, UUID], what: str, value: bytes) -> bytes:
    org_id, memory_id = of
    return seal_found_by(keyring.derive(Purpose.MAC, org_id), memory_id, what, value)
