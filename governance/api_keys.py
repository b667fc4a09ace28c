"""API keys as text: `memdb_<org name>_<key id>_<secret>`, the secret being 32 random bytes in base64url without padding.

The org stands in the key, so that the server knows whose rows to look at before it has read any. The secret is random, so its plain
SHA-256 is what is stored; a slow hash would only slow requests down.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
from dataclasses import dataclass, field

from governance.errors import Unauthenticated

SECRET_BYTES = 32
_FORM = re.compile(r"memdb_(?P<org>[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?)_(?P<key>[a-z0-9]{4,32})_(?P<secret>[A-Za-z0-9_-]{43})")
_NOBODY = hashlib.sha256(b"memdb: the digest that no secret has").digest()


@dataclass(frozen=True, slots=True)
class PresentedKey:
    """A key as somebody presented it, not yet checked. The secret is never shown."""

    org_name: str
    key_id: str
    secret: bytes = field(repr=False)

    @property
    def sha256(self) -> bytes:
        """What is stored of the secret, 32 bytes."""
        return hashlib.sha256(self.secret).digest()

    def render(self) -> str:
        """The whole key as text; shown once, when it is made."""
        return f"memdb_{self.org_name}_{self.key_id}_{_encode(self.secret)}"


def parse(presented: str) -> PresentedKey:
    """Take a key apart.

    >>> parse("memdb_main_abcd2345_" + "A" * 43).key_id
    'abcd2345'

    Raises:
        Unauthenticated: it has not the form of a key; nothing of it is in the message.
    """
    found = _FORM.fullmatch(presented)
    if found is None:
        raise Unauthenticated
    try:
        secret = base64.urlsafe_b64decode(found["secret"] + "=")
    except (binascii.Error, ValueError):
        raise Unauthenticated from None
    # 43 characters hold two bits more than 32 bytes; only one spelling of a secret is accepted.
    if _encode(secret) != found["secret"]:
        raise Unauthenticated
    return PresentedKey(found["org"], found["key"], secret)


def is_secret_of(presented: PresentedKey, stored_sha256: bytes | None) -> bool:
    """Compare in constant time; None (there is no such key) takes as long and is never equal."""
    equal = hmac.compare_digest(presented.sha256, _NOBODY if stored_sha256 is None else stored_sha256)
    return equal and stored_sha256 is not None


def _encode(secret: bytes) -> str:
    return base64.urlsafe_b64encode(secret).decode().rstrip("=")
