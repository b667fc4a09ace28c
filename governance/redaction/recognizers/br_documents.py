"""Brazilian licence (CNH), PIS/NIS, health card (CNS) and voter numbers: tarja's check digits, only behind the word for them.

Eleven digits pass one of these checks by chance too often to be taken without it.
"""

from __future__ import annotations

from typing import Final

from tarja_presidio import TarjaRecognizer

from governance.redaction.entities import BR_CNH, BR_CNS, BR_NIS, BR_TITULO_ELEITOR
from governance.redaction.recognizers.presidio import adopt

_HINT: Final = "[0-9]{3}"

CNH: Final = adopt(TarjaRecognizer("BR_CNH"), BR_CNH, words="cnh|habilita[cç][aã]o|carteira de motorista", needs_context=True, hint=_HINT)
NIS: Final = adopt(TarjaRecognizer("BR_NIS"), BR_NIS, words="nis|pis|pasep|nit", needs_context=True, hint=_HINT)
CNS: Final = adopt(TarjaRecognizer("BR_CNS"), BR_CNS, words="cns|sus|cart[aã]o nacional de sa[uú]de", needs_context=True, hint=_HINT)
TITULO: Final = adopt(
    TarjaRecognizer("BR_TITULO_ELEITOR"),
    BR_TITULO_ELEITOR,
    words="t[ií]tulo(?: de eleitor| eleitoral)?|eleitor",
    needs_context=True,
    hint=_HINT,
)
