"""Brazilian postcodes (CEP): behind the word, or in the form `00000-000` beside an address."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import BR_CEP
from governance.redaction.recognizers.base import END, LABELLED, SHAPED, START, Pattern, PatternRecognizer

_ADDRESS: Final = r"(?:rua|r\.|av\.|avenida|alameda|travessa|rodovia|pra[cç]a|bairro|endere[cç]o|address|moro|mora|entrega|zip|postcode)"
_UF: Final = "AC|AL|AP|AM|BA|CE|DF|ES|GO|MA|MT|MS|MG|PA|PB|PR|PE|PI|RJ|RN|RS|RO|RR|SC|SP|SE|TO"

RECOGNIZER: Final = PatternRecognizer(
    "br_cep",
    BR_CEP,
    (
        Pattern(
            re.compile(
                START + r"(?:cep|c[oó]digo postal)[^\d\n\uffff]{0,25}(?P<value>\d{2}\.?\d{3}[- ]?\d{3})" + END, re.IGNORECASE | re.ASCII
            ),
            LABELLED,
            needs=("cep", "postal"),
        ),
        Pattern(re.compile(r"(?<![A-Za-z0-9.,/-])\d{2}\.\d{3}-\d{3}(?![A-Za-z0-9-])", re.ASCII), SHAPED),
        Pattern(
            re.compile(
                rf"(?<![A-Za-z]){_ADDRESS}(?![A-Za-z])[^\n\uffff]{{0,80}}?(?<![A-Za-z0-9.,/-])(?P<value>\d{{5}}-\d{{3}})(?![A-Za-z0-9-])",
                re.IGNORECASE | re.ASCII,
            ),
            SHAPED,
        ),
        Pattern(re.compile(rf"[-/, ](?:{_UF})[,. -]{{1,3}}(?P<value>\d{{5}}-\d{{3}})(?![A-Za-z0-9-])", re.ASCII), SHAPED),
    ),
)
