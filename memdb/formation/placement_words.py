"""What speaks for the front of a card, by reason, in English and Portuguese: patterns on folded text (lower case, no accents). Pure.

The order is that in which reasons are looked for: what can hurt somebody first. "é" is folded to "e", which is "and" as well, so that
Portuguese patterns never begin with it alone.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_TIME = r"(?:\d{1,2}(?:[:.]\d{2})? ?(?:am|pm|a\.m|p\.m|h\b|hrs|horas|o'?clock)|\d{1,2}[:h]\d{2}|noon|midnight|lunch|work|school|meio-dia|o almoco)"
_FOOD = (
    r"(?:meat|pork|beef|fish|seafood|shellfish|shrimp|dairy|milk|gluten|sugar|alcohol|caffeine|coffee|nuts|peanuts|eggs?|wheat|lactose|soy"
    r"|cheese|spicy|carne|porco|frango|peixes?|frutos do mar|camarao|leite|lactose|laticinios?|trigo|acucar|alcool|bebidas? alcoolicas?"
    r"|cafe|cafeina|amendoim|castanhas?|nozes|ovos?|soja|queijo|pimenta|farinha|cerveja|vinho|alcoolic[oa]s?)"
)
_DIETS = r"(?:vegans?|vegan[oa]s?|vegetarians?|vegetarian[oa]s?|ovolactovegetarian[oa]s?|pescatarian|pescetarian[oa]?|halal|kosher|teetotal\w*|keto)"
_VENUES = r"(?:restaurants?|places?|recipes?|cookbooks?|baker(?:y|ies)|cafes?|menus?|options?|festivals?|shops?|cakes?|burgers?|dish(?:es)?|products?|markets?)"
_ANSWERS = r"(?:answers?|repl(?:y|ies)|responses?|messages?|explanations?|summaries|language|style|texts?|tone|emails?)"
_SHORT = r"(?:short|brief|concise|direct|long|detailed|formal|informal|plain|blunt|polite|simple|friendly|casual|technical|bulleted|clear|written)"
_CURTO = (
    r"(?:curt[oa]s?|diret[oa]s?|breves?|objetiv[oa]s?|clar[oa]s?|long[oa]s?|detalhad[oa]s?|formal|formais|informal|informais|simples|concis[oa]s?"
    r"|resumid[oa]s?|tecnic[oa]s?|educad[oa]s?)"
)
_UNWANTED = (
    r"(?:emojis?|exclamation\w*|jokes?|slang|jargon|all caps|capital letters|abbreviations|small talk|pet names|diminutives?|voice (?:notes|messages)"
    r"|audios?|exclamac\w+|girias?|jargao|textao|textoes|rodeios?|enrolacao|piadas?|formalidades?|figurinhas?|gifs?|caixa alta|diminutivos?"
    r"|abreviac\w+|anglicismos?|estrangeirismos?)"
)
_REACH = r"(?:call|contact|messag\w+|text|ping|disturb|bother|notif\w+|page|e-?mail|reach|write|answers?|repl(?:y|ies)|reads?|takes calls)"
_WHEN = r"(?:before|after|between|until|outside|past|during|on (?:weekends|(?:satur|sun|mon|tues|wednes|thurs|fri)days?)|at (?:night|weekends)|from \d)"
_LIGAR = (
    r"(?:lig(?:ar|ue|uem)|mand(?:ar|e|em)|cham(?:ar|e|em)|escrev(?:er|a)|incomod(?:ar|e)|perturb(?:ar|e)|acord(?:ar|e)|contat(?:ar|e)"
    r"|envi(?:ar|e)|receb(?:e|er)|atende(?:r)?|responde(?:r)?|le|olha|fala(?:r)?|ve|trabalha|esta disponivel|fica disponivel)"
)
_QUANDO = r"(?:antes|depois|apos|ate|entre|a noite|de noite|de madrugada|de manha|a tarde|a partir|das? \d|fora d|(?:no|aos?|em) (?:fi(?:m|ns|nal|nais) de semana|sabados?|domingos?))"
_PAID = (
    r"(?:payments?|pay(?:s|ing)?|transfers?|wires?|invoices?|refunds?|discounts?|budget|spend\w*|expenses?|purchases?|money|salar(?:y|ies)|bank details"
    r"|pagamentos?|pagar|pix|transferencias?|compras?|gastos?|notas? fiscais|nota fiscal|reembolsos?|descontos?|orcamento|verba|boletos?|dinheiro"
    r"|salarios?|saques?|dados bancarios|chave pix)"
)
_CHECKED = (
    r"(?:approv\w+|authori[sz]\w+|sign(?:s|ed)? off|sign-?off|signatures?|without|confirm\w*|double[- ]check\w*|limit|verif\w+|receipts?|two people"
    r"|aprov\w+|autoriza\w*|assina\w*|conferi\w*|confere|limite|sem|duas pessoas|comprovantes?|acima de|dupla checagem|por telefone)"
)
_GUARDED = (
    r"(?:personal data|patients?|(?:customer|client|employee|user) (?:data|names|records)|minors|children's|consent|confidential\w*|credentials|passwords?"
    r"|production (?:data|database)|privacy|dados pessoais|dados d[eoa]s? (?:pacientes?|clientes?|alunos?|funcionarios?|usuarios?)|pacientes?"
    r"|menores de idade|consentimento|sigil\w+|confidencia\w*|senhas?|privacidade)"
)
_RULE = r"(?:never|always|must|only|nobody|no one|do not|don't|may not|cannot|can't|requires?|nunca|sempre|nao|so|somente|apenas|ninguem|proibid[oa]|obrigatori[oa]|exige|tem que|precisam?|devem?|jamais|tod[oa]s?)"


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(alternatives) + r")")


_ALLERGY: Final = _any(
    r"allergic to (?!meetings|mondays|mornings|work|deadlines|paperwork|excel|change|nonsense)\w",
    r"allerg(?:y|ies) (?:to|against) \w",
    r"(?:has|have|having|with) (?:an? )?(?:\w+ ){0,2}allerg(?:y|ies)\b(?! (?:conference|season|clinic|test|doctor|study|project|workshop))",
    r"anaphyla\w+",
    r"(?:epi-?pens?|adrenaline pens?|auto-?injectors?)\b",
    r"intoleran(?:t|ce) (?:of|to) \w",
    r"(?:lactose|gluten|histamine|fructose|food)[- ]intoleran(?:t|ce)",
    r"(?:celiac|coeliac)\b",
    r"(?:reacts? badly|sensitive) to (?:nuts|peanuts|gluten|lactose|penicillin|aspirin|latex|perfumes?|dust|pollen|bee stings)",
    r"alergic[oa]s? (?:a|ao|aos|as|com) (?!reunioes|reuniao|trabalho|segunda|planilhas?)\w",
    r"alergias? (?:a|ao|aos|as|de|grave|severa|forte|alimentar)\b",
    r"(?:tem|tenho|possui|com|sofre de) (?:\w+ )?alergias?\b",
    r"intolerantes? (?:a|ao)\b",
    r"intoleranc(?:ia|ias) (?:a|ao|alimentar)\b",
    r"celiac[oa]s?\b",
    r"(?:choque anafilatico|anafila\w+)",
    r"passa mal (?:com|quando come|se come|se comer)",
)
_MEDICAL: Final = _any(
    r"(?:is|are|am|has|have|with|takes?|uses?|needs?|on) (?:an? )?(?:\w+ ){0,2}(?:diabetic|diabetes|asthma\w*|epilep\w+|ha?emophili\w+|pacemaker|seizures"
    r"|blood thinners?|insulin|heart condition|high blood pressure|pregnant|immunosuppress\w+|migraines?|hay fever)\b",
    r"(?:must not|can ?not|can't|should not|shouldn't|may not) (?:take|have|be given) (?:\w+ )?(?:ibuprofen|aspirin|penicillin|paracetamol|antibiotics|anti-?inflammator\w+|nsaids?)",
    r"(?:diabetic[oa]s?|asmatic[oa]s?|epiletic[oa]s?|epileptic[oa]s?|hipertens[oa]s?|hemofilic[oa]s?|gestante|imunossuprimid[oa]s?)\b",
    r"(?:tem|tenho|usa|toma|com|sofre de) (?:\w+ )?(?:diabetes|asma|rinite|sinusite|bronquite|enxaquecas?|epilepsia|marca-?passo|insulina|anticoagulante|pressao alta|problema cardiaco|hemofilia)\b",
    r"nao (?:pode|deve) tomar (?!cafe|sol|banho|decis)\w",
    r"(?:esta|ta) gravida\b",
)
_SAFETY: Final = _any(
    r"emergency contacts?(?: is| are|:| for)",
    r"in (?:case of )?(?:an )?(?:emergency|fire)\b",
    r"(?:fire|shock|fall|choking|burn|explosion|electric\w*|chemical|gas|trip) (?:hazard|risk|danger)",
    r"(?:is|are) (?:very |highly |extremely )?(?:dangerous|toxic|poisonous|flammable|unsafe|hazardous)\b",
    r"(?:must|always|never|requires?|mandatory|do not|don't) (?:\w+ ){0,6}(?:goggles|safety glasses|gloves|helmets?|hard hats?|respirator|harness|seat ?belts?|protective)",
    r"keep (?:\w+ )?(?:away from|out of (?:the )?reach)",
    r"(?:never|do not|don't|must not|can ?not) (?:be )?(?:leave|left) (?:\w+ ){0,3}(?:alone|unattended)",
    r"(?:never|do not|don't|must not) (?:\w+ ){0,3}(?:mix|touch|open|enter|turn on|switch on|light|plug)\b",
    r"(?:nobody|no one)(?: but \w+| except \w+)? (?:enters?|opens?|touches|climbs?|operates?|switches|drives?|goes (?:up|in|near|alone))\b",
    r"(?:trigger\w*|causes?) (?:\w+ ){0,2}(?:seizures?|migraines?|panic attacks?|an attack|anxiety attacks?)",
    r"(?:restraining|protection) order",
    r"(?:never|do not|don't|must not) (?:share|give out|reveal|tell|post) (?:[\w']+ ){0,4}(?:address|location|whereabouts|phone number)",
    r"(?:suicid\w+|self-harm)",
    r"contatos? de emergencia",
    r"em caso de (?:emergencia|incendio|acidente|vazamento)",
    r"(?:e|sao|esta|muito|risco e) (?:\w+ )?(?:perigos[oa]s?|toxic[oa]s?|venenos[oa]s?|inflamave(?:l|is))\b",
    r"(?:risco|perigo) de (?:choque|incendio|queda|vida|morte|queimadura|explosao|intoxicacao|engasgo|vazamento|acidente)",
    r"(?:sempre|obrigatori[oa]|nunca|nao|deve|precisa|tem que|so) (?:\w+ ){0,6}(?:luvas?|oculos de protecao|capacete|mascara|epis?|cinto de seguranca|protetor auricular)\b",
    r"fora do alcance",
    r"longe d[aeo]s? (?:criancas?|fogo|fogao|tomadas?|agua|calor|animais|bebe)",
    r"medida protetiva",
    r"ninguem(?: alem d[eoa] \w+)? (?:sobe|entra|mexe|toca|abre|liga|encosta|passa|opera|dirige)\b",
    r"(?:nunca|nao (?:pode|deve|se)?) ?(?:ficar|fica|deixar|deixe|deixa) (?:\w+ ){0,4}sozinh[oa]s?",
    r"(?:nunca|nao|jamais) (?:pode |deve )?(?:misturar|misture|tocar|toque|acender|acenda|encostar|encoste)\b",
    r"(?:nunca|nao|jamais) (?:passar|passe|divulgar|divulgue|contar|dar|informar) (?:\w+ ){0,3}(?:endereco|localizacao|telefone)",
)
_ACCESSIBILITY: Final = _any(
    r"(?:is|are|am|was born|born|partially|legally|nearly|half) (?:\w+ )?(?:blind|deaf|hard of hearing|visually impaired|hearing impaired|dyslexic"
    r"|autistic|colou?r[- ]?blind)\b(?! (?:date|spot|test|review|to ))",
    r"(?:has|have|with) (?:\w+ ){0,2}(?:dyslexia|low vision|hearing loss|adhd|autism|colou?r[- ]?blindness|reduced mobility|a stutter)\b",
    r"(?:colou?r[- ]?blind|dyslexic|hard of hearing|visually impaired|hearing impaired)\b(?! test)",
    r"(?:uses?|needs?|requires?|relies on|in|wears?|with) (?:an? |the |his |her |their )?(?:\w+ ){0,2}(?:wheelchair|screen readers?|sign language|hearing aids?|guide dog|braille"
    r"|alt text|captions|subtitles|large print|larger? font|step-free|crutches|walking stick)\b",
    r"(?:lip[- ]?reads?|reads lips)\b",
    r"accessibility (?:needs?|requirements?)",
    r"(?:(?:e|sou|nasceu|quase|parcialmente) )(?:\w+ )?(?:ceg[oa]|surd[oa]|autista)s?\b",
    r"(?:deficien(?:te|cia)s? (?:visua(?:l|is)|auditiv[oa]s?|fisic[oa]s?|motora?s?|intelectua(?:l|is))|baixa visao|daltonic[oa]s?|daltonismo|dislexic[oa]s?|dislexia"
    r"|cadeirantes?|cadeira de rodas|leitor(?:es)? de tela|aparelho auditivo|mobilidade reduzida|tdah|surdez)\b",
    r"(?:usa|precisa|prefere|pede|so entende|le|fala|com|em) (?:\w+ ){0,3}(?:libras|legendas?|letras? grandes?|fonte grande|letra maior|fonte maior|texto alternativo|descricao de imagens?"
    r"|descricao das imagens|braile|braille|rampa|muletas?|bengala|leitura labial|audiodescricao)\b",
    r"(?:nao|mal) (?:ouve|enxerga|escuta) (?:\w+ ){0,3}(?:bem|direito|ouvido|olho|lado|longe|perto|cores?)",
)
_DIET: Final = _any(
    rf"(?:is|are|am|being|keeps?|eats?|follows?|strict\w*|only|became|turned|went|must be|needs?) (?:\w+ ){{0,2}}{_DIETS}\b(?! {_VENUES})",
    rf"(?:does not|doesn't|do not|don't|never|can ?not|can't|won't|must not|no longer) (?:eats?|drinks?|touch(?:es)?|have) (?:[\w-]+,? ){{0,3}}{_FOOD}\b",
    r"(?:does not|doesn't|do not|don't|never|can ?not|can't) eat (?!out\b|much|there|here|at\b|with\b|lunch|breakfast|dinner|before|after|together|in\b|alone|enough|well)\w",
    rf"avoids? (?:all |any )?{_FOOD}\b",
    r"(?:on|follows?|keeps?|needs?|has) (?:an? )?(?:[\w-]+ ){0,2}diet\b",
    r"dietary (?:restrictions?|requirements?|needs?)",
    r"(?:eats?|needs?|must be|has to be|only|strictly) (?:\w+ ){0,2}(?:gluten|dairy|lactose|sugar|nut|meat)[- ]free\b",
    r"(?:fasts|observes) (?:\w+ ){0,3}(?:ramadan|lent|friday|yom kippur)",
    rf"(?:e|sao|sou|virou|segue|come|continua|estritamente|dieta|alimentacao|tornou-se) (?:\w+ ){{0,2}}{_DIETS}\b",
    rf"(?:nao|nunca) (?:pode |deve |consegue |se )?(?:come[mr]?|beb(?:e|em|er)|toma[mr]?|consom(?:e|em)|consumir|ingere|ingerir) (?:[\w-]+,? ){{0,3}}{_FOOD}\b",
    r"(?:nao|nunca) (?:pode )?come[mr]? (?!fora|bem|muito|nada|direito|antes|depois|em\b|no\b|na\b|junto|com\b|cedo|tarde|sozinh|aqui|la\b)\w",
    rf"(?:evita|cortou|dispensa) (?:\w+ )?{_FOOD}\b",
    r"(?:come|dieta|refeicao|alimentacao|precisa|tudo|prato|comida) (?:\w+ ){0,2}sem (?:gluten|lactose|carne|acucar|sal|alcool|leite)\b",
    r"restric(?:ao|oes) alimentar(?:es)?",
    r"(?:segue|faz|em|de) (?:uma )?dieta\b",
    r"so come (?!fora|depois|antes|quando)\w",
)
_ADDRESS: Final = _any(
    r"(?:please )?calls? (?:me|him|her|them) (?!back|later|today|tonight|at\b|on\b|when|if\b|about|before|after|in\b|again|asap|now|every|once|from|to\b|for\b|and\b|first|by\b|only|between|during|out\b|up\b|directly|with\b)\w",
    r"(?:be|being|is|was) (?:called|addressed(?: as)?) (?!back|later|at\b|on\b|when|if\b|about|before|after|in\b|off|out|up|for|by phone|to\b|into)\w",
    r"goes by (?!bus|train|car|bike|bicycle|plane|boat|foot|the\b|fast|quickly|slow|taxi|metro|subway|without|unnoticed)\w",
    r"(?:do not|don't|never|not) (?:call|address|refer to) (?:me|him|her|them) (?:as )?(?!before|after|on\b|at\b|in\b|when|between|during|back|unless|if\b|about|every)\w",
    r"(?:address|refer to) (?:me|him|her|them|\w+) (?:as|by)\b",
    r"pronouns?\b",
    r"(?:uses?|prefers?) (?:he/him|she/her|they/them)",
    r"(?:nickname is|prefers? the name|preferred name|prefers? (?:his|her|their) (?:full|first|last|middle|second) name|is pronounced)",
    r"(?:me|te|lhe) cham(?:ar|e|em|a)(?: so| apenas| sempre)? (?:de|por) \w",
    r"(?:ser|quer|prefere|gosta de ser|pediu para ser|pede para ser) chamad[oa]s?\b",
    r"(?<!um )(?<!o )chamad[oa]s? (?:so |apenas |sempre )?(?:de|por|pel[oa]) \w",
    r"cham(?:ar|e|em)(?:-[oa]s?|-lhe)? (?:(?:ela|ele|elas|eles|a|o|sempre|so|apenas) )?(?:[\w]+ )?(?:de|por|pel[oa]) (?!volta|novo|manha|tarde|noite|dia|madrugada|emergencia|telefone|video)\w",
    r"tratad[oa]s? (?:por|como|de) \w",
    r"tratar (?:\w+ )?por (?:voce|senhora?|tu|doutora?|dona|seu)\b",
    r"atende (?:so |apenas )?por (?!telefone|mensagem|whatsapp|email|e-mail|video)\w",
    r"(?:apelido e|nome social|pronomes?|prefere o nome|prefere o apelido|usa o nome)\b",
    r"(?:ela/dela|ele/dele|elu/delu)",
)
_TONE: Final = _any(
    rf"(?:prefers?|wants?|likes?|needs?|asks? for|asked for|appreciates?|give|keep|send) (?:\w+ ){{0,3}}(?:(?:very )?{_SHORT},? (?:and )?){{1,3}}(?:\w+ )?{_ANSWERS}\b",
    rf"(?:keep|wants?|prefers?|likes?) (?:\w+ ){{0,2}}(?:it|{_ANSWERS})(?: to be)? {_SHORT}\b",
    rf"(?:no|without|hates?|dislikes?|avoids?|never uses?|(?:doesn't|does not|don't|do not|never) (?:like|want|use|send|write with)) (?:\w+ ){{0,2}}{_UNWANTED}\b",
    r"(?:answers?|repl(?:y|ies)|writes?|respond|speak|spoken to|answered|addressed|written to) (?:\w+ ){0,3}in (?:plain )?(?:english|portuguese|spanish|french|german|bullet points|lists)\b",
    r"(?:prefers?|wants?) (?:\w+ ){0,2}(?:english|portuguese|spanish|bullet points|lists|text over calls|text to calls|texts? (?:over|to|instead of))\b",
    r"(?:speak|talk)(?: \w+)? slowly",
    rf"(?:{_SHORT}|neutral|serious|warm) tone\b",
    rf"(?:respostas?|mensagens|mensagem|textos?|explicac\w+|recados?|linguagem|frases?) (?:\w+ )?(?:mais |bem |muito )?{_CURTO}\b",
    rf"(?:responder?|responda|respondam|escrever|escreva|falar|fale|falem|explicar|explique|ser|seja) (?:\w+ ){{0,2}}(?:{_CURTO}|devagar|por extenso|sem rodeios|em (?:portugues|ingles|espanhol|topicos|lista))\b",
    r"(?:pode|prefere|quer|quer que|melhor|so) (?:\w+ )?(?:falar?|fale[mr]?|escrev\w+|respond\w+) (?:\w+ )?(?:portugues|ingles|espanhol)\b",
    rf"sem {_UNWANTED}\b",
    rf"(?:nao|odeia|detesta|evitar?|evite) (?:gosta|quer|usa|use|usar|mandar|mande|manda|le|curte|suporta|ouve|aguenta)?(?: de)? ?(?:\w+ ){{0,2}}{_UNWANTED}\b",
    r"tom (?:mais )?(?:formal|informal|serio|leve|neutro|educado|direto|amigavel)\b",
    r"prefere (?:\w+ ){0,2}(?:mensagens?|textos?|audios?|topicos|listas?|por escrito|portugues|ingles|tudo por escrito)\b",
)
_CONTACT_HOURS: Final = _any(
    rf"(?:never|do not|don't|does not|doesn't|only|not|no|prefers? (?:to be )?|wants? (?:to be )?|should(?: not|n't)? be|can ?not be|can't be|may be) ?(?:\w+ ){{0,3}}{_REACH}(?:ed)? (?:[\w'-]+ ){{0,4}}{_WHEN}\b",
    rf"{_REACH}(?:ed)? (?:\w+ ){{0,3}}only (?:{_WHEN}|in the (?:morning|afternoon|evening)s?)\b",
    rf"no (?:calls|messages|meetings|texts|notifications|pings) (?:{_WHEN})\b",
    rf"(?:available|reachable|online)(?: \w+){{0,3}} (?:from|between|after|before|until) {_TIME}",
    r"(?:quiet|office|working|contact) hours (?:are|is|:|from)",
    r"(?:offline|unreachable|do not disturb) (?:after|before|between|from|on (?:weekends|sundays|saturdays))",
    rf"(?:so|somente|apenas|nao|nunca|prefere|evit(?:ar|e)) (?:pode |deve |e para |e pra |se |quer |gosta de |ser )?(?:\w+ )?{_LIGAR} (?:[\w-]+ ){{0,5}}{_QUANDO}\b",
    rf"(?:ligac\w+|mensagens?|recados?|reunioes|audios?|chamadas) (?:so|somente|apenas|nunca) (?:\w+ ){{0,2}}{_QUANDO}",
    r"(?:disponivel|online) (?:so |somente |apenas )?(?:d[ae]s? \d|entre|ate|apos|depois|a partir)",
    r"horarios? (?:de|para|pra) (?:contato|contatar|ligar|ligac\w+|mensagens?|falar|silencio|atendimento)",
    r"nao (?:perturb\w+|incomod\w+)(?: \w+){0,4} (?:antes|depois|apos|entre|de noite|a noite|no)",
)
_PROTECTION: Final = _any(
    rf"{_RULE} (?:[\w$,'-]+ ){{0,8}}{_PAID} (?:[\w$,.'-]+ ){{0,8}}{_CHECKED}\b",
    rf"{_RULE} (?:[\w$,'-]+ ){{0,6}}{_CHECKED} (?:[\w$,.'-]+ ){{0,6}}{_PAID}\b",
    rf"{_PAID} (?:[\w$,.'-]+ ){{0,8}}{_RULE} (?:[\w$,.'-]+ ){{0,6}}{_CHECKED}\b",
    rf"{_RULE} (?:[\w$,'-]+ ){{0,8}}{_GUARDED}\b",
    rf"{_GUARDED} (?:[\w$,'-]+ ){{0,4}}{_RULE}\b",
)

PATTERNS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("allergy", _ALLERGY),
    ("medical", _MEDICAL),
    ("safety", _SAFETY),
    ("accessibility", _ACCESSIBILITY),
    ("diet", _DIET),
    ("contact_hours", _CONTACT_HOURS),
    ("address", _ADDRESS),
    ("tone", _TONE),
    ("protection", _PROTECTION),
)
"""Reason and pattern."""

HINTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        word: reason
        for reason, words in {
            "allergy": "allergy allergies alergia alergias intolerance intolerances intolerancia intolerancias",
            "medical": "medical medication medicacao",
            "safety": "safety seguranca emergency emergencia",
            "accessibility": "accessibility acessibilidade",
            "diet": "diet dieta dietary",
            "address": "address-as form-of-address pronouns pronomes tratamento",
            "tone": "tone tom",
            "contact_hours": "contact-hours quiet-hours horario-de-contato",
        }.items()
        for word in words.split()
    }
)
"""A tag or the last part of a topic, folded -> reason."""
