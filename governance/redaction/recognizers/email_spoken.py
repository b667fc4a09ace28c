# ruff: noqa: E501 - a pattern or a list broken over more lines reads worse
"""E-mail addresses as people say or hide them: "ana arroba exemplo ponto com", "ana at example dot com", "ana [at] example [dot] com"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.domains import LABEL, longest_domain
from governance.redaction.entities import EMAIL_ADDRESS
from governance.redaction.findings import EntityType, Finding
from governance.redaction.nearby import kind_of
from governance.redaction.reading import Reading, read
from governance.redaction.recognizers.base import LABELLED

if TYPE_CHECKING:
    from collections.abc import Iterator

_S: Final = r"[ \t\n]"
_AT_WORD: Final = r"(?:at(?:[ -]?sign)?|(?:sinal de )?arroba)"
_AT: Final = rf"(?:{_S}{{0,2}}[\[({{<]{_S}?(?:{_AT_WORD}|@){_S}?[\])}}>]{_S}{{0,2}}|{_S}{{1,2}}{_AT_WORD}{_S}{{1,2}}|{_S}?@{_S}?|&#64;|&commat;|(?-i:(?<=[a-z0-9])AT(?=[a-z])))"
_DOT: Final = rf"(?:{_S}{{0,2}}[\[({{<]{_S}?(?:dot|ponto|punto|\.){_S}?[\])}}>]{_S}{{0,2}}|{_S}{{1,2}}(?:dot|ponto|punto){_S}{{1,2}}|\.|{_S}\.{_S}(?-i:(?=[a-z0-9]))|(?-i:(?<=[a-z0-9])DOT(?=[a-z])))"
_JOINERS: Final = {
    "dot": ".", "ponto": ".", "punto": ".", "underline": "_", "underscore": "_", "dash": "-", "hyphen": "-", "hifen": "-", "hífen": "-", "traço": "-", "traco": "-",
    "plus": "+", "mais": "+",
}  # fmt: skip
_JOIN: Final = rf"(?:{_S}(?:{'|'.join(_JOINERS)}){_S}|{_S}?[\[({{](?:dot|ponto|\.)[\])}}]{_S}?)"
_PART: Final = r"[A-Za-z0-9À-ɏ._%+-]{1,64}"

_SPOKEN: Final = re.compile(rf"(?P<at>{_AT})(?P<domain>(?-i:{LABEL})(?:{_DOT}(?-i:{LABEL})){{0,6}})", re.IGNORECASE)
_DOTS: Final = re.compile(_DOT, re.IGNORECASE)
_LOCAL: Final = re.compile(rf"(?:{_PART}{_JOIN}){{0,4}}{_PART}\Z", re.IGNORECASE)
_LOCAL_WINDOW: Final = 120
_LIKE_A_NAME: Final = re.compile(r"[0-9._+-]")
_SPELLED: Final = re.compile(r"[A-Za-z]|[\[({<]")

# Where the dot was left out as well: "ana arroba gmail".
_PROVIDERS: Final = frozenset(
    {"gmail", "hotmail", "outlook", "yahoo", "icloud", "live", "uol", "bol", "terra", "protonmail", "proton", "googlemail", "aol", "gmx"}
)
# "look at example dot com" is no address.
_PROSE: Final = frozenset(
    """a about all am and anything apply are around arrive arrived as ask at available away back based be been begin book bought browse but buy by call check
    click deals did done down everything find for found free get go good had has have he her here him home i in info information is it items job join just live located
    look looked looking looks me meet more not now off on one online only or order out over page pages people price prices product products read sale see shop shopping
    site sites sold something start starting stay store stuff that the their them there they things this those time up us visit was we website were what work worked
    working works you""".split()  # noqa: SIM905 - a hundred quoted words, one a line, read worse
)


_NO_LABEL: Final = frozenset("the a an this that these those my our your his her their its all any each some every least most".split())  # noqa: SIM905 - as above
# "At the dot com boom", "met at hotel dot net office": the name of a company or an age stands before a noun.
_DOT_COM_WHAT: Final = re.compile(
    r"[ \t-]{1,2}(?:boom|bust|bubble|crash|crisis|era|age|craze|mania|years?|days|times|world|office|offices|hotels?|building|headquarters|hq|lobby|conference|meeting|event|party|team|"
    r"compan(?:y|ies)|business(?:es)?|start-?ups?|millionaires?|stocks?|guys?|people|employees?|domains?|addresses|burst|collapse|peak|rush|fever|scene|store|shop|counter|desk)(?![A-Za-z])",
    re.IGNORECASE,
)
_VERB: Final = re.compile(
    r"met|went|sat|slept|spent|lost|won|made|kept|left|ate|ran|paid|held|began|ended|grew|rose|fell|came|stood|saw|was|were|is|are"
)


class SpokenEmail:
    """An address needs a domain, and more than the word "at": a spelled or bracketed sign, or a word for e-mail before it."""

    name = "email_spoken"
    entities: tuple[EntityType, ...] = (EMAIL_ADDRESS,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        position = 0
        while (match := _SPOKEN.search(text, position)) is not None:
            position = match.end("at")
            local = _LOCAL.search(text, max(0, match.start() - _LOCAL_WINDOW), match.start())
            end = _domain_end(match)
            if local is None or end is None:
                continue
            start = local.start() + len(local[0]) - len(local[0].lstrip("._%+-"))
            if (
                start < match.start()
                and _is_address(reading, start, match, text[match.start("domain") : end])
                and not _is_prose(text, start, match, end)
            ):
                position = end
                yield Finding(EMAIL_ADDRESS, start, end, LABELLED)


def _domain_end(match: re.Match[str]) -> int | None:
    domain, start = match["domain"], match.start("domain")
    ends = [dot.start() for dot in _DOTS.finditer(domain)] + [len(domain)]
    starts = [0] + [dot.end() for dot in _DOTS.finditer(domain)]
    labels = [domain[a:b] for a, b in zip(starts, ends, strict=True)]
    count = longest_domain(labels)
    if count == 0 and labels[0].lower() in _PROVIDERS and match["at"].strip().lower() != "at" and match["at"] != "@":
        count = 1
    return start + ends[count - 1] if count else None


def _is_address(text: Reading, start: int, match: re.Match[str], domain: str) -> bool:
    at = match["at"]
    local = text[start : match.start()]
    spelled_dot = any(_SPELLED.search(dot[0]) for dot in _DOTS.finditer(domain))
    if at == "@" and not spelled_dot and not any(char.isspace() for char in domain):
        return False  # an ordinary address
    if at.strip().lower() not in {"at", "@"}:
        return True
    if kind_of(text, start, start) == "email":
        return True
    if at.strip() == "@" or spelled_dot:
        return local.lower() not in _PROSE
    return _LIKE_A_NAME.search(local) is not None and local[-1] not in ".-"


def _is_prose(text: str, start: int, match: re.Match[str], end: int) -> bool:
    """Tell whether the word "at" with small letters around it belongs to a sentence about a place or a time."""
    if match["at"].strip() != "at":
        return False
    first = _DOTS.split(match["domain"], maxsplit=1)[0]
    if first.lower() in _NO_LABEL:
        return True
    local = text[start : match.start()]
    if not local.isalpha():
        return False
    return _DOT_COM_WHAT.match(text, end) is not None or (
        _VERB.fullmatch(local) is not None and kind_of(read(text), start, start) != "email"
    )


def plain(value: str) -> str:
    """Return an address as it is written, from any way of saying it.

    >>> plain("Ana ponto Silva arroba exemplo ponto com")
    'ana.silva@exemplo.com'
    """
    match = _SPOKEN.search(value)
    if match is None:
        return value.lower()
    local = re.sub(_JOIN, lambda joint: _JOINERS.get(joint[0].strip().lower(), "."), value[: match.start()], flags=re.IGNORECASE)
    return f"{local}@{_DOTS.sub('.', match['domain'])}".lower()


RECOGNIZER: Final = SpokenEmail()
