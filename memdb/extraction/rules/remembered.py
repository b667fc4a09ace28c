"""What somebody says is to be kept: "remember that the bins go out on Tuesday", "regra: visita só até as 22h". Pure.

The words behind the marker are the statement, if they can be read without the talk. A statement of the speaker ("remember that I …") is for
the rules of the language; what they do not know is not kept.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.moments import settle
from memdb.extraction.rules.reading import Sentence, has_correction, is_unsure, spoken
from memdb.extraction.rules.rule import Rule
from memdb.extraction.rules.subjects import Subjects
from memdb.extraction.rules.values import is_readable
from memdb.extraction.transcript import Transcript

_GAP: Final = r"[:,]?\s+"
_MARKERS: Final = (
    (
        "en",
        re.compile(
            r"^(?:(?:and|also|ok|so|please|hey|[a-z]+,) ){0,2}(?:(?:please )?(?:remember|note|make a note|write down|keep in mind|don't forget|put down)(?: that|:)"
            r"|for the record,?(?: that)?|(?:[a-z]+ )?(?:rule )?reminder[:,]|(?:new |house |deploy |lab )?rule(?: of the [a-z]+)?:|heads up[:,]|fyi[:,]?|just so you know[:,]?|psa:|decision:|agreed:|decided:)\s+"
        ),
    ),
    (
        "pt",
        re.compile(
            r"^(?:(?:e|ah|gente|pessoal|bom|ok|[a-z]+,) ){0,2}(?:(?:lembra|lembrem|lembrando|anota|anotem|anota ai|registra|registrem|guarda|guardem)(?: ai)?(?: que|:)"
            r"|(?:pra|para) (?:ficar registrado|constar)[:,]?(?: que)?|lembrete[:,]|aviso[:,]|(?:nova )?regra(?: (?:da|do|nova) [a-z]+| nova)?:|decisao:|combinado:|ficou (?:combinado|decidido) que|so lembrando que)\s+"
        ),
    ),
)
_VERB_EN: Final = re.compile(
    r"\b(?:is|are|was|has|have|goes?|go|needs?|must|can(?:not)?|should|costs?|closes?|opens?|runs?|uses?|stays?|starts?|ends?|comes?|belongs?|takes?"
    r"|no|never|always|only|gets?|works?|lives?|likes?|keeps?|owns?|does(?:n't)?|don't|won't|will|means?|requires?|expires?|leaves?|moved?|changed)\b"
)
_VERB_PT: Final = re.compile(
    r"(?:\b(?:é|esta|ta|sao|foi|tem|vai|vem|veio|custa|fica|ficou|fecha|abre|comeca|termina|precisa|pode|podem|deve|so|nunca|sempre|nao|usa|mora|trabalha"
    r"|gosta|vence|chega|funciona|muda|mudou|leva|sai|passa|continua|proibido|vale)\b|=)"
)
_SELF: Final = re.compile(
    r"\b(?:i|i'm|i've|my|me|mine|we|our|us|you|your|eu|meu|minha|meus|minhas|me|mim|nos|nosso|nossa|voce|voces|vc|vcs|seu|sua|te)\b"
)
_REASON: Final = re.compile(
    r",? (?:because|cause|since|but|porque|pq|pois|mas|entao|senao|(?<=, )so|ja [a-z]+(?:ei|i)\b|que [a-z]+ quer)\b|[:;] "
)
"""Behind it stands why, or whom the speaker told."""
_ADDRESS: Final = re.compile(
    r"@|https?:|\bwww\.|\[(?:email|url|phone|iban|account)|\bpix\b|\b(?:from now on|a partir de agora|whenever|sempre que)\b"
)
"""An order that sends something somewhere is no fact about anything."""
_WORDS_MIN: Final = 5
_WORDS_MAX: Final = 30
_PEOPLE_MAX: Final = 1
_RULE: Final = {"en": Rule(name="en-remember", verb="", rest=""), "pt": Rule(name="pt-remember", verb="", rest="")}


def find_remembered(transcript: Transcript) -> Iterator[Found]:
    """Statements that a speaker marks as to be kept, in order."""
    subjects = Subjects(transcript)
    for utterance in transcript.utterances:
        for sentence in spoken(utterance):
            for language, marker in _MARKERS:
                match = marker.match(sentence.plain)
                found = None if match is None else _statement(sentence, match.end(), language, subjects)
                if found is not None:
                    yield found
                    break


def _statement(sentence: Sentence, at: int, language: str, subjects: Subjects) -> Found | None:
    reason = _REASON.search(sentence.plain, at)
    end = len(sentence.plain) if reason is None else reason.start()
    plain, shown = sentence.plain[at:end], sentence.shown[at:end].strip(" .!;,")
    if not _WORDS_MIN <= len(shown.split()) <= _WORDS_MAX or is_unsure(plain) or has_correction(plain):
        return None
    if (
        _SELF.search(plain)
        or _ADDRESS.search(plain)
        or not is_readable(plain)
        or (_VERB_EN if language == "en" else _VERB_PT).search(plain) is None
    ):
        return None
    names = subjects.within(plain)
    people = {subject for name in names for subject in name.subjects}
    if any(len(name.subjects) > 1 for name in names) or len(people) > _PEOPLE_MAX:
        return None
    settled = settle(shown, language, sentence.utterance.said_at)
    if settled is None:
        return None
    return Found(
        rule=_RULE[language],
        language=language,
        sentence=sentence,
        at=sentence.start + at,
        subject=next(iter(people), None),
        content=f"{settled.text[:1].upper()}{settled.text[1:]}.",
        attribute=None,
        value=None,
        quote=shown,
        span=settled.span,
    )
