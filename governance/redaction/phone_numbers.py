# ruff: noqa: E501 - a line for each country is three screens
"""Which digits are a phone number, by `phonenumbers`: of Brazil, the United States, a country that is named, or any behind a plus."""

from __future__ import annotations

import re
from typing import Final

import phonenumbers

REGIONS: Final = ("BR", "US")
DIGITS_MAX: Final = 15  # ITU-T E.164

# A cheap look before the library: area code and subscriber of Brazil (with trunk zero and carrier) and of North America.
_NATIONAL: Final = re.compile(
    r"(?:55|0(?:[1-9][0-9])?)?[1-9][1-9](?:9[0-9]{8}|[2-5][0-9]{7})|1?[2-9][0-9]{2}[2-9][0-9]{6}|011[1-9][0-9]{8,12}"
)

_COUNTRIES: Final = {
    "AR": "argentina|buenos aires", "AT": "austria|austrian", "AU": "australia|australian|sydney|melbourne", "BE": "belgium|belgica|belgian", "CA": "canada|canadian|canadense",
    "CH": "switzerland|swiss|suica|suico", "CL": "chile|chilean", "CN": "china|chinese|chines", "CO": "colombia|colombian", "DE": "germany|german|alemanha|alemao|alema|berlin",
    "DK": "denmark|danish|dinamarca", "ES": "spain|spanish|espanha|espanhol|madrid", "FI": "finland|finnish|finlandia", "FR": "france|french|franca|frances|paris",
    "GB": "uk|united kingdom|british|england|inglaterra|reino unido|london|londres|scotland", "IE": "ireland|irish|irlanda", "IL": "israel|israeli",
    "IN": "india|indian|indiano|mumbai|delhi", "IT": "italy|italian|italia|italiano", "JP": "japan|japanese|japao|japones|tokyo", "KR": "korea|korean|coreia",
    "MX": "mexico|mexican|mexicano", "NL": "netherlands|dutch|holland|holanda|amsterdam", "NO": "norway|norwegian|noruega", "NZ": "new zealand|nova zelandia",
    "PL": "poland|polish|polonia", "PT": "portugal|lisboa|lisbon", "PY": "paraguay|paraguai", "SE": "sweden|swedish|suecia", "UY": "uruguay|uruguai",
    "ZA": "south africa|africa do sul",
}  # fmt: skip
_WORD: Final = re.compile(r"(?<![A-Za-z])(?:[A-Za-z]{2,13}(?![A-Za-z]))")
_REGION_OF: Final = {word: region for region, words in _COUNTRIES.items() for word in words.split("|")}


def parse(value: str) -> phonenumbers.PhoneNumber | None:
    """Return the number if it is valid behind a plus sign or `00`, or in one of the regions, first region first."""
    digits = "".join(char for char in value if "0" <= char <= "9")
    if value.lstrip("( ").startswith("+"):
        return _parse("+" + value.lstrip("( +"), None)
    for region in REGIONS if _NATIONAL.fullmatch(digits) else ():
        number = _parse(value, region)
        if number is not None:
            return number
    return _parse("+" + digits[2:], None) if digits.startswith("00") and len(digits) > 11 else None


def parse_in(value: str, region: str) -> phonenumbers.PhoneNumber | None:
    """Return the number if it is valid in that region."""
    return _parse(value, region)


def named_region(folded: str) -> str | None:
    """Return the region of the last country that a folded text names."""
    words = _WORD.findall(folded.lower())
    for index in range(len(words) - 1, -1, -1):
        for length in (1, 2, 3):
            region = _REGION_OF.get(" ".join(words[index : index + length]))
            if region is not None:
                return region
    return None


def _parse(value: str, region: str | None) -> phonenumbers.PhoneNumber | None:
    try:
        number = phonenumbers.parse(" ".join(value.split()), region)
    except phonenumbers.NumberParseException:
        return None
    return number if phonenumbers.is_valid_number(number) else None
