"""Portuguese rules for what somebody does again and again, learns, looks after, or how one wants to be reached.

Order decides between two at one place.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.portuguese import ADVERBS, VERBS, regular
from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import ACTIVITY_PT, ENDEAVOUR_PT, FANS_PT, OFTEN_PT, ORIGIN_PT, PLAYED_PT, SPORT_PT, STANDING_PT

_OTHERS: Final = re.compile(
    r"^(?:meus?|minhas?|mim|me|isso|tudo|nada|voces?|vc|vcs|ele|ela|quem|gente|um|uma|o que|bem|mal|muito|so|mais|que|se|as coisas|a vida|a situacao|o resto|alguem|todo mundo|todos)\b"
)
_FORMS: Final = {
    "cuidar": ("(?:cuido|sou eu (?:que|quem) cuid[oa])", "cuida", "cuida"),
    "coordenar": ("(?:coordeno|lidero|administro|gerencio|supervisiono)", "(?:coordena|lidera|administra|gerencia|supervisiona)", ""),
    "tocar": ("toco", "toca", "toca"),
    "jogar": ("jogo", "joga", "joga"),
    "calçar": ("calco", "calca", "calça"),
    "dirigir": ("dirijo", "dirige", "dirige"),
    "vestir": ("(?:visto|uso)", "(?:veste|usa)", "usa"),
    "ficar": ("(?:fico|trabalho)", "(?:fica|trabalha)", ""),
    "colecionar": ("coleciono", "coleciona", "coleciona"),
    "se formar": ("(?:me formei|sou formad[oa])", "(?:se formou|é formad[oa])", "se formou"),
}  # fmt: skip
_OFTEN: Final = {"corro": "corre", "nado": "nada", "pedalo": "pedala", "treino": "treina", "medito": "medita", "malho": "malha"}
_KNOWN: Final = (
    "ser",
    "estar",
    "ter",
    "não ter",
    "fazer",
    "falar",
    "não falar",
    "trabalhar",
    "não trabalhar",
    "tomar",
    "curtir",
    "não curtir",
    "preferir",
    "meu",
)
_VERBS: Final[dict[str, Verb]] = {
    **{name: VERBS[name] for name in _KNOWN},
    **regular(_FORMS),
    **regular({first: (first, third, third) for first, third in _OFTEN.items()}),
    "não me": VERBS["não me"],
}  # fmt: skip
_DAYS: Final = r"(?:segundas?|tercas?|quartas?|quintas?|sextas?|sabados?|domingos?)(?:-feiras?)?"

RULES: Final = compile_rules(
    (
        Rule(name="pt-demonym", verb="ser", rest=rf" {{a}}(?P<value>{ORIGIN_PT})(?: da gema| de nascimento| de coracao)?{{end}}", attribute="origin", single=True, shown="é {value}"),
        Rule(name="pt-fan-of-team", verb="ser", rest=rf" {{a}}(?P<value>{FANS_PT})(?: rox[oa]| doente| de coracao| fanatic[oa])?{{end}}", attribute="team", single=True, shown="é {value}"),
        Rule(name="pt-fan", verb="ser", rest=r" {a}(?:muito )?fa d[eoa]s? {v}", attribute="likes", words=4, banned=re.compile(r"^(?:mim|isso|voces?|vc|carteirinha)\b")),
        Rule(name="pt-standing", verb="ser", rest=rf" {{a}}(?P<value>{STANDING_PT}){{end}}", attribute="work/role", single=True),
        Rule(name="pt-role-at", verb="ser", rest=r" {a}(?P<role>(?:estagiari[oa]|professora?|gerente|analista|enfermeir[oa]|medic[oa]|engenheir[oa]|desenvolvedora?|vendedora?|pesquisadora?|bolsista|diretora?|coordenadora?)(?: de [a-z]+)?) (?P<em>n[oa]) {v}", attribute="work/employer", single=True, proper=True, words=5),
        Rule(name="pt-single-now", verb="estar", rest=r" (?P<value>solteir[oa]|noiv[oa]|separad[oa]|divorciad[oa]|casad[oa])(?: de novo)?{end}", attribute="relationship", single=True, shown="está {value}"),
        Rule(name="pt-pregnant", verb="estar", rest=r" (?P<value>gravida)(?: de [\w ]{1,20}(?:meses|semanas|mes))?{end}", attribute="health", shown="está grávida"),
        Rule(name="pt-child-aged", verb="ter", rest=r" (?P<value>(?:uma?|dois|duas|tres|[2-9]) (?:filh[oa]s?|net[oa]s?))(?: de (?:\d{1,2}|um|dois|tres) (?:anos?|meses)|,? (?:o|a) [a-z][\w'-]+.{0,40}){end}", attribute="family", words=4),
        Rule(name="pt-not-have", verb="não ter", rest=r" (?P<value>(?P<topic>carro|moto|filhos?|irmaos?|carteira de motorista|cnh|whatsapp|zap|instagram|insta|facebook|televisao|tv|cartao de credito|celular)){end}", attribute="{topic}", denies=True),
        Rule(name="pt-not-drive", verb="não dirigir", rest=r"{end}", attribute="habit/driving", denies=True),
        Rule(name="pt-not-speak", verb="não falar", rest=r" (?:nada de )?(?P<value>ingles|portugues|espanhol|frances|alemao|italiano|libras){end}", attribute="language", denies=True),
        Rule(name="pt-shoe", verb="calçar", rest=r" (?:numero )?(?P<value>\d{2}(?:[/,.]\d{1,2})?){end}", attribute="shoe-size", single=True),
        Rule(name="pt-wears-size", verb="vestir", rest=r" (?P<value>(?:tamanho |camiseta |camisa )+(?:pp|p|m|g|gg|xg|\d{2})(?: de (?:camiseta|camisa|calca|roupa))?){end}", attribute="shirt-size", single=True),
        Rule(name="pt-work-with", verb="trabalhar", rest=r" {a}com (?P<value>(?!isso|ele|ela|voce|vc|gente|prazer|amor|raiva|sono|fome|o |a |os |as |meu|minha)[a-z]+(?: (?:de|e|d[ao]s?) [a-z]+| [a-z]+)?){end}", attribute="work/field", words=4, banned=re.compile(r"\b(?:hoje|amanha|mim|voces?|ne|la)\b")),
        Rule(name="pt-course", verb="fazer", rest=rf" (?P<value>{ENDEAVOUR_PT}(?: (?:em|de|d[ao]) [a-z]+(?: [a-z]+)?)?(?: (?:n[oa]|em) [^,;:.!?()\n]{{2,30}}?)?){{end}}", attribute="study", words=9),
        Rule(name="pt-degree", verb="se formar", rest=r" em (?P<value>[a-z]+(?: (?:de |da |e )?[a-z]+)?)(?: (?:n[oa]|pel[oa]) [^,;:.!?()\n]{2,30})?{end}", attribute="education", words=4, banned=re.compile(r"^(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|\d|breve|casa)\b|\b(?:ontem|hoje|ano|mes|semana)\b")),
        Rule(name="pt-play-music", verb="tocar", rest=rf" {{a}}(?P<value>{PLAYED_PT}(?: e {PLAYED_PT})?){{end}}", attribute="hobby", lists=True),
        Rule(name="pt-play-sport", verb="jogar", rest=rf" {{a}}(?P<value>{SPORT_PT}(?: {OFTEN_PT})?){{end}}", attribute="hobby", words=9),
        Rule(name="pt-practise", verb="fazer", rest=rf" {{a}}(?P<value>{ACTIVITY_PT}(?: {OFTEN_PT})?){{end}}", attribute="habit", words=9),
        *(Rule(name=f"pt-often-{first}", verb=first, rest=rf" (?P<value>{OFTEN_PT}){{end}}", attribute="habit", words=8) for first in _OFTEN),
        Rule(name="pt-collect", verb="colecionar", rest=r" {v}", attribute="hobby", words=4, bare=True, lists=True),
        Rule(name="pt-look-after", verb="cuidar", rest=r" (?P<of>d[eoa]s?) {v}", attribute="work/owns", words=6, banned=_OTHERS, shown="cuida {of} {value}"),
        Rule(name="pt-coordinate", verb="coordenar", rest=r" (?P<value>(?:o|a|os|as) [^,;:.!?()\n\"“”\ufffc]{3,50})", attribute="work/owns", words=7, banned=_OTHERS, shown="coordena {value}"),
        Rule(name="pt-curtir", verb="curtir", rest=r" (?:muito |mais |bastante )?{v}", attribute="likes", words=4, bare=True, banned=re.compile(r"^(?:isso|essa|esse|voce|vc|a gente|de |ver |quando|o |a )|\b(?:prazo|espaco|tempo)\b"), lists=True, shown="gosta de {value}"),
        Rule(name="pt-not-curtir", verb="não curtir", rest=r" (?:muito )?{v}", attribute="dislikes", words=4, bare=True, banned=re.compile(r"^(?:isso|essa|esse|voce|vc|a gente|de |ver |quando|nada|muito)\b"), lists=True, shown="não gosta de {value}"),
        Rule(name="pt-prefer-that", verb="preferir", rest=r" que (?:me |voces |vcs |a gente )?(?P<value>(?:mandem|mande|escrevam|escreva|liguem|ligue|avisem|avise|falem|fale|respondam|responda|expliquem|explique|marquem|marque) [^,;:.!?()\n\"“”\ufffc]{3,50})", attribute="contact", words=8, shown="prefere que {value}"),
        Rule(name="pt-do-not-call-me", verb="não me", rest=r" cham(?:a|e|em) (?:de|por) [\"“']?(?P<value>[a-z][\w'.-]*)[\"”']?{end}", attribute="address-as", denies=True, shown="não quer ser chamada de {value}", proper=True, words=1, first_only=True),
        Rule(name="pt-pronouns", verb="meu", rest=r"s? pronomes sao (?P<value>[a-z]+/[a-z]+)", attribute="pronouns", single=True, shown="usa os pronomes {value}", first_only=True),
        Rule(name="pt-working-hours", verb="meu", rest=r" (?:horario|expediente|turno)(?: de trabalho)? (?:é|vai) (?P<value>(?:das?|de) \d[^,;:.!?()\n]{2,40}?){end}", attribute="working-hours", single=True, shown="tem como horário: {value}", words=9),
        Rule(name="pt-never-works-on", verb="não trabalhar", rest=rf" (?:aos?|as|à|nas?|nos|de) (?P<value>{_DAYS}(?: (?:e|nem) {_DAYS})?|fins? de semana|feriados?){{end}}", attribute="availability", words=5),
    ),
    "pt", _VERBS, ADVERBS,
)  # fmt: skip
