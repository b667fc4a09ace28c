# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Streets with their numbers, in both languages: what stands in them is no person."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME: Final = r"[^\W\d_][\w.'’-]{0,24}"
_PROPER: Final = r"(?:[A-ZÀ-Þ0-9][\w.'’-]{0,24})(?:[ \t](?:(?:d[aeo]s?|e|la) )?[A-ZÀ-Þ][\w.'’-]{0,24}){0,5}"
_NUMBER: Final = r",?[ \t](?:n[º°.o]{0,2}[ \t]?)?(?:[0-9]{1,6}|s/n)"
# Number, flat, quarter, town and state follow each other on one line.
_REST: Final = rf"(?:,?[ \t](?:ap|apto|apartamento|bloco|bl|casa|sala|lote|fundos|cj)\.?[ \t]?[\w-]{{1,6}}){{0,3}}(?:[ \t]?[-–,][ \t]?(?:d[aeo]s? )?{_PROPER}){{0,3}}(?:[ \t]?[/-][ \t]?[A-Z]{{2}}(?![\w]))?"
_STREET: Final = re.compile(
    rf"(?<![\w])(?i:rua|r\.|avenida|av\.?|travessa|alameda|pra[çc]a|rodovia|estrada|largo|viela|ladeira|loteamento|condom[íi]nio|quadra|rue|calle|strada|ul\.)"
    rf"[ \t]{{1,2}}(?:(?:d[aeo]s?|la|de la|des|du) )?{_PROPER}(?:{_NUMBER}{_REST})?"
)
# Kinds of streets that are ordinary words as well: only with a number.
_RARE_STREET: Final = re.compile(
    rf"(?<![\w])(?i:via|viaduto|vila|vereda|trecho|trevo|setor|s[íi]tio|residencial|recanto|praia|passarela|parque|p[áa]tio|n[úu]cleo|morro|lagoa|lago|jardim|fazenda|favela|feira|esplanada|esta[çc][ãa]o|distrito|conjunto|col[ôo]nia|ch[áa]cara|campo|[áa]rea|aeroporto)"
    rf"[ \t]{{1,2}}(?:d[aeo]s? )?{_PROPER}{_NUMBER}{_REST}"
)
_NUMBERED: Final = re.compile(
    rf"(?<![\w.,])[0-9]{{1,6}}[A-Za-z]?[ \t](?=(?-i:[0-9A-ZÀ-Þ]))(?:{_NAME}[ \t]){{1,4}}(?i:street|st|road|rd|avenue|ave|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|square|sq|parkway|terrace|crescent|way|highway|hwy|close|alley)(?![\w])\.?"
)


def addresses_of(text: str) -> Iterator[tuple[int, int]]:
    """Return the places of streets with or without a number, in order of place; they may overlap."""
    for pattern in (_STREET, _RARE_STREET, _NUMBERED):
        for match in pattern.finditer(text):
            yield match.span()
