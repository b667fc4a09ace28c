"""What something costs, measures or lasts: "the rent is 1,250 euros", "a retenção é de 45 dias". About nobody; never a person's number. Pure."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.leads import after_lead
from memdb.extraction.rules.moments import month_ahead, month_words, settle
from memdb.extraction.rules.reading import Sentence, has_correction, read
from memdb.extraction.rules.rule import Rule
from memdb.extraction.rules.subjects import Subjects
from memdb.extraction.rules.values import is_readable
from memdb.extraction.transcript import Transcript

_AMOUNT: Final = r"(?P<value>(?:about |around |exactly |only |de |cerca de )?(?:r\$|us\$|[$€£])? ?\d+(?:[.,]\d+)*(?![\w/:]*\d)(?: ?(?:%|ms|s|min|h|kg|g|km|m|cm|gb|mb|tb|k))?(?: (?:euros?|dollars?|pounds?|reais|real|bucks|percent|por cento|degrees|graus|minutes?|minutos?|hours?|horas?|days?|dias?|weeks?|semanas?|months?|meses|years?|anos?|people|pessoas|seats?|lugares|units?|unidades|liters?|litros?|gramas?|grams|kilos?|quilos?|meters?|metros?|miles))?(?: (?:per|a|an|por|each|cada|ao|al) (?:person|pessoa|head|cabeca|month|mes|week|semana|day|dia|year|ano|hour|hora|kg|kilo|quilo|unit|unidade|night|noite|student|aluno))?)"
_WHAT_EN: Final = r"(?P<what>(?:the|our) (?:[\w'-]+ ){0,5}?[\w'-]+?|p\d\d (?:on|of|for) [\w' -]{3,30}?)"
_WHAT_PT: Final = r"(?P<what>(?:o|a|os|as|nosso|nossa) (?:[\w-]+ ){0,5}?[\w-]+?)"
_END: Final = r"(?=\s*(?:$|[,;.!:)]|btw\b|now\b|and\b|but\b|since\b|because\b|e\b|mas\b|agora\b|porque\b|pq\b|desde\b))"
_PATTERNS: Final = (
    ("en", re.compile(rf"{_WHAT_EN} (?:is|are|costs?|stays at|is set to|is still|is now|went up to|goes up to|is limited to|takes) {_AMOUNT}{_END}")),
    ("pt", re.compile(rf"{_WHAT_PT} (?:é|sao|custa|custam|continua(?: em| sendo)?|fica(?: em)?|veio|vai (?:pra|para)|subiu (?:pra|para)|passou (?:pra|para)|esta em|ta em|é de|leva|dura) {_AMOUNT}{_END}")),
)  # fmt: skip
_NOT_KEPT: Final = re.compile(
    r"\b(?:score|game|placar|jogo|time|temperature|temperatura|age|idade|chance|answer|resposta|result|resultado|last|first|next|only|best|worst|day|dia|year|ano|ultimo|ultima|primeir\w|proxim\w|question|other|rest|one|ones"
    r"|number|numero|password|senha|code|codigo|pin|phone|telefone|cpf|key|chave|problem|problema|kids?|boy|girl|baby|bebe|dog|cat|filh\w|menin\w|him|her|proposta|offer|salar(?:y|io)|raise|aumento|weight|peso|height|altura|bonus|loan|emprestimo|mortgage|partir|half|metade|party|festa)\b"
)
_FROM: Final = re.compile(
    r"(?:a partir de|from|starting|as of|starting in) (?P<month>january|february|march|april|may|june|july|august|september|october|november|december|janeiro|fevereiro|marco|abril"
    r"|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)(?: on)?,? "
)
"""A month that is still to come, from which on the amount holds."""
_RULE: Final = {"en": Rule(name="en-measure", verb="", rest=""), "pt": Rule(name="pt-measure", verb="", rest="")}


def find_measures(transcript: Transcript) -> Iterator[Found]:
    """Amounts of things that are named, in order."""
    subjects = Subjects(transcript)
    for utterance in transcript.utterances:
        for sentence in read(utterance):
            for start in sentence.clauses():
                one = _amount(sentence, after_lead(sentence.plain, start), subjects)
                if one is not None:
                    yield one
                    break


def _amount(sentence: Sentence, at: int, subjects: Subjects) -> Found | None:
    since = _FROM.match(sentence.plain, at)
    for language, pattern in _PATTERNS:
        match = pattern.match(sentence.plain, at if since is None else since.end())
        if match is None or _NOT_KEPT.search(match["what"]) or len(match["what"].split()) < 2:
            continue
        # A person's number belongs to a rule that says which.
        if subjects.within(match["what"]) or has_correction(match[0]) or not is_readable(match[0]):
            return None
        shown = sentence.shown[match.start() : match.end()].strip()
        settled = settle(shown, language, sentence.utterance.said_at)
        begins = None if since is None else month_ahead(since["month"], language, sentence.utterance.said_at)
        if settled is None or (since is not None and begins is None):
            return None
        held = "" if begins is None else f" {month_words(begins, language)}"
        return Found(
            rule=_RULE[language],
            language=language,
            sentence=sentence,
            at=sentence.start + at,
            subject=None,
            content=f"{settled.text[:1].upper()}{settled.text[1:]}{held}.",
            attribute=None,
            value=sentence.shown[slice(*match.span("value"))],
            quote=sentence.shown[at : match.end()].strip(),
            valid_from=begins,
        )
    return None
