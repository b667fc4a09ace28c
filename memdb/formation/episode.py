"""Step 7: give the memory its id, its trust and the key under which its brain holds it once."""

from __future__ import annotations

import hashlib
import hmac
import re

from governance.trust import Trust, lower
from memdb.formation.stages import Drafted, Embedded, grow
from memdb.ids import make_id
from memdb.keyring import Keyring, Purpose
from memdb.models.memory import RECONCILED
from memdb.models.submission import SourceKind
from memdb.text.normalise import canonical, fold

_SOURCE_TRUST = {
    SourceKind.TOOL: Trust.TOOL,
    SourceKind.WEB: Trust.WEB,
    SourceKind.FILE: Trust.IMPORTED,
    SourceKind.IMPORTED: Trust.IMPORTED,
}
_TRAILING = re.compile(r"[\s.!…。]+$")


def draft(item: Embedded, *, keyring: Keyring) -> Drafted:
    """Make the draft that policy decides on."""
    claimed = None if item.source_kind is None else _SOURCE_TRUST.get(item.source_kind)
    return grow(
        Drafted,
        item,
        memory_id=item.replaces.id if item.replaces else make_id(),
        duplicate_key=_duplicate_key(item, keyring) if item.kind in RECONCILED else None,
        trust=lower(item.principal.trust, claimed),
    )


def _duplicate_key(item: Embedded, keyring: Keyring) -> bytes:
    # Org, brain and kind are columns of the unique index beside this key. Redacted values count by their token: two memories that differ
    # only in a redacted address are two. The key is an HMAC, so that nobody who reads the table can confirm a guessed text.
    key = keyring.derive(Purpose.DUPLICATE, item.principal.org_id)
    tokens = [r.token or r.entity for r in item.redactions if r.field == "content"]
    parts = [
        _TRAILING.sub("", canonical(item.content.text)),
        *tokens,
        "about",
        *(str(a) for a in sorted(item.about)),
        "topic",
        fold(item.topic) if item.topic else "",
    ]
    return hmac.digest(key, "\x1f".join(parts).encode(), hashlib.sha256)
