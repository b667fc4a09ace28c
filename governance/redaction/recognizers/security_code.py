# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Short codes behind their word: of a card (CVV, código de segurança), and those that prove who somebody is (OTP, verification code)."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import PASSWORD
from governance.redaction.recognizers.base import END, LABELLED, START, Pattern, PatternRecognizer

_LINK: Final = r"(?:[ \t]{1,2}(?:is|was|é|e\u0301|era|foi|number|n[ºo°]))?\s{0,2}[:=#-]?\s{0,2}[\"'(]?"
_OF_CARD: Final = r"cvv2?|cvc2?|card verification (?:code|value|number)|c[oó]digo (?:verificador|de seguran[cç]a)(?: do cart[aã]o)?|card security code|security code"
_OF_PERSON: Final = (
    r"otp|totp|(?:2fa|mfa|one[- ]time|verification|confirmation|authentication|login|recovery|backup|reset) (?:code|passcode|password|pin)"
    r"|c[oó]digo (?:de|da) (?:verifica[cç][aã]o|confirma[cç][aã]o|autentica[cç][aã]o|acesso|recupera[cç][aã]o|uso [uú]nico|login)|token sms|c[oó]digo sms"
)
_NO_MORE: Final = rf"(?![.,/-][0-9]){END}"

RECOGNIZER: Final = PatternRecognizer(
    "security_code",
    PASSWORD,
    (
        Pattern(
            re.compile(rf"{START}(?:{_OF_CARD}){END}{_LINK}(?P<value>[0-9]{{3,4}}){_NO_MORE}", re.IGNORECASE),
            LABELLED,
            needs=("cvv", "cvc", "verifica", "security code", "segurança", "seguranca"),
        ),
        Pattern(
            re.compile(
                rf"{START}(?:{_OF_PERSON}){END}{_LINK}(?P<value>[0-9]{{4,8}}|[0-9]{{2,6}}(?:[ -][0-9]{{2,6}}){{1,3}}){_NO_MORE}",
                re.IGNORECASE,
            ),
            LABELLED,
            needs=("otp", "code", "código", "codigo", "passcode", "one-time", "one time", "token sms"),
        ),
    ),
)
