"""IP addresses: presidio's patterns, without version numbers and addresses that name no machine of anybody."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from presidio_analyzer.predefined_recognizers import IpRecognizer

from governance.redaction.entities import IP_ADDRESS
from governance.redaction.recognizers.presidio import adopt

_VERSION_BEFORE: Final = re.compile(
    r"(?:(?<![a-z])v(?:ers(?:ion|ions|ao|ão|ões|oes)|er)?\.?|(?<![a-z])(?:release|build|firmware|driver|patch|update|upgrade|kernel|plugin|sdk|oid|section|se[cç][aã]o|cap[ií]tulo|chapter|"
    r"artigo|art\.?|item|cl[aá]usula|clause|figure|figura|tabela|table|windows|chrome|chromium|firefox|edge|electron|android|ios|macos)"
    r"(?: (?:number|no|n[ºo]\.?|to|para|é|is))?:?|[a-z]-|[=@]{1,2}|\d\.|§)\s?\Z",
    re.IGNORECASE,
)
_NAMED_IP: Final = re.compile(r"(?<![a-z])(?:ip|host|addr(?:ess)?|server|servidor|endere[cç]o)s?\s?[=:]\s?\Z", re.IGNORECASE)
# `"version": "1.2.3.4"`, `appVersion = '1.2.3.4'`, `<version>1.2.3.4<`, `Version("1.2.3.4"`: a key may be the end of a longer one.
_VERSION_KEY: Final = re.compile(
    r"(?:vers(?:ion|ao|ão)|release|build|firmware|revision|revis[aã]o)(?:[_-]?(?:name|number|string|code|id|n[uú]mero|info|value|tag))?"
    r"(?:\\?[\"']?\s{0,2}(?:=>|[:=>(]){1,2}\s{0,2})\\?[\"'\[]{0,2}v?\Z",
    re.IGNORECASE,
)
_KEY_BEFORE: Final = 40
_GOES_ON: Final = re.compile(r"\.\d|-[a-z0-9]", re.IGNORECASE)
_BEFORE: Final = 24


def _is_known_network(value: str) -> bool:
    """Tell whether a value is a whole block (no bits of a host) of addresses that anybody may use: private, shared, multicast, all."""
    if "/" not in value:
        return False
    interface = ipaddress.ip_interface(value)
    network = interface.network
    if network.prefixlen == network.max_prefixlen or interface.ip != network.network_address:
        return False
    return network.prefixlen == 0 or not network.is_global or network.is_multicast


def _names_a_machine(text: str, start: int, end: int) -> bool:
    value = text[start:end]
    if "." in value and ":" not in value:
        before = text[max(0, start - _BEFORE) : start]
        # A fifth number makes it an object identifier; "1.2.3.4-beta" is a release.
        if _GOES_ON.match(text, end) or (_VERSION_BEFORE.search(before) and not _NAMED_IP.search(before)):
            return False
        if _VERSION_KEY.search(text, max(0, start - _KEY_BEFORE), start):
            return False
    if _is_known_network(value):
        return False
    address = ipaddress.ip_interface(value).ip
    # `::beef` in code is a path; an address of that form in the wild has a digit or another group.
    only_letters = ":" in value and not any(char.isdigit() for char in value)
    return not (address.is_loopback or address.is_unspecified or only_letters)


RECOGNIZER: Final = adopt(IpRecognizer(), IP_ADDRESS, words="ips?|ipv4|ipv6", accept=_names_a_machine, hint=r"[0-9]\.[0-9]|:[0-9A-Fa-f:]")
