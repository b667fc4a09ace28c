"""What is said of things: what they cost, measure or last, and on which day they are. "The rent is 1,250 euros", "a vistoria é amanhã".

About nobody; never a person's number or day, which a rule of that person has to tell. Pure.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Final

from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.leads import after_lead
from memdb.extraction.rules.moments import month_ahead, month_words, settle
from memdb.extraction.rules.reading import Sentence, has_correction
from memdb.extraction.rules.rule import Rule
from memdb.extraction.rules.subjects import Subjects
from memdb.extraction.rules.values import is_readable
from memdb.extraction.rules.vocabulary import one_of
from memdb.text.times import find_times

_AMOUNT: Final = one_of(
    r"(?P<value>(?:about |around |exactly |only |de |cerca de )?(?:r\$|us\$|[$€£])? ?\d+(?:[.,]\d+)*(?![\w/:]*\d)(?: ?(?:%|ms|s|min|h|kg|g|km|m|cm|gb|mb|tb|k))?(?: (?:euros?|dollars?|pounds?|reais|real|bucks|percent|por cento|degrees|graus|minutes?|minutos?|hours?|horas?|days?|dias?|weeks?|semanas?|months?|meses|years?",
    r"anos?|people|pessoas|seats?|lugares|units?|unidades|liters?|litros?|gramas?|grams|kilos?|quilos?|meters?|metros?|miles))?(?: (?:per|a|an|por|each|cada|ao|al) (?:person|pessoa|head|cabeca|month|mes|week|semana|day|dia|year|ano|hour|hora|kg|kilo|quilo|unit|unidade|night|noite|student|aluno))?)",
)
_UNIT_AMOUNT: Final = r"(?P<value>\d+(?:[.,]\d+)*(?![\w/:]*\d) ?(?:{units})\b)"
_UNITS_EN: Final = r"%|ms|kg|km|kva|kw|euros?|dollars?|minutes?|hours?|days?|weeks?|months?|people|seats?|units?"
_UNITS_PT: Final = r"reais|minutos?|horas?|dias?|semanas?|mes|meses|pessoas|lugares|unidades"
_LABEL: Final = r"(?P<what>(?!p\d|re\b)[a-z][\w'-]+(?: [\w'-]+){1,4}): "
_WHAT_EN: Final = r"(?P<what>(?:the|our) (?:[\w'-]+ ){0,5}?[\w'-]+?|p\d\d (?:on|of|for) [\w' -]{3,30}?)"
_WHAT_PT: Final = r"(?P<what>(?:o|a|os|as|nosso|nossa) (?:[\w-]+ ){0,5}?[\w-]+?)"
_END: Final = r"(?=\s*(?:$|[,;.!:)])|\s+(?:btw|now|and|but|since|because|e|mas|agora|porque|pq|desde)\b)"
_PATTERNS: Final = (
    ("en", re.compile(rf"{_WHAT_EN} (?:is|are|costs?|stays at|is set to|is still|is now|went up to|goes up to|is limited to|takes) {_AMOUNT}{_END}")),
    ("pt", re.compile(rf"{_LABEL}{_UNIT_AMOUNT.replace('{units}', _UNITS_PT)}{_END}")),
    ("en", re.compile(rf"{_LABEL}{_UNIT_AMOUNT.replace('{units}', _UNITS_EN)}{_END}")),
    ("pt", re.compile(rf"{_WHAT_PT} (?:é|sao|custa|custam|continua(?: em| sendo)?|fica(?: em)?|veio|vai (?:pra|para)|subiu (?:pra|para)|passou (?:pra|para)|esta em|ta em|é de|leva|dura) {_AMOUNT}{_END}")),
)  # fmt: skip
_DAY: Final = r"(?P<value>[^.!?;\n()\ufffc]{3,60})"
_EVENT_EN: Final = r"(?:demo|meeting|review|deadline|rehearsal|launch|release|cutover|drill|migration|offsite|retro|training|inspection|delivery|workshop|conference|kick-?off|maintenance|audit|opening|closing|exam|barbecue|party|dinner|trip|concert|open house|sale)"
_EVENT_PT: Final = r"(?:reuniao|entrega|prazo|ensaio|lancamento|vistoria|auditoria|inspecao|treinamento|oficina|congresso|mutirao|feira|inauguracao|manutencao|assembleia|prova|churrasco|festa|jantar|show|viagem|exposicao|coleta|dedetizacao|visita)"
_OCCASIONS: Final = (
    ("en", re.compile(rf"(?P<what>(?:the |our )?(?:[\w'-]+ ){{0,3}}?{_EVENT_EN}(?: (?:for|of|with|to) (?:the |our |an? )?[\w'-]+(?: [\w'-]+)?)?) (?:is (?:scheduled|set|planned) for|is|will be|takes place|(?:got |was |has been )?moved to) {_DAY}")),
    ("pt", re.compile(rf"(?P<what>(?:o |a |nosso |nossa )(?:[\w-]+ ){{0,1}}?{_EVENT_PT}(?: d[eoa]s? [\w-]+(?: [\w-]+)?)?) (?:ficou pra|ficou para|é(?: no dia)?|sera|vai ser|fica|ficou|(?:esta|ta|ficou|foi) (?:re)?marcad[oa] (?:pra|para)|passou (?:pra|para)) {_DAY}")),
)  # fmt: skip
_NOT_KEPT: Final = re.compile(
    one_of(
        r"\b(?:score|game|placar|jogo|time|temperature|temperatura|age|idade|chance|answer|resposta|result|resultado|last|first|next|only|best|worst|day|dia|year|ano|ultimo|ultima|primeir\w|proxim\w|question|other|rest|one|ones|number|numero|password|senha|code|codigo",
        r"pin|phone|telefone|cpf|key|chave|problem|problema|kids?|boy|girl|baby|bebe|dog|cat|filh\w|menin\w|him|her|proposta|offer|salar(?:y|io)|raise|aumento|weight|peso|height|altura|bonus|loan|emprestimo|mortgage|partir|half|metade|party|festa)\b",
    )
)
_FROM: Final = re.compile(
    r"(?:a partir de|from|starting|as of|starting in) (?P<month>january|february|march|april|may|june|july|august|september|october|november|december|janeiro|fevereiro|marco|abril"
    r"|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)(?: on)?,? "
)
"""A month that is still to come, from which on the amount holds."""
_OURS: Final = re.compile(r"^(?P<whose>our|noss[oa]s?) ", re.IGNORECASE)
_ARTICLES: Final = {"our": "the ", "nosso": "o ", "nossa": "a ", "nossos": "os ", "nossas": "as "}
_BEFORE_DAY: Final = 6
"""Characters between the verb and the day: "on", "para o dia". More is something else: "a week from tomorrow"."""
_MINE: Final = re.compile(r"\b(?:my|mine|me|i|meu|minha|eu|me|mim)\b")
_AMOUNTS: Final = {"en": Rule(name="en-amount", verb="", rest=""), "pt": Rule(name="pt-amount", verb="", rest="")}
_DAYS: Final = {"en": Rule(name="en-day", verb="", rest="", dated=1), "pt": Rule(name="pt-day", verb="", rest="", dated=1)}


def find_things(sentences: Iterable[Sentence], subjects: Subjects) -> Iterator[Found]:
    """Amounts and days of things that are named, in order; one of a sentence."""
    return first_of_each(sentences, lambda sentence, at: _amount(sentence, at, subjects) or _day(sentence, at, subjects))


def first_of_each(sentences: Iterable[Sentence], read: Callable[[Sentence, int], Found | None]) -> Iterator[Found]:
    """What is read first in each sentence, in order. `read`: of a sentence and the place where a clause of it begins, behind its lead."""
    for sentence in sentences:
        found = (read(sentence, after_lead(sentence.plain, start)) for start in sentence.clauses())
        one = next((one for one in found if one is not None), None)
        if one is not None:
            yield one


def _amount(sentence: Sentence, at: int, subjects: Subjects) -> Found | None:
    since = _FROM.match(sentence.plain, at)
    said_at = sentence.utterance.said_at
    for language, pattern in _PATTERNS:
        match = pattern.match(sentence.plain, at if since is None else since.end())
        if match is None or _NOT_KEPT.search(match["what"]) or len(match["what"].split()) < 2:
            continue
        begins = None if since is None else month_ahead(since["month"], language, said_at)
        settled = settle(sentence.shown[match.start() : match.end()].strip(), language, said_at)
        if settled is None or (since is not None and begins is None) or not is_of_a_thing(match, subjects):
            return None
        held = "" if begins is None else f" {month_words(begins, language)}"
        value = sentence.shown[slice(*match.span("value"))]
        return made(sentence, (at, match.end()), _AMOUNTS[language], f"{settled.text}{held}", value, begins)
    return None


def _day(sentence: Sentence, at: int, subjects: Subjects) -> Found | None:
    said_at = sentence.utterance.said_at
    for language, pattern in _OCCASIONS:
        match = pattern.match(sentence.plain, at)
        if match is None or not is_of_a_thing(match, subjects):
            continue
        mentions = find_times(match["value"], language, said_at)
        if not mentions or mentions[0].start > _BEFORE_DAY:
            return None
        end = match.start("value") + mentions[0].end
        settled = settle(sentence.shown[match.start() : end], language, said_at, 1)
        if settled is None or settled.count != 1 or settled.span is None or said_at is None or settled.span[1] <= said_at:
            return None
        return made(sentence, (at, end), _DAYS[language], settled.text, sentence.shown[match.start("value") : end])
    return None


def is_of_a_thing(match: re.Match[str], subjects: Subjects) -> bool:
    """A person's number or day belongs to a rule that says which."""
    said = _OURS.sub("", match[0])
    return not subjects.within(match["what"]) and not has_correction(said) and is_readable(said) and _MINE.search(said) is None


def made(sentence: Sentence, span: tuple[int, int], rule: Rule, told: str, value: str, begins: datetime | None = None) -> Found:
    """A finding about nobody. Args: the sentence; where in it the quote stands; the rule; the statement as written; its value; since when."""
    # A name may take in the stop behind it.
    told = _OURS.sub(lambda whose: _ARTICLES[whose["whose"].lower()], told).rstrip(" .")
    return Found(
        rule=rule,
        language=rule.name[:2],
        sentence=sentence,
        at=sentence.start + span[0],
        subject=None,
        content=f"{told[:1].upper()}{told[1:]}.",
        attribute=None,
        value=value.strip(" ."),
        quote=sentence.shown[slice(*span)].strip(),
        valid_from=begins,
    )
