"""Portuguese time expressions, as written in Brazil and Portugal, with or without accents.

"próxima sexta" and "sexta que vem" are the first Friday after the day of the text; "nesta sexta" is the Friday of the same week.
"de manhã" is not "amanhã", also where the accents are missing.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from memdb.text.time_resolvers import (
    Names,
    any_of,
    day_first,
    full_date,
    month_of_relative_year,
    month_of_year,
    named_month,
    nearest_weekday,
    neighbour,
    offset_days,
    rule,
    units,
    unknown,
    weekday_of_week,
    year,
)

_MONTHS = ("janeiro", "fevereiro", "marco", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro")
_WEEKDAYS = ("segunda", "terca", "quarta", "quinta", "sexta", "sabado", "domingo")
_NUMBERS = ("um", "dois", "tres", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze")

NAMES: Final = Names(
    months=MappingProxyType({**{name[:3]: n for n, name in enumerate(_MONTHS, 1)}, **{name: n for n, name in enumerate(_MONTHS, 1)}}),
    weekdays=MappingProxyType({name: n for n, name in enumerate(_WEEKDAYS)}),
    numbers=MappingProxyType(
        {**{word: n for n, word in enumerate(_NUMBERS, 1)}, "uma": 1, "duas": 2, "quinze": 15, "vinte": 20, "trinta": 30}
    ),
    units=MappingProxyType(
        {
            "minuto": "minute",
            "minutos": "minute",
            "hora": "hour",
            "horas": "hour",
            "dia": "day",
            "dias": "day",
            "semana": "week",
            "semanas": "week",
            "mes": "month",
            "meses": "month",
            "ano": "year",
            "anos": "year",
        }
    ),
)

_MONTH = rf"(?P<month>{any_of(NAMES.months)})\.?"
_MONTH_NAME = rf"(?P<month>{'|'.join(_MONTHS)})"
_WEEKDAY = rf"(?P<weekday>{any_of(NAMES.weekdays)})(?:[- ]feira)?"
_DAY = r"(?P<day>\d{1,2})[oº°]?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_COUNT = rf"(?P<number>\d{{1,3}}|{any_of(NAMES.numbers)}) (?P<unit>{any_of(NAMES.units)})"
_PART = r"(?: (?:cedo|de manha|pela manha|a tarde|a noite))?"
_CLOCK = r"(?:,? as? (?P<hour>\d{1,2})(?:[:h](?P<minute>\d\d)|h| horas?))?"
_UNIT = r"(?P<unit>semana|mes|ano)"

RULES: Final = (
    rule(rf"{_DAY} de {_MONTH}(?: de|,)? {_YEAR}{_CLOCK}", full_date(NAMES), relative=False),
    rule(rf"{_MONTH}(?: de |/| ){_YEAR}", month_of_year(NAMES), relative=False),
    rule(rf"(?P<first>\d{{1,2}})[/.](?P<second>\d{{1,2}})[/.]{_YEAR}{_CLOCK}", day_first, relative=False),
    rule(rf"{_DAY} de {_MONTH_NAME}", unknown, relative=False),
    rule(rf"(?:em|desde|durante|ate|antes de|depois de) {_YEAR}", year, relative=False),
    rule(rf"(?:anteontem|antes de ontem){_CLOCK}", offset_days(-2), relative=True),
    rule(rf"ontem{_PART}{_CLOCK}", offset_days(-1), relative=True),
    rule(rf"(?:hoje{_PART}|esta (?:manha|tarde|noite)){_CLOCK}", offset_days(0), relative=True),
    rule(rf"amanha{_PART}{_CLOCK}", offset_days(1), relative=True),
    rule(rf"depois de amanha{_CLOCK}", offset_days(2), relative=True),
    rule(rf"ha {_COUNT}(?: atras)?", units(NAMES, -1), relative=True),
    rule(rf"faz {_COUNT}(?= que )", units(NAMES, -1), relative=True),
    rule(rf"{_COUNT} atras", units(NAMES, -1), relative=True),
    rule(rf"(?:daqui a|daqui|dentro de|em) {_COUNT}", units(NAMES, 1), relative=True),
    rule(rf"{_UNIT} passad[ao]", neighbour(NAMES, -1), relative=True),
    rule(rf"ultim[ao] {_UNIT}", neighbour(NAMES, -1), relative=True),
    rule(rf"n?est[ea] {_UNIT}", neighbour(NAMES, 0), relative=True),
    rule(rf"{_UNIT} que vem", neighbour(NAMES, 1), relative=True),
    rule(rf"proxim[ao] {_UNIT}", neighbour(NAMES, 1), relative=True),
    rule(rf"{_WEEKDAY} da semana passada{_CLOCK}", weekday_of_week(NAMES, -1), relative=True),
    rule(rf"{_WEEKDAY} da (?:semana que vem|proxima semana){_CLOCK}", weekday_of_week(NAMES, 1), relative=True),
    rule(rf"{_WEEKDAY} passad[ao]{_CLOCK}", nearest_weekday(NAMES, -1), relative=True),
    rule(rf"ultim[ao] {_WEEKDAY}{_CLOCK}", nearest_weekday(NAMES, -1), relative=True),
    rule(rf"nest[ea] {_WEEKDAY}{_CLOCK}", weekday_of_week(NAMES, 0), relative=True),
    rule(rf"{_WEEKDAY} que vem{_CLOCK}", nearest_weekday(NAMES, 1), relative=True),
    rule(rf"proxim[ao] {_WEEKDAY}{_CLOCK}", nearest_weekday(NAMES, 1), relative=True),
    rule(rf"{_MONTH_NAME} passado", named_month(NAMES, -1), relative=True),
    rule(rf"{_MONTH_NAME} que vem", named_month(NAMES, 1), relative=True),
    rule(rf"proximo {_MONTH_NAME}", named_month(NAMES, 1), relative=True),
    rule(rf"{_MONTH_NAME} do ano passado", month_of_relative_year(NAMES, -1), relative=True),
    rule(rf"{_MONTH_NAME} do ano que vem", month_of_relative_year(NAMES, 1), relative=True),
)
