"""Step 7: give the memory its id, its trust and the key under which its brain holds it once."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from uuid import UUID

from governance.redaction.findings import JsonValue
from governance.trust import Trust, lower
from memdb.formation.stages import Drafted, Embedded, grow
from memdb.ids import make_id
from memdb.keyring import Keyring, Purpose
from memdb.models.memory import RECONCILED, Kind
from memdb.models.submission import SourceKind
from memdb.text.meaning import meaning_of
from memdb.text.normalise import fold

_SOURCE_TRUST = {
    SourceKind.TOOL: Trust.TOOL,
    SourceKind.WEB: Trust.WEB,
    SourceKind.FILE: Trust.IMPORTED,
    SourceKind.IMPORTED: Trust.IMPORTED,
}
_KEY_FORM = b"\x02"
"""First byte of a key, for how it was made; keys of the first form, of the text instead of its meaning, have none and are 32 bytes long."""
_KEY_BYTES = 33


def draft(item: Embedded, *, keyring: Keyring) -> Drafted:
    """Make the draft that policy decides on."""
    return grow(
        Drafted,
        item,
        memory_id=item.replaces.id if item.replaces else make_id(),
        # A unit is known by its topic, whatever it says.
        duplicate_key=_duplicate_key(item, keyring) if item.unit is None and (item.kind in RECONCILED or _is_event(item)) else None,
        trust=_trust(item),
    )


def _trust(item: Embedded) -> Trust:
    """What the credential gives, lowered by where the text is from and by what it is derived from. An edit is derived from what it edits:
    whoever vouches for a statement writes it anew.
    """
    before = item.replaces
    found_in = item.source_kind if before is None or before.source_kind is None else SourceKind(before.source_kind)
    trust = lower(item.principal.trust, None if found_in is None else _SOURCE_TRUST.get(found_in))
    return lower(lower(trust, item.derived_trust), None if before is None else Trust.parse(before.trust))


def _duplicate_key(item: Embedded, keyring: Keyring) -> bytes:
    tokens = [r.token or r.entity for r in item.redactions if r.field == "content"]
    facts = Facts(item.about, item.topic, event_of(item.kind, item.data.value, (item.valid_from, item.valid_to)))
    return duplicate_key(keyring, item.principal.org_id, item.content.text, tokens, facts)


def _is_event(item: Embedded) -> bool:
    """True of what a conversation tells happened, and when: told once more it is the same event, and at another time another."""
    return item.kind is Kind.EPISODIC and item.claim is not None and item.valid_from is not None


@dataclass(frozen=True, slots=True)
class Facts:
    """What makes a statement another one beside its words: subjects, topic, and of an event who took part and when."""

    about: Collection[UUID]
    topic: str | None = field(repr=False)
    event: tuple[str, ...] = field(default=(), repr=False)


def event_of(kind: Kind, data: JsonValue, span: tuple[datetime | None, datetime | None]) -> tuple[str, ...]:
    """Who took part in an event, and its time span in UTC; nothing for another kind."""
    if kind is not Kind.EPISODIC:
        return ()
    listed = data.get("participants") if isinstance(data, dict) else None
    people = sorted(str(one) for one in listed) if isinstance(listed, list) else []
    return ("participants", *people, "span", *("" if at is None else at.astimezone(UTC).isoformat() for at in span))


def duplicate_key(keyring: Keyring, org_id: UUID, content: str, tokens: Sequence[str], facts: Facts) -> bytes:
    """The key under which a brain holds a statement of one kind once, 33 bytes: the same for two wordings that mean the same.

    Args:
        keyring: the root secret.
        org_id: of the memory. Org, brain and kind are columns of the unique index beside this key.
        content: as stored.
        tokens: of the redactions in it, in their order; their entity types where there are none.
        facts: what the statement is about beside its words, as stored.
    """
    # Redacted values count by their token: two memories that differ only in a redacted address are two. The key is an HMAC, so that nobody
    # who reads the table can confirm a guessed text.
    key = keyring.derive(Purpose.DUPLICATE, org_id)
    language, *words = meaning_of(content)
    parts = [
        language,
        " ".join(words),
        *tokens,
        "about",
        *(str(a) for a in sorted(facts.about)),
        "topic",
        fold(facts.topic) if facts.topic else "",
        *facts.event,
    ]
    return _KEY_FORM + hmac.digest(key, "\x1f".join(parts).encode(), hashlib.sha256)


def held_key(key: bytes) -> bytes:
    """The key of the same statement while it is held, 33 bytes."""
    return _KEY_FORM + hashlib.sha256(b"held" + key).digest()


def is_current(key: bytes) -> bool:
    """False for a key that an earlier release made, which no write of today meets."""
    return len(key) == _KEY_BYTES and key.startswith(_KEY_FORM)
