"""Portuguese rules for facts about a subject, as people write in Brazil and Portugal. Order decides between two that match at one place."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from memdb.extraction.rules.rule import Rule, Verb, compile_rules
from memdb.extraction.rules.vocabulary import (
    CONDITIONS_PT,
    DIETS_PT,
    FOOD_PT,
    LANGUAGE_PT,
    MOCK_PT,
    OWN_PT,
    PROFESSION_PT,
    STYLE_PT,
    UNWANTED_PT,
    one_of,
)  # fmt: skip

ADVERBS: Final = r"(?:(?:muito|super|tambem|ainda|mesmo|so|agora|atualmente|extremamente|gravemente|sempre|totalmente|bem|mega|tb|hoje em dia|originalmente) ){0,2}"
_EU: Final = r"(?:eu )?(?:(?:tambem|ja|ainda|so|sempre|agora|tb) )?"

_FORMS: Final = {
    "ser": ("sou", "é", "é"),
    "ficar": ("(?:sou|fico|fiquei|estou|to)", "(?:é|fica|ficou|esta|ta)", "é"),
    "estar": ("(?:estou|to)", "(?:esta|ta)", "está"),
    "ter": ("tenho", "tem", "tem"),
    "morar": ("moro", "mora", "mora"),
    "viver": ("vivo", "vive", "vive"),
    "trabalhar": ("(?:trabalho|trampo)", "(?:trabalha|trampa)", "trabalha"),
    "comer": ("como", "come", "come"),
    "beber": ("bebo", "bebe", "bebe"),
    "fumar": ("fumo", "fuma", "fuma"),
    "gostar": ("(?:gosto|curto)", "(?:gosta|curte)", "gosta"),
    "curtir": ("curto", "curte", "curte"),
    "adorar": ("adoro", "adora", "adora"),
    "amar": ("amo", "ama", "ama"),
    "odiar": ("odeio", "odeia", "odeia"),
    "detestar": ("detesto", "detesta", "detesta"),
    "preferir": ("prefiro", "prefere", "prefere"),
    "usar": ("uso", "usa", "usa"),
    "tomar": ("tomo", "toma", "toma"),
    "falar": ("falo", "fala", "fala"),
    "poder": ("posso", "pode", "pode"),
    "aguentar": ("(?:aguento|suporto)", "(?:aguenta|suporta)", "suporta"),
    "nascer": ("nasci", "nasceu", "nasceu"),
    "mudar": ("(?:me mudei|mudei|acabei de (?:me )?mudar)", "(?:se mudou|mudou|acabou de (?:se )?mudar)", "se mudou"),
    "namorar": ("namoro", "namora", "namora"),
    "estudar": ("estudo", "estuda", "estuda"),
    "fazer": ("faco", "faz", "faz"),
    "chamar": ("me chamo", "se chama", "se chama"),
    "torcer": ("torco", "torce", "torce"),
    "começar": ("(?:comecei(?: a trabalhar)?|entrei)", "(?:comecou(?: a trabalhar)?|entrou)", "começou"),
    "receber": ("(?:recebo|atendo|leio|respondo|olho|vejo|escuto)", "(?:recebe|atende|le|responde|olha|ve|escuta)", ""),
}  # fmt: skip


def regular(forms: Mapping[str, tuple[str, str, str]]) -> dict[str, Verb]:
    """Verbs, affirmed and denied, from their forms: infinitive -> first person, third person, how the third is written."""
    found: dict[str, Verb] = {}
    for name, (first, third, shown) in forms.items():
        found[name] = Verb(_EU + first, rf" (?:(?:tambem|ja|ainda|so|sempre|agora|tb) )?{third}", shown)
        found[f"não {name}"] = Verb(rf"(?:eu )?(?:so )?(?:nao|nunca|n|num) {first}", rf" (?:nao|nunca|n|num) {third}", f"não {shown}")
    return found


VERBS: Final[dict[str, Verb]] = {
    **regular(_FORMS),
    "": Verb(r"", r"(?!)", ""),
    "só posso": Verb(r"(?:eu )?so (?:(?:posso|consigo)(?: (?:falar|atender|responder|conversar|entrar|participar))?|atendo|respondo|estou disponivel|to disponivel)", r" so (?:(?:pode|consegue)(?: (?:falar|atender|responder|conversar|entrar|participar))?|atende|responde|esta disponivel|ta disponivel)", ""),
    "meu": Verb(r"(?:o |a )?(?:meu|minha)", r"(?!)", ""),
    "do": Verb(r"(?!)", r"(?!)", ""),
    "chame": Verb(r"(?:por favor,? )?(?:(?:vc|voce|vcs|voces|pode|podem) )*me (?:chama|chame|chamem|chamar|chamam)|(?:pode|podem|é so|so) me chamar|(?:pode|podem) chamar eu", r"(?!)", ""),
    "todos": Verb(r"(?:todo mundo|a galera|o pessoal|geral|meus amigos|todos) me (?:chama|chamam)", r"(?!)", ""),
    "não me": Verb(r"(?:por favor,? )?(?:nao|nunca) me", r"(?!)", ""),
    "pra mim": Verb(r"(?:por favor,? )?(?:pra|para) mim(?: é|,)?", r"(?!)", ""),
    "sem": Verb(r"(?:por favor,? )?(?:sem|nada de)", r"(?!)", ""),
}  # fmt: skip

_TASTE = re.compile(
    r"^(?:ver|saber|a ideia|o jeito|quando|que|de (?:ver|voce|vc|quando|que|saber|estar|ficar)|essa?|isso|voces?|vcs|vc|a gente|sua|seu|teu|tua|a foto|o video)\b|\b(?:ideia|voce|vc|vcs|isso|essa|esse|disso|dele|dela|daqui)\b"
)
_PLACE_BANNED = re.compile(
    r"^(?:casa|apartamento|ape|trabalho|escritorio|hospital|carro|sofa|celular|paz|pe|duvida|republica|sozinh\w|frente|cima|baixo|um|uma|outro|outra|familia|condominio|predio|sitio|home office)\b"
)
_WHERE: Final = r"(?:em|no|na|nos|nas|n'|pro|pra|para o|para a|para)"
_A: Final = r"(?:a|ao|à|aos|as|com)"
_NAME: Final = r"[\"“']?(?P<value>[a-z][\w'.-]*(?: [a-z][\w.-]*)?)[\"”']?{end}"

RULES: Final = compile_rules(
    (
        Rule(name="pt-allergic", verb="ser", rest=rf" {{a}}alergic[oa] {_A} {{v}}", attribute="allergy", lists=True, words=6, banned=MOCK_PT),
        Rule(name="pt-not-allergic", verb="não ser", rest=rf" {{a}}alergic[oa] {_A} {{v}}", attribute="allergy", lists=True, words=6, banned=MOCK_PT, denies=True),
        Rule(name="pt-allergy", verb="ter", rest=rf" {{a}}(?:uma )?alergia (?:(?:grave|severa|forte|braba|seria|alimentar|leve) )?(?:{_A}|de|por) {{v}}", attribute="allergy", lists=True, words=6, banned=MOCK_PT),
        Rule(name="pt-no-allergy", verb="não ter", rest=rf" (?:nenhuma )?alergia {_A} {{v}}", attribute="allergy", lists=True, words=6, banned=MOCK_PT, denies=True),
        Rule(name="pt-intolerant", verb="ser", rest=r" {a}intolerante {v}", attribute="allergy", words=4, banned=re.compile(r"^(?:com|a (?:gente|atraso|frescura))")),
        Rule(name="pt-intolerance", verb="ter", rest=r" {a}(?P<value>intolerancia (?:a|ao|à) (?:lactose|gluten|frutose))", attribute="allergy"),
        Rule(name="pt-condition", verb="ser", rest=rf" {{a}}(?P<value>(?:(?:meio|quase|parcialmente) )?{CONDITIONS_PT}(?: tipo [12])?(?: d[eo] (?:um )?(?:ouvido|olho)(?: (?:esquerdo|direito))?)?){{end}}", attribute="health"),
        Rule(name="pt-has-condition", verb="ter", rest=one_of(r" {a}(?P<value>(?:asma|diabetes|hipotireoidismo|hipertireoidismo|artrite|artrose|fibromialgia|endometriose|hernia(?: de disco)?|arritmia|ansiedade|depressao|escoliose|lupus", r"glaucoma|anemia|problema (?:no|na|de) (?:joelho|coluna|coracao|pressao|tireoide|estomago|ombro|quadril|visao|audicao)|rinite|sinusite|bronquite|enxaqueca|epilepsia|doenca celiaca", r"pressao alta|tdah|dislexia|marca-?passo|labirintite|gastrite)(?: (?:tipo [12]|braba|forte|cronica|alergica))?(?: (?:com|a) (?:[\w-]+ ){0,3}?[\w-]+)?){end}"), attribute="health", words=8),
        Rule(name="pt-diet", verb="ser", rest=rf" {{a}}(?P<value>{DIETS_PT}){{end}}", attribute="diet"),
        Rule(name="pt-not-diet", verb="não ser", rest=rf" {{a}}(?P<value>{DIETS_PT}){{end}}", attribute="diet", denies=True),
        Rule(name="pt-not-eat", verb="não comer", rest=rf" (?:nada (?:de|com) )?(?P<value>{FOOD_PT}(?: (?:nem|e|ou) {FOOD_PT})?){{end}}", attribute="diet", valued="sem {value}", lists=True),
        Rule(name="pt-cannot-eat", verb="não poder", rest=rf" (?:comer|beber|tomar) (?:nada (?:de|com) )?(?P<value>{FOOD_PT}(?: (?:nem|e|ou) {FOOD_PT})?){{end}}", attribute="diet", valued="sem {value}", lists=True),
        Rule(name="pt-not-stand-food", verb="não aguentar", rest=rf" (?P<value>{FOOD_PT}){{end}}", attribute="diet", valued="sem {value}", lists=True),
        Rule(name="pt-cannot-take", verb="não poder", rest=r" tomar (?P<value>(?!cafe|sol|banho|decis|conta|cuidado)[a-z-]{4,20}){end}", attribute="medication", lists=True),
        Rule(name="pt-not-drink", verb="não beber", rest=r"(?P<value> (?:alcool|cafe|leite|refrigerante|cerveja|vinho|bebida alcoolica))?{end}", attribute="diet", valued="sem {value}", unsaid="álcool"),
        Rule(name="pt-not-smoke", verb="não fumar", rest=r"{end}", attribute="habit/smoking", denies=True),
        Rule(name="pt-smoke", verb="fumar", rest=r"{end}", attribute="habit/smoking"),
        Rule(name="pt-call-me", verb="chame", rest=rf" (?:so )?(?:de|por) {_NAME}", attribute="address-as", single=True, shown="atende por {value}", words=2, proper=True, loose=True, first_only=True, banned=re.compile(r"^(?:volta|novo|manha|tarde|noite|longe|favor|um|uma|lado|canto|burr\w|louc\w|lind\w|chat\w|doid\w|malu\w+|bob\w|tont\w|trouxa|besta|velh\w|gat\w|gostos\w|princesa|rainha|querid\w|amor|mae|pai|idiota|vez|qualquer|tudo|sexta|segunda)\b")),
        Rule(name="pt-everyone-calls", verb="todos", rest=rf" (?:de|por) {_NAME}", attribute="address-as", single=True, shown="atende por {value}", words=2, proper=True, loose=True, first_only=True, banned=re.compile(r"^(?:lind\w|chat\w|louc\w|burr\w|doid\w|bob\w|velh\w)\b")),
        Rule(name="pt-prefer-called", verb="preferir", rest=rf" (?:ser chamad[oa]|que me chamem|que chamem) (?:de|por) {_NAME}", attribute="address-as", single=True, shown="atende por {value}", words=2, proper=True, loose=True),
        Rule(name="pt-named", verb="chamar", rest=r" (?P<value>[a-z][\w'.-]*(?: [a-z][\w'.-]*){0,3}?){end}", attribute="name", single=True, proper=True, words=4),
        Rule(name="pt-name", verb="meu", rest=r" nome (?:completo )?é (?P<value>[a-z][\w'.-]*(?: [a-z][\w'.-]*){0,3}?){end}", attribute="name", single=True, shown="se chama {value}", proper=True, words=4, first_only=True),
        Rule(name="pt-birthday", verb="meu", rest=r" (?:aniversario|niver) (?:é|e|cai) (?:no |em )?(?:dia )?(?P<value>\d{1,2}(?:º|o)? de [a-z]+){end}", attribute="birthday", single=True, shown="faz aniversário em {value}", first_only=True),
        Rule(name="pt-birthday-on", verb="fazer", rest=r" (?:aniversario|niver|anos) (?:no |em )?(?:dia )?(?P<value>\d{1,2}(?:º|o)? de [a-z]+){end}", attribute="birthday", single=True, shown="faz aniversário em {value}"),
        Rule(name="pt-age", verb="ter", rest=r" (?P<value>\d{2})(?: anos)(?: de idade)?{end}", attribute="age", single=True, shown="tem {value} anos"),
        Rule(name="pt-born", verb="nascer", rest=r" (?:e (?:cresci|fui criad[oa]) )?(?:em|no|na) {v}", attribute="birthplace", single=True, proper=True, loose=True, words=4, banned=re.compile(r"^(?:19|20)?\d|^(?:janeiro|fevereiro|marco|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro|casa|la)\b")),
        Rule(name="pt-from", verb="ser", rest=r" {a}(?:de|do|da) {v}", attribute="origin", single=True, proper=True, words=4),
        Rule(name="pt-live", verb="morar", rest=rf" {{a}}(?:sozinh[oa] )?{_WHERE} {{place}}", attribute="home", single=True, proper=True, loose=True, words=5, banned=_PLACE_BANNED),
        Rule(name="pt-live-2", verb="viver", rest=rf" {{a}}{_WHERE} {{v}}", attribute="home", single=True, proper=True, words=5, banned=_PLACE_BANNED),
        Rule(name="pt-moved", begins=True, verb="mudar", rest=r" (?:d[eoa] (?P<former>[\w. -]{2,40}?) )?(?:para|pra|pro|para o|para a) {v}", attribute="home", single=True, shown="mora em {value}", proper=True, loose=True, words=7, banned=re.compile(r"^(?:o|a|outr\w|ca|la|um|uma|melhor|pior|casa|quarto)\b")),
        Rule(name="pt-work-at", verb="trabalhar", rest=r" {a}(?:n[oa]|em|pr[oa]|para [oa]|para) {employer}", attribute="work/employer", single=True, proper=True, loose=True, words=7, banned=re.compile(r"^(?:casa|home|meio|paz|pe|noite|caralho|dobro|dupla|equipe|time|area|ramo|cacete|burro|sabado|domingo|fim|periodo|turno|remoto|um|uma|mim|isso)\b")),
        Rule(name="pt-work-as", verb="trabalhar", rest=r" {a}(?:como|de) (?P<value>(?:[\w-]+ ){0,3}?[\w-]+){end}", attribute="work/role", single=True, words=4, banned=re.compile(r"^(?:casa|home|raiva|graca|favor|um|louc\w|sempre|segunda|manha|noite|tarde|graca|costume|nunca|madrugada|dia)\b")),
        Rule(name="pt-profession", verb="ser", rest=rf" {{a}}(?P<value>(?:uma? )?{PROFESSION_PT}(?: (?:de|em|d[ao]s?) [a-z]+){{0,2}}){{end}}", attribute="work/role", single=True),
        Rule(name="pt-intern", verb="fazer", rest=r" estagio (?:n[oa]|em) {v}", attribute="work/employer", single=True, proper=True, loose=True, words=7),
        Rule(name="pt-study", verb="estudar", rest=r" (?P<value>(?!muito|pra|para|de |a noite|na |no |em )[a-z]+(?: [a-z]+)?)(?: (?:na|no|em) [^,;:.!?()\n]{2,30})?{end}", attribute="study", words=2, banned=re.compile(r"\b(?:hoje|amanha|ontem|muito|junto|sempre|todo|toda|bem|bastante|depois|mais|agora|aqui|assim|direto|cedo|tarde|caso)\b")),
        Rule(name="pt-joined", begins=True, verb="começar", rest=r" (?:n[oa]|em) {v}", attribute="work/employer", single=True, proper=True, words=5, shown="trabalha em {value}"),
        Rule(name="pt-married", begins=True, verb="ser", rest=r" (?P<value>casad[oa] com (?:o |a )?[a-z][\w'-]+|casad[oa]|solteir[oa]|divorciad[oa]|viuv[oa]|noiv[oa]){end}", attribute="relationship", single=True),
        Rule(name="pt-dating", verb="namorar", rest=r" (?:com )?(?:o |a )?(?P<value>[a-z][\w'-]+){end}", attribute="relationship", single=True, proper=True),
        Rule(name="pt-dating-now", verb="estar", rest=r" namorando (?:com )?(?:o |a )?(?P<value>[a-z][\w'-]+){end}", attribute="relationship", single=True, proper=True),
        Rule(name="pt-family", verb="ter", rest=r" (?P<value>(?:uma?|dois|duas|tres|quatro|cinco|[2-9]) (?:filh[oa]s?|irma(?:o|os|s)?|netos?|netas?|gemeos|gemeas|sobrinh[oa]s?)(?: (?:mais (?:velh|nov)[oa]s?|pequen[oa]s?|gemeos))?)(?:,? (?:chamad[oa]s?|que se chamam?) (?:o |a )?[a-z][\w'-]+(?: e (?:o |a )?[a-z][\w'-]+)?)?{end}", attribute="family"),
        Rule(name="pt-pet", verb="ter", rest=r" (?P<value>(?:uma?|dois|duas|tres|quatro|[2-9]) (?:gat[oa]s?|cachorr[oa]s?|cadelas?|papagaios?|coelh[oa]s?|hamsters?|tartarugas?|peixes?|passarinhos?|cavalos?)(?: (?:chamad[oa]s?|que se chama) [a-z][\w'-]+)?){end}", attribute="pet", words=7),
        Rule(name="pt-relative-called", verb="meu", rest=r" (?P<topic>esposa|mulher|marido|namorad[oa]|filh[oa]|irma|irmao|mae|pai|cachorr[oa]|gat[oa]|cadela|chefe|gerente|primo|prima|avo) (?:se chama|chama) (?:o |a )?(?P<value>[a-z][\w'-]+(?: [a-z][\w'-]+)?){end}", attribute="{topic}", proper=True, words=2, first_only=True),
        Rule(name="pt-favourite", verb="meu", rest=r" (?P<topic>[a-z]+) (?:favorit[oa]|preferid[oa]) é (?:o |a )?{v}", attribute="favourite/{topic}", single=True, words=6, first_only=True, banned=_TASTE),
        Rule(name="pt-own-thing", verb="meu", rest=rf" (?P<topic>{OWN_PT}) é {{v}}", attribute="{topic}", single=True, words=7, first_only=True, banned=_TASTE),
        Rule(name="pt-team", verb="torcer", rest=r" (?:pr[oa]|para [oa]|pelo|pela) (?:o |a )?{v}", attribute="team", single=True, words=3, proper=True, loose=True, banned=re.compile(r"^(?:todo|gente|dar|que|melhor)\b")),
        Rule(name="pt-no-contact", verb="não me", rest=r" (?P<verb2>lig(?:a|ue|uem|uem)|mand(?:a|e|em)(?: (?:mensagem|msg|audio|zap))?|cham(?:a|e|em)|acord(?:a|e|em)|incomod(?:a|e|em)|marc(?:a|a nada|uem)|perturb(?:a|e|em)) (?P<value>(?:antes|depois|apos|entre|a noite|de noite|de madrugada|de manha|a partir|das? \d|fora d|no fim|aos? (?:sabado|domingo)|em horario)[^,;:.!?()\n]{0,40})", attribute="contact-hours", single=True, shown="não quer contato {value}", first_only=True),
        Rule(name="pt-not-receive", verb="não receber", rest=r" (?:nada )?(?P<value>(?:(?:o |a |meu )?(?:(?:mensage(?:m|ns)|msgs?|ligac\w+|telefone|celular|zap|whatsapp|e-?mails?|grupo|audios?|textao|textoes) )?)?(?:antes|depois|apos|entre|a noite|de noite|de madrugada|de manha|a partir|fora d|no fim|aos? (?:sabado|domingo))[^,;:.!?()\n]{0,40})", attribute="contact-hours", single=True, shown="não responde {value}"),
        Rule(name="pt-late", verb="", rest=r"(?P<value>(?:depois|antes|a partir) d[aeo]s? (?:\d{1,2}(?:h\d{0,2}|:\d\d)?(?: da (?:noite|manha|tarde))?|meia-noite|meio-dia)) (?:eu )?nao (?:respondo|atendo|leio|olho|vejo)(?: (?:nada|mensagem|mensagens|celular|ninguem))?{end}", attribute="contact-hours", single=True, shown="não responde {value}", first_only=True),
        Rule(name="pt-only-reachable", verb="só posso", rest=r" (?P<value>(?:depois|antes|ate|entre|a partir|aos?|as|à|de (?:manha|tarde|noite)|fim de semana)\b[^,;:.!?()\n]{0,40}){end}", attribute="contact-hours", single=True, words=8, shown="só está disponível {value}"),
        Rule(name="pt-aid", verb="usar", rest=r" (?P<value>cadeira de rodas|aparelho auditivo|leitor de tela|bengala|muletas?|bomba de insulina|bombinha|cao-guia|libras){end}", attribute="accessibility"),
        Rule(name="pt-responsible", verb="ficar", rest=r" (?:o |a )?(?:responsavel|encarregad[oa]) (?:por|pel[oa]s?) {v}", attribute="work/owns", words=5, banned=re.compile(r"^(?:mim|isso|tudo|meus?|minhas?|[a-z]+(?:ar|er|ir))\b")),
        Rule(name="pt-role", verb="ser", rest=r" (?P<value>(?:(?:o|a|nosso|nossa) )?(?:coordenadora?|diretora?|chefe|produtora?|tesoureir[oa]|capita|capitao|supervisora?|organizadora?|sindic[oa]|monitora?)(?: d[eoa]s? [\w-]+(?: [\w-]+)?)?){end}", attribute="work/role", words=6),
        Rule(name="pt-style", verb="pra mim", rest=rf" (?P<value>(?:respostas?|mensagens?|msgs?|explicac\w+|resumos?|textos?)? ?{STYLE_PT}){{end}}", attribute="tone", shown="quer {value}", first_only=True),
        Rule(name="pt-no-style", verb="sem", rest=rf" (?P<value>{UNWANTED_PT}) (?:comigo|pra mim|para mim)", attribute="tone", shown="não quer {value}", first_only=True),
        Rule(name="pt-prefer-style", verb="preferir", rest=rf" (?P<value>(?:respostas?|mensagens?|explicac\w+|resumos?|textos?) {STYLE_PT}){{end}}", attribute="tone"),
        Rule(name="pt-prefer-over", verb="preferir", rest=r" (?P<value>[\w' -]{2,40}? (?:a|ao|do que|que) [\w' -]{2,30}){end}", attribute="likes", words=9, banned=_TASTE),
        Rule(name="pt-prefer", verb="preferir", rest=r" {v}", attribute="likes", words=5, bare=True, banned=_TASTE),
        Rule(name="pt-like", verb="gostar", rest=r" (?:muito |mais )?d[eoa]s? {v}", attribute="likes", words=4, bare=True, banned=_TASTE, lists=True),
        Rule(name="pt-adore", verb="adorar", rest=r" {v}", attribute="likes", words=4, bare=True, banned=_TASTE, lists=True),
        Rule(name="pt-love", verb="amar", rest=r" {v}", attribute="likes", words=4, bare=True, banned=_TASTE, lists=True),
        Rule(name="pt-hate", verb="odiar", rest=r" {v}", attribute="dislikes", words=4, bare=True, banned=_TASTE, lists=True),
        Rule(name="pt-detest", verb="detestar", rest=r" {v}", attribute="dislikes", words=4, bare=True, banned=_TASTE, lists=True),
        Rule(name="pt-not-like", verb="não gostar", rest=r" (?:muito )?d[eoa]s? {v}", attribute="dislikes", words=4, bare=True, banned=_TASTE, lists=True),
        Rule(name="pt-cannot-stand", verb="não aguentar", rest=r" {v}", attribute="dislikes", words=3, bare=True, banned=re.compile(r"^(?:mais|esperar|ficar|ver|isso|ouvir|a |o )\b"), lists=True),
        Rule(name="pt-fear", verb="ter", rest=r" (?P<value>(?:muito |tanto )?(?:medo|panico|pavor|fobia|horror) (?:de|a) (?:altura|aviao|voar|baratas?|escuro|elevador|lugar(?:es)? fechados?|palhacos?|cobras?|aranhas?|agulhas?|injecao|sangue|dirigir|cachorros?|mar|ratos?|trovao|multidao)){end}", attribute="fear", words=6),
        Rule(name="pt-speak", verb="falar", rest=rf" {{a}}(?:um pouco de )?(?P<value>{LANGUAGE_PT}(?:(?:,|,? e) (?:um pouco de )?{LANGUAGE_PT}){{0,4}}){{end}}", attribute="language", words=12),
    ),
    "pt", VERBS, ADVERBS,
)  # fmt: skip
