"""The kinds of personal data and secrets that the product knows: label, class and default action.

To add a kind: one row here, one recognizer in `recognizers/`, one line in `recognizers/registry.py`, one table of cases in the tests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from governance.redaction.findings import Action, EntityType

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class EntitySpec:
    """`label` is what readers see in brackets; `secret` kinds are replaced whatever the rules say."""

    label: str
    default: Action
    secret: bool = False


def _personal(label: str) -> EntitySpec:
    return EntitySpec(label, Action.PSEUDONYMISE)


def _secret(label: str) -> EntitySpec:
    return EntitySpec(label, Action.REPLACE, secret=True)


def _kept(label: str) -> EntitySpec:
    return EntitySpec(label, Action.KEEP)


EMAIL_ADDRESS: Final = EntityType("EMAIL_ADDRESS")
PHONE_NUMBER: Final = EntityType("PHONE_NUMBER")
CREDIT_CARD: Final = EntityType("CREDIT_CARD")
IBAN_CODE: Final = EntityType("IBAN_CODE")
IP_ADDRESS: Final = EntityType("IP_ADDRESS")
US_SSN: Final = EntityType("US_SSN")
CRYPTO: Final = EntityType("CRYPTO")
BR_CPF: Final = EntityType("BR_CPF")
BR_CNPJ: Final = EntityType("BR_CNPJ")
BR_RG: Final = EntityType("BR_RG")
BR_CEP: Final = EntityType("BR_CEP")
BR_CNH: Final = EntityType("BR_CNH")
BR_NIS: Final = EntityType("BR_NIS")
BR_CNS: Final = EntityType("BR_CNS")
BR_TITULO_ELEITOR: Final = EntityType("BR_TITULO_ELEITOR")
BR_PIX_KEY: Final = EntityType("BR_PIX_KEY")
BR_PLATE: Final = EntityType("BR_PLATE")
BR_BANK_AGENCY: Final = EntityType("BR_BANK_AGENCY")
BR_BANK_ACCOUNT: Final = EntityType("BR_BANK_ACCOUNT")
API_KEY: Final = EntityType("API_KEY")
ACCESS_TOKEN: Final = EntityType("ACCESS_TOKEN")
PASSWORD: Final = EntityType("PASSWORD")
PRIVATE_KEY: Final = EntityType("PRIVATE_KEY")
CONNECTION_STRING: Final = EntityType("CONNECTION_STRING")
PERSON: Final = EntityType("PERSON")
LOCATION: Final = EntityType("LOCATION")
DATE_TIME: Final = EntityType("DATE_TIME")
URL: Final = EntityType("URL")

ENTITIES: Final[Mapping[EntityType, EntitySpec]] = MappingProxyType(
    {
        EMAIL_ADDRESS: _personal("EMAIL"),
        PHONE_NUMBER: _personal("PHONE"),
        # A card number links payments, not people: nothing should be able to join on it.
        CREDIT_CARD: EntitySpec("CARD", Action.REPLACE),
        IBAN_CODE: _personal("IBAN"),
        IP_ADDRESS: _personal("IP"),
        US_SSN: _personal("SSN"),
        CRYPTO: _personal("CRYPTO"),
        BR_CPF: _personal("CPF"),
        BR_CNPJ: _personal("CNPJ"),
        BR_RG: _personal("RG"),
        BR_CEP: _personal("CEP"),
        BR_CNH: _personal("CNH"),
        BR_NIS: _personal("NIS"),
        BR_CNS: _personal("CNS"),
        BR_TITULO_ELEITOR: _personal("VOTER_ID"),
        BR_PIX_KEY: _personal("PIX_KEY"),
        BR_PLATE: _personal("PLATE"),
        BR_BANK_AGENCY: _personal("BANK_AGENCY"),
        BR_BANK_ACCOUNT: _personal("BANK_ACCOUNT"),
        API_KEY: _secret("API_KEY"),
        ACCESS_TOKEN: _secret("TOKEN"),
        PASSWORD: _secret("PASSWORD"),
        PRIVATE_KEY: _secret("PRIVATE_KEY"),
        CONNECTION_STRING: _secret("CONNECTION_STRING"),
        # Known to rules and never looked for without an extra: memory about people needs names, and scope protects them.
        PERSON: _kept("PERSON"),
        LOCATION: _kept("LOCATION"),
        DATE_TIME: _kept("DATE"),
        URL: _kept("URL"),
    }
)


def is_secret(entity: EntityType) -> bool:
    """True for what is replaced whatever the rules say; what an org looks for itself is none of it."""
    spec = ENTITIES.get(entity)
    return spec is not None and spec.secret


def label_of(entity: EntityType) -> str:
    """What readers see in brackets; of a recognizer of an org its name."""
    spec = ENTITIES.get(entity)
    return entity if spec is None else spec.label


MASK_VISIBLE: Final[Mapping[EntityType, int]] = MappingProxyType({CREDIT_CARD: 4, PHONE_NUMBER: 4})
"""How many last characters `mask` leaves readable; kinds that are not listed leave none."""


@lru_cache(maxsize=1_024)
def label_pattern(further: tuple[str, ...] = ()) -> re.Pattern[str]:
    """A label as the redactor writes it, `further` the labels of an org's own recognizers.

    At most four digits fit, so that a label cannot carry a number past the recognizers.
    """
    names = sorted({spec.label for spec in ENTITIES.values()}.union(further), key=lambda name: (-len(name), name))
    return re.compile(r"\[(?P<name>" + "|".join(names) + r")(?:_(?P<number>[0-9]{1,4})| \*{4}[0-9]{0,4})?\]")


LABEL: Final = label_pattern()
NUMBERED: Final = re.compile(r"\[(?P<name>[A-Z][A-Z_]{0,39})_(?P<number>[0-9]{1,4})\]")
"""What is or was a label with a number, of whatever recognizer: no other value may get it."""
