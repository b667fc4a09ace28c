"""How a statement reads that a rule found: in the third person, behind the name of its subject."""

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.rule import Compiled
from memdb.extraction.rules.values import in_third_person

_SPACES = re.compile(r"\s+")
_FILLERS = re.compile(r"^ (?:(?:actually|just|also|definitely|really|também|tb|mesmo|só) )+", re.IGNORECASE)
_REACHED: Final = {
    "wake": "woken", "message": "messaged", "page": "paged", "phone": "phoned",
    "schedule": "scheduled", "notify": "notified", "ping": "pinged",
}  # fmt: skip


def told(compiled: Compiled, match: re.Match[str], shown: str, end: int, value: str | None) -> str:
    """The statement without its subject: what follows the name.

    Args:
        compiled, match: the rule and what it found in the plain text.
        shown: the same text as written.
        end: where the value ends.
        value: as written; None for a rule without one.
    """
    rule = compiled.rule
    if rule.shown is not None:
        verb = match.groupdict().get("verb2") or ""
        given = {name: without_marks(shown[slice(*match.span(name))]) for name, words in match.groupdict().items() if words is not None}
        given |= {"value": without_marks(value or ""), "verb2": _REACHED.get(verb, f"{verb}ed")}
        return in_third_person(rule.shown.format(**given), compiled.language)
    rest = _FILLERS.sub(" ", in_third_person(shown[match.start("rest") : end], compiled.language), count=1)
    rest = without_marks(rest)
    if rule.verb == "my":
        return f"'s {rest}"
    if rule.verb == "meu":
        return _owned(rest)
    if rule.verb == "often":
        return _conjugated(rest)
    return f"{compiled.shown_verb} {rest}".strip()


def _conjugated(rest: str) -> str:
    """English for what somebody does: "run every morning" is told as "runs every morning"."""
    verb, space, more = rest.partition(" ")
    ending = "es" if verb.endswith(("s", "sh", "ch", "x", "o")) else "s"
    return f"{verb[:-1]}ies{space}{more}" if verb[-2:-1] not in "aeiou" and verb.endswith("y") else f"{verb}{ending}{space}{more}"


def without_marks(shown: str) -> str:
    """Words with single spaces, without quotes around them."""
    return _SPACES.sub(" ", shown).strip(" \"“”'")


def _owned(rest: str) -> str:
    """Portuguese for what somebody has: "editor favorito é o vim" is told as "tem como editor favorito: o vim", without a gender."""
    for verb in (" é ", " se chama ", " chama "):
        thing, found, what = rest.partition(verb)
        if found:
            return f"tem como {thing}: {what}" if verb == " é " else f"tem {thing} que se chama {what}"
    return f"tem {rest}"
