"""What is told for and against one thing. The one place that knows how rules tell a denial, so that the two meet, whichever comes first.
Pure.

Rules tell in three ways that somebody does not have a value: beside the attribute ("is not allergic to kiwi": `allergy/not`, kiwi), in the
value ("does not eat meat": `diet`, no meat), and by an attribute of its own ("does not like jazz": `dislikes`, jazz).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from memdb.models.submission import Excluded
from memdb.text.normalise import fold

_NOT: Final = "/not"
"""How the attribute ends of a statement that somebody does not have a value of it."""
_WITHOUT: Final = ("no {}", "sem {}")
"""How a value is written that says of another one that somebody does without it: `Rule.valued` has one of these."""
_IS_WITHOUT: Final = re.compile(r"(?:no|sem) (?P<value>.+)", re.IGNORECASE | re.DOTALL)
_OPPOSITE: Final[Mapping[str, str]] = {"likes": "dislikes", "dislikes": "likes"}


def denial_of(attribute: str) -> str:
    """The attribute under which it is told that somebody does not have a value: beside the values, so that either ends the other and never
    itself.
    """
    return attribute + _NOT


def excluded_by(attribute: str, value: str | None) -> tuple[Excluded, ...]:
    """What cannot hold of the same subjects where they have this value of the attribute; with None, whatever value it has.

    >>> excluded_by("allergy/not", "kiwi")
    (Excluded(attribute='allergy'),)
    >>> [(one.attribute, one.value) for one in excluded_by("allergy", "kiwi")]
    [('allergy/not', 'kiwi'), ('allergy', 'no kiwi'), ('allergy', 'sem kiwi'), ('allergy/not', 'allergy')]
    """
    if attribute.endswith(_NOT):
        denied = attribute.removesuffix(_NOT)
        return (Excluded(denied, None if value is None or _names(denied, value) else value),)
    front, slash, last = attribute.rpartition("/")
    if last in _OPPOSITE:
        return () if value is None else (Excluded(f"{front}{slash}{_OPPOSITE[last]}", value),)
    if value is None:
        return (Excluded(denial_of(attribute)),)
    without = _IS_WITHOUT.fullmatch(value)
    if without is not None:
        return (Excluded(attribute, without["value"]), Excluded(denial_of(attribute), value))
    told = (Excluded(attribute, form.format(value)) for form in _WITHOUT)
    # Who has no car has no Tesla either.
    return (Excluded(denial_of(attribute), value), *told, Excluded(denial_of(attribute), last))


def excludes(one: tuple[str, str | None], other: tuple[str, str | None]) -> bool:
    """True when two (attribute, value) cannot hold together."""
    return any(
        known.attribute == other[0] and (known.value is None or other[1] is None or fold(known.value) == fold(other[1]))
        for known in excluded_by(*one)
    )


def _names(attribute: str, value: str) -> bool:
    """True when the value is what the attribute is called, so that none of it is meant: no car, no kids."""
    return fold(value).replace(" ", "-") == attribute.rpartition("/")[2]
