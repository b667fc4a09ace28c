# ruff: noqa: E501 - a pattern broken over lines hides its alternatives
"""Phone numbers: valid ones by their form, and what a word for a phone announces, in any country's way of writing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction import phone_numbers
from governance.redaction.entities import PHONE_NUMBER
from governance.redaction.findings import EntityType, Finding
from governance.redaction.named import is_price
from governance.redaction.nearby import LOOK_BACK, Named, named_before, named_behind
from governance.redaction.reading import Reading, read
from governance.redaction.recognizers.base import LABELLED, SHAPED, digits_of
from governance.redaction.vocabulary import NUMBER, OTHER

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Group = tuple[int, int]
    Span = tuple[int, int, int]  # index of the last group, start, end

RUN_DIGITS_MIN: Final = 7
GROUPS_MAX: Final = 8  # as in `+33 (0)1 42 68 53 00`
AREA_DIGITS_MAX: Final = 3
SINGLES_MAX: Final = 2  # a row of single digits is a list
LOCAL_DIGITS_MIN: Final = 8
HINTED_DIGITS_MIN: Final = 9
ANNOUNCING: Final = frozenset({"phone", "call"})

_GROUP: Final = re.compile(r"[0-9]{1,15}(?![0-9])")
_SEPARATOR: Final = re.compile(r"[ \t]?[\n().-]{0,2}[ \t]?[(]?")
_DIGITS: Final = re.compile(r"[0-9]+")
_PLUS: Final = re.compile(r"\(?\+[ \t]?\(?\Z")
_EXTENSION: Final = re.compile(r"[ ,]{0,2}(?:x|ext\.?|extension|ramal)[ .:]{0,2}[0-9]{1,6}(?![0-9A-Za-z])", re.IGNORECASE)
_GLUED_BEFORE: Final = re.compile(r"(?:[A-Za-z0-9]|[A-Za-z0-9][-./#=:@_])\Z")
_GLUED_BEHIND: Final = re.compile(r"[A-Za-z0-9]|[-_/:][A-Za-z0-9]|[.,][0-9]")
_BARE_MOBILE: Final = re.compile(r"(?:55)?[1-9][1-9]9[0-9]{8}")
_THOUSANDS: Final = re.compile(r"[0-9]{1,3}(?: [0-9]{3}){2,}")
_TELLING: Final = re.compile(r"\([0-9]{2,3}\)|9[0-9]{4}-[0-9]{4}\Z")
_LOCAL: Final = re.compile(r"(?:9[ .-]?)?[0-9]{4}[ .-][0-9]{4}|[2-9][0-9]{2}[ .-][0-9]{4}|9[0-9]{8}")
_LOCAL_WRITTEN: Final = re.compile(r"(?:9[ .-]?[0-9]{4}|[2-5][0-9]{3})-[0-9]{4}")
_NOT_A_PHONE: Final = re.compile(
    r"""
    [0-9]+\.[0-9]+[ ]?\([0-9.]+\)?                                         # a value and its error
    | [0-9]{1,3}\.[0-9]{5,}(?:[ ,-]{1,2}[0-9]{1,3}\.[0-9]{5,})?             # decimals, coordinates
    | [0-9]{4}-[0-9]{2}-[0-9]{2}.* | (?:19|20)[0-9]{2}([. ])[0-9]{2}\1[0-9]{2}.* | [0-9]{1,2}([-. ])[0-9]{1,2}\2(?:19|20)[0-9]{2}.*  # dates
    | [0-9]{1,3}(?:\.[0-9]{3}){2,}                                          # thousands with points
    | (?:[0-9]{1,3}\.){3}[0-9]{1,3}                                         # IP addresses, versions
    | [0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2} | [0-9]{2}\.[0-9]{3}\.[0-9]{3}-[0-9] | [0-9]{5}-[0-9]{3}  # the forms of CPF, RG and CEP
    | 97[89][- ].*                                                          # ISBN
    | [34]00[0-9][- ][0-9]{4}                                               # Brazilian hotlines belong to nobody
    | (?:19|20)[0-9]{2}[ ]?-?[ ]?(?:19|20)[0-9]{2}                          # spans of years
    """,
    re.DOTALL | re.VERBOSE,
)
# Brazilian numbers without area code (ANATEL, resolution 749): 0800 free, 0300, 0500 and 0900 at the caller's cost; six digits are old ones.
_NON_GEOGRAPHIC: Final = re.compile(
    r"\(?0[3589]00\)?[ .-]{0,2}(?:[0-9]{3}[ .-]?[0-9]{4}|[0-9]{3}[ .-]?[0-9]{2}[ .-]?[0-9]{2}|[0-9]{2}[ .-]?[0-9]{4})"
)
_OF_A_SERVICE: Final = re.compile(
    r"(?<![A-Za-zÀ-ÿ])(?:sac|ouvidoria|procon|central(?: de atendimento| de relacionamento)?|atendimento|customer (?:service|care|support)|suporte)(?![A-Za-zÀ-ÿ])",
    re.IGNORECASE,
)
_SERVICE_WINDOW: Final = 40


class PhoneRecognizer:
    """Valid numbers first, longest at each place; then, in what is left, numbers that a word announces."""

    name = "phone"
    entities: tuple[EntityType, ...] = (PHONE_NUMBER,)

    def find(self, text: str) -> Iterator[Finding]:
        reading = read(text)
        for run in _runs(text):
            if sum(end - start for start, end in run) < RUN_DIGITS_MIN:
                continue
            free = 0
            for first in range(len(run)):
                spans = list(_spans(text, run, first)) if first >= free else []
                if spans:
                    before = named_before(reading, spans[0][1])
                    found = _non_geographic(reading, spans, before) or _valid(reading, spans, before) or _announced(reading, spans, before)
                    if found is not None:
                        last, finding = found
                        free = last + 1
                        yield finding


def _runs(text: str) -> Iterator[list[Group]]:
    run: list[Group] = []
    for match in _GROUP.finditer(text):
        if run and not _SEPARATOR.fullmatch(text, run[-1][1], match.start()):
            yield run
            run = []
        run.append(match.span())
    if run:
        yield run


def _spans(text: str, run: Sequence[Group], first: int) -> Iterator[Span]:
    """Yield the windows from group `first`, longest first, those without a line break before those with one."""
    start = run[first][0]
    plus = _PLUS.search(text, max(0, start - 4), start)
    if plus is not None:
        start = plus.start()
    elif start > 0 and text[start - 1] == "(":
        start -= 1
    broken = []
    digits = [end - begin for begin, end in run[first : first + GROUPS_MAX]]
    for size in range(len(digits), 0, -1):
        if RUN_DIGITS_MIN <= sum(digits[:size]) <= phone_numbers.DIGITS_MAX and digits[:size].count(1) <= SINGLES_MAX:
            end = run[first + size - 1][1]
            value = text[start:end]
            # A parenthesis that closes behind the number is the sentence's.
            inner = value[0] == "(" and value.count("(") > value.count(")")
            span = first + size - 1, start + inner, end
            if "\n" in value:
                broken.append(span)
            else:
                yield span
    yield from broken


def _valid(text: Reading, spans: Sequence[Span], before: Named | None) -> tuple[int, Finding] | None:
    for last, start, end in spans:
        value = text[start:end]
        if _NOT_A_PHONE.fullmatch(value) or _is_non_geographic(value) or phone_numbers.parse(value) is None:
            continue
        named = before or named_behind(text, end)
        plus = "+" in value
        announced = named is not None and named.kind in ANNOUNCING
        if ("\n" in value and not (plus or _goes_on_below(value, announced=announced))) or is_price(text, start):
            continue
        if not plus and (_is_glued(text, start, end, named) or not (announced or _tells(value, named))):
            continue
        return last, _finding(text, start, end, LABELLED if plus or announced else SHAPED)
    return None


def _non_geographic(text: Reading, spans: Sequence[Span], before: Named | None) -> tuple[int, Finding] | None:
    """The published line of a company's customer service is nobody's; whoever else gives such a number wants to be called there."""
    for last, start, end in spans:
        value = text[start:end]
        if not _NON_GEOGRAPHIC.fullmatch(value) or _OF_A_SERVICE.search(text, max(0, start - _SERVICE_WINDOW), start):
            continue
        named = before or named_behind(text, end)
        announced = named is not None and named.kind in ANNOUNCING
        if announced or (not value.isdigit() and (named is None or named.kind != OTHER)):
            return None if _is_glued(text, start, end, named) else (last, _finding(text, start, end, LABELLED if announced else SHAPED))
    return None


def _is_non_geographic(value: str) -> bool:
    return _NON_GEOGRAPHIC.fullmatch(value) is not None


def _goes_on_below(value: str, *, announced: bool) -> bool:
    """Tell whether a number that a line end splits is one: what stands on the line above may be another."""
    lengths = [len(group) for group in _DIGITS.findall(value)]
    return "(" in value or (announced and lengths[0] <= AREA_DIGITS_MAX and _grouped_like_a_phone(lengths))


def _tells(value: str, named: Named | None) -> bool:
    """Tell whether a valid number says by its form that it is one."""
    if (value.isdigit() or _THOUSANDS.fullmatch(value)) and not _BARE_MOBILE.fullmatch(digits_of(value)):
        return False
    if not value.isdigit() and not value.startswith("00") and not _grouped_like_a_phone([len(group) for group in _DIGITS.findall(value)]):
        return False
    return named is None or named.kind != OTHER or _TELLING.search(value) is not None


def _grouped_like_a_phone(lengths: list[int]) -> bool:
    """Brazil writes 4 or 5 and 4 digits behind the area code, North America 3 and 4; both in one group, or 9 in threes."""
    return (lengths[-1] == 4 and lengths[-2] in {3, 4, 5}) or lengths[-1] in {7, 8, 9} or lengths[-3:] == [3, 3, 3]


def _announced(text: Reading, spans: Sequence[Span], before: Named | None) -> tuple[int, Finding] | None:
    begin = spans[0][1]
    region = phone_numbers.named_region(text.folded[max(0, begin - LOOK_BACK) : begin])
    for last, start, end in spans:
        value = text[start:end]
        named = before or named_behind(text, end)
        if region is None and (named is None or named.kind not in ANNOUNCING | {NUMBER}):
            continue
        if (
            "\n" in value
            or _NOT_A_PHONE.fullmatch(value)
            or _is_non_geographic(value)
            or is_price(text, start)
            or _is_glued(text, start, end, named)
        ):
            continue
        if _is_announced(value, named, region):
            return last, _finding(text, start, end, LABELLED)
    return None


def _is_announced(value: str, named: Named | None, region: str | None) -> bool:
    count = len(digits_of(value))
    # A country and no word for a phone is a weaker hint: the number must be long.
    if region is not None and count >= HINTED_DIGITS_MIN - (named is not None) and phone_numbers.parse_in(value, region) is not None:
        return named is None or named.kind != OTHER
    if named is None or named.kind not in ANNOUNCING:
        return named is not None and named.kind == NUMBER and _LOCAL_WRITTEN.fullmatch(value) is not None
    if _LOCAL.fullmatch(value):
        return True
    return count >= LOCAL_DIGITS_MIN and (named.kind == "phone" or not value.isdigit() or count >= HINTED_DIGITS_MIN)


def _is_glued(text: Reading, start: int, end: int, named: Named | None) -> bool:
    """Tell whether letters, digits or a sign tie the number to something else, unless that is the word that names it."""
    if _GLUED_BEHIND.match(text, end) and not _EXTENSION.match(text, end):
        behind = named_behind(text, end)
        if behind is None or behind.kind not in ANNOUNCING:
            return True
    if _GLUED_BEFORE.search(text, max(0, start - 2), start) is None:
        return False
    return named is None or named.kind not in ANNOUNCING or any(char.isalnum() for char in named.gap)


def _finding(text: str, start: int, end: int, score: float) -> Finding:
    extension = _EXTENSION.match(text, end)
    return Finding(PHONE_NUMBER, start, end if extension is None else extension.end(), score)


RECOGNIZER: Final = PhoneRecognizer()
