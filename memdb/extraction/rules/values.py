"""Where a value ends, whether it is one, and how first-person words in it read in the third."""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final

from memdb.extraction.rules.rule import LASTS, Rule
from memdb.extraction.rules.vocabulary import one_of

_CUT = re.compile(
    one_of(
        r"\s+(?:because|cause|but|so|since|which|who|when|while|where|although|though|except|unless|until|if|as (?:i|we|it|he|she|they|you|my|long|soon)|and (?:i|i'm|my|it|he|she|they|we|you|the|so|then|also|am|have|work\w*|live\w*|love\w*|like\w*|hate\w*|enjoy\w*|prefer\w*|want\w*|need\w*|would|can|can't",
        r"don't|this|that|will|was|had|did)|or (?:i|i'll|it)|i|i'm|i'll|that|to be honest|for (?:now|years|ages|a while)|these days|at the moment|right now|fyi|btw|please|ok|okay|mas|porque|pq|pois|entao|(?<! do )que(?! vem)|quando|enquanto|onde|embora|exceto|ate|desde|e (?:eu",
        r"meu|minha|a gente|ele|ela|eles|isso|ai|tambem|nao|so|to|ta|vou|moro|trabalho|gosto|adoro|amo|odeio|prefiro|tenho|sou|uso|quero|acho|fico)|ou (?:eu|entao)|eu|viu|ta|ne|gente|por favor|pfv|por enquanto|hj|hoje em dia|no momento|so)\b",
    )
)
_LASTING = re.compile(rf"\s+{LASTS}")
_TRAIL = re.compile(
    r"(?:\s+(?:too|as well|now|again|already|also|anyway|lol|haha|though|tho|myself|please|pls|a lot|so much|very much|the most|more than anything"
    r"|everyone|guys|folks|by the way|tambem|agora|mesmo|ja|demais|muito|pessoal|sim|ai|aqui|la|tb|bastante|de novo|and|or|e|ou|o|a|the|an|of|de|to|in))+$"
)
_NOT_A_VALUE = re.compile(
    one_of(
        r"^(?:it|that|this|these|those|them|him|her|you|your|u|ur|me|us|how|what|when|where|who|why|everything|nothing|something|anything|one|some|all|both|so|such|not|no|to|being|seeing|hearing(?! aids?)|nobody|no one|none|neither|anybody|anyone|another|more|any|isso|isto",
        r"aquilo|esse|essa|este|esta|esses|essas|aquele|aquela|ele|ela|eles|elas|dele|dela|voce|vc|vcs|voces|tudo|ninguem|nenhuma?|nada(?! (?:de|com) )|algo|alguma|algum|como|quando|quem|onde|que|quanto|muito|mais|nao|so|ver|ouvir|te|lhe|disso|disto)\b",
    )
)
_ARTICLE = re.compile(r"^(?:the|a|an|his|her|our|their|my|o|a|os|as|um|uma|uns|umas|meu|minha|seu|sua|nosso|nossa)\b")
_DEICTIC = re.compile(
    r"\b(?:i|we|us|our|ours|you|your|yours|u|this|that|these|those|here|there|it|he|she|him|they|them|someone|something|eu|nós|nosso|nossa|voc[eê]|voc[eê]s"
    r"|vc|vcs|teu|tua|te|isso|isto|esse|essa|esses|essas|este|esta|aqui|aquele|aquela|l[aá]|ele|ela|eles|elas|dele|dela|deles|a gente|a[ií]|mim|comigo)\b"
)
_LABEL = re.compile(r"\[[a-z_]+(?:_\d+| \*+\w+)?\]")
_ITEM = re.compile(
    r"(,)\s+(?:(?:and|or|e|ou|nem|nor)\s+)?(?P<item>[^\s,;:.!?()\ufffc\"]{2,20}(?:\s[^\s,;:.!?()\ufffc\"]{2,20}){0,2})(?=[,;.!?)]|\s*$)"
)
_LISTED = re.compile(r"\s(?:and|or|e|ou|nem|nor)\s")
_NOT_AN_ITEM = re.compile(
    one_of(
        r"^(?:so|but|because|and|i|i'm|my|no|not|yes|please|pls|btw|fyi|ok|it|that|which|just|can|don't|do|if|then|thanks|right|too",
        r"also|as|he|she|we|you|they|the|mas|porque|pq|entao|eu|meu|minha|nao|sim|ta|ne|viu|gente|por|pfv|ok|valeu|obrigad\w|e",
        r"so|ja|agora|tambem|ai|blz|que|quem|se|isso|am|have|live|work|love|like|hate|prefer|want|need|moro|vivo|trabalho|gosto",
        r"adoro|amo|odeio|prefiro|tenho|sou|estou|uso|quero|acho|fico|falo|faco|vou|tomo|evito|nasci)\b",
    )
)
_THIRD: Final = {
    "en": {"my": "their", "mine": "theirs", "myself": "themselves", "me": "them"},
    "pt": {"meu": "seu", "minha": "sua", "meus": "seus", "minhas": "suas"},
}
_ONESELF = re.compile(r"\bme(?= [a-z]+[aei]r\b)", re.IGNORECASE)
_ITS_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def trim(plain: str, start: int, end: int) -> int:
    """Where a value that was found from `start` to `end` really ends; `start` when nothing is left."""
    cut = _CUT.search(plain, start, end)
    if cut is not None and cut.start() >= start:
        end = cut.start()
    while end > start and not plain[end - 1].isalnum() and plain[end - 1] not in "]%€$+#":
        end -= 1
    trail = _TRAIL.search(plain[start:end])
    if trail is not None:
        end = start + trail.start()
    return end


def upto_duration(plain: str, start: int, end: int) -> int:
    """Where a value ends that goes on with how long it holds already: "Porto for three years"."""
    lasting = _LASTING.search(plain, start, end)
    return end if lasting is None else lasting.start()


def with_list(plain: str, end: int) -> int:
    """Where a list that begins with the value ends: "gluten, dairy or nuts"; `end` when it does not go on. A list ends in "and" or "or"."""
    began = end
    for _ in range(5):
        item = _ITEM.match(plain, end)
        if item is None or _NOT_AN_ITEM.match(item["item"]):
            break
        end = item.end()
    return end if _LISTED.search(plain, began, end) is not None else began


def is_value(rule: Rule, plain: str, shown: str) -> bool:
    """Tell whether the words that a rule found can be a value of its attribute."""
    if (
        not plain
        or len(plain.split()) > rule.words
        or (_NOT_A_VALUE.match(plain) and rule.attribute != "pronouns")
        or _LABEL.search(plain)
        or "\ufffc" in plain
        or _STUMBLE.search(plain)
        or (rule.name.startswith("en-") and plain.startswith("um "))
    ):
        return False
    if rule.banned is not None and rule.banned.search(plain):
        return False
    if rule.bare and _ARTICLE.match(plain):
        return False
    if rule.proper and not shown[:1].isupper():
        return rule.loose and not _ARTICLE.match(plain) and (_IS_SHORT.fullmatch(plain) or _INSTITUTION.match(shown)) is not None
    return any(character.isalnum() for character in plain)


_IS_SHORT = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*(?: [^\W\d_]+)?")
_INSTITUTION = re.compile(r"[^\W\d_]+ d[eoa]s? [A-ZÀ-Ý]")
"""Nothing but what it is the one of has a name: "prefeitura de Olinda"."""
_STUMBLE = re.compile(r"[{}<>|\\]|\b(?:u+h+|u+mm+|uum+|e+r+m*|hmm+|mm+|hum+|ahn|eh)\b")
"""Markup, and sounds of somebody who looks for a word."""


def is_readable(plain: str) -> bool:
    """Tell whether words without case can be read without the talk: they point at nobody and nothing in it. With accents or without."""
    return _DEICTIC.search(plain) is None and _LABEL.search(plain) is None and "\ufffc" not in plain


def in_third_person(shown: str, language: str) -> str:
    """Words of the speaker about what is theirs, as another would say them.

    >>> in_third_person("allergic to my own cooking", "en")
    'allergic to their own cooking'
    """
    words = _THIRD[language]
    if language == "pt":
        shown = _ONESELF.sub("se", shown)
    return _ITS_WORD.sub(lambda match: words.get(match[0].lower(), match[0]), shown)
