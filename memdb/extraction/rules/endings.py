"""Ways of saying that something is over, taken off: "I no longer work at Orion" is read as "I work at Orion", which then has ended."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.rewording import STILL, Reworded, put_together

_EN_BASE: Final = {
    "eating": "eat", "drinking": "drink", "smoking": "smoke", "working": "work", "living": "live", "using": "use", "playing": "play",
    "running": "run", "managing": "manage", "taking": "take", "speaking": "speak",
}  # fmt: skip
_PT_FIRST: Final = {
    "ser": "sou", "comer": "como", "beber": "bebo", "fumar": "fumo", "morar": "moro",
    "trabalhar": "trabalho", "usar": "uso", "tomar": "tomo",
    "gostar": "gosto", "namorar": "namoro", "estudar": "estudo", "viver": "vivo",
}  # fmt: skip
_PT_WAS: Final = {
    "morava": ("moro", "mora"), "trabalhava": ("trabalho", "trabalha"), "namorava": ("namoro", "namora"), "fumava": ("fumo", "fuma"),
    "estudava": ("estudo", "estuda"), "era": ("sou", "é"),
}  # fmt: skip
_PT_THIRD: Final = {
    "sou": "é", "como": "come", "bebo": "bebe", "fumo": "fuma", "moro": "mora", "trabalho": "trabalha", "uso": "usa", "tomo": "toma",
    "gosto": "gosta", "namoro": "namora", "estudo": "estuda", "vivo": "vive",
}  # fmt: skip
_ANYMORE: Final = r"(?P<tail>[^,;:.!?()\n]{0,90}?) (?:any ?more|any longer)\b"

_EN_FIRST: Final = (
    (re.compile(r"i (?:no longer|don't|do not|dont) (?P<base>[a-z]+)(?P<tail>[^,;:.!?()\n]{0,90})"), "no longer"),
    (re.compile(r"(?:i'm|i am|im) no longer\b(?P<tail>[^,;:.!?()\n]{1,90})"), "be"),
    (re.compile(rf"(?:i'm|i am|im) not{_ANYMORE}"), "be"),
    (re.compile(r"i used to be\b(?P<tail>[^,;:.!?()\n]{1,90})"), "be"),
    (re.compile(r"i used to (?P<base>[a-z]+)(?P<tail>[^,;:.!?()\n]{0,90})"), "used"),
    (re.compile(r"i (?:just |recently )?(?:stopped|quit|gave up) (?P<ing>[a-z]+ing)(?P<tail>[^,;:.!?()\n]{0,90})"), "stopped"),
    (re.compile(r"i(?:'ve)? (?:just |recently )?(?:sold|traded in) my(?! [^,;:.!?()\n]{1,60} (?:and (?:i )?(?:bought|got)|for an?) )(?= (?:[a-z]+ ){0,1}[a-z0-9-]+(?:$|[.!,;]| (?:and|last|yesterday|in|on)\b))(?P<tail>[^,;:.!?()\n]{0,60}?)(?=$|[.!,;]| and\b)"), "sold"),
    (re.compile(r"i (?:left|quit) my (?:job|position|role)(?P<tail> (?:at|with) [^,;:.!?()\n]{1,60})"), "left"),
)  # fmt: skip
_EN_THIRD: Final = (
    (re.compile(r" no longer (?P<singular>[a-z]+s)(?P<tail>[^,;:.!?()\n]{0,90})"), "singular"),
    (re.compile(rf" (?:doesn't|does not) (?P<base>[a-z]+){_ANYMORE}"), "used"),
    (re.compile(r"(?: is|'s) no longer\b(?P<tail>[^,;:.!?()\n]{1,90})"), "be"),
    (re.compile(rf"(?: isn't| is not|'s not){_ANYMORE}"), "be"),
    (re.compile(r" used to be\b(?P<tail>[^,;:.!?()\n]{1,90})"), "be"),
    (re.compile(r" used to (?P<base>[a-z]+)(?P<tail>[^,;:.!?()\n]{0,90})"), "used"),
    (re.compile(r" (?:stopped|quit) (?P<ing>[a-z]+ing)(?P<tail>[^,;:.!?()\n]{0,90})"), "stopped"),
    (re.compile(r" (?:left|quit) (?:his|her|their) (?:job|position|role)(?P<tail> (?:at|with) [^,;:.!?()\n]{1,60})"), "left"),
)  # fmt: skip
_PT_BOTH: Final = (
    (re.compile(r"(?:eu )?(?:ja )?nao (?P<verb>[a-zé]+) mais\b(?P<tail>[^,;:.!?()\n]{0,90})"), "verb"),
    (re.compile(r"(?:eu )?ja nao (?P<verb>[a-zé]+)\b(?P<tail>[^,;:.!?()\n]{0,90})"), "verb"),
    (re.compile(r"(?:eu )?(?:deixei|parei|deixou|parou) de (?P<infinitive>[a-z]+)(?P<tail>[^,;:.!?()\n]{0,90})"), "infinitive"),
    (re.compile(r"(?:eu )?(?P<was>morava|trabalhava|namorava|fumava|estudava)\b(?P<tail>[^,;:.!?()\n]{0,90})"), "was"),
)  # fmt: skip


def strip_ending(plain: str, shown: str, at: int, *, third: bool) -> Reworded | None:
    """The clause as it would state what is over; None when it says of nothing that it is over.

    Args:
        plain, shown: of a sentence.
        at: where the clause begins, or, with `third`, where the name of its subject ends.
    """
    for pattern, form in _EN_THIRD if third else _EN_FIRST:
        match = pattern.match(plain, at)
        if match is None:
            continue
        if form == "no longer" and "no longer" not in match[0] and STILL.search(match[0]) is None:
            continue
        front = _english_front(match, form, third=third)
        if front is not None:
            return _joined(front, match, plain, shown)
    start = at + 1 if third and plain[at : at + 1] == " " else at
    for pattern, form in _PT_BOTH:
        match = pattern.match(plain, start)
        if match is None:
            continue
        verb = _portuguese_verb(match, form, third=third)
        if verb is not None:
            return _joined(f" {verb}" if third else verb, match, plain, shown)
    return None


def _english_front(match: re.Match[str], form: str, *, third: bool) -> str | None:
    if form == "be":
        return " is" if third else "i am"
    if form == "sold":
        return None if third else "i drive a"
    if form == "left":
        return " works" if third else "i work"
    if form == "singular":
        return f" {match['singular']}"
    base = _EN_BASE.get(match["ing"]) if form == "stopped" else match["base"]
    if base is None:
        return None
    return f" {base}s" if third else f"i {base}"


def _portuguese_verb(match: re.Match[str], form: str, *, third: bool) -> str | None:
    if form == "verb":
        return match["verb"]
    if form == "was":
        return _PT_WAS[match["was"]][third]
    first = _PT_FIRST.get(match["infinitive"])
    return _PT_THIRD[first] if first is not None and third else first


def _joined(front: str, match: re.Match[str], plain: str, shown: str) -> Reworded:
    return put_together(front, *match.span("tail"), plain, shown, began=True)
