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
_THING: Final = r"safe|vault|lock|padlock|lockbox|locker|gate|garage|door|front door|back door|alarm|elevator|building|entrance|entry|house|apartment|flat|airbnb|bike|suitcase|luggage"
_THING_PT: Final = r"cofre|alarme|port[aã]o|porta|cadeado|garagem|elevador|pr[eé]dio|entrada|casa|apartamento|ap[eê]|fechadura|mala|arm[aá]rio|condom[ií]nio|bicicleta|bike|desbloqueio"
_ITS: Final = r"(?:the |my |our |his |her |their |your |meu |minha |nosso |nossa |seu |sua )?"
_OF_THING: Final = (
    rf"(?:(?:{_THING})(?: door)?|access|unlock|disarm|keypad|entry)[ -](?:code|combination|combo)|(?:code|combination|combo) (?:to|for|of|on) {_ITS}(?:{_THING})"
    rf"|(?:c[oó]digo|combina[cç][aã]o|segredo|n[uú]mero secreto) (?:d[aeo]s?|para o|para a|pr[oa]|n[ao]) {_ITS}(?:{_THING_PT})"
)
_WHERE: Final = r"(?:[ \t]{1,2}(?!(?:is|was|é|era|has|have)[ \t])[A-Za-zÀ-ÿ']{1,20}){0,4}?"
_SAYS: Final = r"(?:[ \t]{0,2}[:=#-][ \t]{0,2}|[ \t]{1,2}(?:is|was|é|e\u0301|era|foi|ficou|virou|agora é|is now|(?:was |is |foi )?(?:changed|set|reset|mudado|trocado|alterado) (?:to|para)|becomes|became)[ \t]{1,2}(?:now |agora |o |a )?|,? (?:it'?s|which is|que é) )[\"'(]?"
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
        Pattern(
            re.compile(
                rf"{START}(?:{_OF_THING}){END}(?:{_WHERE}{_SAYS}|[ \t]{{1,2}}(?!(?:19|20)[0-9]{{2}}(?![0-9])))(?P<value>[#*]?[0-9]{{3,10}}[#*]?|[0-9]{{1,4}}(?:[ -]{{1,3}}[0-9]{{1,4}}){{1,4}}){_NO_MORE}",
                re.IGNORECASE,
            ),
            LABELLED,
            needs=("code", "combin", "combo", "código", "codigo", "segredo", "secreto"),
        ),
    ),
)
