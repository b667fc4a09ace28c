"""Brazilian CPF and CNPJ (old and alphanumeric): tarja's patterns and check digits, and anything of that form behind its name."""

from __future__ import annotations

import re
from typing import Final

from tarja_presidio import TarjaRecognizer

from governance.redaction.entities import BR_CNPJ, BR_CPF
from governance.redaction.recognizers.base import END, LABELLED, START, Pattern, PatternRecognizer
from governance.redaction.recognizers.presidio import adopt


def _glued(before: str) -> bool:
    """Tell whether the value is the tail of a longer number or code, such as a UUID."""
    return re.search(r"[A-Za-z0-9][-_./]$", before) is not None


CPF: Final = adopt(
    TarjaRecognizer("BR_CPF"),
    BR_CPF,
    words="cpfs?|cadastro de pessoas? f[ií]sicas?|contribuinte",
    accept=lambda _, before: not _glued(before),
)
CNPJ: Final = adopt(
    TarjaRecognizer("BR_CNPJ"),
    BR_CNPJ,
    words="cnpjs?|pessoa jur[ií]dica|empresa",
    accept=lambda value, before: not _glued(before) and (any(char in value for char in "./- ") or _plausible_bare(value, before)),
)


def _plausible_bare(value: str, before: str) -> bool:
    """Fourteen letters and digits close the check digits once in a hundred: hashes and ids need the word, digits alone do not."""
    return value.isdigit() or re.search(r"cnpj[^\n]{0,20}$", before, re.IGNORECASE) is not None


# A typing error does not make a labelled number less personal.
LABELLED_CPF: Final = PatternRecognizer(
    "cpf_labelled",
    BR_CPF,
    (
        Pattern(
            re.compile(START + r"cpf[^\d\n\uffff]{0,20}(?P<value>\d{3}[ .]?\d{3}[ .]?\d{3}[ ./-]?\d{2})" + END, re.ASCII | re.IGNORECASE),
            LABELLED,
            needs=("cpf",),
        ),
    ),
)
LABELLED_CNPJ: Final = PatternRecognizer(
    "cnpj_labelled",
    BR_CNPJ,
    (
        Pattern(
            re.compile(
                START + r"cnpj[^\d\n\uffff]{0,20}(?P<value>[0-9A-Z]{2}[ .]?[0-9A-Z]{3}[ .]?[0-9A-Z]{3}[ /]?[0-9A-Z]{4}[ -]?\d{2})" + END,
                re.ASCII | re.IGNORECASE,
            ),
            LABELLED,
            needs=("cnpj",),
            check=lambda value: sum(char.isdigit() for char in value) >= 6,
        ),
    ),
)
