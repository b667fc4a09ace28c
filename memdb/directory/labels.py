"""Names, aliases and platform ids on their way into the directory: cleaned, redacted, bounded."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from governance.errors import InvalidInput, PersonalDataInIdentifier
from memdb.keyring import Keyring, Purpose
from memdb.storage.subjects import IdentityRow
from memdb.text.normalise import clean, fold, is_blank

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

    from governance.redaction.findings import RedactedText
    from memdb.directory.authentication import Authenticated
    from memdb.runtime import Runtime

NAME_CHARACTERS_MAX = 200
EXTERNAL_ID_CHARACTERS_MAX = 256
DIGITS_SHOWN_MAX = 7  # shorter numbers are nobody's telephone; of longer ones the label shows the last four digits
_PLATFORM = re.compile(r"[a-z][a-z0-9_.-]{0,39}")
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class ExternalId:
    """A subject's id on a platform, as the platform writes it; compared byte for byte."""

    platform: str
    external_id: str

    def __repr__(self) -> str:
        # An external id is often a telephone number.
        return f"ExternalId({self.platform})"


def parse_external(text: str) -> ExternalId:
    """`platform:external id` taken apart at the first colon.

    Raises:
        InvalidInput: no colon, or one side is malformed.
    """
    platform, colon, external_id = text.partition(":")
    if not colon:
        raise InvalidInput("a subject is named by its id or by platform:external id", field="subject")
    return check_external(ExternalId(platform, external_id))


def check_external(external: ExternalId, field: str = "identity") -> ExternalId:
    """Pass when the platform is an identifier and the external id is not blank, not too long and storable.

    Raises:
        InvalidInput: it is not.
    """
    check_platform(external.platform, f"{field}.platform")
    if not 1 <= len(external.external_id) <= EXTERNAL_ID_CHARACTERS_MAX or is_blank(external.external_id):
        message = f"{field}.external_id must be 1 to {EXTERNAL_ID_CHARACTERS_MAX} characters and not blank"
        raise InvalidInput(message, field=f"{field}.external_id")
    if clean(external.external_id, f"{field}.external_id") != external.external_id:
        raise InvalidInput(f"{field}.external_id contains a control character", field=f"{field}.external_id")
    return external


def check_platform(platform: str, field: str) -> str:
    """Pass when a platform is an identifier.

    Raises:
        InvalidInput: it is not.
    """
    if not _PLATFORM.fullmatch(platform):
        raise InvalidInput(f"{field} must be 1 to 40 of a-z, 0-9, _ . - and begin with a letter", field=field)
    return platform


def hash_external(keyring: Keyring, org_id: UUID, external: ExternalId) -> tuple[bytes, ...]:
    """Keyed hashes of an external id, 32 bytes each: with the current root key first, then with the former ones."""
    ids = [keyring.current_id, *sorted(keyring.key_ids - {keyring.current_id})]
    value = f"{external.platform}\x1f{external.external_id}".encode()
    return tuple(hmac.digest(keyring.derive(Purpose.IDENTITY, org_id, key_id=key_id), value, hashlib.sha256) for key_id in ids)


def make_identity(runtime: Runtime, who: Authenticated, external: ExternalId, field: str) -> IdentityRow:
    """The row of a platform id: its hash, and a label that shows no telephone number, address or document.

    Raises:
        InvalidInput: malformed.
        PersonalDataInIdentifier: the name of the platform holds personal data.
        RedactionUnavailable: the redactor failed.
    """
    check_external(external, field)
    runtime.redactor.check_identifier(external.platform, f"{field}.platform")
    shown = _redact(runtime, who, external.external_id, f"{field}.external_id")
    return IdentityRow(external.platform, hash_external(runtime.keyring, who.principal.org_id, external)[0], _mask_number(shown.text))


def make_name(runtime: Runtime, who: Authenticated, name: str, field: str) -> RedactedText:
    """A name ready to be stored.

    Raises:
        InvalidInput: blank, too long or not storable.
        RedactionUnavailable: the redactor failed.
    """
    kept = " ".join(clean(name, field).split())
    if is_blank(kept) or len(kept) > NAME_CHARACTERS_MAX:
        raise InvalidInput(f"{field} must be 1 to {NAME_CHARACTERS_MAX} characters and not blank", field=field)
    return _redact(runtime, who, kept, field)


def make_aliases(runtime: Runtime, who: Authenticated, aliases: Iterable[str], field: str) -> dict[str, RedactedText]:
    """Folded form -> label.

    Raises:
        PersonalDataInIdentifier: one holds personal data; a label that shows `[EMAIL_1]` would find nobody.
        InvalidInput, RedactionUnavailable: as `make_name`.
    """
    made: dict[str, RedactedText] = {}
    for position, alias in enumerate(aliases):
        place = f"{field}[{position}]"
        label = make_name(runtime, who, alias, place)
        if not is_plain(label, alias):
            raise PersonalDataInIdentifier(f"{place} holds personal data or a secret: give a name", field=place)
        made[fold(label.text)] = label
    return made


def is_plain(label: RedactedText, original: str) -> bool:
    """True when redaction left a name as it was."""
    return label.text == " ".join(clean(original, "name").split())


def _redact(runtime: Runtime, who: Authenticated, text: str, field: str) -> RedactedText:
    key = runtime.keyring.derive(Purpose.PSEUDONYM, who.principal.org_id, context="directory")
    return runtime.redactor.redact(text, rules=who.redaction.directory, key=key, field=field)


def _mask_number(shown: str) -> str:
    digits = len(_DIGIT.findall(shown))
    if digits <= DIGITS_SHOWN_MAX:
        return shown
    hidden = iter(range(digits))
    return _DIGIT.sub(lambda found: "*" if next(hidden) < digits - 4 else found[0], shown)
