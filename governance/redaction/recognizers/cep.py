"""Brazilian postcodes (CEP): behind the word, in the form `00.000-000`, or in the form `00000-000` beside an address."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import BR_CEP
from governance.redaction.findings import EntityType, Finding
from governance.redaction.named import NamedPattern, is_others
from governance.redaction.reading import read
from governance.redaction.recognizers.base import SHAPED, has_word_before

if TYPE_CHECKING:
    from collections.abc import Iterator

_LABELLED: Final = re.compile(r"(?<![0-9])(?<![0-9][.,/-])[0-9]{2}[. ]?[0-9]{3}\s?[-. ]?\s?[0-9]{3}(?![0-9])(?![.,/-][0-9])")
_FORM: Final = re.compile(
    r"(?<![A-Za-z0-9])(?<![A-Za-z0-9.,/][.,/-])(?:[0-9]{2}\.[0-9]{3}|[0-9]{5})-[0-9]{3}(?![A-Za-z0-9])(?!-[A-Za-z0-9])"
)
_ADDRESS: Final = re.compile(
    r"(?<![A-Za-zÀ-ÿ])(?:rua|r\.|av\.?|avenida|alameda|travessa|rodovia|estrada|pra[cç]a|largo|ladeira|quadra|conjunto|condom[ií]nio|bairro|"
    r"jardim|vila|apto?\.?|bloco|endere[cç]os?|address|moro|mora|moramos|reside|resid[eê]ncia|entrega(?:r)?|lives? (?:at|in|on)|street|"
    r"deliver(?:y)?)(?![A-Za-zÀ-ÿ])",
    re.IGNORECASE,
)
_STATE_BEFORE: Final = re.compile(
    r"[-/,( ](?:AC|AL|AP|AM|BA|CE|DF|ES|GO|MA|MT|MS|MG|PA|PB|PR|PE|PI|RJ|RN|RS|RO|RR|SC|SP|SE|TO|Brasil|Brazil)\)?[\s,.-]{1,4}\Z"
)
_WINDOW: Final = 100


class CepInAddress:
    """The form says enough with its dot; without it, a word of an address or the short name of a state must stand before it."""

    name = "br_cep_form"
    entities: tuple[EntityType, ...] = (BR_CEP,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        for match in _FORM.finditer(text):
            start, end = match.span()
            if is_others(reading, start, end):
                continue
            if "." in match[0] or _STATE_BEFORE.search(text, max(0, start - 12), start) or has_word_before(text, start, _ADDRESS, _WINDOW):
                yield Finding(BR_CEP, start, end, SHAPED)


RECOGNIZER: Final = NamedPattern("br_cep", BR_CEP, frozenset({"cep"}), _LABELLED)
IN_ADDRESS: Final = CepInAddress()
