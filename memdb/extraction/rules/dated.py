"""Rules for plans and past events: what needs a time to be worth keeping, in English and Portuguese."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules import english, portuguese
from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import one_of

OCCASION_EN: Final = one_of(
    r"(?:exam|test|final|midterm|interview|appointment|checkup|check-up|surgery|operation|flight|trip|move|wedding|defen[cs]e|graduation|presentation|talk|demo|meeting|review|deadline|birthday|party|concert|recital|game|match|race|marathon|class",
    r"course|workshop|conference|rehearsal|launch|release|cutover|drill|migration|offsite|retro|training|inspection|delivery|visit|dinner|lunch|barbecue|hearing|vacation|holiday|shift|session|performance|audition|open house)",
)
OCCASION_PT: Final = one_of(
    r"(?:prova|exame|entrevista|consulta|cirurgia|operacao|voo|viagem|mudanca|casamento|defesa|formatura|apresentacao|palestra|reuniao|entrega|prazo|aniversario|niver|festa|show|jogo|corrida|maratona|aula|curso|oficina",
    r"congresso|ensaio|lancamento|treino|treinamento|vistoria|visita|jantar|almoco|churrasco|audiencia|ferias|plantao|sessao|inauguracao|mutirao|feira|exposicao|qualificacao|banca|dentista|medico)",
)
_REST: Final = r"(?:[^,;:.!?()\n\"“”\ufffc]|\.(?=[^\s.])|,(?=\s?(?:at |as |\d{1,2}(?:h|:|am|pm| [ap]m)))){0,90}"
_SMALL_EN = re.compile(
    r"^going(?: back)?$|\bin a (?:bit|minute|second|sec|moment|while|few)\b|\b(?:call you|let you|text you|send you|tell you|get back|check|look|see you|talk|be right|bed|sleep|go home|shower)\b"
)
_SMALL_PT = re.compile(
    r"\b(?:dormir|deitar|tomar banho|ver isso|te |mandar|falar|voltar ja|sair|almocar|jantar)\b$|^(?:dormir|deitar|te )\b"
)


def _irregular(first: str, third: str, shown: str) -> Verb:
    return Verb(rf"i(?:'m| am)? ?(?:just |also |finally |only )?{first}", rf" (?:just |also |finally |only )?{third}", shown)


_PAST_EN: Final = [
    "went",
    "visited",
    "bought",
    "adopted",
    "broke",
    "quit",
    "graduated",
    "met",
    "ran",
    "won",
    "lost",
    "passed",
    "failed",
    "finished",
    "signed",
    "attended",
    "joined",
    "saw",
    "took",
    "flew",
    "drove",
    "sold",
    "completed",
    "published",
    "started",
    "hosted",
    "launched",
    "left",
    "turned",
    "hired",
    "fell",
    "replaced",
    "restored",
    "led",
    "released",
    "shipped",
    "opened",
    "closed",
    "booked",
    "ordered",
    "planted",
    "painted",
    "fixed",
    "repaired",
    "installed",
    "celebrated",
    "renewed",
    "landed",
    "arrived",
    "returned",
    "submitted",
    "presented",
    "built",
    "donated",
    "rented",
    "sprained",
    "injured",
    "interviewed",
    "delivered",
    "received",
    "migrated",
    "upgraded",
    "deployed",
    "watched",
    "hiked",
    "organized",
    "organised",
]
_PAST_PT: Final = {
    "fui": "foi", "visitei": "visitou", "comprei": "comprou", "adotei": "adotou", "quebrei": "quebrou", "pedi demissao": "pediu demissao",
    "me formei": "se formou", "conheci": "conheceu", "corri": "correu", "ganhei": "ganhou", "perdi": "perdeu", "passei": "passou", "terminei": "terminou",
    "assinei": "assinou", "viajei": "viajou", "vendi": "vendeu", "defendi": "defendeu", "operei": "operou", "casei": "casou", "fiz": "fez", "voltei": "voltou",
    "comecei": "comecou", "participei": "participou", "apresentei": "apresentou", "publiquei": "publicou", "recebi": "recebeu",
    "tirei": "tirou", "sai": "saiu", "consegui": "conseguiu", "assisti": "assistiu", "instalei": "instalou", "troquei": "trocou",
    "entreguei": "entregou", "consertei": "consertou", "corrigi": "corrigiu", "plantei": "plantou", "pintei": "pintou", "cozinhei": "cozinhou",
    "encontrei": "encontrou", "levei": "levou", "organizei": "organizou", "me mudei": "se mudou", "atualizei": "atualizou", "migrei": "migrou",
    "contratei": "contratou", "cai": "caiu", "lancei": "lancou", "abri": "abriu", "fechei": "fechou", "aluguei": "alugou", "reformei": "reformou", "renovei": "renovou",
    "enviei": "enviou", "construi": "construiu", "celebrei": "celebrou", "comemorei": "comemorou", "doei": "doou", "machuquei": "machucou", "torci": "torceu",
    "cheguei": "chegou", "reservei": "reservou", "inaugurei": "inaugurou", "ensaiei": "ensaiou",
}  # fmt: skip
_ALONE_PT: Final = {"(?:me )?aposentei": "se aposentou", "me separei": "se separou", "me divorciei": "se divorciou"}
"""What happens to somebody without anything else."""
_SHOWN_PT: Final = {"pediu demissao": "pediu demissão", "comecou": "começou", "lancou": "lançou"}

_FUTURE_EN: Final[dict[str, Verb]] = {
    "be": english.VERBS["be"],
    "not be": english.VERBS["not be"],
    "have": english.VERBS["have"],
    "my": english.VERBS["my"],
    "will": Verb(r"(?:i'll|i will)", r"(?:'ll| will)", "will"),
    "is my": Verb(r"is my", r"(?!)", ""),
    **{base: Verb(rf"i {base}", rf" {third}", third) for base, third in (("fly", "flies"), ("leave", "leaves"), ("start", "starts"), ("move", "moves"), ("return", "returns"), ("defend", "defends"), ("graduate", "graduates"))},
}  # fmt: skip
_FUTURE_PT: Final[dict[str, Verb]] = {
    **{name: portuguese.VERBS[name] for name in ("ter", "estar", "não estar")},
    "meu": portuguese.VERBS["meu"],
    "pretendo": Verb(r"(?:eu )?(?:pretendo|planejo|estou planejando|to planejando)", r" (?:pretende|planeja|esta planejando|ta planejando)", "pretende"),
    "é meu": Verb(r"(?:é|tem|vai ser) (?:o |a )?(?:meu|minha)", r"(?!)", ""),
    **{first: Verb(rf"(?:eu )?(?:ja )?{first}", rf" {third}", shown) for first, third, shown in (
        ("vou", "vai", "vai"), ("viajo", "viaja", "viaja"), ("embarco", "embarca", "embarca"), ("comeco", "comeca", "começa"), ("me mudo", "se muda", "se muda"),
        ("saio", "sai", "sai"), ("entro", "entra", "entra"), ("defendo", "defende", "defende"), ("chego", "chega", "chega"), ("volto", "volta", "volta"), ("faco", "faz", "faz"), ("opero", "opera", "opera"),
    )},
}  # fmt: skip

PLANS: Final = (
    *compile_rules(
        (
            Rule(name="en-plan-trip", verb="be", rest=rf" {{a}}(?P<value>(?:going (?:to|on|away|back)|flying|travell?ing|heading to|moving|visiting|leaving|driving to|hosting|presenting|starting (?!to\b)|running|taking|getting|having|seeing|meeting|performing|speaking|defending|graduating|returning|planning (?:to|a|an|on|our|my))\b{_REST})", attribute="plan", words=16, dated=1, banned=_SMALL_EN),
            Rule(name="en-plan-away", verb="be", rest=rf" {{a}}(?P<value>(?:out of (?:the )?office|out|away|off|on (?:vacation|holiday|leave|pto|call)|on-call|at (?:the|a) (?:dentist|doctor|vet|hospital|conference|airport)|in [a-z]+)\b{_REST})", attribute="plan", words=14, dated=1, banned=_SMALL_EN),
            Rule(name="en-plan-will", verb="will", rest=rf" (?P<value>(?:be (?:in|away|out|off|on (?:holiday|vacation|leave))\b|(?:visit|fly|travel|move|attend|present|host|return|start|leave for|go to)\b){_REST})", attribute="plan", words=14, dated=1, banned=re.compile(_SMALL_EN.pattern + r"|\b(?:in a (?:bit|minute|second|sec|moment|while|few)|in touch|home|there)\b")),
            Rule(name="en-plan-not", verb="not be", rest=rf" {{a}}(?P<value>(?:in the office|available|around|at work|working)\b{_REST})", attribute="plan", words=10, dated=1),
            Rule(name="en-plan-have", verb="have", rest=rf" (?P<value>(?:an? |my |two |three )?(?:[\w'-]+ ){{0,3}}{OCCASION_EN}s?\b{_REST})", attribute="plan", words=16, dated=1),
            Rule(name="en-plan-mine", verb="my", rest=rf" (?P<value>(?:[\w'-]+ ){{0,2}}{OCCASION_EN} is {_REST})", attribute="plan", words=16, dated=1),
            Rule(name="en-plan-day-of", verb="is my", rest=rf" (?P<value>(?:[\w'-]+ ){{0,2}}{OCCASION_EN})\b", attribute="plan", shown="'s {value} is", words=4, dated=1, first_only=True),
            *(Rule(name=f"en-plan-{base}", verb=base, rest=rf" (?:to |at |from |for |on )?(?P<value>{_REST})", attribute="plan", words=14, dated=1) for base in ("fly", "leave", "start", "move", "return", "defend", "graduate")),
        ),
        "en", _FUTURE_EN, english.ADVERBS,
    ),
    *compile_rules(
        (
            Rule(name="pt-plan-go", verb="vou", rest=rf" (?:me )?(?P<value>(?:para|pra|pro|ao|à|a|no|na|viajar|fazer|estar|ficar|operar|mudar|comecar|apresentar|correr|participar|visitar|casar|defender|tirar|passar)\b{_REST})", attribute="plan", words=16, dated=1, banned=_SMALL_PT),
            Rule(name="pt-plan-mean", verb="pretendo", rest=rf" (?P<value>[a-z]+(?:ar|er|ir|or)\b{_REST})", attribute="plan", words=16, dated=1, banned=_SMALL_PT),
            Rule(name="pt-plan-have", verb="ter", rest=rf" (?P<value>(?:uma? |minha |meu )?(?:[\w-]+ ){{0,2}}?{OCCASION_PT}s?\b{_REST})", attribute="plan", words=16, dated=1),
            Rule(name="pt-plan-away", verb="estar", rest=rf" (?P<value>(?:de ferias|de folga|de licenca|de plantao|fora|viajando|em [a-z]+)\b{_REST})", attribute="plan", words=14, dated=1),
            Rule(name="pt-plan-mine", verb="meu", rest=rf" (?P<value>(?:[\w-]+ ){{0,1}}?{OCCASION_PT}(?: d[eoa] [\w-]+)? (?:é|e|sera|vai ser|ficou|fica) {_REST})", attribute="plan", words=14, dated=1, first_only=True),
            Rule(name="pt-plan-day-of", verb="é meu", rest=rf" (?P<value>{OCCASION_PT}(?: d[eoa] [\w-]+)?)\b", attribute="plan", shown="tem {value}", words=5, dated=1, first_only=True),
            *(Rule(name=f"pt-plan-{first.replace(' ', '-')}", verb=first, rest=rf" (?P<value>{_REST})", attribute="plan", words=14, dated=1, banned=_SMALL_PT) for first in ("viajo", "embarco", "comeco", "me mudo", "saio", "entro", "defendo", "chego", "opero", "volto")),
        ),
        "pt", _FUTURE_PT, portuguese.ADVERBS,
    ),
)  # fmt: skip
"""Plans of a subject, with a day that is known."""

_VAGUE_EVENT = re.compile(
    r"\b(?:it|this|that|there|here|them|some|something|stuff|things|idea|message|email|look|chance|time|a lot|mind|temper|patience|track|count|sleep|nuts|crazy|bananas|viral|wrong|well|home|bed|errands|out|late|luck|bet)\b"
)

EVENTS: Final = (
    *compile_rules(
        (
            *(Rule(name=f"en-did-{verb}", verb=verb, rest=r" (?:to |on |out to |in |at |for |with )?{v}", words=14, dated=-1, banned=_VAGUE_EVENT, proper=verb == "left") for verb in _PAST_EN if verb != "turned"),
            Rule(name="en-did-turned", verb="turned", rest=r" (?P<value>\d{2}\b[^,;:.!?()\n]{0,30})", words=6, dated=-1),
            Rule(name="en-did-got", verb="got", rest=r" (?P<value>(?:an? |my |engaged|promoted|divorced|back from|a new |into |hired|fired|laid off)[^,;:.!?()\n\"“”\ufffc]{0,80})", words=14, dated=-1, banned=_VAGUE_EVENT),
            Rule(name="en-did-had", verb="had", rest=rf" (?P<value>(?:an? |my |our |the )?(?:[\w'-]+ ){{0,3}}?(?:{OCCASION_EN}|accident|incident|picnic|baby|argument|check-?in|call|gig|housewarming|barbecue|reunion|funeral|photo ?shoot|procedure|biopsy|scan|blood test)s?\b(?! (?:time|blast)){_REST})", words=14, dated=-1, banned=_VAGUE_EVENT),
            Rule(name="en-did-married", verb="got married", rest=r"(?: [^,;:.!?()\n]{0,60})?", words=10, dated=-1),
        ),
        "en", {**{verb: _irregular(verb, verb, verb) for verb in _PAST_EN}, "got": _irregular("got", "got", "got"), "had": _irregular("had", "had", "had"), "got married": _irregular("got married", "got married", "got married")}, english.ADVERBS,
    ),
    *compile_rules(
        (Rule(name="pt-did-tive", verb="tive", rest=rf" (?P<value>(?:uma? |minha |meu |a |o )?(?:[\w-]+ ){{0,2}}?(?:{OCCASION_PT}|acidente|audiencia|bebe|discussao|ligacao|exame de sangue)s?\b{_REST})", words=14, dated=-1), *(Rule(name=f"pt-did-{first.replace(' ', '-')}", verb=first, rest=r" (?:para |pra |pro |ao |à |a |em |no |na |com |d[aeo] |o |os |as |um |uma )?{v}", words=14, dated=-1, banned=re.compile(r"\b(?:isso|isto|aqui|la|ele|ela|coisa|negocio|paciencia|cabeca|sono|hora|horas|controle|tempo|raiva)\b")) for first in _PAST_PT if first != "sai"), Rule(name="pt-did-sai", verb="sai", rest=r" d[aeo] {v}", words=8, dated=-1, proper=True), *(Rule(name=f"pt-did-{third.replace(' ', '-')}", verb=first, rest=r"(?: [^,;:.!?()\n]{0,60})?", words=10, dated=-1) for first, third in _ALONE_PT.items())),
        "pt", {"tive": Verb(r"(?:eu )?(?:ja )?tive", r" teve", "teve")} | {first: Verb(rf"(?:eu )?(?:ja )?{first}", rf" {third}", third) for first, third in _ALONE_PT.items()} | {first: Verb(rf"(?:eu )?(?:ja )?{first}", rf" {third}", _SHOWN_PT.get(third, third)) for first, third in _PAST_PT.items()}, portuguese.ADVERBS,
    ),
)  # fmt: skip
"""What a subject did, at a time that is known."""
