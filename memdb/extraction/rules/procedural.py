"""Procedures: numbered steps under a line that says what they are for, and "to X: do this, then that". Pure."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from governance.redaction.findings import JsonValue
from memdb.extraction.candidates import Candidate
from memdb.extraction.rules.reading import is_spoken, plain_of
from memdb.extraction.rules.vocabulary import one_of
from memdb.extraction.transcript import Transcript, Utterance
from memdb.models.memory import Kind
from memdb.text.normalise import fold

_STEP: Final = re.compile(
    r"^[ \t]*(?:(?P<number>\d{1,2})[.)ºª:-]+|passo (?P<passo>\d{1,2})[:.)-]|step (?P<step>\d{1,2})[:.)-]|(?P<bullet>[-•*–]))[ \t]+(?P<text>\S[^\n]{1,300})$",
    re.IGNORECASE,
)
_HOW: Final = re.compile(
    one_of(
        r"\b(?:how (?:to|i|we|you)\b|how-?to|steps?\b|procedure|runbook|recipe|the way we\b|(?:start|starting|startup|shutdown|opening|closing|boot) order|order of|sequence|changeover|teardown|checklist|instructions for|routine for|process for|to [a-z]+ (?:the|a|an|our",
        r"your)\b|como (?:a gente |se |eu )?[a-z]+|passo a passo|passos|do jeito que|ordem de|ordem d[ao]s?|sequencia|montagem|desmontagem|procedimento|esquema|receita|roteiro|modo de|tutorial|rotina de|para (?:\w+ar|\w+er|\w+ir)\b|pra (?:\w+ar|\w+er|\w+ir)\b)",
    )
)
_USE_WHEN: Final = re.compile(r"\b(?:when|whenever|if|quando|sempre que|toda vez que|se)\b(?P<when>[^,:\n]{4,80})")
_HEADER_LEAD: Final = re.compile(
    r"^(?:(?:about|on|sobre [oa]s?|ok|so|hey|gente|pessoal|bom|e|and|also|aproveitando|writing down|for the record|since [^,:]{1,40}, |here(?:'s| is| are)|this is|segue|anota(?: ai)?|anotem|la vai|vai la"
    r"|lembrando|remember|please remember|note)[,:]?\s+)+"
)
_NAME_END: Final = re.compile(r"[,:]|\s(?:so|because|since|que|porque|pq|fica|é|is)(?:\s|$)", re.IGNORECASE)
_INLINE: Final = re.compile(
    r"^(?:(?:so|e|and|entao|ok|gente|also)[, ]+)?(?P<name>(?:to [a-z]+ [^:,\n]{3,60}|how to [a-z]+ [^:,\n]{3,60}|(?:para|pra) \w+(?:ar|er|ir) [^:,\n]{2,60}|(?:o )?(?:esquema|passo a passo|procedimento|receita) [^:,\n]{2,60}))(?:: |, )(?P<steps>[^\n?]{20,400})$"
)
_THEN: Final = re.compile(
    r"(?:,|;)\s*(?:and\s+|e\s+)?(?:then|depois|ai|dai|so entao|por fim|finally|em seguida|por ultimo)\s+|;\s+|,\s+(?:e (?:ai|so ai|por fim|depois)\s+)?"
)
_ORDER: Final = re.compile(r"\b(?:then|first|finally|depois|primeiro|ai|dai|por fim|em seguida|so entao|por ultimo)\b")
_STEPS_MIN: Final = 2
_STEPS_MAX: Final = 30
_INLINE_MIN: Final = 3


@dataclass(frozen=True, slots=True)
class _Procedure:
    name: str
    use_when: str | None
    steps: tuple[str, ...]
    utterance: Utterance
    quote: str
    language: str
    rule: str


def procedural(transcript: Transcript) -> list[Candidate]:
    """Procedures that the people of a transcript wrote down, in order; the last one of a name stands. `data`: name, use_when, steps."""
    found: dict[str, _Procedure] = {}
    for utterance in transcript.utterances:
        if is_spoken(utterance):
            for one in (_listed(utterance), _told(utterance)):
                if one is not None:
                    found.pop(fold(one.name), None)
                    found[fold(one.name)] = one
                    break
    return [_candidate(one) for one in found.values()]


def _listed(utterance: Utterance) -> _Procedure | None:
    """A header and numbered steps, each on a line of its own, counted from one."""
    lines = utterance.text.split("\n")
    matches = [_STEP.match(line) for line in lines]
    first = next((number for number, match in enumerate(matches) if match is not None), None)
    if first is None:
        return None
    steps = [match["text"].strip() for match in matches[first:] if match is not None]
    counted = [match["number"] or match["passo"] or match["step"] for match in matches[first:] if match is not None]
    numbers = [int(number) if number else place for place, number in enumerate(counted, 1)]
    header = next((line.strip() for line in reversed(lines[:first]) if line.strip()), "")
    if not _STEPS_MIN <= len(steps) <= _STEPS_MAX or numbers != list(range(1, len(steps) + 1)) or any(step.endswith("?") for step in steps):
        return None
    plain = plain_of(header)
    if _HOW.search(plain) is None or plain.endswith("?"):
        return None
    return _procedure(utterance, header, tuple(steps), header, "list")


def _told(utterance: Utterance) -> _Procedure | None:
    """One sentence that names what it is for, and tells at least three things in order."""
    text = utterance.text.strip()
    plain = plain_of(text)
    match = _INLINE.match(plain)
    if match is None or _ORDER.search(match["steps"]) is None:
        return None
    begin, _ = match.span("steps")
    cuts = [(0, 0), *(gap.span() for gap in _THEN.finditer(match["steps"])), (len(match["steps"]), len(match["steps"]))]
    steps = tuple(step for (_, start), (end, _) in pairwise(cuts) if (step := text[begin + start : begin + end].strip(" .,;")))
    if len(steps) < _INLINE_MIN or any(len(step.split()) > 25 for step in steps):
        return None
    return _procedure(utterance, text[slice(*match.span("name"))], steps, text, "told")


def _procedure(utterance: Utterance, header: str, steps: tuple[str, ...], quote: str, form: str) -> _Procedure | None:
    plain = plain_of(header)
    language = (
        "pt" if re.search(r"[à-ü]|\b(?:para|pra|como|do|da|esquema|passo|receita|procedimento|quando|os|as)\b", header.lower()) else "en"
    )
    when = _USE_WHEN.search(plain)
    lead = _HEADER_LEAD.match(plain)
    name = header[lead.end() if lead else 0 :].strip(" :,.-")
    name = _NAME_END.split(name)[0].strip() or name
    if not name:
        return None
    use_when = None if when is None else header[slice(*when.span("when"))].strip()
    return _Procedure(name, use_when, steps, utterance, quote, language, f"{language}-how-to-{form}")


def _candidate(one: _Procedure) -> Candidate:
    data: dict[str, JsonValue] = {"name": one.name, "steps": list(one.steps)}
    if one.use_when is not None:
        data["use_when"] = one.use_when
    steps = "; ".join(step.rstrip(" .;") for step in one.steps)
    return Candidate(
        kind=Kind.PROCEDURAL,
        content=f"{one.name[:1].upper()}{one.name[1:]}: {steps}.",
        about=(),
        said_by=one.utterance.speaker_id,
        data=data,
        evidence=(one.utterance.number,),
        quote=one.quote,
        rule=one.rule,
    )
