"""Portuguese time expressions, as written in Brazil and Portugal, with or without accents.

"próxima sexta" and "sexta que vem" are the first Friday after the day of the text; "nesta sexta" is the Friday of the same week.
"fim de semana que vem" is the first one that begins after the day of the text. A bare "na sexta" looks both ways.
"de manhã" is not "amanhã", also where the accents are missing.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from memdb.text.time_directed import (
    bare_month,
    day_of_month,
    days_of,
    fixed_day,
    months_of,
    named_day,
    nth_of_month,
    week_of,
    weekday,
    weekdays_of,
    weekend,
)
from memdb.text.time_resolvers import (
    Directed,
    Names,
    Rule,
    any_of,
    day_first,
    directed,
    full_date,
    month_of_relative_year,
    month_of_year,
    named_month,
    nearest_weekday,
    neighbour,
    next_weekend,
    nth_of_relative_month,
    offset_days,
    rule,
    units,
    weekday_of_week,
    weekend_of_week,
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
_PART = r"(?: (?:cedo|de manha|pela manha|a tarde|a noite|de tarde|de noite))?"
_UNIT = r"(?P<unit>semana|mes|ano)"

_FROM_DAY = r"(?<!\d[:.])(?P<from_day>\d{1,2})[oº°]?"
_FROM_MONTH = rf"(?P<from_month>{any_of(NAMES.months)})\.?"
_TO = r"(?: (?:a|ao|ate|ate o|ate a)(?: dia)? | ?[-–—] ?)"
_WEEKEND = r"(?:fim de semana|final de semana|fds)"
_ENDS = r"(?=$|[,.;:!?)]| (?:as|a|das|de (?:manha|tarde|noite)|ate|e|com|pra|para|por|porque|mas)\b| ?[-–—\d])"
"""What may follow a day that is named alone: "sexta" at an end is the day, in "sexta edição" a number."""
_BEFORE = (
    "(?:"
    + "|".join(
        f"(?<={word} )"
        for word in ("na", "no", "ate", "desde", "a partir de", "ate a", "ate o", "pra", "para", "pro", "hoje a", "amanha a")
    )
    + ")"
)
_ONCE = "(?<!toda )(?<!todo )(?<!cada )(?<!todas as )(?<!todos os )(?<!em )"
_NOT_A_THING = r"(?<!\ba )(?<!\bo )(?<!\bda )(?<!\buma )(?<!\bnossa )(?<!\bminha )"
"""Behind these words "quinta" is a farm, and "terça" a fraction."""
_NUMBERED = r"(?!-| (?:vez|feira|parte|serie|edicao|rodada|divisao|via|prova|fase|etapa|turma|tentativa)\b)"
_PART_OF = r"(?:meados|fim|final|inicio|comeco|metade)"
_ORDINALS: Final = MappingProxyType(
    {f"{word}{ending}": n for n, word in enumerate(("primeir", "segund", "terceir", "quart", "quint"), 1) for ending in "ao"}
    | {"ultima": -1, "ultimo": -1}
)
_NTH = rf"(?P<nth>{any_of(_ORDINALS)}) {_WEEKDAY}{_PART} "
_FEASTS = (
    (r"vespera d[eo] natal|noite de natal", 12, 24),
    (r"(?:(?<=no )|(?<=ate o )|(?<=dia de ))natal", 12, 25),
    (r"vespera d[eo] ano[- ]novo|reveillon|virada do ano", 12, 31),
    (r"dia de ano[- ]novo", 1, 1),
)


def _ranges(first: str, last: str, resolve: Directed, *, plain: bool = False) -> tuple[Rule, Rule]:
    return (
        directed(rf"(?:d[eoa] )?(?:dia )?{first}{_TO}{last}", resolve, plain=plain),
        directed(rf"entre (?:[oa]s? )?(?:dias? )?{first} e (?:[oa] )?(?:dia )?{last}", resolve, plain=plain),
    )


RULES: Final = (
    rule(rf"{_DAY} de {_MONTH}(?: de|,)? {_YEAR}", full_date(NAMES), relative=False),
    rule(rf"{_MONTH}(?: de |/| ){_YEAR}", month_of_year(NAMES), relative=False),
    rule(rf"(?P<first>\d{{1,2}})[/.](?P<second>\d{{1,2}})[/.]{_YEAR}", day_first, relative=False),
    directed(rf"{_DAY} de {_MONTH_NAME}", named_day(NAMES)),
    directed(r"(?:dia|em|de|ate|desde|no) (?P<said>(?P<day>\d{1,2})/(?P<month>\d\d))(?!/)", named_day(NAMES), plain=True),
    *_ranges(rf"{_FROM_DAY}(?: de {_FROM_MONTH})?", rf"{_DAY} de {_MONTH}(?:(?: de|,)? {_YEAR})?", days_of(NAMES)),
    *_ranges(r"(?P<from_day>\d{1,2})(?:/(?P<from_month>\d\d))?", rf"(?P<day>\d{{1,2}})/(?P<month>\d\d)(?:/{_YEAR})?", days_of(NAMES)),
    directed(rf"(?:d[eo] )?dia {_FROM_DAY} (?:a|ao|ate|ate o) (?:dia )?{_DAY}(?! de |[/:h])", days_of(NAMES)),
    *_ranges(rf"(?P<from_month>{'|'.join(_MONTHS)})", rf"{_MONTH_NAME}(?: de {_YEAR})?", months_of(NAMES), plain=True),
    *_ranges(rf"(?P<from_weekday>{any_of(NAMES.weekdays)})(?:[- ]feira)?", rf"{_WEEKDAY}{_NUMBERED}", weekdays_of(NAMES), plain=True),
    directed(rf"semana d[eo] (?:dia )?{_DAY} de {_MONTH}(?: de {_YEAR})?", week_of(NAMES)),
    directed(rf"{_NTH}(?:de {_MONTH_NAME}(?: de {_YEAR})?|d(?:o|este) mes)", nth_of_month(NAMES, _ORDINALS)),
    rule(rf"{_NTH}do (?:mes que vem|proximo mes)", nth_of_relative_month(NAMES, _ORDINALS, 1), relative=True),
    rule(rf"{_NTH}do mes passado", nth_of_relative_month(NAMES, _ORDINALS, -1), relative=True),
    rule(rf"{_PART_OF} d(?:[oa]|est[ea]) (?P<said>{_UNIT})", neighbour(NAMES, 0), relative=True),
    directed(
        rf"(?:em|ate|desde|a partir de|{_PART_OF} de) (?P<said>{_MONTH_NAME})(?! (?:de )?(?:\d|passado|que vem))",
        bare_month(NAMES),
        plain=True,
    ),
    directed(rf"(?<!todo )(?<!cada )(?P<said>(?:o )?dia {_DAY}){_ENDS}", day_of_month, plain=True),
    directed(rf"{_ONCE}{_BEFORE}{_WEEKDAY}{_PART}{_NUMBERED}", weekday(NAMES), plain=True),
    directed(rf"{_ONCE}{_NOT_A_THING}{_WEEKDAY}{_PART}{_ENDS}", weekday(NAMES), plain=True),
    *(directed(rf"(?:{words}){_ENDS}", fixed_day(month, day), plain=True) for words, month, day in _FEASTS),
    rule(rf"n?est[ea] {_WEEKEND}", weekend_of_week(0), relative=True),
    rule(rf"(?:{_WEEKEND} passado|ultimo {_WEEKEND})", weekend_of_week(-1), relative=True),
    rule(rf"(?:{_WEEKEND} que vem|proximo {_WEEKEND})", next_weekend, relative=True),
    directed(rf"no (?P<said>{_WEEKEND}){_ENDS}", weekend, plain=True),
    rule(rf"(?:em|desde|durante|ate|antes de|depois de) {_YEAR}", year, relative=False),
    rule(r"(?:anteontem|antes de ontem)", offset_days(-2), relative=True),
    rule(rf"ontem{_PART}", offset_days(-1), relative=True),
    rule(rf"(?:hoje{_PART}|esta (?:manha|tarde|noite))", offset_days(0), relative=True),
    rule(rf"amanha{_PART}", offset_days(1), relative=True),
    rule(r"depois de amanha", offset_days(2), relative=True),
    rule(rf"ha {_COUNT}(?: atras)?", units(NAMES, -1), relative=True),
    rule(rf"faz {_COUNT}(?= que )", units(NAMES, -1), relative=True),
    rule(rf"{_COUNT} atras", units(NAMES, -1), relative=True),
    rule(rf"(?:daqui a|daqui|dentro de|em) {_COUNT}", units(NAMES, 1), relative=True),
    rule(rf"{_UNIT} passad[ao]", neighbour(NAMES, -1), relative=True),
    rule(rf"ultim[ao] {_UNIT}", neighbour(NAMES, -1), relative=True),
    rule(rf"n?est[ea] {_UNIT}", neighbour(NAMES, 0), relative=True),
    rule(rf"{_UNIT} que vem", neighbour(NAMES, 1), relative=True),
    rule(rf"proxim[ao] {_UNIT}", neighbour(NAMES, 1), relative=True),
    rule(rf"{_WEEKDAY} da semana passada", weekday_of_week(NAMES, -1), relative=True),
    rule(rf"{_WEEKDAY} da (?:semana que vem|proxima semana)", weekday_of_week(NAMES, 1), relative=True),
    rule(rf"{_WEEKDAY} passad[ao]", nearest_weekday(NAMES, -1), relative=True),
    rule(rf"ultim[ao] {_WEEKDAY}", nearest_weekday(NAMES, -1), relative=True),
    rule(rf"nest[ea] {_WEEKDAY}", weekday_of_week(NAMES, 0), relative=True),
    rule(rf"{_WEEKDAY} que vem", nearest_weekday(NAMES, 1), relative=True),
    rule(rf"proxim[ao] {_WEEKDAY}", nearest_weekday(NAMES, 1), relative=True),
    rule(rf"{_MONTH_NAME} passado", named_month(NAMES, -1), relative=True),
    rule(rf"{_MONTH_NAME} que vem", named_month(NAMES, 1), relative=True),
    rule(rf"proximo {_MONTH_NAME}", named_month(NAMES, 1), relative=True),
    rule(rf"{_MONTH_NAME} do ano passado", month_of_relative_year(NAMES, -1), relative=True),
    rule(rf"{_MONTH_NAME} do ano que vem", month_of_relative_year(NAMES, 1), relative=True),
)
