"""English words that are interchangeable in any sentence, and "the" where it changes nothing. Lists from general knowledge.

What is left out on purpose: "gray" and "grey", "honor" (names), "meter" and "metre", "program" and "programme", "tire" and "tyre" (other
things), "phone" and "mobile", "app" and "application", "till" and "until" (a till is a cash desk), "let's" and "let us" (to allow),
plurals, tenses, and every verb whose form in -s is also the plural of a noun ("works", "uses", "likes"). "a" stays: "is a patient" is not
"is patient", "wants a change" not "wants change", and it may be the letter of "plan A".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

_NUMBERS: Final = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty
""".split()  # noqa: SIM905

# Each line: spellings of one word; the first stands for all.
_SAME: Final = """
tv television
telephone phone
fridge refrigerator
photo photograph
photos photographs
mom mum
email e-mail
emails e-mails
wifi wi-fi
website web-site
ok okay
versus vs
math maths
while whilst
among amongst
through thru
toward towards
afterward afterwards
everyone everybody
anyone anybody
someone somebody
nobody no-one
color colour
colors colours
favorite favourite
favorites favourites
flavor flavour
flavors flavours
behavior behaviour
neighbor neighbour
neighbors neighbours
neighborhood neighbourhood
humor humour
center centre
centers centres
theater theatre
theaters theatres
liter litre
liters litres
kilometer kilometre
kilometers kilometres
fiber fibre
organize organise
organizes organises
organized organised
organizing organising
realize realise
realizes realises
realized realised
recognize recognise
recognizes recognises
recognized recognised
apologize apologise
apologized apologised
prioritize prioritise
prioritizes prioritises
summarize summarise
summarizes summarises
optimize optimise
optimized optimised
customize customise
customized customised
analyze analyse
analyzed analysed
analyzing analysing
traveling travelling
traveled travelled
traveler traveller
canceled cancelled
canceling cancelling
modeling modelling
yogurt yoghurt
donut doughnut
airplane aeroplane
aluminum aluminium
jewelry jewellery
pajamas pyjamas
learned learnt
dreamed dreamt
cafe café
naive naïve
jalapeno jalapeño
joao joão
sao são
""".splitlines()
_SPELLINGS: Final[Mapping[str, str]] = MappingProxyType(
    {word: line.split()[0] for line in _SAME if line for word in line.split()[1:]}
    | {word: str(value) for value, word in enumerate(_NUMBERS) if word != "one"}
)

# "Ana prefer tea" is a slip for "Ana prefers tea". No form of these is a plural, a past tense or a name.
_BASE: Final[Mapping[str, str]] = MappingProxyType(
    {f"{base}s": base for base in ("prefer", "want", "own", "speak", "eat", "know", "enjoy", "believe", "understand")} | {"has": "have"}
)
# One or many of these, the verb alone tells.
_NO_PLURAL: Final = frozenset("fish sheep deer aircraft series species staff chinese japanese portuguese vietnamese swiss".split())  # noqa: SIM905
_SUBJECT_WORDS_MAX = 2  # further on it may be a subjunctive: "she insists that he eat meat"

_PRONOUNS = ("i", "you", "he", "she", "it", "we", "they", "that", "there", "who", "what", "where")
_WHOLE: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "i'm": ("i", "am"), "im": ("i", "am"), "can't": ("can", "not"), "cannot": ("can", "not"), "cant": ("can", "not"),
        "won't": ("will", "not"), "shan't": ("shall", "not"), "gonna": ("going", "to"), "an": ("a",),
        **{f"{pronoun}'re": (pronoun, "are") for pronoun in ("you", "we", "they")},
        **{f"{pronoun}'ll": (pronoun, "will") for pronoun in _PRONOUNS},
        **{f"{pronoun}'ve": (pronoun, "have") for pronoun in ("i", "you", "we", "they", "who")},
        **{f"{verb}n{mark}t": (verb, "not") for mark in ("'", "") for verb in (
            "do", "does", "did", "is", "are", "was", "were", "has", "have", "had", "would", "could", "should", "must", "need",
        )},
    }
)  # fmt: skip
_BE: Final = frozenset(f"{pronoun}'s" for pronoun in _PRONOUNS if pronoun not in {"i", "you", "we", "they"})
# "She's lost" may be "she has lost": only before what no perfect tense begins with is it "is".
_AFTER_BE: Final = frozenset(
    """
    a an the my your his her its our their in on at from with without very too so allergic vegan vegetarian happy afraid able ready busy
    sick tall short old young new responsible available important
    """.split()  # noqa: SIM905
)

# Behind a preposition or a verb the article may be all the difference: "in charge of Ana" and "in the charge of Ana", "in office" and "in
# the office", "hates school" and "hates the school"; at the beginning, before a noun that is a name too: "the baker". What is left are the
# beginnings of clauses with a subject that is nobody's name.
_BEFORE_THE: Final = frozenset(("", ".", ";", "and", "or", "but", "because", "that"))
_SUBJECTS: Final = frozenset(
    """
    user team client customer agent assistant project service server app application website api database backend frontend build test
    pipeline deployment release branch repository code code-review configuration office kitchen meeting report deadline budget rent salary
    invoice contract password account subscription flight hotel appointment doctor dentist teacher landlord neighbor neighbour apartment
    flat house door fridge refrigerator car bike laptop computer phone telephone printer tv television favorite favourite preferred default
    """.split()  # noqa: SIM905
)
# "one day" is some day, "no one" nobody, "this one" a thing.
_NOT_BEFORE_ONE: Final = frozenset("no any every some this that each the another which only my not".split())  # noqa: SIM905
_NOT_BEHIND_ONE: Final = frozenset("day time another way thing hand side more and or of to in on at is was will would can night".split())  # noqa: SIM905
_PLAIN = re.compile(r"[a-zà-ÿ]+(?:['-][a-zà-ÿ]+)*")


def rewrite_en(words: Sequence[str]) -> list[str]:
    """Write the words of an English statement in the spellings that stand for all, without "the" where it changes nothing.

    Args:
        words: in canonical form, stops as words of their own, in their order.
    """
    spelt = [_SPELLINGS.get(word, word) for word in _without_the(_third_person(_expanded(words)))]
    return ["1" if word == "one" and _counts(spelt, place) else word for place, word in enumerate(spelt)]


def _expanded(words: Sequence[str]) -> list[str]:
    expanded: list[str] = []
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else ""
        if word in _BE and (following in _AFTER_BE or (following.endswith("ing") and len(following) > 4)):
            expanded += (word[:-2], "is")
        elif word == "site" and expanded and expanded[-1] == "web":
            expanded[-1] = "website"
        else:
            expanded += _WHOLE.get(word, (word,))
    return expanded


def _third_person(words: Sequence[str]) -> list[str]:
    return [_BASE.get(word, word) if _is_behind_subject(words, place) else word for place, word in enumerate(words)]


def _is_behind_subject(words: Sequence[str], place: int) -> bool:
    # At the beginning "Eat fish" is an order and "Eats fish" a fact.
    before = words[place - 1] if 0 < place <= _SUBJECT_WORDS_MAX else ""
    return bool(_PLAIN.fullmatch(before)) and before not in _NO_PLURAL


def _without_the(words: Sequence[str]) -> list[str]:
    return [word for place, word in enumerate(words) if word != "the" or not _says_nothing(words, place)]


def _says_nothing(words: Sequence[str], place: int) -> bool:
    following = words[place + 1] if place + 1 < len(words) else ""
    return following in _SUBJECTS and (words[place - 1] if place else "") in _BEFORE_THE


def _counts(words: Sequence[str], place: int) -> bool:
    following = words[place + 1] if place + 1 < len(words) else ""
    before = words[place - 1] if place else ""
    return bool(_PLAIN.fullmatch(following)) and following not in _NOT_BEHIND_ONE and before not in _NOT_BEFORE_ONE
