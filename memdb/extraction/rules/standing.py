"""What holds of the things of a room until further notice: hours, regular days, where something is kept, what it is called. Pure.

"The gate closes at 22:00", "o ensaio é toda quarta às 20h", "the spare key is under the blue pot", "o servidor de teste se chama toupeira".
What is said of one occasion alone is told with its day, by `things`.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from memdb.extraction.rules.engine import Found
from memdb.extraction.rules.reading import Sentence
from memdb.extraction.rules.rule import Rule
from memdb.extraction.rules.subjects import Subjects
from memdb.extraction.rules.things import first_of_each, is_of_a_thing, made
from memdb.extraction.rules.vocabulary import HOUR_EN, REGULARLY_EN, one_of
from memdb.text.times import find_times


@dataclass(frozen=True, slots=True)
class Standing:
    """A form of saying something that stays so. `pattern`: on plain text, with the groups `what` and `value`."""

    rule: Rule
    language: str
    pattern: re.Pattern[str] = field(repr=False)


_WHAT_EN: Final = r"(?P<what>(?:the|our) (?:[\w'-]+ ){0,4}?[\w'-]+?)"
_EVENT_EN: Final = r"(?:band |choir |team |staff |weekly |daily |house )?(?:practice|rehearsals?|training|stand-?up|choir|yoga|retro|office hours|quiet hours|visiting hours|happy hour|check-?in|check-?out|curfew|lunch|dinner|breakfast|rubbish|trash|garbage|recycling|mass|assembly|football|book club)"
_ANY_EN: Final = rf"(?P<what>(?:the|our) (?:[\w'-]+ ){{0,4}}?[\w'-]+?|{_EVENT_EN})"
_DAY_EN: Final = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DAYS_EN: Final = rf"{_DAY_EN}s(?:(?:,| and|, and) {_DAY_EN}s)*"
_EVERY_EN: Final = rf"(?:every (?:second |other |first )?(?:day|morning|evening|night|week|fortnight|month|weekday|weekend|{_DAY_EN})(?: (?:morning|afternoon|evening|night))?(?: and {_DAY_EN})?|on {_DAYS_EN}|on weekdays|on weekends|daily)"
_AT_EN: Final = rf"(?:at|from|until|till|between|after|before) {HOUR_EN}(?: (?:to|and|until|till) {HOUR_EN})?"
_PUT_EN: Final = r"(?:in|under|underneath|on|behind|above|next to|inside|beside|at|with|by) (?:the |a )?[^,;:.!?()\n\"“”\ufffc]{2,40}?"
_KEPT_EN: Final = r"(?:(?:spare|front door|back door|car|garage|office|cellar|shed|master|gate) )?(?:keys?|router|projector|first[- ]aid kit|fuse ?box|fire extinguisher|stopcock|boiler|printer|tool ?box|tools|ladder|vacuum(?: cleaner)?|bin bags|light bulbs|defibrillator|whiteboard markers|water meter|gas meter|main switch|cleaning supplies|spare sheets|contract|logbook|sign-?in sheet|runbook)"
_ROLE_EN: Final = r"(?:database|db|framework|supplier|vendor|client|customer|venue|landlord|landlady|bank|insurer|provider|sponsor|caterer|accountant|vet|dentist|plumber|electrician|editor|publisher|printer|issue tracker|tracker|crm|ci|cloud|host|hosting|stack|meeting point|main office|head office|time zone|currency|domain|main branch|default branch|on-call|team lead|stage manager|treasurer|chair|code owner)"
_ROLE_PT: Final = r"(?:banco|banco de dados|framework|fornecedora?|cliente|local|senhoria?|proprietari[oa]|seguradora|operadora|provedora?|patrocinadora?|buffet|contadora?|veterinari[oa]|dentista|encanadora?|eletricista|editora|grafica|nuvem|hospedagem|linguagem|ponto de encontro|sede|moeda|dominio|branch principal|branch|tesoureir[oa]|sindic[oa]|lider)"
_END_EN: Final = r"(?=\s*(?:$|[,;.!:)])|\s+(?:btw|now|from now on|and|but|so|since|because|if|please|again)\b)"
_WHAT_PT: Final = r"(?P<what>(?:o|a|os|as|noss[oa]s?) (?:[\w-]+ ){0,4}?[\w-]+?)"
_EVENT_PT: Final = r"(?:treinos?|ensaios?|reuni(?:ao|oes)|daily|aulas?|missa|culto|plantao|coleta|lixo|almoco|janta|jantar|cafe|catequese|assembleia|pelada|futebol|mutirao|check-?in|check-?out|visitas?)"
_ANY_PT: Final = rf"(?P<what>(?:o|a|os|as|noss[oa]s?) (?:[\w-]+ ){{0,4}}?[\w-]+?|{_EVENT_PT}(?: d[eao]s? [\w-]+)?)"
_DAY_PT: Final = r"(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)(?:-feira)?"
_HOUR_PT: Final = r"(?:\d{1,2}(?:h\d{0,2}|:\d\d)?(?![:h]?\d)(?: horas)?|meio-dia|meia-noite)(?: da (?:manha|tarde|noite))?"
_EVERY_PT: Final = one_of(
    rf"(?:tod[oa]s? (?:[oa]s? )?(?:dias?|manhas?|tardes?|noites?|semanas?|mes|meses|{_DAY_PT}s?|fim de semana)(?: e (?:tod[oa] )?{_DAY_PT}s?)?",
    rf"(?:às|as|aos|nas|nos) (?:segundas|tercas|quartas|quintas|sextas|sabados|domingos)(?:-feiras)?(?: e (?:às |aos )?(?:segundas|tercas|quartas|quintas|sextas|sabados|domingos)(?:-feiras)?)?|{_DAY_PT}(?:, {_DAY_PT})* e {_DAY_PT}|de {_DAY_PT} a {_DAY_PT}|uma vez por (?:semana|mes))(?: (?:de|pela) (?:manha|tarde|noite)| à noite| a noite)?",
)
_AT_PT: Final = rf"(?:(?:das|de) {_HOUR_PT} (?:às|as|ate|a) (?:as )?{_HOUR_PT}|(?:às|as|ate|ate as|ate às|a partir das|depois das|antes das|so depois das|so ate as|so ate às) {_HOUR_PT}|{_HOUR_PT})"
_PUT_PT: Final = (
    r"(?:com (?:o |a )|embaixo|debaixo|em cima|atras|dentro|ao lado|do lado|n[oa]s?\b|na gaveta|em )[^,;:.!?()\n\"“”\ufffc]{1,40}?"
)
_KEPT_PT: Final = r"(?:chaves?(?: reserva| d[aeo] [a-z]+)?|roteador|projetor|kit de primeiros socorros|quadro de luz|disjuntor|extintor|registro(?: d[aeo] [a-z]+)?|impressora|caixa de ferramentas|ferramentas|escada|aspirador|sacos? de lixo|contrato|livro de ponto|planilha d[aeo] [a-z]+|material de limpeza|controle do portao|produtos? de limpeza)"
_END_PT: Final = r"(?=\s*(?:$|[,;.!:)])|\s+(?:e|mas|agora|porque|pq|entao|viu|ta|gente|pessoal|a partir de agora|por favor)\b)"


def _of(name: str, pattern: str) -> Standing:
    language = name[:2]
    return Standing(
        Rule(name=name, verb="", rest="", proper=name.endswith("is-ours")),
        language,
        re.compile(pattern + (_END_EN if language == "en" else _END_PT)),
    )


STANDING: Final = (
    _of("en-hours", rf"{_WHAT_EN} (?:(?:is|are) (?:always |only )?(?:open|closed|shut|locked)|(?:always |only )?(?:opens?|closes?|shuts|locks)) (?P<value>(?:{_AT_EN}(?: {_EVERY_EN})?|{_EVERY_EN}(?: {_AT_EN})?|{REGULARLY_EN}))"),
    _of("en-regularly", rf"{_ANY_EN} (?:is|are|takes? place|happens?|meets?|starts?|begins?|ends?|leaves?|arrives?|comes?|runs?|go(?:es)? out|is collected|are collected|is served|are served|gets? collected|is held|are held|is due|are due) (?:always )?(?P<value>(?:{_EVERY_EN}(?: {_AT_EN})?|{_AT_EN} {_EVERY_EN}))"),
    _of("en-weekday", r"(?P<what>(?:the |our )?(?:bins?|rubbish|trash|garbage|recycling|compost|bin day|trash day|cleaning day|laundry day|pay ?day)) (?:go(?:es)? out|is collected|are collected|gets? collected|is|are picked up|is picked up)(?: on)? (?P<value>(?:every (?:second |other )?)?" + rf"{_DAY_EN}s?(?: and {_DAY_EN}s?)?(?: (?:morning|night|evening)s?)?)"),
    _of("en-hour", rf"(?P<what>(?:the |our )?(?:daily |weekly |morning )?(?:stand-?up|quiet hours|check-?in|check-?out|curfew|visiting hours|office hours|lunch break|lights out)) (?:is|are|starts?|begins?|ends?|(?:is |are |was |has )?(?:moved|changed) to) (?:always )?(?P<value>(?:{_AT_EN}|\d{{1,2}}[:.]\d\d(?!\d)))"),
    _of("en-moved-for-good", rf"{_ANY_EN} (?:is |are |was |were |has |have )?(?:now |been )?(?:moved|moving|changed|changing|switched|switching)(?: permanently)? to (?P<value>(?:{_DAYS_EN}|every {_DAY_EN})(?:,? (?:{_AT_EN}|{HOUR_EN}))?)"),
    _of("en-kept", rf"{_WHAT_EN} (?:is|are) (?:always )?(?:kept|stored|hidden|locked up) (?P<value>{_PUT_EN})"),
    _of("en-kept-thing", rf"(?P<what>(?:the|our) {_KEPT_EN}) (?:is|are|lives?|hangs?) (?:always )?(?P<value>{_PUT_EN})"),
    _of("en-called", rf"{_WHAT_EN}(?: is (?:now |still )?(?:called|named)|'s name is) [\"“']?(?P<value>(?!off\b|out\b|for\b|in\b|after\b|by\b|to\b|away\b|upon\b|into\b|back\b|a\b|on\b|it\b|that\b|so\b)[\w][\w.'-]*(?: [\w.'-]+)?)[\"”']?"),
    _of("en-due", rf"{_WHAT_EN[:-1]}|rent|membership) (?:is|are) (?:always )?due (?P<value>on the \d{{1,2}}(?:st|nd|rd|th)?(?: of (?:every|each|the) month)?)"),
    _of("en-is-ours", rf"(?P<what>(?:the|our) (?:[a-z]+ )?{_ROLE_EN}) (?:is|will be) (?:now |still )?(?P<value>(?:the )?(?:[\w.&-]+(?: [\w.'&-]+){{0,2}} )?[\w.&-]+(?:'s)?)"),
    _of("en-not-allowed", one_of(r"(?P<what>(?P<no>no )?(?:smoking|pets|dogs|cats|bikes|shoes|guests|visitors|food|drinks|alcohol|parking|cooking|loud music|phones|photos|children|outside food|glass|candles|overnight guests", r"subletting)) (?P<value>(?:(?:is|are) (?:not allowed|forbidden|prohibited|banned|only allowed)|(?:is|are)n't allowed|(?(no)(?=(?:in|on|at|after|before|inside|during) (?:the|\d))|(?!)))(?: ?(?:in", r"on|at|after|before|inside|during) [^,;:.!?()\n]{2,40}?)?)")),
    _of("pt-due", rf"{_WHAT_PT} (?:vence|é pag[oa]|cai|entra) (?P<value>(?:sempre )?(?:todo )?(?:no )?dia \d{{1,2}}(?! de\b)(?: de cada mes| do mes)?)"),
    _of("pt-is-ours", rf"(?P<what>(?:o|a|nosso|nossa) {_ROLE_PT}(?: (?:d[aeo] [a-z]+|nov[oa]|atual|oficial))?) (?:é|agora é|continua sendo) (?:o |a )?(?P<value>[\w.'&-]+(?: [\w.'&-]+){{0,3}}?)"),
    _of("pt-forbidden", r"(?P<what>(?:é )?proibid[oa]) (?P<value>[a-z][^,;:.!?()\n\"“”\ufffc]{3,50}?)"),
    _of("pt-only-until", rf"(?P<what>visitas?|som alto|som|barulho|entrada|piscina|churrasqueira|obras?|mudancas?|entregas?) so (?P<value>{_AT_PT}(?: {_EVERY_PT})?|{_EVERY_PT}(?: {_AT_PT})?)"),
    _of("pt-hours", rf"{_WHAT_PT} (?:so |sempre )?(?:abre|abrem|fecha|fecham|funciona|funcionam|tranca|fica abert[oa]|ficam abert[oa]s|fica fechad[oa]|atende) (?P<value>{_AT_PT}(?: {_EVERY_PT})?|{_EVERY_PT}(?: {_AT_PT})?)"),
    _of("pt-regularly", rf"{_ANY_PT} (?:é|sao|acontece|acontecem|passa|rola|comeca|sai|chega|vem|vence|tem|roda|fecha|abre|é feit[oa]|é servid[oa]) (?:sempre )?(?P<value>{_EVERY_PT}(?:,? {_AT_PT})?|{_AT_PT} {_EVERY_PT})"),
    _of("pt-always-at", rf"{_WHAT_PT} (?:é|sao|passa|comeca|sai|chega|chegam|vem|abre|fecha) (?P<value>sempre {_AT_PT})"),
    _of("pt-kept", rf"{_WHAT_PT} (?:fica|ficam) (?:sempre )?(?:guardad[oa]s? )?(?P<value>(?:com (?:o |a )|embaixo|debaixo|em cima|atras|dentro|n[oa]s? (?:sala|armario|gaveta|garagem|porao|cozinha|portaria|almoxarifado|estante|prateleira|rua|andar|corredor|deposito|escritorio|quadro|mural|drive|pasta|recepcao|entrada|salao|cofre)\b)[^,;:.!?()\n\"“”\ufffc]{{0,40}}?)"),
    _of("pt-kept-thing", rf"(?P<what>(?:o|a|os|as) {_KEPT_PT}) (?:esta|ta|estao|tao|fica|ficam) (?:sempre )?(?P<value>{_PUT_PT})"),
    _of("pt-called", rf"{_WHAT_PT} (?:se chama|chama|agora se chama|é chamad[oa] de) [\"“']?(?P<value>(?!a atencao|atencao|de\b|pra\b|para\b|todo\b|isso\b|muit|mais\b|a\b|o\b|eu\b|voce|vc\b)[\w][\w.'-]*(?: [\w.'-]+)?)[\"”']?"),
    _of("pt-moved-for-good", rf"{_ANY_PT} (?:agora )?(?:mudou|passou|foi|vai) (?:pra|para|a ser) (?P<value>(?:tod[oa] {_DAY_PT}|as {_DAY_PT}s|(?:às|as|aos) (?:segundas|tercas|quartas|quintas|sextas|sabados|domingos))(?:,? {_AT_PT})?)"),
)  # fmt: skip
"""In order; the first that matches a clause tells."""

_IS_NAME: Final = re.compile(r"(?:the )?[A-ZÀ-Ý]|\w*\d")
_NOT_OF_THE_ROOM: Final = re.compile(
    one_of(
        r"\b(?:kids?|boys?|girls?|guys?|man|men|woman|women|baby|dogs?|cats?|one|ones|rest|best|worst|problem|thing|point|question|answer|idea|password|passcode",
        r"pin|phone|movie|film|show|episode|song|album|sun|moon|door of|heart|criancas?|menin[oa]s?|homem|mulher|bebe|cachorr[oa]|gat[oa]|problema|coisa|questao",
        r"resposta|ideia|senha|telefone|filme|serie|musica|sol|lua|coracao|vida|life|gente|pessoal|galera|culpa|filh[oa]s?|mae|pai|irma|irmao|mother|father|sister|brother|wife|husband)\b",
    )
)


def find_standing(sentences: Iterable[Sentence], subjects: Subjects) -> Iterator[Found]:
    """What stays so of things that are named, in order; one of a sentence."""
    return first_of_each(sentences, lambda sentence, at: _stated(sentence, at, subjects))


def _stated(sentence: Sentence, at: int, subjects: Subjects) -> Found | None:
    for form in STANDING:
        match = form.pattern.match(sentence.plain, at)
        if match is None or _NOT_OF_THE_ROOM.search(match["what"]) or not is_of_a_thing(match, subjects):
            continue
        said = sentence.shown[match.start() : match.end()].strip()
        if form.rule.proper and (subjects.within(match["value"]) or not _IS_NAME.match(sentence.shown, match.start("value"))):
            continue
        if find_times(said, form.language, sentence.utterance.said_at):
            continue  # of one day
        return made(sentence, (at, match.end()), form.rule, said, sentence.shown[slice(*match.span("value"))])
    return None
