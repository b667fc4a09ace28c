"""What stands behind an "and" within a value: more of the value ("fish and chips"), or the next clause ("Leeds and drive a van"). Pure.

A verb is told from a noun by the rules themselves, which know how a clause begins, and by what can follow one alone: nothing that is listed
goes on with an article, a pronoun or "every day". The parts of a name are written alike: "Trinidad and Tobago", not "Leeds and commute".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from memdb.extraction.rules.dated import EVENTS
from memdb.extraction.rules.facts import FACTS
from memdb.extraction.rules.rule import Compiled
from memdb.extraction.rules.values import is_value, trim

_REACH: Final = 120
"""Characters behind a joint that tell what follows it."""
_JOINTS: Final = {"en": re.compile(r"\s+(?:and|or)\s+"), "pt": re.compile(r"\s+(?:e|ou)\s+")}
_JOINED: Final = re.compile(r"\s?(?:and|but|e|mas)\b")
_LICENSED: Final = re.compile(
    r"\b(?:can|can't|cannot|could|will|won't|would|should|must|may|might|do|don't|does|doesn't|did|didn't|not|never|no longer|let|help)\b"
    r"|'(?:ll|d)\b|\b(?:wants?|likes?|loves?|hates?|needs?|try|tries|trying|hopes?|hoping|plans?|planning|going|prefers?|goal is|dream is"
    r"|ambition is|learn|learning|how|used|ha(?:ve|s)|got|about) to\b"
)
"""Words with which an English verb behind "and" may be an infinitive, or be denied too: "I don't drink and drive"."""
_WORDS: Final = re.compile(r"(?P<word>[^\W\d_][\w'-]*)(?:\s+(?P<next>[^\W\d_][\w'-]*))?")


_SUBJECT_WORD: Final = re.compile(r" [^\W\d_][\w'-]*")
_SUBJECT: Final = re.compile(r"[^\W\d_][\w'-]*")
_SUBJECT_WORDS_MAX: Final = 4
"""With an article or "my": "o meu filho mais velho mora" is too long to be looked for."""


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_DETERMINERS: Final = {
    "en": _set("a an the my our his her their your some any all both other another no more most anything everything things stuff people"),
    "pt": _set("o a os as um uma uns umas meu minha meus minhas outro outra outros outras mais tudo coisas"),
}
_ADVERBS: Final = {
    "en": _set("also always usually sometimes often never rarely really still just currently mostly generally occasionally"),
    "pt": _set("tambem sempre geralmente normalmente nunca ainda ja raramente atualmente"),
}
_PREPOSITIONS: Final = {
    "en": _set("in on at for with by from to into about near around through after before during without"),
    "pt": _set("em no na nos nas num numa para pra pro por pelo pela com sem ao aos"),
}
_LINKS: Final = {"en": _set("of"), "pt": _set("a as de do da")}
"""Prepositions that go on with a noun far more often than with a verb."""
_EITHER: Final = _set("from com sem")
"""Prepositions that go on with a noun as often: "wine from France", "café com leite"."""
_AFTER_VERB: Final = {
    "en": _set(
        "a an the my our his her their its your some every each it them him me us you this that these those myself there here abroad"
        " home away back up out off to as often daily weekly once twice one two three four five six"
    ),
    "pt": _set(
        "um uma uns umas o os meu minha meus minhas nosso nossa seu sua isso ele ela la aqui ali muito pouco bastante sempre todo toda"
        " todos todas me te se cedo tarde bem mal sozinho sozinha dois duas tres quatro cinco seis"
    ),
}
_NOUN_EN: Final = re.compile(r"(?:tion|sion|ness|ity|ism|ist|ship|ing)$")
_OBJECT_PT: Final = re.compile(r"(?:s|[aei]r|[^a]a)$")
"""Agrees with no noun in -o: "cultivo orquídeas", "escrevo poesia", "quero aprender"."""
_VERB_PT: Final = {False: re.compile(r"(?:o|ei|ou)$"), True: re.compile(r"(?:a|e|ou|eu|iu|am|em|mos)$")}


class Tail(Enum):
    """What stands behind a joint: more of the value; a clause, or what may be one, so that the value ends before it; or nobody can tell."""

    PART = "part"
    CLAUSE = "clause"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What a clause that leaves its subject out takes over from the one before it.

    verb: of that clause, with its subject or the space before it. third: it is about somebody who is named.
    """

    language: str
    third: bool
    verb: str = field(repr=False)

    def fronts(self) -> tuple[str, ...]:
        """What may be left out: the subject, or the subject and a verb that says what one is or has."""
        subject = " " if self.third else "i " if self.language == "en" else ""
        shared = (f"{self.verb} ",) if _SHARED.fullmatch(self.verb.strip()) else ()
        return (subject, *shared)


_SHARED: Final = re.compile(r"(?:i am|i'm|im|'s|is|i have|i've got|i got|i've|has|has got|(?:eu )?(?:sou|tenho|estou|to)|é|tem|esta|ta)")


def end_before_clause(compiled: Compiled, carried: Carried, plain: str, shown: str, span: tuple[int, int]) -> int | None:
    """Where a value from span[0] to span[1] ends, when the next clause is left out; None where it is not clear what belongs to it."""
    start, end = span
    for joint in _JOINTS[compiled.language].finditer(plain, start, end):
        tail = _tail(compiled, carried, plain, shown, (start, joint.start(), joint.end()))
        if tail is Tail.UNCLEAR:
            return None
        if tail is Tail.CLAUSE and joint.start() > start:
            return joint.start()
    return end


def goes_on(carried: Carried, plain: str, began: int, start: int) -> bool:
    """Tell whether the clause at `start` may take over what the one that `began` before it says."""
    licensed = carried.language == "en" and _LICENSED.search(plain, began, start) is not None
    return not licensed and _JOINED.match(plain, start) is not None


def begins_clause(carried: Carried, plain: str, at: int) -> bool:
    """Tell whether a verb stands there that rules know, with its subject left out."""
    return any(pattern.match(f"{front}{plain[at : at + _REACH]}") for front in carried.fronts()[:1] for pattern in _VERBS[carried.third])


def _tail(compiled: Compiled, carried: Carried, plain: str, shown: str, places: tuple[int, int, int]) -> Tail:
    """What stands behind a joint. places: where the value begins, where it ends before the joint, and where the joint ends."""
    start, before, at = places
    words = _WORDS.match(plain, at)
    if words is None:
        return Tail.PART
    language, word, rule = compiled.language, words["word"], compiled.rule
    if _names_another(plain, shown, at):
        return Tail.CLAUSE
    if _is_read(carried, plain, at) or word in _ADVERBS[language]:
        return Tail.CLAUSE
    if word in _PREPOSITIONS[language] | _LINKS[language]:
        governing = plain[:start].rstrip().rpartition(" ")[2]
        return Tail.PART if not rule.proper and governing[:1] == word[:1] else Tail.CLAUSE
    known = begins_clause(carried, plain, at)
    if shown[at].isupper() or word in _DETERMINERS[language] or not (known or _may_be_verb(word, language, third=carried.third)):
        return Tail.PART
    named = rule.proper and _ends_in_name(plain, shown, start, before)
    return _by_what_follows(carried, words["next"] or "", known=known, named=named)


def _names_another(plain: str, shown: str, at: int) -> bool:
    """Tell whether a subject of its own stands there, of few words, with a verb that rules know: "and Grace lives in York"."""
    subject = _SUBJECT.match(plain, at)
    while subject is not None and subject.end() < len(plain):
        end = subject.end()
        # Without its accent "é" is written as "e", which only joins.
        joins = plain[end : end + 3] in (" e ", " a ", " o ") and shown[end + 1 : end + 2].isascii()
        if not joins and any(pattern.match(plain, end) for pattern in _VERBS[True]):
            return True
        subject = _SUBJECT_WORD.match(plain, end) if plain.count(" ", at, end) < _SUBJECT_WORDS_MAX - 1 else None
    return False


def _by_what_follows(carried: Carried, following: str, *, known: bool, named: bool) -> Tail:
    """What a word is that may be a verb, by what follows it. known: rules know it as one; named: it stands behind a name."""
    language = carried.language
    if following in _AFTER_VERB[language] or (language == "pt" and not carried.third and _OBJECT_PT.search(following)):
        return Tail.CLAUSE
    complemented = known or following in _PREPOSITIONS[language] - _EITHER
    if named:
        return Tail.CLAUSE if complemented or following in _LINKS[language] else Tail.UNCLEAR
    return Tail.CLAUSE if following and complemented else Tail.PART


def _ends_in_name(plain: str, shown: str, start: int, end: int) -> bool:
    """Tell whether the last word of a value has a capital letter."""
    return shown[max(start, plain.rfind(" ", start, end) + 1)].isupper()


def _may_be_verb(word: str, language: str, *, third: bool) -> bool:
    if language == "pt":
        return _VERB_PT[third].search(word) is not None
    if word.endswith("ed"):
        return True
    singular = word.endswith("s") and not word.endswith("ss")
    return singular if third else not singular and _NOUN_EN.search(word) is None


def _is_read(carried: Carried, plain: str, at: int) -> bool:
    """Tell whether a rule reads what stands there, with what it leaves out."""
    return any(_reads(f"{front}{plain[at : at + _REACH]}", carried) for front in carried.fronts())


def _reads(clause: str, carried: Carried) -> bool:
    for compiled in FACTS:
        pattern = compiled.third if carried.third else compiled.first
        if pattern is None or compiled.language != carried.language or not compiled.verb_first:
            continue
        match = pattern.match(clause)
        if match is None:
            continue
        if "value" not in match.groupdict() or match["value"] is None:
            return True
        start, end = match.span("value")
        start += len(match["value"]) - len(match["value"].lstrip())
        joint = _JOINTS[compiled.language].search(clause, start, end)
        end = trim(clause, start, end if joint is None else joint.start())
        # What is written with a capital is not known here, so that a name counts as one.
        if is_value(compiled.rule, clause[start:end], clause[start:end].title()):
            return True
    return False


def _verbs(rules: Sequence[Compiled], *, third: bool) -> tuple[re.Pattern[str], ...]:
    """How a clause begins whose verb some rule knows; a rule that takes any verb knows none."""
    fronts = {one.verb_third if third else one.verb_first for one in rules}
    return tuple(re.compile(rf"(?:{front})\b") for front in sorted(fronts) if not any(map(re.compile(front).fullmatch, ("", "i ", " "))))


_VERBS: Final = {third: _verbs((*FACTS, *EVENTS), third=third) for third in (False, True)}
