"""One form per value, so that two spellings of a number get one token."""

from __future__ import annotations

import hashlib
import hmac
from typing import Final

import phonenumbers

from governance.redaction import phone_numbers
from governance.redaction.entities import (
    BR_BANK_ACCOUNT,
    BR_BANK_AGENCY,
    BR_CNPJ,
    BR_PIX_KEY,
    BR_PLATE,
    BR_RG,
    EMAIL_ADDRESS,
    IBAN_CODE,
    PHONE_NUMBER,
)
from governance.redaction.findings import EntityType
from governance.redaction.normalise import analysis_text
from governance.redaction.recognizers import email_spoken
from governance.redaction.recognizers.base import digits_of

_LETTERS_COUNT: Final = frozenset({IBAN_CODE, BR_CNPJ, BR_RG, BR_PLATE, BR_PIX_KEY, BR_BANK_ACCOUNT, BR_BANK_AGENCY})
TOKEN_HEX_DIGITS: Final = 32


def canonical(entity: EntityType, value: str) -> str:
    """Return the value without the ways in which people write it differently.

    Phones become E.164 where they are valid, e-mails lower case, numbers their digits; everything else stays as analysis sees it.
    """
    shown = analysis_text(value).text
    if entity == PHONE_NUMBER:
        number = phone_numbers.parse(shown)
        return digits_of(shown) if number is None else str(phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.E164))
    if entity == EMAIL_ADDRESS:
        return email_spoken.plain(shown.replace("%40", "@"))
    if entity in _LETTERS_COUNT:
        return "".join(char for char in shown.upper() if char.isalnum())
    if sum(char.isdigit() for char in shown) and not any(char.isalpha() for char in shown):
        return digits_of(shown) if "." not in shown or entity.startswith(("BR_", "US_", "CREDIT")) else shown
    return shown


def token(key: bytes, entity: EntityType, value: str) -> str:
    """Return the linkable token of a value: HMAC-SHA-256 over entity type and canonical value, its first 128 bits in hex."""
    message = f"{entity}\0{canonical(entity, value)}".encode("utf-8", "surrogatepass")
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:TOKEN_HEX_DIGITS]
