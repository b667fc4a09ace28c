"""What a room has agreed on: "we decided to use Postgres", "combinamos de dividir a conta", "from now on everyone signs the book". Pure.

A decision is told without the "we" of the room. What binds somebody who is spoken to, pays, sends or sets machines in motion is left alone:
that is how instructions are planted.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.moments import settle
from memdb.extraction.rules.reading import Sentence, has_correction
from memdb.extraction.rules.rule import Rule
from memdb.extraction.rules.subjects import Subjects
from memdb.extraction.rules.things import first_of_each, made
from memdb.extraction.rules.values import is_readable, trim
from memdb.extraction.rules.vocabulary import one_of
from memdb.text.times import find_times


@dataclass(frozen=True, slots=True)
class Agreed:
    """A form of telling what was agreed. `pattern`: on plain text, with the group `value`, and `what` where two things are told."""

    rule: Rule
    language: str
    pattern: re.Pattern[str] = field(repr=False)
    shown: str


_DOES_EN: Final = r"(?:use|drop|adopt|switch|migrate|keep|paint|split|close|stop|rename|buy|postpone|cancel|go with|raise|limit|allow|ban|require|deploy|merge|release|ship|support|freeze|share|rotate|charge|hire|replace|remove|store|publish|rent|repaint|renew|extend|shorten|skip|alternate|ask|hold|run|open|lock|plant|donate|sponsor|standardi[sz]e|deprecate|archive|reserve)"
_DOES_PT: Final = r"(?:usar|largar|adotar|trocar|migrar|manter|pintar|dividir|fechar|parar|renomear|comprar|adiar|cancelar|aumentar|limitar|permitir|proibir|exigir|lancar|congelar|compartilhar|rodiziar|revezar|cobrar|contratar|substituir|tirar|remover|guardar|publicar|alugar|renovar|estender|encurtar|alternar|abrir|trancar|plantar|doar|padronizar|arquivar|reservar|deixar|fazer|colocar|separar)"
_REST: Final = r"[^,;:.!?()\n\"“”\ufffc]{3,90}"
_NOUN_EN: Final = r"(?:everyone|everybody|nobody|no one|each [a-z]+|all [a-z]+s|visitors|guests|the [\w-]+(?: [\w-]+){0,2}?|(?:quiet|opening|office) hours|[a-z]+s)"
_VERB_EN: Final = r"(?:is|are|has|have|signs?|stays?|closes?|opens?|starts?|ends?|begins?|gets?|needs?|must|goes?|go|cleans?|washes|wash|takes?|brings?|uses?|parks?|wears?|runs?|happens?|costs?|can|cannot|can't|works?|leaves?|comes?|meets?)"
_NOUN_PT: Final = (
    r"(?:todo mundo|todos|ninguem|cada um|cada [a-z]+|visitas?|convidados?|silencio|(?:o|a|os|as) [\w-]+(?: (?:d[aeo]s? )?[\w-]+){0,2}?)"
)
_VERB_PT: Final = r"(?:é|sao|esta|ta|tem|assinam?|fica|ficam|fecham?|abrem?|comecam?|terminam?|precisam?|devem?|vai|vao|limpam?|lavam?|lava|traz|trazem|usam?|estacionam?|acontecem?|custam?|pode|podem|nao pode|nao podem|funcionam?|sai|saem|vem)"

_BANNED_EN: Final = r"(?:deploy|merge|push|commit|release|ship|park|smoke|schedule|book|plug|unplug|leave|lock|touch|open|close|use|run|restart|reboot|edit|rename|move|remove|enter|eat|drink|cook|print|feed|overwater|water|put|store|bring|block|mix|wash|turn|switch|start|rebase|force-push|squash)"
_BANNED_PT: Final = r"(?:fa(?:ca|ça|z|zer|cam) (?:deploy|merge|push|commit|barulho|release|manutencao|reuniao|backup)|deploy\w*|(?:merg|commit|estacion|fum|agend|marqu|ligu|deslig|deix|mex|us|rod|reinici|edit|renomei|mov|remov|entr|com|beb|cozinh|imprim|lav|tranqu|toqu|abr|fech|bloquei|mistur|coloqu|guard)(?:e|em|a|am|ar|er|ir))"
_ALWAYS_EN: Final = r"(?:on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on (?:weekends|holidays|weekdays)|(?:after|before|between) \d{1,2}(?:[:.]\d\d)? ?(?:am|pm|h)?|at night|at weekends|without (?:an? |the )?[\w' -]{3,40}|during (?:the )?(?:day|night|week|lunch|quiet hours|working hours|[\w-]+ing))"
_ALWAYS_PT: Final = r"(?:n?[ao]?s? ?(?:às|as|aos|nas|nos|na|no|de) (?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?)(?:-feiras?)?|(?:no|nos|aos) (?:fins?|finais) de semana|(?:depois|antes) das? \d{1,2}h?|(?:à|a) noite|de noite|de madrugada|em feriados?|nos feriados|sem (?:o |a |um |uma )?[\w -]{3,40}|durante (?:o |a )?[\w -]{3,30})"


def _of(name: str, pattern: str, shown: str) -> Agreed:
    return Agreed(Rule(name=name, verb="", rest=""), name[:2], re.compile(pattern), shown)


AGREED: Final = (
    _of("en-decided-to", rf"(?:we(?:'ve| have)? (?:all |finally |just )?|the (?:team|group|board|committee) (?:has )?)(?P<done>decided|agreed|voted) to (?P<value>(?:not )?{_DOES_EN} {_REST})", "It was {done} to {value}"),
    _of("en-decided-that", rf"(?:we(?:'ve| have)? (?:all |finally |just )?|the (?:team|group|board|committee) (?:has )?)(?P<done>decided|agreed|voted) (?:that )?(?P<value>{_NOUN_EN} {_VERB_EN} {_REST})", "It was {done} that {value}"),
    _of("en-from-now-on", rf"(?:from now on|going forward|as of (?:now|today)),? (?P<value>{_NOUN_EN} {_VERB_EN} {_REST})", "{value}"),
    _of("en-now-on-after", rf"(?P<value>(?:the |our )[\w' -]{{3,30}}? {_VERB_EN} [^,;:.!?()\n\"“”\ufffc]{{3,60}}?) from now on\b", "{value}"),
    _of("en-we-use", r"(?:we|the team) (?:always |now |only )?uses? (?P<value>[\w.+-]+(?: [\w.+-]+)?) (?P<joint>for|to|as) (?P<what>(?:the |our )?[^,;:.!?()\n\"“”\ufffc]{3,50})", "{value} is used {joint} {what}"),
    _of("pt-decided-to", rf"(?:(?:nos )?(?:decidimos|resolvemos)|(?:o time|a turma|o grupo|a gente) (?:decidiu|resolveu)|ficou decidido) (?P<value>(?:nao )?{_DOES_PT} {_REST})", "Ficou decidido {value}"),
    _of("pt-agreed-to", rf"(?:(?:nos )?combinamos|(?:o time|a turma|o grupo|a gente) combinou|ficou combinado)(?: de)? (?P<value>(?:nao )?{_DOES_PT} {_REST})", "Ficou combinado {value}"),
    _of("pt-decided-that", rf"(?:(?:nos )?(?:decidimos|combinamos)|(?:o time|a turma|o grupo|a gente) (?:decidiu|combinou)|ficou (?:decidido|combinado)) que (?P<value>{_NOUN_PT} {_VERB_PT} {_REST})", "Ficou combinado que {value}"),
    _of("pt-from-now-on", rf"(?:a partir de (?:agora|hoje)|de agora em diante|daqui (?:pra|para) frente),? (?P<value>{_NOUN_PT} {_VERB_PT} {_REST})", "{value}"),
    _of("pt-we-use", r"(?:a gente|o time|nos) (?:sempre |agora |so )?(?:usa|usamos) (?:o |a )?(?P<value>[\w.+-]+(?: [\w.+-]+)?) (?P<joint>para|pra|pro|como) (?P<what>(?:o |a |os |as )?[^,;:.!?()\n\"“”\ufffc]{3,50})", "O grupo usa {value} {joint} {what}"),
    _of("en-never", rf"(?:please )?never (?P<value>{_BANNED_EN} (?:[\w'/-]+ ){{0,6}}?{_ALWAYS_EN})(?=\s*(?:$|[.!,;]))", "Never {value}"),
    _of("en-do-not", rf"(?:please )?(?:do not|don't) (?:ever )?(?P<value>{_BANNED_EN} (?:[\w'/-]+ ){{0,6}}?{_ALWAYS_EN})(?=\s*(?:$|[.!,;]))", "Do not {value}"),
    _of("pt-never", rf"(?:por favor,? )?nunca (?P<value>{_BANNED_PT} (?:[\w/-]+ ){{0,6}}?{_ALWAYS_PT})(?=\s*(?:$|[.!,;]))", "Nunca {value}"),
    _of("pt-do-not", rf"(?:por favor,? )?nao (?P<value>{_BANNED_PT} (?:[\w/-]+ ){{0,6}}?{_ALWAYS_PT})(?=\s*(?:$|[.!,;]))", "Não {value}"),
)  # fmt: skip
"""In order; the first that matches a clause tells."""

_PLANTED: Final = re.compile(
    one_of(
        r"\b(?:send|sent|forward\w*|transfer\w*|pay|pays|paid|payments?|invoices?|accounts?|passwords?|tokens?|credentials?|approv\w+|admins?|ignore\w*|instructions?|assistants?|bots?",
        r"agents?|ai",
        r"system|rules?|respond\w*|repl(?:y|ies|ied)|answers?|trust\w*|emails?|e-mails?|links?|urls?|keys?|secrets?|money|bank|wire|refunds?|access|delete\w*|quote\w*|execute\w*",
        r"envi\w+|mand\w+|encaminh\w+|transfer\w+|pag\w+|pix|fatura\w*|contas?|senhas?|aprova\w+|ignor\w+|instruc\w+|assistente\w*|rob[oô]s?|agentes?|ia|sistema|regras?|respond\w+",
        r"respostas?|confi\w+|boletos?|dinheiro|banco|chaves?|segredos?|acesso|apag\w+|execut\w+)\b",
    )
)
_OF_SOMEBODY: Final = re.compile(r"\b(?:my|mine|me|i|i'm|your|you|u|meu|minha|eu|mim|voce|voces|vc|vcs|te|seu|sua)\b")
_WORDS: Final = range(2, 21)


def find_agreed(sentences: Iterable[Sentence], subjects: Subjects) -> Iterator[Found]:
    """What was agreed, in order; one of a sentence."""
    return first_of_each(sentences, lambda sentence, at: _stated(sentence, at, subjects))


def _stated(sentence: Sentence, at: int, subjects: Subjects) -> Found | None:
    for form in AGREED:
        match = form.pattern.match(sentence.plain, at)
        found = None if match is None else _made(sentence, at, form, match, subjects)
        if found is not None:
            return found
    return None


def _made(sentence: Sentence, at: int, form: Agreed, match: re.Match[str], subjects: Subjects) -> Found | None:
    last = "what" if match.groupdict().get("what") else "value"
    end = trim(sentence.plain, match.start(last), match.end(last))
    said = sentence.plain[match.start("value") : end]
    if end <= match.start(last) or len(said.split()) not in _WORDS or not is_readable(said) or has_correction(said):
        return None
    if _PLANTED.search(said) or _OF_SOMEBODY.search(said) or subjects.within(said):
        return None
    groups = {name: sentence.shown[slice(*match.span(name))] for name in match.groupdict()}
    groups[last] = sentence.shown[match.start(last) : end]
    if last == "what" and not groups["value"][:1].isupper():
        return None  # "we use it for lunch" says not what
    if form.rule.name.endswith(("never", "do-not")):
        told = form.shown.format(**groups)
        return None if find_times(told, form.language, None) else made(sentence, (at, end), form.rule, told, groups["value"])
    settled = settle(form.shown.format(**groups), form.language, sentence.utterance.said_at)
    begins = sentence.utterance.said_at if "now-on" in form.rule.name else None
    return None if settled is None else made(sentence, (at, end), form.rule, settled.text, groups["value"], begins)
