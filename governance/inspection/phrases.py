# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Phrases, in English and Portuguese, of text that gives orders to whoever reads it back.

Patterns run over folded text (lower case, no accents). Each asks for two things together, such as an occasion and a target: one alone is
how people state procedures ("before every deploy run make lint", "sempre use tabs"). Every gap is bounded, so a search takes linear time.
Scores are judged by hand: 0.8 and above is hardly ever said in good faith, 0.5 to 0.8 is sometimes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from governance.inspection.signals import SignalCode

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Phrase:
    """A way of giving orders: its code, how bad it looks (0..1), and its pattern over folded text."""

    code: SignalCode
    score: float
    regex: re.Pattern[str]
    hints: tuple[str, ...] = ()

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """All matches in a folded text; one that holds none of the hints, of which every match has one, is not searched."""
        if self.hints and not any(hint in text for hint in self.hints):
            return iter(())
        return self.regex.finditer(text)


def _phrase(code: SignalCode, score: float, pattern: str, hints: str = "") -> Phrase:
    return Phrase(code, score, re.compile(pattern, re.MULTILINE), tuple(hints.split()))


_DROP: Final = r"\b(?:ignore|ignora|ignorem|disregard|forget|override|overrule|bypass|desconsidere|desconsidera|desconsiderar|esqueca|esquece|despreze)\b"
_ORDERS: Final = (
    r"(?:instructions?|rules?|directives?|guidelines?|prompts?|polic(?:y|ies)|restrictions?|instruc(?:ao|oes)|regras?|diretriz(?:es)?|orientac(?:ao|oes)|"
    r"restric(?:ao|oes)|politicas?)\b"
)
_WHOSE: Final = (
    r"(?:previous|prior|earlier|above|preceding|your|system(?:'s)?|safety|original|initial|former|anterior(?:es)?|previas?|acima|suas?|seu|sistema|iniciais|"
    r"originais|seguranca)"
)
OCCASION: Final = (
    r"\b(?:from now on|from this point|going forward|henceforth|every time|each time|whenever|always|for (?:all|every) (?:future )?\w{2,20}|when(?: \w{1,20}){1,3}|"
    r"if(?: \w{1,20}){1,3}|a partir d[eo] (?:agora|hoje)|de agora em diante|daqui (?:em diante|pra frente|para frente)|sempre(?: que)?|toda vez|"
    r"cada vez|quando|se(?: \w{1,20}){1,3})\b"
)
SEND: Final = (
    r"\b(?:send|forward|bcc|upload|post|leak|exfiltrate|e-?mail|transmit|copy|submit|envi[ae]|enviar|encaminh[ae]|encaminhar|reencaminh[ae]|reencaminhar|"
    r"mande|manda|poste|copie|transmita|escreva(?:-[ao]s?)?)\b"
)
SENSITIVE: Final = (
    r"\b(?:copy|copies|transcripts?|conversations?|chats?|messages|repl(?:y|ies)|answers?|passwords?|secrets?|credentials?|tokens?|api keys?|keys|"
    r"memor(?:y|ies)|personal data|contacts|copias?|respostas?|conversas?|mensagens|senhas?|segredos?|credenciais|chaves(?: de api)?|dados pessoais|"
    r"contatos|prontuarios?)\b"
)
_SAFEGUARD: Final = (
    r"(?:verification|confirmation|approval|authentication|authorization|identity check|double.?check|security (?:check|review|polic)|safety check|checks?\b|audit|"
    r"logging|review step|verificac(?:ao|oes)|confirmac(?:ao|oes)|aprovac(?:ao|oes)|autenticac|autorizac|checagem|auditoria|registro de auditoria|filtros?\b)"
)
_SKIP: Final = r"\b(?:skip|bypass|disable|turn off|avoid|pule|pula|pular|desativ[ae]|desativar|deslig(?:ue|a)|dispense|contorne|burle)\b"
_GAP: Final = r"[^.!?\n]"

PHRASES: Final[tuple[Phrase, ...]] = (
    _phrase(
        SignalCode.OVERRIDE,
        0.9,
        rf"{_DROP}(?:\W{{1,3}}\w+){{0,4}}?\W{{1,3}}{_WHOSE}\W{{1,3}}(?:\w+\W{{1,3}}){{0,2}}?{_ORDERS}",
        "ignor disregard forget overr bypass desconsider esque despreze",
    ),
    _phrase(
        SignalCode.OVERRIDE,
        0.9,
        rf"{_DROP}(?:\W{{1,3}}\w+){{0,4}}?\W{{1,3}}{_ORDERS}\W{{1,3}}(?:(?:d[aoe]|of|the|given|dadas|que)\W{{1,3}}){{0,3}}{_WHOSE}\b",
        "ignor disregard forget overr bypass desconsider esque despreze",
    ),
    _phrase(
        SignalCode.OVERRIDE,
        0.6,
        rf"{_DROP}\W{{1,3}}(?:all|any|every|todas?|todos?|quaisquer)(?:\W{{1,3}}\w+){{0,2}}?\W{{1,3}}{_ORDERS}",
        "ignor disregard forget overr bypass desconsider esque despreze",
    ),
    _phrase(SignalCode.OVERRIDE, 0.8, rf"\bsupersedes?\b{_GAP}{{0,20}}\b(?:prior|previous|earlier|other)\b", "supersede"),
    _phrase(
        SignalCode.OVERRIDE,
        0.8,
        r"\b(?:forget|esqueca|esquece) (?:everything|all|tudo)(?: (?:that|you|o|que|te|voce)){0,4} (?:were told|know|learned|disseram|sabe|aprendeu)",
        "forget esque",
    ),
    _phrase(SignalCode.ROLE, 0.8, r"<\|(?:im_start|im_end|system|endoftext)\|>|\[/?inst\]|<</?sys>>", "<| [inst [/inst <<"),
    _phrase(
        SignalCode.ROLE, 0.7, r"^[ \t]{0,8}[\[(<#*]{1,3} ?(?:system|sistema)(?: \w{1,20}){0,3}[\])>#*:]{1,3}[ \t]{0,8}\S", "system sistema"
    ),
    _phrase(
        SignalCode.ROLE,
        0.7,
        r"\b(?:system (?:note|message|override|update|prompt)|(?:nota|mensagem|aviso) d[eo]l? sistema) ?:",
        "system sistema",
    ),
    _phrase(
        SignalCode.ROLE,
        0.7,
        r"\byou are (?:no longer|now (?:an? )?(?:unrestricted|unfiltered|jailbroken|free|dan\b|different|new assistant))|\bvoce (?:nao e mais|agora se chama)\b|\bvoce (?:agora e|passa a ser) (?:um |uma |o |a )?(?:\w+ ){0,2}?(?:dan\b|livre|irrestrit|sem (?:restric|regra|limite|filtro)|root\b|administrador)|"
        r"\bact as (?:an? )?(?:unrestricted|unfiltered|jailbroken|dan\b)",
        "you voce act",
    ),
    _phrase(
        SignalCode.ROLE,
        0.7,
        r"\b(?:obey|obedeca)\W{1,3}(?:only\W{1,3})?(?:me|a mim)\b|\bso obedeca\b|\bnao segue? (?:politica|regra)s? nenhuma",
        "obey obedeca segue",
    ),
    _phrase(SignalCode.STANDING_SEND, 0.85, rf"\b(?:exfiltrate|leak|vaze)\b{_GAP}{{0,60}}?{SENSITIVE}", "exfiltrate leak vaze"),
    _phrase(
        SignalCode.STANDING_BYPASS,
        0.85,
        r"\b(?:approve|accept|aprove|aceite|libere|transfira|execute|delete|apague)\b"
        + _GAP
        + r"{0,90}?\b(?:without (?:asking|confirm|approv|check|telling)|"
        r"sem (?:perguntar|confirmar|confirmacao|checar|checagem|verificar|avisar|dupla checagem))",
        "approve accept aprove aceite libere transfira execute delete apague",
    ),
    _phrase(
        SignalCode.STANDING_BYPASS,
        0.8,
        rf"{_SKIP}(?:\W{{1,3}}\w+){{0,5}}?\W{{1,3}}(?:de |the )?{_SAFEGUARD}{_GAP}{{0,60}}?\b(?:always|all|every|any|whenever|sempre|toda|todas|qualquer)\b",
        "skip bypass disable turn avoid pul desativ deslig dispense contorne burle",
    ),
    _phrase(
        SignalCode.STANDING_BYPASS,
        0.8,
        rf"(?:{OCCASION}{_GAP}{{0,60}}?{_SKIP}|{_SKIP}\W{{1,3}}(?:always|all|any|every|sempre|todas?|todos?|qualquer))(?:\W{{1,3}}\w+){{0,4}}?\W{{1,3}}{_SAFEGUARD}",
        "skip bypass disable turn avoid pul desativ deslig dispense contorne burle",
    ),
    _phrase(
        SignalCode.STANDING_BYPASS,
        0.7,
        rf"\b(?:pode|podem|can|may|should) (?:passar direto|go through|proceed|exibir|show){_GAP}{{0,40}}?\b(?:sem|without|qualquer pessoa|anyone)\b",
        "pode can may should",
    ),
    _phrase(
        SignalCode.PROMPT_LEAK,
        0.8,
        r"\b(?:reveal|print|show|repeat|output|dump|leak|disclose|escreva|revele|mostre|exiba|repita|resuma)\b"
        r"(?:(?!\bits\b)[^.!?\n]){0,60}?\b(?:system prompt|initial (?:instructions|prompt)|"
        r"hidden (?:instructions|prompt)|internal configuration|prompt (?:do|de) sistema|instrucoes (?:iniciais|do sistema|que voce recebeu))",
        "prompt instruc hidden internal",
    ),
    _phrase(
        SignalCode.PAYMENT,
        0.8,
        r"\b(?:send|route|redirect|direct|make|pay|envie|direcione|faca|pague|mande)\b"
        + _GAP
        + r"{0,30}?\b(?:all|every|any|todos?|todas?|qualquer)\b"
        + _GAP
        + r"{0,40}?\b(?:payments?|transfers?|invoices?|pagamentos?|transferencias?|boletos?)\b",
        "payment transfer invoice pagamento boleto",
    ),
    _phrase(
        SignalCode.PAYMENT,
        0.8,
        r"\b(?:new|nov[ao]s?|updated|atualizad[ao]s?)\W{1,3}(?:chave pix|conta|boleto|dados bancarios|bank (?:account|details)|account|wallet|iban|payment details)\b"
        + _GAP
        + r"{0,100}?[;,:.]?"
        + _GAP
        + r"{0,40}?\b(?:use (?:only|somente|so|this|esta|this one)|somente est|only this|instead of|a partir d[eo] (?:hoje|agora)|from now on|nao avise|do not (?:tell|notify|call))",
        "chave conta boleto dados bank account wallet iban payment",
    ),
    _phrase(
        SignalCode.PAYMENT,
        0.7,
        rf"\b(?:when|quando|se|if)\b{_GAP}{{0,60}}?\b(?:dados bancarios|bank details|chave pix|conta bancaria|account number)\b{_GAP}{{0,40}}?\b(?:informe os meus|give (?:them )?mine|passe (?:a|os) meus?|use mine)",
        "dados bank chave conta account",
    ),
    _phrase(SignalCode.TOOL, 0.85, r"\b(?:curl|wget)\s[^\n|]{1,200}\|\s{0,3}(?:sudo\s{1,3})?(?:ba|z|da)?sh\b", "curl wget"),
    _phrase(
        SignalCode.TOOL,
        0.7,
        r"\b(?:call|invoke|use|run|chame|execute|acione)\b(?:\W{1,3}\w+){0,3}?\W{1,3}(?:delete|drop|erase|purge|forget|wipe)_\w{2,40}",
        "_",
    ),
    _phrase(
        SignalCode.TOOL,
        0.8,
        rf"\b(?:ferramenta|tool)\b{_GAP}{{0,40}}?(?:\b(?:to|para|e)\b ){SEND}{_GAP}{{0,80}}?\b(?:todas?|todos?|all|every)\b",
        "ferramenta tool",
    ),
    _phrase(
        SignalCode.CONCEALMENT,
        0.7,
        r"\b(?:do not|don't|never|without) (?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|mention(?:ing)? (?:this|it) to|reveal(?:ing)? (?:this|it) to) "
        r"(?:the |any |your )?(?:user|human|owner|admin|operator|security)|"
        r"\bnao (?:avise|conte|informe|mencione|diga)(?: isso| nada)?(?: a| ao| aos| para o| para a| o| a)? ?(?:usuario|dono|setor|administrador|seguranca)",
        "tell inform notify alert mention reveal nao",
    ),
    # Companies keep much from their customers; for reviewers it is worth a look beside something else.
    _phrase(
        SignalCode.CONCEALMENT,
        0.4,
        r"\b(?:do not|don't|never) (?:tell|inform|notify) (?:the |any )?customers?\b|\bnao (?:avise|conte|informe) (?:a |ao |aos |o |os )?clientes?\b",
        "customer cliente",
    ),
    _phrase(
        SignalCode.CONCEALMENT,
        0.7,
        r"\b(?:delete|erase|apague|remova)\b"
        + _GAP
        + r"{0,30}?\b(?:log|logs|trace|traces|registros?|rastros?)\b"
        + _GAP
        + r"{0,30}?\b(?:afterwards|after|depois|envio|of this|disso)",
        "log trace registro rastro",
    ),
)
