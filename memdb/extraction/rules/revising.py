"""What a speaker takes back of what they have told: a value that was wrong, "it's Bath, not Bristol", and a plan that is called off.

A value that is named alone says not what of, so a correction counts only where its speaker stated the wrong value in the same transcript. A
plan is also ended where another transcript told it, if it is named as plans are kept. Pure.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memdb.extraction.rules.dated import OCCASION_EN, OCCASION_PT
from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.moments import without_times
from memdb.extraction.rules.reading import Sentence, plain_of
from memdb.extraction.rules.rule import Rule
from memdb.extraction.rules.settling import is_same_speaker
from memdb.extraction.rules.values import is_readable, is_value
from memdb.text.normalise import fold

_LEAD: Final = {
    "en": r"(?:(?:(?:actually|sorry|oops|ops|wait|correction|my mistake|oh|ah|and|but)[,.! ]|(?:no|nope)[,.!])[,.! ]*)*",
    "pt": r"(?:(?:(?:na verdade|na vdd|na real|desculpa|opa|ops|perai|pera|alias|correcao|errei|corrigindo|ah|e|mas)[,.! ]|nao[,.!])[,.! ]*)*",
}
_IS: Final = {
    "en": r"(?:(?:it's|it is|it was|that's|i meant?|i meant to say|make that|it should be) )",
    "pt": r"(?:(?:é|era|sao|foi|(?:eu )?(?:quis dizer|quero dizer)|quer dizer|digo),? )",
}
_TO: Final = {"en": r"(?:(?:in|at|to|on|from|the) ){0,2}", "pt": r"(?:(?:em|no|na|nos|nas|para|pra|pro|de|do|da|a|ao|o) ){0,2}"}
_SAID: Final = r"[^\s,;:!?()\"“”\ufffc][^,;:!?()\n\"“”\ufffc]{0,50}?"
_NOT: Final = {"en": "not", "pt": "nao"}
_BUT: Final = {"en": r"(?:but |rather )", "pt": r"(?:(?:e|mas) sim |mas )"}
_END: Final = r"[\s.!]*$"
_CORRECTIONS: Final = {
    language: (
        re.compile(f"{_LEAD[language]}{_IS[language]}?{_TO[language]}(?P<new>{_SAID})(?:,| and| e)* {_NOT[language]} {_TO[language]}(?P<old>{_SAID}){_END}"),
        re.compile(f"{_LEAD[language]}(?:it's |it is |i'm )?{_NOT[language]} (?:é |era )?{_TO[language]}(?P<old>{_SAID}),? (?:{_IS[language]}|{_BUT[language]}){_TO[language]}(?P<new>{_SAID}){_END}"),
    )
    for language in ("en", "pt")
}  # fmt: skip
_INSTEAD: Final = {
    language: re.compile(rf",? (?:and )?{_NOT[language]} {_TO[language]}(?P<old>{_SAID})(?:{_END}|[,.!] )") for language in ("en", "pt")
}
"""Behind a statement: "I live in Bath, not in Bristol"."""

PLAN: Final = "plan"
_GOES: Final = frozenset(("going", "coming"))
_TRAVEL_EN: Final = r"(?:going|coming|flying|travell?ing|heading|moving|driving)"
_TRAVEL_PT: Final = r"(?:para|pra|pro|ao|à|a|viajar|mudar|voltar)"
_TRIPS: Final = re.compile(r"(?:trip|flight|visit|move|vacation|holiday|viagem|voo|mudanca|visita|ferias)$")
_IS_TRIP: Final = re.compile(rf"(?:{_TRAVEL_EN}|visiting|visit|fly|travel|move|viajar|mudar|visitar|para|pra|pro)\b")
_WHERE: Final = r"(?: (?P<where>(?:to|with|in|at|for|from|on|para|pra|pro|com|em|n[oa]|d[eoa]) [^,;:.!?()\n\ufffc]{2,50}?))?"
_BE_OFF: Final = (
    r"(?:(?: is|'s| was| has been| got| is all)(?: now)? (?:cancell?ed|called off|off)|(?: foi| esta| ta| acabou sendo)? cancelad[oa])"
)
_OFF: Final = (
    re.compile(rf"(?:(?:i'm|i am|we're|we are) not (?P<verb>[a-z]+ing)|i (?:won't|will not) be (?P<verb2>[a-z]+ing)) (?P<tail>[^,;:.!?()\n\ufffc]{{3,60}}?)(?P<sure> after all| any ?more| any longer)?{_END}"),
    re.compile(rf"(?:eu )?(?:ja )?nao vou (?P<sure>mais )?(?P<tail>{_TRAVEL_PT} [^,;:.!?()\n\ufffc]{{3,60}}?)(?P<sure2> mais)?{_END}"),
    re.compile(rf"(?:(?:the|my|our|a|o|as|minha|meu|nossa|nosso) )(?P<thing>(?:[\w'-]+ )??(?:{OCCASION_EN}|{OCCASION_PT})){_WHERE}{_BE_OFF}{_END}"),
    re.compile(rf"(?:(?:i|we|i've|i have|we've)(?: just| have)? (?:cancell?ed|called off)|(?:eu )?(?:cancelei|desmarquei)|cancelamos) (?:(?:the|my|our|a|o|as|minha|meu|nossa|nosso) )?(?P<thing>(?:[\w'-]+ )??(?:{OCCASION_EN}|{OCCASION_PT})){_WHERE}{_END}"),
)  # fmt: skip
_LEADS: Final = re.compile(f"{_LEAD['en']}{_LEAD['pt']}")
_CALLED_OFF: Final = {language: Rule(name=f"{language}-called-off", verb="", rest="", attribute=PLAN) for language in ("en", "pt")}


def revise(sentences: Sequence[Sentence], found: Sequence[Found]) -> list[Found]:
    """What was found, in order, where a statement says what it stands for instead, and what corrects it or calls it off.

    Args:
        sentences: of one transcript, in order.
        found: in them, in order.
    """
    told = [_instead_of(one) for one in found]
    stated = {(one.sentence.utterance.number, one.sentence.start) for one in found}
    for sentence in sentences:
        if (sentence.utterance.number, sentence.start) in stated:
            continue
        before = [one for one in told if _is_before(one, sentence)]
        one = next(_revisions(sentence, before), None)
        if one is not None:
            told.append(one)
    return sorted(told, key=_place)


def _revisions(sentence: Sentence, before: Sequence[Found]) -> Iterator[Found]:
    """What a sentence takes back, of what its speaker told before it; the first counts."""
    yield from _corrected(sentence, before)
    yield from _called_off(sentence, before)


def _place(one: Found) -> tuple[int, int]:
    return one.sentence.utterance.number, one.at


def _is_before(one: Found, sentence: Sentence) -> bool:
    return not one.over and is_same_speaker(one.sentence, sentence) and _place(one) < (sentence.utterance.number, sentence.start)


def _instead_of(one: Found) -> Found:
    """A statement with what it says does not hold: "I'm allergic to walnuts, not peanuts"."""
    if one.value is None or one.former is not None or one.over or one.rule.denies or one.rule.valued is not None or one.rule.dated:
        return one
    said = one.at - one.sentence.start + len(one.quote)
    match = _INSTEAD[one.language].match(one.sentence.plain, said)
    old = None if match is None else one.sentence.shown[slice(*match.span("old"))]
    if old is None or not is_value(one.rule, plain_of(old), old) or fold(old) == fold(one.value):
        return one
    return replace(one, former=old, corrects=True)


def _corrected(sentence: Sentence, before: Sequence[Found]) -> Iterator[Found]:
    for language, patterns in _CORRECTIONS.items():
        for pattern in patterns:
            match = pattern.match(sentence.plain)
            if match is None:
                continue
            new, old = (sentence.shown[slice(*match.span(name))] for name in ("new", "old"))
            for one in reversed(before):
                put = _put_right(one, sentence, new, old) if one.language == language or new[:1].isupper() else None
                if put is not None:
                    yield put


def _put_right(one: Found, sentence: Sentence, new: str, old: str) -> Found | None:
    """The statement with the right value; None where it has not that wrong one, or cannot have this."""
    value = one.value
    if value is None or one.rule.denies or one.rule.valued is not None or one.content.count(value) != 1:
        return None
    ending = re.search(rf"(?<!\w){re.escape(fold(old))}$", fold(value))
    if ending is None or len(fold(value)) != len(value):
        return None
    right = f"{value[: ending.start()]}{new}"
    if not is_value(one.rule, plain_of(right), right) or not is_readable(new.lower()):
        return None
    return replace(
        one,
        sentence=sentence,
        at=sentence.start,
        content=one.content.replace(value, right),
        value=right,
        quote=sentence.shown.strip(),
        former=value,
        corrects=True,
    )


def _called_off(sentence: Sentence, before: Sequence[Found]) -> Iterator[Found]:
    lead = _LEADS.match(sentence.plain)
    at = 0 if lead is None else lead.end()
    for pattern in _OFF:
        match = pattern.match(sentence.plain, at)
        if match is None:
            continue
        plans = [one for one in before if one.attribute == PLAN and one.value is not None]
        for plan in reversed(plans):
            if _is_off(match, plan, plans):
                values = (plan.value or "",)
                yield _over(sentence, plan.rule, plan.language, values)
                return
        named = _names(match, sentence)
        if named and sentence.utterance.speaker_id is not None:
            language = "pt" if match.re is _OFF[1] else "en"
            yield _over(sentence, _CALLED_OFF[language], language, named)


def _over(sentence: Sentence, rule: Rule, language: str, values: tuple[str, ...]) -> Found:
    """That plans of the speaker are called off, by the value that any of them has."""
    return Found(
        rule=rule,
        language=language,
        sentence=sentence,
        at=sentence.start,
        subject=sentence.utterance.speaker_id,
        content="",
        attribute=PLAN,
        value=values[0],
        ended=values,
        quote=sentence.shown.strip(),
        over=True,
    )


def _is_off(match: re.Match[str], plan: Found, plans: Sequence[Found]) -> bool:
    """Tell whether this plan is meant: by where to and what, or as the only one of its sort."""
    words, value = match.groupdict(), fold(plan.value or "")
    where = _bare(words.get("tail") or words.get("where") or "")
    if where and re.search(rf"(?<!\w){re.escape(where)}(?!\w)", value) is None:
        return False
    verb = words.get("verb") or words.get("verb2")
    if verb:
        return value.startswith(f"{verb} ") or (verb in _GOES and _IS_TRIP.match(value) is not None)
    thing = words.get("thing")
    if thing is None:
        return _IS_TRIP.match(value) is not None
    like = [one for one in plans if _is_of_sort(thing, fold(one.value or ""))]
    return plan in like and (bool(where) or len(like) == 1)


def _is_of_sort(thing: str, value: str) -> bool:
    trip = _TRIPS.search(thing) is not None and _IS_TRIP.match(value) is not None
    return trip or re.search(rf"(?<!\w){re.escape(thing)}s?(?!\w)", value) is not None


def _bare(words: str) -> str:
    """Where to or with whom, without the preposition and the time."""
    timeless = without_times(words, "und").strip()
    return re.sub(
        r"^(?:(?:to|with|in|at|for|from|on|the|my|para|pra|pro|com|em|no|na|de|do|da|o|a|viajar|mudar|voltar) )+", "", fold(timeless)
    ).strip()


def _names(match: re.Match[str], sentence: Sentence) -> tuple[str, ...]:
    """How a plan is kept that the sentence surely calls off: a journey by its verb and where to."""
    words = match.groupdict()
    tail = words.get("tail")
    if tail is None or not (words.get("sure") or words.get("sure2")):
        return ()
    where = without_times(sentence.shown[slice(*match.span("tail"))], "und").strip()
    verb = words.get("verb") or words.get("verb2")
    if verb is None:
        place = re.sub(r"^(?:viajar|mudar|voltar) ", "", where)
        return tuple(dict.fromkeys((where, place, f"viajar {place}", f"mudar {place}")))
    verbs = ("going", "moving", "flying", "travelling", "traveling", "heading") if verb in _GOES else (verb,)
    return tuple(f"{one} {where}" for one in dict.fromkeys((verb, *verbs)))
