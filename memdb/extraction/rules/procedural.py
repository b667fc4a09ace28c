"""Procedures: numbered steps behind words that say what they are for, "to X: do this, then that", "if X, do this". Pure."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from governance.redaction.findings import JsonValue
from memdb.extraction.candidates import Candidate
from memdb.extraction.rules.reading import is_spoken, plain_of, sentences
from memdb.extraction.rules.values import is_readable
from memdb.extraction.rules.vocabulary import one_of
from memdb.extraction.transcript import Transcript, Utterance
from memdb.models.memory import Kind
from memdb.text.normalise import fold
from memdb.text.times import find_times

_STEP: Final = re.compile(
    r"^[ \t]*(?:(?P<number>\d{1,2})[.)ºª:-]+|passo (?P<passo>\d{1,2})[:.)-]|step (?P<step>\d{1,2})[:.)-]|(?P<bullet>[-•*–]))[ \t]+(?P<text>\S[^\n]{1,300})$",
    re.IGNORECASE,
)
_HOW: Final = re.compile(
    one_of(
        r"\b(?:how (?:to|i|we|you)\b|how-?to|steps?\b|procedure|runbook|recipe|the way we\b|(?:start|starting|startup|shutdown|opening|closing|boot) order|order of|sequence|changeover|teardown|checklist|instructions for|routine for|process for|to [a-z]+ (?:the|a|an|our",
        r"your)\b|como (?:a gente |se |eu )?[a-z]+|passo a passo|passos|do jeito que|ordem de|ordem d[ao]s?|sequencia|montagem|desmontagem|procedimento|esquema|receita|roteiro|modo de|tutorial|rotina de|(?:é|funciona) (?:assim|o seguinte)|(?:goes|works|is done) (?:like this|as follows)|para (?:\w+ar|\w+er|\w+ir)\b|pra (?:\w+ar|\w+er|\w+ir)\b)",
    )
)
_USE_WHEN: Final = re.compile(r"\b(?:when|whenever|if|quando|sempre que|toda vez que|se)\b(?P<when>[^,:\n]{4,80})")
_HEADER_LEAD: Final = re.compile(
    r"^(?:(?:about|on|sobre [oa]s?|ok|so|hey|gente|pessoal|bom|e|and|also|aproveitando|writing down|for the record|since [^,:]{1,40}, |here(?:'s| is| are)|this is|segue|anota(?: ai)?|anotem|la vai|vai la"
    r"|lembrando|remember|please remember|note)[,:]?\s+)+"
)
_NAME_END: Final = re.compile(
    r"[,:]|\s(?:so|because|since|que|porque|pq|fica|é|is|goes(?= like)|works(?= like)|funciona(?= assim))(?:\s|$)", re.IGNORECASE
)
_INLINE: Final = re.compile(
    one_of(
        r"^(?:(?:so|e|and|entao|ok|gente|also)[, ]+)?(?P<name>(?:to [a-z]+ [^:,\n]{3,60}|how to [a-z]+ [^:,\n]{3,60}|(?:para|pra) \w+(?:ar|er|ir) [^:,\n]{2,60}|(?:o )?(?:esquema|passo a passo",
        r"procedimento|receita) [^:,\n]{2,60}|(?:the|our|o|a) [^:,\n]{2,50} (?:goes like this|works like this|is done like this|é assim|funciona assim|é o seguinte)(?=:)|(?:for|para",
        r"pra) (?:[\w-]+ ){0,3}[\w-]+(?=:)))(?:: |, )(?P<steps>[^\n?]{12,400})$",
    )
)
_NO_PURPOSE: Final = re.compile(
    one_of(
        r"^(?:to be|to make (?:matters|things|it|a long)|how to be|how to feel|to tell|to name|to say|to quote|to sum|to put|to start|to begin|to cut|to me|to whom|to each|for (?:me",
        r"us|you|now|example|real|once|starters|lunch|dinner|breakfast|instance|dessert|today|tomorrow|context)",
        r"(?:pra|para) (?:ser|piorar|melhorar|variar|completar|resumir|falar|mim|voce|gente|nos|comecar|quem|sempre|hoje|amanha|almoco|janta|jantar|terminar|variar))\b",
    )
)
_TELLS_A_STORY: Final = re.compile(
    r"^(?:and |e |then |depois |ai )?(?:i|he|she|it|they|you|eu|ele|ela|eles|elas|voce|vc|my|his|her|their|meu|minha|isso|that|this|there)\b|^[a-z]+(?:ed|ou|aram|eram|iram)\b|^(?:went|came|got|was|were|did|had|took|made|saw|left|said)\b"
)
_DO_EN: Final = one_of(
    r"(?:push|press|hold|turn|open|close|click|run|type|pull|unplug|plug|restart|reboot|reset|log|select|tap|switch|set|lift|slide|dial|unlock|lock|scan|start|stop|use|check|fill|empty|wipe|rinse|tighten|loosen|flip|swipe|shake|call|page|ring",
    r"wait|hang|place|put|release|insert|attach|detach|screw|heat|boil|add|mix|stir|pour|leave|find|get|take|go to|enter|choose|save|copy|paste|drag|download|upload|confirm|tell|bring|clean|dry|cover|cut|remove|let|make sure|type in",
    r"ask|write|book|mark|tag|clear|drain|refill|replace|export|import|build|install|rotate|revert|roll back)",
)
_DO_PT: Final = one_of(
    r"(?:é so |basta )?(?:aperta|apertar|segura|segurar|gira|girar|abre|abrir|fecha|fechar|clica|clicar|roda|rodar|digita|digitar|puxa|puxar|desliga|desligar|liga|ligar|reinicia",
    r"reiniciar|entra|entrar|seleciona|selecionar|toca|tocar|coloca|colocar",
    r"poe|limpa|limpar|enche|encher|troca|trocar|usa|usar|chama|chamar|avisa|avisar|marca|marcar|destrava|destravar|trava|travar|bate|bater|confere|conferir|escaneia|escanear|preenche",
    r"preencher|fala com|falar com|digite",
    r"(?:apert|segur|gir|fech|desligu|ligu|us|entr|tir|retir|coloqu|limp|troqu|esper|aguard|cham|avis|marqu|destrav|trav|confir|lev|solt|cliqu|digit|pux|selecion|confirm|salv|copi|col|baix|instal|encaix|pression|rosqu|mistur|junt|adicion|despej|desconect|conect)e",
    r"(?:abr|sub|insir|pec|esprem|sacud|reinici|mex|ench|escolh|acend|desc|remov)[ae]|ponha|faca|tire|va ate|deixe|espere|aguarde|levanta|abaixa|vira|virar|espera|esperar|pede|pedir)",
)
_SERVED_EN: Final = (
    r"(?:request|book|cancel|renew|access|print|reserve|reset|restart|connect|install|join|report|claim|order|deploy|release|roll back)"
)
_SERVED_PT: Final = r"(?:pedir|solicitar|marcar|cancelar|renovar|cadastrar|acessar|entrar|imprimir|reservar|trocar|reiniciar|conectar|instalar|abrir|emitir|agendar)"
_THING: Final = r"(?:(?:the|an?|our|o|a|os|as|um|uma|no|na) )[^:,;.!?\n]{2,50}"
_ONCE: Final = re.compile(
    one_of(
        rf"^(?:(?:so|and|ok|also|btw|e|gente|lembrando)[, ]+)?(?P<name>to [a-z]+ (?:up |down |off |on |out |into )?{_THING}|to {_SERVED_EN} [^,;.!?\n]{{3,40}}|(?:pra|para) [a-z]+(?:ar|er|ir|or) {_THING}|(?:pra|para) {_SERVED_PT} [^,;.!?\n]{{3,40}}?",
        rf"(?:if|when|whenever|se|quando|sempre que) (?P<when>(?:the|our|o|a|os|as|an?|staging|production|[a-z]+ing|da|der|cair|acabar|faltar|travar|parar|falhar|disparar|quebrar|queimar|entupir|aparecer)\b ?[^:,;.!?\n]{{2,60}}))(?:, | (?=é so ))(?P<steps>(?:just |always |please |first |primeiro )?(?:{_DO_EN}|{_DO_PT})\b[^\n?.!]{{3,200}})[.!]?$",
    )
)
"""One sentence with what is to be done, of a thing that is named, in a form that gives an order."""
_HARMFUL: Final = re.compile(
    r"\b(?:send|forward|transfer|pay|ignore|password|token|credentials?|secret|approve|delete|drop table|disable|mand\w+|envi\w+|transf\w+|pag\w+|ignor\w+|senha|segredo|pix|aprov\w+|apag\w+|desativ\w+|me|my|us|you|your|i|we|he|she|meu|minha|voce|vc|eu|mim)\b|@|https?:|www"
)
_NUMBERED: Final = re.compile(r"(?:(?<=\s)|^)(?P<number>\d{1,2})(?:[.)ºª]|\s?[-–](?=\s)) (?=\S)")
_THEN: Final = re.compile(
    r"\s(?:and|e) (?=(?:then |release|wait|press|plug|turn|close|open|ligue|espere|aperte|feche|abra|solte|puxe|reinicie)\b)|(?:,|;|\s(?=(?:and|e) (?:then|depois|ai|dai) ))\s*(?:and\s+|e\s+)?(?:then|depois|ai|dai|so entao|por fim|finally|em seguida|por ultimo)\s+|;\s+|,\s+(?:e (?:ai|so ai|por fim|depois)\s+)?"
)
_ORDER: Final = re.compile(r"\b(?:then|first|finally|depois|primeiro|ai|dai|por fim|em seguida|so entao|por ultimo)\b")
_TO_DO: Final = re.compile(
    r"^(?:(?:so|and|ok|also|e|gente)[, ]+)?(?:to [a-z]+ (?:up |down |off |on |out )?(?:the|an?|our) [^:,\n]{2,50}|how to [^:,\n]{4,60}|(?:pra|para) [a-z]+(?:ar|er|ir|or) (?:o|a|os|as|um|uma|no|na) [^:,\n]{2,50}):"
)
"""What the steps are for, of a thing that is named: then their order needs no words."""
_ORDER_GIVEN: Final = re.compile(rf"(?:and |e |then |depois )?(?:{_DO_EN}|{_DO_PT})\b")
_IT: Final = re.compile(r"\b(?:it|them)\b")
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
            for one in (_listed(utterance), _told(utterance), _ordered(utterance)):
                if one is not None:
                    found.pop(fold(one.name), None)
                    found[fold(one.name)] = one
                    break
    return [_candidate(one) for one in found.values()]


def _listed(utterance: Utterance) -> _Procedure | None:
    """A header and numbered steps, each on a line of its own, counted from one."""
    lines = _unfolded(utterance.text).split("\n")
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
    if _HOW.search(plain) is None or _NO_PURPOSE.match(plain) or plain.endswith("?"):
        return None
    return _procedure(utterance, header, tuple(step.rstrip(" .,;") for step in steps), header, "list")


def _unfolded(text: str) -> str:
    """Steps that are counted within one line, "deploy: 1. build 2. tag", each on a line of its own; the text as it is where they are not."""
    if "\n" in text.strip():
        return text
    marks = list(_NUMBERED.finditer(text))
    if [int(mark["number"]) for mark in marks] != list(range(1, len(marks) + 1)) or len(marks) < _STEPS_MIN:
        return text
    ends = [*(mark.start() for mark in marks[1:]), len(text)]
    steps = [f"{mark['number']}. {text[mark.end() : end].strip()}" for mark, end in zip(marks, ends, strict=True)]
    return "\n".join([text[: marks[0].start()].strip(), *steps])


def _told(utterance: Utterance) -> _Procedure | None:
    """One sentence that names what it is for, and tells at least three things in order."""
    text = utterance.text.strip()
    plain = plain_of(text)
    match = _INLINE.match(plain)
    if match is None or _NO_PURPOSE.match(match["name"]):
        return None
    ordered = _ORDER.search(match["steps"]) is not None
    if not ordered and (_TO_DO.match(plain) is None or _HARMFUL.search(_IT.sub("", plain)) or find_times(text, "und", utterance.said_at)):
        return None
    begin, _ = match.span("steps")
    cuts = [(0, 0), *(gap.span() for gap in _THEN.finditer(match["steps"])), (len(match["steps"]), len(match["steps"]))]
    steps = tuple(step for (_, start), (end, _) in pairwise(cuts) if (step := text[begin + start : begin + end].strip(" .,;")))
    if len(steps) < _INLINE_MIN or any(len(step.split()) > 25 or _TELLS_A_STORY.match(plain_of(step)) for step in steps):
        return None
    if not ordered and not all(_ORDER_GIVEN.match(plain_of(step)) for step in steps):
        return None
    return _procedure(utterance, text[slice(*match.span("name"))], steps, text, "told")


def _ordered(utterance: Utterance) -> _Procedure | None:
    """A sentence that says what is to be done for something, or when something happens: one step or more."""
    for sentence in sentences(utterance):
        match = _ONCE.match(sentence.plain)
        if match is None or _HARMFUL.search(match[0]) or _NO_PURPOSE.match(match["name"]) or not is_readable(_IT.sub("", match[0])):
            continue
        if find_times(sentence.shown, "und", utterance.said_at):
            continue  # of one day
        begin, _ = match.span("steps")
        cuts = [(0, 0), *(gap.span() for gap in _THEN.finditer(match["steps"])), (len(match["steps"]), len(match["steps"]))]
        steps = tuple(
            step for (_, start), (end, _) in pairwise(cuts) if (step := sentence.shown[begin + start : begin + end].strip(" .,;"))
        )
        shown = sentence.shown.strip()
        return _procedure(utterance, sentence.shown[slice(*match.span("name"))], steps, shown, "ordered")
    return None


def _procedure(utterance: Utterance, header: str, steps: tuple[str, ...], quote: str, form: str) -> _Procedure | None:
    plain = plain_of(header)
    language = (
        "pt"
        if re.search(r"[à-ü]|\b(?:para|pra|como|do|da|esquema|passo|receita|procedimento|quando|os|as|se|o)\b", header.lower())
        else "en"
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
