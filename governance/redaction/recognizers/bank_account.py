"""Bank branches (agência) and accounts: short numbers, so only behind their word and where nothing says that it is something else."""

from __future__ import annotations

import re
from typing import Final

from governance.redaction.entities import BR_BANK_ACCOUNT, BR_BANK_AGENCY
from governance.redaction.named import NamedPattern
from governance.redaction.nearby import Named

_EDGE: Final = r"(?<![0-9])(?<![0-9][.,/:-])"
_END: Final = r"(?![0-9A-Za-z])(?![.,/:-][0-9])"
_AGENCY: Final = re.compile(_EDGE + r"[0-9]{3,5}(?: ?- ?[0-9Xx])?" + _END)
_ACCOUNT: Final = re.compile(_EDGE + r"(?:[0-9]{1,3}(?:\.[0-9]{3}){1,3}|[0-9]{3,17})(?:\s?[-/]\s?[0-9Xx])?" + _END)
_YEAR: Final = re.compile(r"(?:19|20)[0-9]{2}\Z")
# What may stand between the word and a number that nothing else marks: "conta corrente do Itaú nº 12345".
_LINK: Final = re.compile(
    r"[^a-z0-9]{0,4}(?:(?:no|n|nr|num|numero|number|is|was|eh|e|era|foi|da|do|dele|dela|minha|sua)[^a-z0-9]{1,4}){0,3}"
)
_BANKING: Final = re.compile(r"conta|c/c|\bcc\b|banco|\bbank|\bpix\b|deposit|transf|account|poupan", re.IGNORECASE)
_AMOUNT: Final = re.compile(
    r"\s?(?:reais|real|d[oó]lares|dollars|euros|mil\b|milh|%|usd|brl|pessoas|people|dias|days|vezes|times)", re.IGNORECASE
)
_AMOUNT_VERB: Final = re.compile(
    r"\b(?:deu|custou|veio|ficou|paguei|pagou|tem|tinha|has|had|came to|was charged|saldo|balance|r\$)(?![a-z])"
)
# "agência 1234 de viagens", "conta 56789-0 de luz": what it is an agency or an account of stands behind the number.
_OTHER_AGENCY: Final = re.compile(
    r"\s{1,2}(?:de|da|dos?) (?:viage|turis|public|propag|not[ií]ci|model|empreg|marketing|intelig|correi|inss|previd|detetiv|espac|regula|"
    r"nacional|imobili|casament|encontro|comunica|design|trabalho|talento|fomento|[aá]guas|energia|sa[uú]de|eventos|c[aâ]mbio|transport)",
    re.IGNORECASE,
)
_OTHER_ACCOUNT: Final = re.compile(
    r"\s{1,2}(?:de|da|do) (?:luz|[aá]gua|g[aá]s|energia|telefon|internet|celular|condom|consumo|esgoto|tv|e-?mail|saneam|streaming|"
    r"enel|sabesp|cemig|copel|light|cpfl|celesc|comg[aá]s|vivo|claro|tim|oi|copasa|caesb|cedae|equatorial|neoenergia|coelba|energisa|"
    r"netflix|spotify|restaurante|bar|hotel)(?![a-z]{0,2}[A-Z])",
    re.IGNORECASE,
)
AROUND: Final = 60
DIGITS_ALONE_MIN: Final = 5


def _is_agency(text: str, start: int, end: int, named: Named) -> bool:
    if _AMOUNT.match(text, end) or _OTHER_AGENCY.match(text, end):
        return False
    # "agência 2024 do governo", "agência do Itaú no centro é 1234": the rest must speak of a bank.
    return (_LINK.fullmatch(named.gap) is not None and not _YEAR.match(text, start, end)) or _BANKING.search(
        text, max(0, start - AROUND), end + AROUND
    ) is not None


def _is_account(text: str, start: int, end: int, named: Named) -> bool:
    value = text[start:end]
    checked = "-" in value or "/" in value
    if _AMOUNT.match(text, end) or _OTHER_ACCOUNT.match(text, end) or _AMOUNT_VERB.search(named.gap):
        return False
    if named.kind == "agency":
        # "Ag. 1234 / 56789-0": the second number behind the word is the account.
        return checked and any(char.isdigit() for char in named.gap)
    if checked:
        return sum(char.isdigit() for char in value) >= DIGITS_ALONE_MIN - 1
    return len(value) >= DIGITS_ALONE_MIN and "." not in value and _LINK.fullmatch(named.gap) is not None


AGENCY: Final = NamedPattern("br_bank_agency", BR_BANK_AGENCY, frozenset({"agency"}), _AGENCY, _is_agency)
ACCOUNT: Final = NamedPattern("br_bank_account", BR_BANK_ACCOUNT, frozenset({"account", "cc", "agency"}), _ACCOUNT, _is_account)
