"""What a rule is: a verb in the first and third person, what follows it, and what it tells. Pure.

A rule is matched at the beginning of a clause, after words that only lead in. The verb is looked for in the first person (then the speaker
is the subject) and, behind a known name, in the third. The statement is the subject's name, the verb in the third person, and what was
said.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

VALUE: Final = r"(?P<value>(?:[^,;:.!?()\n\"“”\ufffc]|\.(?=[^.])){1,90})"
"""What a rule takes as the value of an attribute: up to the end of the clause. A full stop within a sentence is one of "St. Louis". `values.trim` cuts what does not belong to it."""

_WITH: Final = r" (?:with|com) (?:my|his|her|their|meus?|minhas?|seus?|suas?|os|as|o|a) "
PLACE: Final = rf"(?P<value>(?:(?!{_WITH})(?:[^,;:.!?()\n\"“”\ufffc]|\.(?=[^.]))){{1,90}})(?:{_WITH}[^\W\d_]+)?"
"""A value that is a place: with whom somebody lives there is told, and is no part of it."""

_ROLE: Final = r" (?:as (?:an?|the|our|head|chief)|como (?:uma? )?[a-z]+) "
EMPLOYER: Final = rf"(?P<value>(?:(?!{_ROLE}| como [a-z]+$)(?:[^,;:.!?()\n\"“”\ufffc]|\.(?=[^.]))){{1,90}})(?:(?: as (?:an?|the|our) | como (?:uma? )?)(?:[\w-]+ ){{0,3}}?[\w-]+{{end}})?"
"""A value that is where somebody works: as what is told, and is no part of it."""

LASTS: Final = (
    r"(?:(?:for|ha|faz|tem) (?P<roughly>(?:about|around|over|almost|nearly|more than|at least|like|uns|umas|mais de|quase|cerca de|us|some) )?"
    r"(?:(?:the )?(?:last|past) )?(?P<number>\d{1,2}|[a-z]+|a few|a couple of)(?: or so)? (?P<unit>years?|months?|weeks?|decades?|anos?|mes|meses|semanas?)\b"
    r"|(?:for|ha|faz) (?:years|ages|decades|anos|tempos?|muito tempo)\b)"
)
"""How long something holds already."""
_UNNAMED: Final = re.sub(r"\(\?P<\w+>", "(?:", LASTS)

END: Final = (
    r"(?=$|[,;:.!?)(]|\s[-–—]"
    r"|\s+(?:except|apart from|other than|exceto|menos|salvo|and|but|so|because|since|btw|fyi|though|too|now|please|pls|e|mas|entao|porque|pq|desde|ta|viu|ne|agora|gente|tambem|por favor|pfv|pf)\b"
    rf"|\s+{_UNNAMED})"
)
"""Here a clause, or what a rule reads of it, is over."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb as patterns on plain text: `first` with its pronoun, `third` with the space before it; `shown`: in a statement."""

    first: str
    third: str
    shown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One form of saying something.

    name: unique; language first.
    verb: key into the verbs of the language.
    rest: pattern of what follows the verb; the group `value` is what is told, with `{v}` for the usual one.
    attribute: topic path; `{topic}` in it is filled from the group `topic`.
    single: one value at a time.
    shown: how the statement goes on after the name, from the groups as written; None: the verb and the words themselves.
    words: most words of a value.
    proper: the value has to begin with a capital letter (or be short, where `loose`).
    lists: the value may go on as a list ("gluten, dairy or nuts").
    bare: values that begin with an article or a pronoun are no values.
    banned: values that are jokes or mean something else.
    first_only, third_only: the rule does not hold for the other person.
    dated: 1: a plan, needs a time from when it was said on; -1: an event, needs one before; 0: needs none.
    begins: a time that is spoken of is when the value began to hold; where `shown` says what holds now, it is not told with it.
    denies: the statement says that the subject does not have the value, which ends it.
    valued: how the value is kept, where by itself it would say the contrary: "no {value}" of who does not drink alcohol.
    unsaid: what stands for a value in `valued` where none is said.
    """

    name: str
    verb: str
    rest: str
    attribute: str | None = None
    single: bool = False
    shown: str | None = None
    words: int = 8
    proper: bool = False
    loose: bool = False
    lists: bool = False
    bare: bool = False
    banned: re.Pattern[str] | None = None
    first_only: bool = False
    third_only: bool = False
    dated: int = 0
    begins: bool = False
    denies: bool = False
    valued: str | None = None
    unsaid: str | None = None


@dataclass(frozen=True, slots=True)
class Compiled:
    """A rule with its two patterns."""

    rule: Rule
    language: str
    first: re.Pattern[str] | None = field(repr=False)
    third: re.Pattern[str] | None = field(repr=False)
    shown_verb: str


def compile_rules(rules: tuple[Rule, ...], language: str, verbs: Mapping[str, Verb], adverbs: str) -> tuple[Compiled, ...]:
    """Build the patterns of a language, in their order.

    In a rule `{a}` stands for adverbs that are kept, `{place}` for a place, `{employer}` for a place of work.
    """
    compiled = []
    for rule in rules:
        verb = verbs[rule.verb]
        rest = (
            rule.rest.replace("{a}", adverbs)
            .replace("{v}", VALUE)
            .replace("{place}", PLACE)
            .replace("{employer}", EMPLOYER)
            .replace("{end}", END)
        )
        first = None if rule.third_only else re.compile(f"(?P<verb>{verb.first})(?P<rest>{rest})")
        third = None if rule.first_only else re.compile(f"(?P<verb>{verb.third})(?P<rest>{rest})")
        compiled.append(Compiled(rule, language, first, third, verb.shown))
    return tuple(compiled)
