"""Brazilian licence (CNH), PIS/NIS, health card (CNS) and voter numbers.

Their check digits hold by chance too often for a bare run: it needs the word. Written in their own groups, check digits prove them.
"""

from __future__ import annotations

from typing import Final

from tarja.validators import cnh, cns, nis, titulo

from governance.redaction.entities import BR_CNH, BR_CNS, BR_NIS, BR_TITULO_ELEITOR
from governance.redaction.named import CheckedNumber

CNH: Final = CheckedNumber("br_cnh", BR_CNH, "cnh", 11, cnh.is_valid)
NIS: Final = CheckedNumber("br_nis", BR_NIS, "nis", 11, nis.is_valid, frozenset({(3, 5, 2, 1)}))
CNS: Final = CheckedNumber("br_cns", BR_CNS, "cns", 15, cns.is_valid, frozenset({(3, 4, 4, 4)}))
TITULO: Final = CheckedNumber("br_titulo_eleitor", BR_TITULO_ELEITOR, "voter", 12, titulo.is_valid, frozenset({(4, 4, 4)}))
# Some numbers of São Paulo and Minas Gerais have thirteen digits.
LONG_TITULO: Final = CheckedNumber("br_titulo_eleitor_long", BR_TITULO_ELEITOR, "voter", 13, lambda _: False)
