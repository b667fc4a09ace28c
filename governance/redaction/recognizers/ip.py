"""IP addresses: presidio's patterns, without version numbers and addresses that name no machine of anybody."""

from __future__ import annotations

import ipaddress
import re
from typing import Final

from presidio_analyzer.predefined_recognizers import IpRecognizer

from governance.redaction.entities import IP_ADDRESS
from governance.redaction.recognizers.presidio import adopt

_VERSION_BEFORE: Final = re.compile(
    r"(?:(?<![a-z])v(?:ersion|ersao|ersão|er)?\.?|\brelease|\bbuild|section|seção|secao|[a-z]-|[=@]{1,2}|\d\.)\s?$", re.IGNORECASE
)


def _names_a_machine(value: str, before: str) -> bool:
    if "." in value and ":" not in value and _VERSION_BEFORE.search(before) and not re.search(r"\bip\s*=\s?$", before, re.IGNORECASE):
        return False
    address = ipaddress.ip_interface(value).ip
    # `::beef` in code is a path; an address of that form in the wild has a digit or another group.
    only_letters = ":" in value and not any(char.isdigit() for char in value)
    return not (address.is_loopback or address.is_unspecified or only_letters)


RECOGNIZER: Final = adopt(IpRecognizer(), IP_ADDRESS, words="ips?|ipv4|ipv6", accept=_names_a_machine, hint=r"[0-9]\.[0-9]|:[0-9A-Fa-f:]")
