# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""What stands before and behind a name, in English and Portuguese. All patterns see small letters without accents."""

from __future__ import annotations

import re
from typing import Final

BEFORE_CHARACTERS: Final = 56
AFTER_CHARACTERS: Final = 32


def alternatives(text: str) -> str:
    """Return the alternatives of a pattern, one per blank in the table; an underscore stands for a space."""
    return "|".join(text.split()).replace("_", " ")


_words = alternatives


_KIN: Final = _words(
    r"""
    wife husband son daughter brother sister mother father mom mum dad aunt uncle cousin boss friend girlfriend boyfriend partner
    colleague coworker manager neighbou?r teacher doctor therapist nephew niece grandmother grandfather grandma grandpa roommate
    client child kid baby dog cat
    """
)
_KIN_PORTUGUESE: Final = _words(
    r"""
    mae pai esposa esposo marido mulher filh[oa] irma irmao ti[oa] prim[oa] chefe amig[oa] namorad[oa] colega socio socia vizinh[oa]
    professora? sobrinh[oa] av[oo] net[oa] cunhad[oa] sogr[oa] genro nora cliente cachorr[oa] gat[oa]
    """
)
_TITLES: Final = _words(
    r"""
    mr mrs ms miss mx dr dra drs prof profa sir madam lord lady dame rev fr sr sra srta srs dona doutora? senhora? senhores
    senhorita tia tio aunt uncle grandma grandpa ministr[oa]s? min desembargadora?(?:es)? des juiza? rel deputad[oa] dep senadora?
    sen vereadora? governadora? prefeit[oa] procuradora? promotora? advogad[oa] adv delegad[oa] capitao cap tenente ten coronel cel
    major general gen brigadeiro brig_ar almirante sargento soldado padre pastor frei irma president senator judge justice officer
    captain detective agent king queen prince princess signed
    """
)
_ROLES: Final = _words(
    r"""
    relatora? vogal revisora? agravad[oa] agravante apelante apelad[oa] recorrente recorrid[oa] reclamante reu impetrante paciente
    requerente requerid[oa] embargante embargad[oa] autora? testemunha interessad[oa] patient client customer employee author
    """
)
"""Roles in lawsuits, forms and records: a colon stands between one and the name."""
_BOTH_GENDERS: Final = r"(?: ?\( ?(?:a|o|s|as|es|a/s) ?\))*"

TITLE: Final = re.compile(
    rf"(?:^|[^a-z0-9])(?:{_TITLES}){_BOTH_GENDERS}(?: ?\.?º?ª?)? ?:? ?(?:o |a |dr\.? |min ?\. |des ?\. )?$"
    rf"|(?:^|[^a-z0-9])(?:{_ROLES}){_BOTH_GENDERS}(?: ?\.)? ?: ?(?:o |a |dr\.? |min ?\. |des ?\. |ministr[oa] )?$"
)

_INTRODUCTIONS: Final = _words(
    r"""
    (?:full_|first_|last_|given_|family_|maiden_|middle_|nick)?name(?:s)?(?:_on_[a-z_]{2,24})?(?:'s)?(?:_is|_was|:)?
    nome(?:_completo)?(?:_(?:dele|dela|do_titular))?(?:_e|:)? (?:em|no)_nome_d[eao] names?_to renamed named called
    call(?:s|ed)?_(?:me|him|her) known_as a\.?k\.?a\.? i_am i'm im this_is it's that's me_llamo
    (?:everyone|people|friends)_calls?_(?:me|him|her) speak(?:ing)?_(?:to|with) talk(?:ed|ing)?_(?:to|with) met meet meeting_with
    contact reach_out_to follow_up_with follow-up_with ask asked tell told email text ping invite thank thanks thanks_to dear hi
    hello hey regards sincerely cheers best love xoxo written_by signed_by directed_by sung_by starring featuring feat with by said
    says according_to like unlike and_i leave_me add under shouted_at (?:birthday|gift|present|room|letter|package|message)_for
    married_to report(?:s|ed)?_to works?_with created_by founded_by user bot from: to: cc: attn:?
    who(?:'s|_is)_(?:this|it|there|calling|speaking)\?
    (?:letter|message|e-?mail|call|text|note|gift|card|invitation|quote|payment|money|book|song|verses|word|order|request)s?_(?:from|to)
    quem_(?:e|fala)\? meu_nome_e me_chamo chamad[oa] chama-se se_chama sou_[oa] aqui_e(?:_[oa])?
    (?:falar|fala|falei|conversei|conversar|reuniao|combinado|marcar|encontrei|almoc(?:o|ei))_com(?:_[oa])? liga(?:r)?_pr[oa]
    avisa(?:r)?_[oa] aniversario_d[aeo] atenciosamente abracos? abs att obrigad[oa] oi ola prezad[oa] querid[oa] bom_dia boa_tarde
    boa_noite anota_ai titular assinado(?:_digitalmente|_eletronicamente)*_por responsavel cliente contato na_licao_de
    nas_palavras_de segundo conforme em_(?:des)?favor_de autoria_d[aeo] lavra_d[aeo] relatoria_d[aeo] direcao_de representad[oa]_por
    nascid[oa]
    """
)
PERSON_BEFORE: Final = re.compile(
    rf"(?:^|[^a-z0-9])(?:{_INTRODUCTIONS}"
    rf"|(?:my|his|her|their|our|your) (?:[a-z'-]{{2,16}} ){{0,2}}?(?:{_KIN})(?:'s name)?(?: is|,)?"
    rf"|(?:meu|minha|seu|sua|nosso|nossa) (?:[a-z-]{{2,16}} )?(?:{_KIN_PORTUGUESE})(?: e|,)?|(?:d[oa]|com [oa]|pr[oa]) (?:{_KIN_PORTUGUESE})"
    r"|(?:name|nome)[^?.!\n\uffff]{0,24}\?"
    r")[ ]?[,:]?[ \t]*[\"'“(]?[ \t]*$"
)

_DEEDS: Final = _words(
    r"""
    said says told asked asks lives lived works worked wants wanted thinks thought likes loves loved hates moved wrote writes sent
    replied shouted answered joined married went came just_got has had is isn't was wasn't were will won't would can can't could
    should does doesn't did didn't never always also just still got made took gave bought needs? knows? knew feels? felt plays?
    played started stopped called calls prefers? reports? loves? hates? owns? runs? ran leads? led teaches taught studies studied
    enjoys? recommended suggested mentioned promised agreed decided grew turned passed died met visited and_i
    """
)
_DEEDS_PORTUGUESE: Final = _words(
    r"""
    disse diz falou mora morava trabalha pediu mandou vai foi quer gosta adora odeia ligou contou respondeu avisou reporta nasceu
    prefere comprou chegou esta e_minha e_meu e_[oa]_
    """
)
PERSON_AFTER: Final = re.compile(
    rf"['’]s\b|[ ]?(?:{_DEEDS})\b|[ ]?(?:{_DEEDS_PORTUGUESE})\b"
    r"|[ ]?,[ ]?(?:cpf|rg|cnh|nascid|brasileir|casad|solteir|portador|inscrit|residente|aged|[0-9]{1,3} (?:years|anos)|who|whose|que|[oa]b )"
    r"|[ ]?- (?:relatora?|vogal|revisora?|presidente|[0-9]º vogal|de acordo)|[ ]?\( ?(?:relatora?|presidente|vice-presidente)"
)

_PLACED: Final = _words(
    r"""
    (?:i'm|im|we're|am|is|are|was|were|be|been|live|lives|lived|living|born|grew_up|raised|based|located|stay|staying|stayed|arrived|office|headquarters|somewhere|conference|meeting|work|works|worked|vacation|holidays?|songs?|people|down)?_?in
    in_downtown
    (?:move|moved|moving|go|going|went|travel(?:s|led|ed|ling|ing)?|fly|flew|flying|flights?|trip|drive|drove|back|return(?:ed)?|ship(?:ped)?|come|came|relocat(?:e|ed|ing)|visit|trip|welcome)_to
    (?:moved|come|comes|came|coming|hail|hails|arrived|originally|is|are|was|here|flew|i'm)_from visit visited visiting near around
    across outside throughout (?:city|town|state|capital|province|village|republic|kingdom|north|south|east|west|coast|island)_of
    serving southern northern eastern western downtown greater
    (?:mor[oa]|moram|morava|morei|viv[eo]|vive[mu]?|nasci|nasceu|resid[eo]|residente|domiciliad[oa]|trabalho|trabalha|estou|esta|fica|localizad[oa]|sede|viagem|ferias)_(?:em|n[oa]s?|para|pra)
    (?:vou|vai|fui|foi|viajei|viajar|viaja|mudei|mudou|chegou|volto|voltei)_(?:para|pra|a|de|d[oa])
    (?:cidade|municipio|estado|comarca|distrito|bairro|foro|regiao|capital|circunscricao_judiciaria|prefeitura|governador|governo|servidores_publicos|administracao_publica)_d[eoa]
    """
)
PLACE_BEFORE: Final = re.compile(rf"(?:^|[^a-z0-9])(?:{_PLACED})[ \t]+(?:the |[oa] )?$")
"""What puts somebody or something at a place."""

BARE_IN: Final = re.compile(r"(?:^|[^a-z0-9])(?:in|at|from|em|n[oa]s?|to|para|pra|of)[ \t]+$")
"""A preposition that may stand before a place as well as before a person."""

ARTICLE: Final = re.compile(
    r"(?:^|[^a-z0-9])(?:the|a|an|this|that|these|those|every|each|our|my|your|some|any|import|class|def|new|const|let|var|function|type|use|using|via|on|run|running|install|in the|with the)[ \t]+$"
)
SENTENCE_END: Final = re.compile(r"(?:^|[.!?:;…\n\"“”•*>)\]—–]|(?:^|\s)-)[ \t\"“'(¿¡]*$")
STATE_AFTER: Final = re.compile(r" ?(?:\( ?[A-Z]{2} ?\)|[/-] ?[A-Z]{2}\b|, ?[A-Z]{2}\b| - [A-Z]{2}\b)")
ALONE_BEFORE: Final = re.compile(r"(?:^|\n)[ \t?>*-]*$")
ALONE_AFTER: Final = re.compile(r"[ \t]*(?:\n|$)")
CODE_BEFORE: Final = re.compile(r"[\w.@/\\_#$&=<`{+~-]$")
CODE_AFTER: Final = re.compile(r"[\d_@/\\=(\[{<`]|\.\w|-\w|://")
NUMBER_BEFORE: Final = re.compile(r"[0-9][0-9.,º°ª]*[ \t]+$")
NUMBER_AFTER: Final = re.compile(
    r"[ \t]{1,2}(?:n[º°.]? ?)?[0-9]|,[ \t](?:n[º°.]? ?)?(?:[0-9]{3}|[0-9]{1,2}[ \t]?(?:[A-Za-z]?[\n\uffff]|-|$))"
)
LIST_JOINT: Final = re.compile(r"(?: ?\([^()\n]{1,24}\))? ?(?:,|;|/| e | and | & |, e |, and | y )[ \t]*(?:and |e )?")
