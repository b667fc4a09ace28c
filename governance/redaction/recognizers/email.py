"""E-mail addresses: our own scan, and the public suffix list as presidio uses it, from inside the package.

Presidio's pattern takes quadratic time on a long run of letters and swallows CJK prose before the address, so the scan starts at the `@`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.domains import is_domain
from governance.redaction.entities import EMAIL_ADDRESS
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import CHECKED, LABELLED

if TYPE_CHECKING:
    from collections.abc import Iterator

# `%40` is the @ of an address inside a URL; labels of a domain may have Latin letters with accents.
_DOMAIN: Final = re.compile(
    r"(?P<at>@|%40)(?P<domain>(?:[A-Za-z0-9À-ɏ](?:[A-Za-z0-9À-ɏ-]{0,62})\.){1,8}[A-Za-z][A-Za-z0-9-]{1,62})",
)
# A person on the machine itself; where a port or a path follows, or the name is a service's, it is configuration.
_ON_THIS_MACHINE: Final = re.compile(
    r"(?<![A-Za-z0-9._%+@:/-])(?!(?:user(?:name)?|usuario|root|admin|administrator|postgres|mysql|mariadb|redis|mongo|rabbit|guest|test|tester|app|service|svc|api|web|"
    r"www-data|nobody|daemon|git|ssh|you|me|name|node|db|sa|oracle|ubuntu|vagrant|docker|jenkins|deploy|dev)@)"
    r"[A-Za-z][A-Za-z0-9._+-]{0,63}@localhost(?![A-Za-z0-9_@-]|\.[A-Za-z0-9]|:[0-9~/]|/)",
    re.IGNORECASE,
)
_LOCAL_CHARACTERS_MAX: Final = 64  # RFC 5321, 4.5.3.1.1
_LOCAL: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.!#$%&*+/=?^_`{|}~'-")
_OPENERS: Final = ".!#$%&*/=?^`{|}~'"  # may stand inside a local part, hardly ever at its start in prose
_BREAK: Final = re.compile(r"[/=&?#|{}!*`]|%(?:0[AaDd]|2[026CcFf]|3[AaBbCcDdEeFf]|5[BbDd])")
_LATIN_LETTER: Final = re.compile(r"[À-ɏ]")


class EmailRecognizer:
    """`local@domain` with a public or well-known private suffix; `git@host:path` is a repository, not a person."""

    name = "email"
    entities: tuple[EntityType, ...] = (EMAIL_ADDRESS,)

    def find(self, text: str) -> Iterator[Finding]:
        floor = 0
        for match in _DOMAIN.finditer(text):
            at = match.start()
            # The signs of %40 may stand in a local part as well: without a bound a run of them would take quadratic time.
            start = self._local_start(text, at, floor if match["at"] == "@" else max(floor, at - _LOCAL_CHARACTERS_MAX))
            end = self._domain_end(match["domain"], match.start("domain"))
            if start == at or end is None or (text[start:at] == "git" and text[end : end + 1] == ":"):
                continue
            floor = end
            yield Finding(EMAIL_ADDRESS, start, end, CHECKED)
        if "@localhost" in text.lower():
            for match in _ON_THIS_MACHINE.finditer(text):
                yield Finding(EMAIL_ADDRESS, *match.span(), LABELLED)

    @staticmethod
    def _local_start(text: str, at: int, floor: int) -> int:
        start = at
        while start > floor and (text[start - 1] in _LOCAL or _LATIN_LETTER.match(text[start - 1])):
            start -= 1
        # `see/ana@example.com`, `?to=ana@example.com`, `%20ana%40example.com`: these signs are legal inside a local part, and unseen.
        for sign in _BREAK.finditer(text, start, at):
            start = sign.end()
        while start < at and text[start] in _OPENERS:
            start += 1
        return start

    @staticmethod
    def _domain_end(domain: str, start: int) -> int | None:
        """Return the end of the longest prefix of labels that is a domain: prose may run on after its last dot."""
        labels = domain.split(".")
        while len(labels) > 1:
            candidate = ".".join(labels)
            # The suffix as it stands, then without what was glued behind a hyphen.
            for shown in (candidate, candidate.rstrip("-"), candidate.rsplit("-", 1)[0]):
                if is_domain(shown):
                    return start + len(shown)
            labels.pop()
        return None


RECOGNIZER: Final = EmailRecognizer()
