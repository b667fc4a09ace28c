"""Topics under which a reader looks for who it is and what it may do: there a bare "superadmin" is an attack, and only the topic tells."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from governance.inspection.folding import fold

_OWNERS: Final = frozenset(
    "identity system agent agents assistant bot self identidade sistema agente agentes assistente".split()  # noqa: SIM905 - a row of words
)
_POWERS: Final = frozenset(
    """
    role roles permission permissions privilege privileges capability capabilities entitlement entitlements prompt prompts
    guardrail guardrails
    papel papeis permissao permissoes privilegio privilegios capacidade capacidades
    """.split()  # noqa: SIM905 - as above
)
_BETWEEN: Final = frozenset("of the my your do da de dos das meu seu".split())  # noqa: SIM905 - as above
_WORD: Final = re.compile(r"[a-z]+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")


def names_authority(topic: str) -> bool:
    """Whether a topic is where an agent's role, permissions or prompt would stand: the one word beside the other, in whatever parts of it.

    >>> names_authority("identity/role"), names_authority("system_prompt"), names_authority("permissões do agente")
    (True, True, True)
    >>> names_authority("system/backups"), names_authority("hiring/roles")
    (False, False)
    """
    words = [word for word in _WORD.findall(fold(_CAMEL.sub(" ", topic)).text) if word not in _BETWEEN]
    return any((a in _OWNERS and b in _POWERS) or (a in _POWERS and b in _OWNERS) for a, b in pairwise(words))
