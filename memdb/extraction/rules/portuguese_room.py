"""Portuguese rules for what people of a room tell each other: who does what, when and how to reach them, whom they answer to.

Order decides between two at one place.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.portuguese import ADVERBS, VERBS, regular
from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import (
    CHORE_PT,
    DUTY_PT,
    FOOD_PT,
    OFTEN_PT,
    REGULARLY_PT,
    TRADE_PT,
    UNWANTED_PT,
    VENTURE_PT,
    WHEN_PT,
    WORKPLACE_PT,
)

_KIN: Final = r"(?:(?:(?:[ao]s? )?(?:meus?|minhas?|seus?|suas?)|os?|as?) )?(?:pais|mae|pai|marido|esposa|mulher|namorad[oa]|filh[oa]s?|familia|av[oó]s?|irma(?:o|os|s)?|ti[oa]s?|amig[oa]s?|colegas?)"
_FORMS: Final = {
    "tratar": ("(?:me reporto|respondo)", "(?:se reporta|responde)", "se reporta"),
    "dar": ("dou", "da", "dá"),
    "passar": ("passo", "passa", "passa"),
    "ligar": ("ligo", "liga", "liga"),
    "organizar": ("(?:organizo|cuido|fico)", "(?:organiza|cuida|fica)", ""),
    "conseguir": ("(?:consigo|posso|estou disponivel|to disponivel|estou|to)", "(?:consegue|pode|esta disponivel|ta disponivel)", ""),
}  # fmt: skip
_KNOWN: Final = (
    "ser",
    "não ser",
    "estar",
    "ter",
    "fazer",
    "falar",
    "não falar",
    "trabalhar",
    "morar",
    "tomar",
    "jogar",
    "não poder",
    "meu",
    "não me",
    "nascer",
    "estudar",
    "usar",
    "não tomar",
    "",
)
_VERBS: Final[dict[str, Verb]] = {
    **regular(_FORMS),
    **regular({"jogar": ("jogo", "joga", "joga")}),
    **{name: VERBS[name] for name in _KNOWN if name != "jogar"},
    "me liga": Verb(r"(?:por favor,? )?(?:(?:pode|podem|vc pode|voces podem) )?me (?:liga|ligue|liguem|ligar|chama|chame|chamem|chamar|mande|mandem)(?: (?:mensagem|msg|zap))?", r"(?!)", ""),
    "sem": Verb(r"(?:por favor,? )?(?:sem|nada de)", r"(?!)", ""),
}  # fmt: skip
_ENDED: Final = r"(?=$|[,;:.!?)(]|\s(?:e|mas|entao|porque|pq|ta|viu|ne|gente|pessoal|por favor|pfv)\b)"

RULES: Final = compile_rules(
    (
        Rule(name="pt-ours", verb="ser", rest=rf" {{a}}(?:(?P<o>o|a) )?noss[oa] (?P<value>{TRADE_PT}(?: de [a-z]+)?){{end}}", attribute="work/role", shown="é {value} do grupo", words=4, banned=re.compile(r"\b(?:favorit|preferid|melhor|pior)\w*")),
        Rule(name="pt-one-who", verb="ser", rest=rf" (?:eu )?(?:quem|que|(?:o|a) que) (?P<value>{DUTY_PT} [^,;:.!?()\n\"“”\ufffc]{{3,50}}?){{end}}", attribute="work/owns", shown="{value}", words=8),
        Rule(name="pt-does", verb="fazer", rest=rf" (?P<value>(?:o|a|os|as|toda a|todo o) {CHORE_PT}(?: (?:d[aeo]s?) [a-z]+)?){{end}}", attribute="work/owns", words=6),
        Rule(name="pt-supporter", verb="ser", rest=r" torcedora? d[oa] {v}", attribute="team", single=True, proper=True, words=3),
        Rule(name="pt-blood", verb="ser", rest=r" (?:tipo )?(?P<value>(?:ab|a|b|o)(?: ?[+-]| positivo| negativo)){end}", attribute="blood-type", single=True),
        Rule(name="pt-not-take", verb="não tomar", rest=r" (?P<value>cafe|leite|refrigerante|refri|cerveja|vinho|alcool|cha|suco de caixinha|energetico){end}", attribute="diet", valued="sem {value}"),
        Rule(name="pt-wears", verb="usar", rest=r" (?P<value>oculos|lentes?(?: de contato)?|aparelho nos dentes|marca-?passo){end}", attribute="body"),
        Rule(name="pt-away-until", verb="estar", rest=r" {a}(?P<value>de (?:licenca(?: medica| maternidade| paternidade)?|ferias|atestado|folga|repouso))(?= ate )", attribute="availability", words=3),
        Rule(name="pt-superior", verb="meu", rest=r" (?P<topic>chefe|gerente|supervisora?|orientadora?|coordenadora?|mentora?|terapeuta|psicolog[oa]|vizinh[oa]|colega de quarto|tutora?|lider) (?:é|agora é) (?:o |a )?(?P<value>[a-z][\w'-]+(?: [a-z][\w'-]+)?){end}", attribute="{topic}", single=True, proper=True, words=2, first_only=True, shown="tem como {topic}: {value}"),
        Rule(name="pt-reports-to", verb="tratar", rest=r" (?:a|ao|à|pra|pro|para o|para a) {v}", attribute="manager", single=True, proper=True, words=3, shown="se reporta a {value}"),
        Rule(name="pt-from-inland", verb="ser", rest=r" {a}(?P<value>do interior d[eoa] [^,;:.!?()\n]{2,30}?|do litoral d[eoa] [^,;:.!?()\n]{2,30}?){end}", attribute="origin", single=True, words=6),
        Rule(name="pt-live-with", verb="morar", rest=rf" {{a}}(?P<value>sozinh[oa]|com {_KIN}(?: e {_KIN})?)(?: (?:em|n[oa]) [^,;:.!?()\n]{{2,30}}?)?{{end}}", attribute="household", words=7),
        Rule(name="pt-live-near", verb="morar", rest=r" {a}(?P<value>(?:perto|pertinho|do lado|ao lado|atras|em frente|na frente) d[aeo]s? [^,;:.!?()\n\"“”\ufffc]{2,40}?){end}", attribute="home/near", words=7, banned=re.compile(r"\b(?:voces?|vc|mim|casa)\b")),
        Rule(name="pt-live-close-in", verb="morar", rest=r" (?:pertinho|perto|logo ali|longe),? (?:em|n[oa]) {v}", attribute="home", single=True, proper=True, words=4, shown="mora em {value}"),
        Rule(name="pt-work-place", verb="trabalhar", rest=rf" {{a}}(?P<value>(?:n[oa]|num|numa|em uma?) (?:[\w-]+ )?{WORKPLACE_PT}(?: (?:d[aeo]s?|municipal|estadual|federal|particular) ?(?:[\w-]+)?)?){{end}}", attribute="work/place", words=6),
        Rule(name="pt-work-hours", verb="trabalhar", rest=r" {a}(?:so )?(?:no )?(?P<value>turno d[ao] (?:noite|manha|tarde|madrugada)|(?:à|a|de) noite|de manha|de madrugada|à tarde|de tarde|meio (?:periodo|expediente)|periodo integral|por escala|12 ?(?:x|por) ?36|de casa(?: (?:às|as|nas) [a-z]+(?: e [a-z]+)?)?)(?: (?:n[oa]|em|como) [^,;:.!?()\n]{2,30}?)?{end}", attribute="work/hours", words=8, banned=re.compile(r"^de casa$")),
        Rule(name="pt-shift", verb="trabalhar", rest=r" {a}(?P<value>(?:das?|de) \d{1,2}(?:h\d{0,2})? (?:às|as|a) \d{1,2}(?:h\d{0,2})?){end}", attribute="working-hours", single=True),
        Rule(name="pt-lessons", verb="dar", rest=rf" (?P<value>aulas? (?:particular(?:es)? )?de [a-z]+(?: [a-z]+)?(?: {OFTEN_PT})?)(?: (?:n[oa]|em|pra|para) [^,;:.!?()\n]{{2,30}}?)?{{end}}", attribute="work/role", words=9, banned=re.compile(r"\bde (?:como|graca|hoje|novo|vida|amanha)\b")),
        Rule(name="pt-venture", verb="ter", rest=rf" (?P<value>uma? {VENTURE_PT}(?: (?:de|d[ao]) [a-z]+)?)(?: (?:em|n[oa]) [^,;:.!?()\n]{{2,30}}?)?{{end}}", attribute="work/business", words=6, banned=re.compile(r"\bde (?:problemas?|coisas?)\b")),
        Rule(name="pt-owner", verb="ser", rest=rf" (?P<value>don[oa] (?:de uma?|d[ao]) {VENTURE_PT}(?: (?:de|d[ao]) [a-z]+)?){{end}}", attribute="work/business", words=6),
        Rule(name="pt-course-year", verb="estar", rest=r" no (?P<value>(?:primeiro|segundo|terceiro|quarto|quinto|sexto|setimo|oitavo|ultimo) (?:ano|semestre|periodo) de [a-z]+(?: [a-z]+)?){end}", attribute="study", words=7, banned=re.compile(r"\bde (?:vida|casad[oa]|namoro|casamento)\b")),
        Rule(name="pt-study-at", verb="estudar", rest=r" (?:n[oa]) {v}", attribute="school", single=True, proper=True, words=4),
        Rule(name="pt-makes-ill", verb="", rest=rf"(?P<value>{FOOD_PT}) (?:me faz|sempre me faz|me da|me deixa) (?:muito )?(?:mal|alergia|dor de barriga|enjoo|azia|enxaqueca)\b", attribute="diet", valued="sem {value}", shown="passa mal com {value}", first_only=True),
        Rule(name="pt-ill-with", verb="passar", rest=rf" mal (?:com|quando como|se como) (?P<value>{FOOD_PT}){{end}}", attribute="diet", valued="sem {value}", shown="passa mal com {value}"),
        Rule(name="pt-cannot-with", verb="não poder", rest=rf" com (?P<value>{FOOD_PT}){{end}}", attribute="diet", valued="sem {value}", shown="não pode comer {value}"),
        Rule(name="pt-on-diet", verb="estar", rest=r" (?P<value>(?:de|fazendo) dieta (?:sem|com pouco|low carb|vegana|cetogenica|liquida)(?: (?:sal|acucar|gluten|lactose|gordura|carboidrato))?){end}", attribute="diet", words=6, shown="está {value}"),
        Rule(name="pt-medication", verb="tomar", rest=r" (?P<value>(?:insulina|remedios? (?:pra|para|de|contra) (?:a |o )?[a-z]+(?: alta)?|anticoagulante|antidepressivo|losartana|ritalina)(?: (?:todo dia|toda noite|toda manha|(?:uma|duas|tres) vezes (?:por|ao) dia|de manha|à noite|a noite|às \d{1,2}h?(?: e às \d{1,2}h?)?)){0,2}){end}", attribute="medication", words=9),
        Rule(name="pt-no-fan", verb="não ser", rest=r" (?:muito |la muito |nada )?fa d[eoa]s? {v}", attribute="dislikes", shown="não é fã de {value}", words=4, bare=True, banned=re.compile(r"^(?:isso|mim|voces?|vc)\b"), lists=True),
        Rule(name="pt-not-care-for", verb="não ligar", rest=r" (?:muito )?(?:pra|para|pro) (?P<value>(?:futebol|carnaval|natal|moda|politica|novela|musica|carros?|doces?|chocolate|redes sociais|celebridades|esportes?|televisao|tv|marcas?|luxo)){end}", attribute="dislikes", shown="não liga pra {value}"),
        Rule(name="pt-passionate", verb="ser", rest=r" {a}(?:apaixonad[oa]|viciad[oa]|louc[oa]) (?:por|em) {v}", attribute="likes", words=4, bare=True, banned=re.compile(r"^(?:mim|voces?|vc|isso|ele|ela|eles|elas|alguem|gente)\b"), lists=True),
        Rule(name="pt-plays-as", verb="jogar", rest=r" (?:de|como) (?P<value>goleir[oa]|atacante|zagueir[oa]|lateral|volante|meia|ponta|lateral direit[oa]|lateral esquerd[oa]|levantadora?|liber[oa]|pivo|armadora?|ala){end}", attribute="hobby", shown="joga de {value}"),
        Rule(name="pt-breed", verb="ter", rest=r" (?P<value>uma? (?:[a-z]+ )?(?:labrador|golden|poodle|beagle|border collie|bulldog|pug|vira-?lata|pastor alemao|husky|shih ?tzu|lhasa|pinscher|dachshund|salsicha|chihuahua|pitbull|rottweiler|siames|persa|calopsita|canario|periquito|jabuti) (?:[a-z]+ )?(?:chamad[oa]|que (?:se )?chama) (?:o |a )?[a-z][\w'-]+){end}", attribute="pet", words=8),
        Rule(name="pt-born-on", verb="nascer", rest=r" (?:em|no dia|dia) (?P<value>(?:\d{1,2} de [a-z]+ de )?(?:19|20)\d\d){end}", attribute="birth-date", single=True),
        Rule(name="pt-reach-when", verb="me liga", rest=rf" (?:so )?{WHEN_PT}{{end}}", attribute="contact-hours", single=True, first_only=True, shown="quer contato {value}", words=6),
        Rule(name="pt-unwanted", verb="não me", rest=rf" (?:mand(?:a|e|em)|envi(?:a|e|em)) (?P<value>{UNWANTED_PT}){_ENDED}", attribute="tone", shown="não quer {value}", first_only=True),
        Rule(name="pt-without", verb="sem", rest=rf" (?P<value>{UNWANTED_PT})(?:,)? (?:por favor|pfv|pf|plis)\b", attribute="tone", shown="não quer {value}", first_only=True),
        Rule(name="pt-not-available", verb="não conseguir", rest=rf" (?P<value>{REGULARLY_PT}){{end}}", attribute="availability", shown="não está disponível {value}", words=7, banned=re.compile(r"^(?:de |a |à )")),
    ),
    "pt", _VERBS, ADVERBS,
)  # fmt: skip
