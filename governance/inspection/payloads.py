# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Rules for what no honest memory holds: payloads of code, requests for harm, orders to spread, and orders that pose as the system's.

As in `phrases.py` patterns run over folded text and every gap is bounded.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.inspection.phrases import Phrase
from governance.inspection.signals import SignalCode

if TYPE_CHECKING:
    from collections.abc import Sequence


def _all(code: SignalCode, score: float, patterns: Sequence[tuple[str, str]]) -> tuple[Phrase, ...]:
    """Phrases of one kind; each pattern stands after its hints, divided by blanks."""
    return tuple(Phrase(code, score, re.compile(pattern, re.MULTILINE), tuple(hints.split())) for hints, pattern in patterns)


_GAP: Final = r"[^.!?\n]"
_ILL: Final = (
    r"(?:toxic|hateful|racist|sexist|discriminatory|defamatory|offensive|derogatory|harmful|abusive|insulting|threatening|unfriendly|negative|toxic[ao]|odios[ao]|"
    r"racista|discriminatori[ao]|difamatori[ao]|ofensiv[ao]|ameacador[ao]?)"
)
_PIECE: Final = r"(?:sentence|message|post|comment|paragraph|joke|article|tweet|review|speech|content|frase|mensagem|postagem|piada|texto|comentario|conteudo)"
_MAKE: Final = r"(?:write|generate|create|draft|compose|produce|publish|post|escreva|gere|crie|redija|publique|poste)"
_SPREAD: Final = (
    r"(?:copy|repeat|propagate|replicate|broadcast|forward|pass|spread|insert|append|copie|repita|propague|replique|repasse|espalhe|insira)"
)
_THIS: Final = r"(?:this|these|the following|esta|este|isto|essa|esse|isso)"
_READERS: Final = r"(?:(?:every|all|each|any|other|downstream|toda|todas|todo|todos|outros|demais|cada)\W(?:\w{1,12}\W){0,3}?(?:agents?|memor(?:y|ies)|prompts?|agentes?|memorias?|sessions?|sessoes))"

PAYLOADS: Final[tuple[Phrase, ...]] = (
    *_all(
        SignalCode.REPLICATION,
        0.7,
        [
            (
                "copy repeat propagat replicat broadcast forward pass spread insert append copi repit propagu repliq repass espalh insir",
                rf"\b{_SPREAD}\W{_THIS}\b{_GAP}{{0,60}}?\b{_READERS}",
            ),
            (
                "removed deleted erased apagad removid",
                rf"\b(?:if|when|should|se|quando)\b{_GAP}{{0,30}}?\b(?:memory|entry|note|memoria|registro|nota)\b{_GAP}{{0,20}}?\b(?:removed|deleted|erased|apagad[ao]|removid[ao])\b{_GAP}{{0,30}}?\b(?:again|re-?\w{{3,10}}|de novo|novamente|grave|recri)",
            ),
        ],
    ),
    *_all(
        SignalCode.HARMFUL_REQUEST,
        0.65,
        [
            (
                "toxic hate racis sexis discrim defam difam offens ofens derog harm abus insult threat ameac unfriendly negativ odios",
                rf"\b{_MAKE}\b(?:\W+\w{{1,15}}){{0,2}}?\W+{_ILL}\b(?:\W+\w{{1,15}})?\W+{_PIECE}\b",
            ),
            (
                "toxic hate racis sexis discrim defam difam offens ofens derog harm abus insult threat ameac unfriendly negativ odios",
                rf"\b{_MAKE}\b(?:\W+\w{{1,15}}){{0,2}}?\W+{_PIECE}\W+{_ILL}\b",
            ),
            (
                "malware ransomware keylogger spyware virus phishing blackmail chantag",
                r"\b(?:write|create|generate|develop|build|escreva|crie|desenvolva)\b(?:\W+\w{1,15}){0,4}?\W+(?:malware|ransomware|keylogger|spyware|(?:computer )?virus that|phishing (?:page|mail|e-?mail|site)|pagina de phishing|blackmail|chantagem)\b",
            ),
            (
                "launder fraud bomb evade steal clone clonar hack lavar invadir",
                r"\b(?:how to|steps? to|instructions? (?:to|for|on)|guide (?:to|for)|como|passo a passo para)\b"
                + _GAP
                + r"{0,40}?\b(?:launder money|commit (?:\w{1,10} )?fraud|build a bomb|make a bomb|evade (?:the )?(?:police|law)|steal (?:an? )?identit|clone (?:\w{1,10} ){0,2}cards?|hack(?:ing)? into|lavar dinheiro|fazer uma bomba|clonar (?:um )?cart|invadir (?:uma )?conta)",
            ),
        ],
    ),
    *_all(
        SignalCode.PAYLOAD,
        0.75,
        [
            (
                "/dev/tcp nc bash powershell",
                r"/dev/tcp/|\bnc\s(?:-\w{1,4}\s){0,3}[\w.-]{3,60}\s\d{2,5}\b|\bbash -i\b|\bpowershell\b[^\n]{0,40}?(?:-enc|invoke-webrequest|invoke-expression|\biex\b)",
            ),
            ("169.254 metadata.google", r"169\.254\.169\.254|metadata\.google\.internal"),
            ("rm", r"\brm\s{1,3}-[rf]{2}\w?\s{1,3}(?:--no-preserve-root|/(?:\s|$|\*|etc|home|var)|~)"),
            (
                "/etc/ .ssh/ .aws/ /root/ /var/run",
                r"\b(?:cat|type|read|open|copy|scp|tar|leia)\b[^\n]{0,30}?(?:/etc/(?:passwd|shadow|kubernetes)|\.ssh/id_|\.aws/credentials|/root/\.|/var/run/secrets/)",
            ),
            (
                "union or drop $",
                r"\bunion\s{1,3}(?:all\s{1,3})?select\b|'\s{0,3}or\s{1,3}'?1'?\s{0,3}=\s{0,3}'?1|;\s{0,3}drop\s{1,3}table\b|\{\s{0,2}\"?\$(?:ne|gt|where)\"?\s{0,2}:",
            ),
            (
                "<script onerror onload javascript: {{ ${ ../",
                r"<script\b|\bon(?:error|load)\s{0,2}=|javascript:|\{\{\s{0,3}\d{1,4}\s{0,2}\*\s{0,2}\d{1,4}\s{0,3}\}\}|\$\{\d{1,4}\*\d{1,4}\}|(?:\.\./){3,}",
            ),
            (
                "__import__ os.system pickle. unserialize eval( uid=",
                r"\b__import__\(|\bos\.system\(|\bpickle\.loads?\(|\bunserialize\(\$_|\beval\((?:request|input|atob|\$_)|\*\)\(uid=\*",
            ),
            (
                "install",
                r"\b(?:pip|npm|gem|cargo)\d?\s{1,3}install\b[^\n]{0,80}?(?:--(?:index-url|extra-index-url|registry))[ =]{1,3}https?://(?!(?:pypi|registry)\.)",
            ),
            (
                "privileged hostpid hostnetwork cap_sys secret get-access",
                r"\bprivileged\s?:\s?true\b|\bhostpid\s?:\s?true|\bhostnetwork\s?:\s?true|\bcap_sys_admin\b|\bsecrets?-?manager?\b[^\n]{0,40}?\|\s?jq|\bget-access-token\b",
            ),
        ],
    ),
    *_all(
        SignalCode.ROLE,
        0.65,
        [
            ("system instruction information important", r"</?(?:system|instructions?|information|important)>\s{0,5}\S"),
            (
                "note message instruction attention nota mensagem instrucao",
                r"\b(?:note|message|instruction|instructions|attention|nota|mensagem|instrucao) (?:to|for|para) (?:all |any |the |todos os |qualquer )?(?:ai|llm|automated|automatic|language|agentes? de ia|ia|modelo)\b",
            ),
            (
                "this isto",
                r"\b(?:ai|llm) (?:assistant|agent|model)s?,? (?:reading|processing|that reads?|who reads?) this\b|\bassistente que (?:le|ler|estiver lendo) isto",
            ),
            (
                "developer unrestricted god jailbreak dan evil debug maintenance admin restricoes desenvolvedor",
                r"\b(?:enter|enable|activate|switch to|entre (?:no|em)|ative (?:o)?) (?:\w{1,12} ){0,2}?(?:developer|unrestricted|god|jailbreak|dan|evil|debug|maintenance|admin|sem restricoes|desenvolvedor) ?(?:mode|modo)?\b(?= mode|$|[.,;:!]| and| e )",
            ),
            (
                "restrictions filters guidelines limits restricoes filtros limites",
                r"\b(?:no|without(?: any)?|sem(?: nenhuma)?|nenhuma) (?:content |safety |ethical )?(?:restrictions|filters|guidelines|limits|restricoes|filtros|limites) ?(?:at all|whatsoever)?[.!]?$",
            ),
        ],
    ),
    *_all(
        SignalCode.OVERRIDE,
        0.7,
        [
            (
                "instruc orders ordens directives",
                r"^\W{0,3}(?:new|updated|real|novas?) (?:instructions?|orders|directives?|instrucoes|ordens)\s?:",
            ),
            (
                "rule directive instruc order regra diretiva",
                r"\b(?:as|como|as a|como um[a]?) (?:\w{1,12} )?(?:system|permanent|durable|standing|sistema|permanente) (?:\w{1,10} )?(?:rule|directive|instruction|order|regra|diretiva|instrucao)\s?:",
            ),
            (
                "nothing nada",
                r"\b(?:respond|reply|answer|responda) (?:only )?(?:with|com|so com|apenas com)\b"
                + _GAP
                + r"{0,40}?\b(?:nothing else|and nothing|absolutely nothing|e nada mais)\b",
            ),
            (
                "append add include insert inclua adicione acrescente",
                r"\b(?:append|add|include|insert|inclua|adicione|acrescente)\b"
                + _GAP
                + r"{0,50}?\b(?:to the end of|at the end of|in|to|no fim de|em) (?:every|each|all|your|any|toda|cada|todas) (?:\w{1,10} )?(?:repl(?:y|ies)|responses?|answers?|summar(?:y|ies)|reports?|respostas?|resumos?)\b",
            ),
            (
                "[",
                r"\[(?:remember|inject|instruction|action|hidden|system|memory|lembre)\b[^\]\n]{0,40}\]\s{0,3}\S|\[\w{2,12}_memory\s?=[^\]\n]{1,200}\]\s{0,3}\[\w{2,12}_memory\s?=",
            ),
        ],
    ),
)
