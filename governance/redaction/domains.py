"""Is this the name of a domain? By the public suffix list inside the package, and the well-known private suffixes."""

from __future__ import annotations

import re
from typing import Final

import tldextract

_PRIVATE_SUFFIXES: Final = frozenset({"local", "localdomain", "internal", "intranet", "lan", "corp", "home", "test", "example", "invalid"})
# Offline: the default instance calls two servers on first use.
_SUFFIXES: Final = tldextract.TLDExtract(suffix_list_urls=(), cache_dir=None)

LABEL: Final = r"[A-Za-z0-9À-ɏ][A-Za-z0-9À-ɏ-]{0,62}"
"""A part of a domain: Latin letters, also with accents. Other scripts stand beside addresses without a space."""


def is_domain(name: str) -> bool:
    """Tell whether a name has a label before a public or well-known private suffix."""
    return "." in name and (name.rsplit(".", 1)[-1].lower() in _PRIVATE_SUFFIXES or bool(_SUFFIXES(name).fqdn))


def longest_domain(labels: list[str]) -> int:
    """Return how many of the labels, from the first on, are the longest domain; 0 if none are: prose may run on after a last dot."""
    for count in range(len(labels), 1, -1):
        if re.fullmatch(r"[A-Za-z0-9-]*[A-Za-z][A-Za-z0-9-]*", labels[count - 1]) and is_domain(".".join(labels[:count])):
            return count
    return 0
