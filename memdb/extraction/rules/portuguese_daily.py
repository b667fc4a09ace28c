"""Portuguese rules for what people have, use and did for long: cars and devices, tools, addresses, studies, promotions, when the day begins.

Order decides between two at one place.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.portuguese import ADVERBS, VERBS, regular
from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import CAR_MAKES, LANGUAGE_PT, OFTEN_PT, PLAYED_PT

_DAILY: Final = {"acordo": "acorda", "levanto": "levanta", "durmo": "dorme", "almoco": "almoça", "janto": "janta"}
_FORMS: Final = {
    "dirigir": ("(?:dirijo|tenho)", "(?:dirige|tem)", "tem"),
    "tocar": ("toco", "toca", "toca"),
    "estudei": ("estudei", "estudou", "estudou"),
    "comprei": ("comprei", "comprou", "comprou"),
    "vendi": ("vendi", "vendeu", "vendeu"),
    "promovida": ("fui", "foi", "foi"),
    **{first: (f"(?:normalmente |geralmente |sempre )?{first}", f"(?:normalmente |geralmente |sempre )?{third}", third) for first, third in _DAILY.items()},
    "aprender": ("(?:(?:estou|to) aprendendo|comecei a aprender)", "(?:(?:esta|ta) aprendendo|comecou a aprender)", "está aprendendo"),
}  # fmt: skip
_VERBS: Final[dict[str, Verb]] = {
    **{name: VERBS[name] for name in ("meu", "morar", "usar", "ter")},
    **regular(_FORMS),
    "responda": Verb(r"(?:por favor,? )?(?:sempre )?(?:me (?:responda|responde|respondam|escreva|escreve)|responda|respondam)(?: sempre)?", r"(?!)", ""),
    "mande": Verb(r"(?:por favor,? |sempre )+me (?:mande|manda|mandem|envie|envia|enviem)", r"(?!)", ""),
}  # fmt: skip
_NOT_A_THING: Final = re.compile(
    r"\b(?:porcaria|droga|lixo|piada|problema|sonho|bagunca|coisa|pouco|caos|desastre|merda|bosta|lata|carroca|velharia|maravilha|parto|furada)\b"
)
_STREET: Final = r"(?:rua|avenida|av\.?|travessa|alameda|praca|estrada|rodovia|largo|r\.)"
_NUMBER: Final = r"(?:,? (?:n[º°o]?\.? ?)?\d{1,5}[a-z]?)?(?:,? (?:apto?|apartamento|casa|bloco|bl)\.? ?\d{1,4}\w?)?"
_FORMATS: Final = r"(?:pdf|excel|csv|word|markdown|html|json|planilha|planilhas|tabela|tabelas|slides|topicos|anexo)"
_HOUR: Final = (
    r"(?:às|as|antes das|depois das|la pelas) (?:\d{1,2}(?:h\d{0,2}|:\d\d)?|cinco|seis|sete|oito|nove|dez|onze|meio-dia|meia-noite)"
)

RULES: Final = compile_rules(
    (
        Rule(name="pt-address", verb="morar", rest=rf" (?P<in>n[ao]s?) (?P<value>{_STREET} [^,;:!?()\n\"“”\ufffc]{{2,50}}?{_NUMBER}){{end}}", attribute="home/address", single=True, shown="mora {in} {value}", words=12, banned=re.compile(r"\b(?:de cima|de baixo|de tras|do lado|ao lado|principal|mesma|aqui|sem saida)\b")),
        Rule(name="pt-my-thing", verb="meu", rest=r" (?P<topic>carro|moto|bicicleta|bike|celular|notebook|computador|camera|violao|guitarra|piano|barco|caminhao) é (?P<value>uma? (?:[\w-]+ ){0,4}?[\w-]+){end}", attribute="{topic}", single=True, words=6, first_only=True, banned=_NOT_A_THING),
        Rule(name="pt-my-place", verb="meu", rest=r" (?P<topic>escritorio|mesa|sala|apartamento|consultorio|loja|quarto) (?:é|fica) (?P<in>n[ao]) (?P<value>(?:[a-z]+|\d{1,2}º?) andar|sala \d+\w?|bloco \w+){end}", attribute="{topic}", single=True, words=5, first_only=True, shown="tem {topic} {in} {value}"),
        Rule(name="pt-has-car", verb="dirigir", rest=rf" (?P<value>uma? (?:[a-z]+ )?{CAR_MAKES}(?: [\w-]+)?){{end}}", attribute="car", words=5),
        Rule(name="pt-swapped-car", verb="vendi", rest=rf" (?:o |a |o meu |a minha |meu |minha )(?P<former>{CAR_MAKES}(?: [\w-]+)?|carro) e comprei (?P<value>uma? (?:[a-z]+ )?{CAR_MAKES}(?: [\w-]+)?){{end}}", attribute="car", words=5, shown="vendeu {former} e comprou {value}"),
        Rule(name="pt-swapped", verb="vendi", rest=r" (?P<former>(?:o |a |o meu |a minha |meu |minha )[a-z-]+(?: [a-z-]+)?) e comprei (?P<value>uma? (?:[\w-]+ ){0,2}?[\w-]+){end}", attribute="owns", words=5, shown="vendeu {former} e comprou {value}", banned=_NOT_A_THING),
        Rule(name="pt-uses", verb="usar", rest=r" (?:o |a |sempre o )?(?P<value>[a-z][\w.+#-]*(?: [\w.+#-]+)?)(?= (?:n[ao]s?|pr[ao]|para|em|todo|toda) (?:meu |minha |o |a )?[a-z]|{end})", attribute="tools", proper=True, words=2, banned=re.compile(r"\b(?:o|a|de|para|pra|no|na|em|meu|minha|muito|isso|tudo)\b")),
        Rule(name="pt-plays-often", verb="tocar", rest=rf" (?P<value>{PLAYED_PT} {OFTEN_PT}){{end}}", attribute="hobby", words=8),
        Rule(name="pt-learning", verb="aprender", rest=rf" (?P<value>(?:a )?(?:{LANGUAGE_PT}|{PLAYED_PT}|programar|python|cozinhar|dirigir|nadar|costurar|xadrez|danca[a-z]*|desenho|desenhar|pintura|pintar|libras|ceramica|croche|trico)(?: de salao)?)(?= (?:em|ha|desde|ontem|no) |{{end}})", attribute="learning", words=4, begins=True),
        Rule(name="pt-studied", verb="estudei", rest=r" (?P<value>(?!muito\b|pra\b|para\b|na\b|no\b|em\b|de\b|com\b|so\b|la\b|tudo\b|o \b|a \b|os \b|as \b)[a-z]+(?: (?:de |e |da )?[a-z]+){0,2}) (?P<in>n[ao]|em) (?P<where>[^,;:.!?()\n]{2,40}?){end}", attribute="education", words=5, banned=re.compile(r"\b(?:hoje|ontem|muito|junto|tudo|isso|sozinh[oa]|bastante|pouco)\b")),
        Rule(name="pt-promoted", verb="promovida", rest=r" promovid[oa] (?:a|à|ao|para|pra) (?P<value>[a-z]+(?: (?:de |da |do )?[a-z-]+){0,3}?)(?: (?:n[ao]|em) [^,;:.!?()\n]{2,40}?)?{end}", attribute="work/role", single=True, begins=True, words=5, banned=re.compile(r"^(?:um|uma|outr[oa]|nov[oa]|o|a|cargo|nivel|ser)\b|\b(?:ontem|hoje|agora|ano|mes|semana)\b")),
        *(Rule(name=f"pt-day-{first}", verb=first, rest=rf" (?P<value>(?:sempre |cedo,? )?{_HOUR}(?: da (?:manha|noite|tarde))?(?: {OFTEN_PT})?){{end}}", attribute="habit", words=8, first_only=True, banned=re.compile(r"\b(?:hoje|ontem|amanha)\b")) for first in _DAILY),
        Rule(name="pt-reply-language", verb="responda", rest=rf" (?:so |sempre )?em (?P<value>{LANGUAGE_PT})(?: sempre)?{{end}}", attribute="reply-language", single=True, first_only=True, shown="quer respostas em {value}"),
        Rule(name="pt-send-as", verb="mande", rest=rf" (?P<value>(?:os |as |meus |minhas |todos os |todas as )(?:[\w-]+ )?[\w-]+s em {_FORMATS}){{end}}", attribute="format", first_only=True, shown="quer receber {value}", words=9),
    ),
    "pt", _VERBS, ADVERBS,
)  # fmt: skip
