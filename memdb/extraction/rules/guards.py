"""Words that say that a sentence is no statement of fact, in English and Portuguese: patterns on plain text (no case, no accents).

They are looked for in the whole sentence or turn: a fact that is passed over costs less than a joke that is stored.
"""

# ruff: noqa: E501 - a pattern that is broken into lines of 140 is harder to read and to extend than a long one

from __future__ import annotations

import re
from typing import Final


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives))


JOKE: Final = _any(
    r"k{3,}|\b(?:ha|he|rs|hua|hue){2,}\w*\b|\b(?:lol|lmao|rofl|jk|j/k|xd)\b|[😂🤣😜😝🤪😏🙃🤡]",
    r"\b(?:just )?kidding\b|\bjoking\b|\bjust a joke\b|(?<!\w)/s\b|\bsarcas",
    r"\b(?:brincadeira|brincando|zoeira|zoando|zuando|zueira|to brincando|mentirinha)\b",
    r"\b(?:pretend|role-?play|once upon a time|in the story|faz de conta|era uma vez|finge que)\b",
)
"""A turn with one of these is not read at all."""

TAKEN_BACK: Final = _any(
    r"\b(?:wrong (?:chat|channel|window|person|thread|group)|ignore (?:that|this|me|my last)|meant for|not for this (?:chat|channel))\b",
    r"\b(?:wait,? this is the|off the record|don't (?:write|note|save|store|remember) (?:this|that))\b",
    r"\b(?:chat errado|grupo errado|janela errada|pessoa errada|ignorem|ignora isso|era pra mandar|apaga isso|nao anota|nao guarda)\b",
)
"""A turn that was not meant for the room, or not to be kept."""

PASTED: Final = _any(
    r"\b(?:pasting|pasted|copied|copy-?pasted|forwarded|forwarding|fwd|got this (?:e-?mail|message)|received this)\b[^\n:]{0,60}(?::|\n)",
    r"\b(?:colando|colei|copiei|encaminhando|encaminhado|recebi (?:um|esse|este|essa|esta) (?:e-?mail|mensagem|msg))\b[^\n:]{0,60}(?::|\n)",
    r"\b(?:segue|here's|here is) (?:o|a|the|an) (?:e-?mail|mensagem|msg|texto|message|text)\b[^\n:]{0,60}(?::|\n)",
    r"^(?:from|de|subject|assunto|to|para): [^\n]{1,200}\n",
)
"""What follows is somebody else's text."""

UNSURE: Final = _any(
    # Supposed, wished, doubted.
    r"\b(?:if|unless|would(?! rather)|wouldn't|could|might|maybe|perhaps|possibly|wish|imagine|suppos\w+|hypothetic\w+|what if|as though|almost)\b",
    r"\bi(?:'d(?! rather| much rather| really rather)| had better)\b|\bi (?:think|guess|suppose|feel like|bet|swear|doubt|believe|hope)\b|\b(?:not sure|no idea|probably)\b",
    r"\b(?:or something|or so|kind of|sort of|as if|basically|practically|literally|honest opinion|metaphorically)\b",
    r"(?:^|[,;:] ?|\b(?:e|mas|que|so|como|nem) )se\b",
    r"\b(?:caso|talvez|quem sabe|seria|teria|queria|gostaria|poderia|tomara|quase|imagin[ae]|suponha|digamos|provavelmente|acho|sei la)\b",
    r"\b(?:pensando em|to pensando|tipo assim|praticamente|literalmente)\b",
    # Said by somebody else, or about what was said.
    r"\b(?:said|says|say|saying|told|tells|heard|hears|claims?|claimed|thinks|thought|apparently|supposedly|rumou?r|according to|joked)\b",
    r"\b(?:wrote|writes|asked|asks|quoting|called it|pretend(?!o\b|e\b|emos\b)\w*|jokes?|dreamt|dreamed|lied|lie)\b",
    r"\b(?:disse|disseram|falou|falaram|diz|dizem|dizendo|contou|ouvi|pelo visto|parece|acha|acham|segundo(?! (?:ano|semestre|periodo|turno|andar|lugar)\b)|perguntou|perguntaram)\b",
    r"\b(?:escreveu|brincou|fala que|sonhei|mentiu|mentira|jura)\b",
    # Asked without a sign.
    r"^(?:(?:and|so|but|ok|hey|e|mas|entao|oi) )?(?:who|what|whats|what's|when|where|why|how|which|whose|do(?! not\b)|does|did|is|are|was|were|am)\b",
    r"^(?:(?:and|so|but|ok|hey) )?(?:can|can't|could|will|won't|would|should|shall|have you|has|any(?:one|body|thing)?) ",
    r"^(?:(?:e|mas|entao|oi|ue) )?(?:quem(?! [a-z]+ [^?]{3,60} é )|qual|quais|onde|quando|quanto|quantos|quantas|por que|o que|oq|que|sera|alguem|cade|como (?:e|é))\b",
    # Spoken to somebody: an order or a proposal.
    r"\b(?:let's|lets|bora|vamos|shall we|why don't)\b",
)
"""A sentence with one of these is passed over."""

WITHDRAWN: Final = _any(
    r"\b(?:scratch that|strike that|no,? wait|wait,? no|correction|i meant?|my mistake|nvm|never ?mind|not anymore|sorry,? (?:it's|i meant))\b",
    r"\b(?:quer dizer|na verdade|na vdd|na real|minto|errei|corrigindo|correcao|digo|nao nao|me enganei|me confundi|nao e mais|esquece)\b",
)
"""What was said just before is taken back, at least in part."""

OPENS_CORRECTION: Final = re.compile(
    r"(?:no|nope|nah|nao|opa|oops|ops|wait|pera|perai|actually|errata)\b\s*(?:[,.!…]|$)|nao nao\b|(?:not|nao) (?:on |at |n[ao] )?\w+, \w"
)
"""So does what begins like this: "no, wait", "not Tuesday, Wednesday"."""
