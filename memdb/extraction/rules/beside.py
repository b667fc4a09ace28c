"""Whom a speaker tells of without their being known here: a relative ("my daughter Ana is …"), or the speaker with others ("we signed …").

The clause is read as one about a third person, and told as the speaker's: "Zoe's daughter Ana is …", "Zoe and others signed …". Nobody is
guessed: a relative is never taken for the subject of the same name. Pure.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_KIN: Final = {
    "en": r"wife|husband|partner|fiance|fiancee|girlfriend|boyfriend|son|daughter|sister|brother|mother|father|mom|mum|dad|stepson|stepdaughter|stepmother|stepfather|grandson|granddaughter"
    r"|grandmother|grandfather|grandma|grandpa|mother-in-law|father-in-law|sister-in-law|brother-in-law|cousin|aunt|uncle|niece|nephew|roommate|flatmate",
    "pt": r"esposa|mulher|marido|companheir[oa]|noiv[oa]|namorad[oa]|filh[oa]|irma|irmao|mae|pai|enteado|enteada|madrasta|padrasto|net[oa]|avo|sogr[oa]|cunhad[oa]|prim[oa]|ti[oa]|sobrinh[oa]",
}
_KINS: Final = {
    "en": r"parents|kids|children|sons|daughters|sisters|brothers|grandparents|in-laws|twins|cousins",
    "pt": r"pais|filh[oa]s|irmaos|irmas|avos|sogros|net[oa]s|prim[oa]s|tios|gemeos|gemeas",
}
_ONLY_ONE: Final = re.compile(r"(?:wife|husband|partner|mother|father|mom|mum|dad|esposa|mulher|marido|mae|pai)\b")
_AGE: Final = r"(?:(?:older|younger|little|big|eldest|oldest|youngest|twin) )?"
_NAME: Final = r"(?P<name>[a-z][\w'-]+)"
_MY: Final = {
    "en": re.compile(rf"my (?P<kin>{_AGE}(?:{_KIN['en']}))(?:,? {_NAME},?)?(?='s | )"),
    "pt": re.compile(
        rf"(?:[oa] )?(?:meu|minha) (?P<kin>(?:{_KIN['pt']})(?: (?:mais (?:velh|nov)[oa]|cacula))?)(?:,? (?:[oa] )?{_NAME},?)?(?= )"
    ),
}
_MINE: Final = {
    "en": re.compile(rf"my (?P<kin>(?:two |three |four )?(?:{_KINS['en']}))(?= )"),
    "pt": re.compile(rf"(?:[oa]s )?(?:meus|minhas) (?P<kin>(?:(?:dois|duas|tres) )?(?:{_KINS['pt']}))(?= )"),
}
_WE: Final = {
    "en": re.compile(r"(?:(?P<be>we are|we're)|(?P<will>we will|we'll)|we(?: just| finally| all| also)?)(?= )"),
    "pt": re.compile(r"(?:(?P<one>a gente)(?: ja)?(?= )|(?:nos )?(?:ja )?(?=[a-z]+mos\b))"),
}
_SINGULAR: Final = {
    "en": {"are": "is", "have": "has", "were": "was", "do": "does", "don't": "doesn't", "go": "goes", "study": "studies", "teach": "teaches"}
    | {base: f"{base}s" for base in "live work love like hate enjoy prefer use speak own play run drive eat drink smoke collect fly leave start move return".split()},  # noqa: SIM905
    "pt": {"sao": "é", "estao": "esta", "tem": "tem", "vao": "vai", "foram": "foi", "fizeram": "fez", "fomos": "foi", "fizemos": "fez", "vamos": "vai", "temos": "tem", "estamos": "esta"},
}  # fmt: skip
_PT_ENDINGS: Final = (
    ("aram", "ou"), ("eram", "eu"), ("iram", "iu"), ("amos", "ou"), ("emos", "eu"), ("imos", "iu"), ("am", "a"), ("em", "e"),
)  # fmt: skip
_PLURAL: Final = {
    "en": {"is": "are", "has": "have", "was": "were", "does": "do", "goes": "go", "studies": "study", "teaches": "teach"},
    "pt": {
        "é": "são",
        "está": "estão",
        "tem": "têm",
        "vai": "vão",
        "foi": "foram",
        "fez": "fizeram",
        "vem": "vêm",
        "não": "não",
        "se": "se",
    },
}
_PT_MORE: Final = (("ou", "aram"), ("eu", "eram"), ("iu", "iram"), ("a", "am"), ("e", "em"))
_FIRST_WORD: Final = re.compile(r" (?P<word>[a-zé']+)")


@dataclass(frozen=True, slots=True)
class Beside:
    """A clause about somebody beside the speaker, from its verb on, in the third person singular, without case and as written.

    kin: who it is, as a part of an attribute; None for the speaker with others. called: how they are called, as written. one: there is only
    one of these. plural: they are several.
    """

    language: str
    plain: str = field(repr=False)
    shown: str = field(repr=False)
    kin: str | None
    called: str = field(default="", repr=False)
    name: str | None = field(default=None, repr=False)
    one: bool = False
    plural: bool = False

    def title(self, speaker: str) -> str:
        """How they are called in a statement."""
        english = self.language == "en"
        if self.kin is None:
            return f"{speaker} {'and others' if english else 'e outros'}"
        if english:
            return f"{speaker}'s {self.called}{'' if self.name is None else f' {self.name}'}"
        feminine = self.kin.endswith(("a", "as", "mae", "mulher")) or self.called.lower() == "avó"
        article = ("A" if feminine else "O") + ("s" if self.plural else "")
        return f"{article} {self.called} de {speaker}{'' if self.name is None else f', {self.name},'}"

    def told(self, text: str) -> str | None:
        """A statement about one, "lives in Cork", as one about these; None where it has no such form."""
        if not self.plural:
            return text
        words = text.split(" ")
        at = 1 if words[0] in {"não", "se"} and len(words) > 1 else 0
        if words[0].startswith("'"):
            return None
        words[at] = _as_plural(words[at], self.language)
        return " ".join(words)

    def attribute(self, told: str) -> str | None:
        """What of the speaker it tells; None where that has no place below the relative."""
        if self.kin is None:
            return told
        return f"{self.kin}/{told}" if told.count("/") < 2 else None


def find_beside(plain: str, shown: str, at: int) -> Iterator[Beside]:
    """Whom the clause at `at` tells of beside its speaker, in either language, if it does."""
    for language in ("en", "pt"):
        match = _MY[language].match(plain, at)
        if match is not None:
            yield from _one(language, match, plain, shown)
        match = _MINE[language].match(plain, at)
        if match is not None:
            kin = match["kin"].rpartition(" ")[2]
            yield from _several(language, match.end(), plain, shown, kin, shown[slice(*match.span("kin"))])
        match = _WE[language].match(plain, at)
        if match is not None:
            front = " is" if language == "en" and match["be"] else " will" if language == "en" and match["will"] else None
            if front is not None:
                yield Beside(language, front + plain[match.end() :], front + shown[match.end() :], None, plural=True)
            elif language == "pt" and match["one"]:
                yield Beside(language, plain[match.end() :], shown[match.end() :], None, plural=True)
            else:
                yield from _several(language, match.end(), plain, shown, None, "")


def _one(language: str, match: re.Match[str], plain: str, shown: str) -> Iterator[Beside]:
    """A relative, with the name if what stands there is one."""
    kin = re.split(r" (?=mais|cacula)", match["kin"])[0].rpartition(" ")[2]
    called = shown[slice(*match.span("kin"))]
    one = _ONLY_ONE.match(kin) is not None
    if match["name"] is not None and shown[match.start("name")].isupper():
        yield Beside(language, plain[match.end() :], shown[match.end() :], kin, called, shown[slice(*match.span("name"))], one)
    end = match.end("kin")
    yield Beside(language, plain[end:], shown[end:], kin, called, one=one)


def _several(language: str, end: int, plain: str, shown: str, kin: str | None, called: str) -> Iterator[Beside]:
    start = end - 1 if language == "pt" and plain[end - 1 : end] == " " else end
    if plain[start : start + 1] == " ":
        word = _FIRST_WORD.match(plain, start)
        lead, end = "", start
    else:
        word = _FIRST_WORD.match(f" {plain[start : start + 40]}")
        lead = " "
    if word is None:
        return
    begins = start + (1 if not lead else 0)
    singular = _as_singular(word["word"], language)
    after = begins + len(word["word"])
    yield Beside(language, f" {singular}{plain[after:]}", f" {singular}{shown[after:]}", kin, called, plural=True)


def _as_singular(word: str, language: str) -> str:
    known = _SINGULAR[language].get(word)
    if known is not None or language == "en":
        return known or word
    for several, one in _PT_ENDINGS:
        if word.endswith(several):
            return word.removesuffix(several) + one
    return word


def _as_plural(word: str, language: str) -> str:
    known = _PLURAL[language].get(word)
    if known is not None:
        return known
    if language == "en":
        return word[:-1] if word.endswith("s") and not word.endswith("ss") else word
    for one, several in _PT_MORE:
        if word.endswith(one):
            return word.removesuffix(one) + several
    return word
