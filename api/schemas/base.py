"""What all bodies have in common: no unknown field, no guessing of types, times with a zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Generic, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, WithJsonSchema
from pydantic_core import PydanticCustomError

YEAR_MIN, YEAR_MAX = 1000, 2999  # what an event that somebody remembers can have; Postgres, Python and JavaScript agree on these
_RFC3339 = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?P<zone>[Zz]|[+-]\d{2}:\d{2})?")

Item = TypeVar("Item")


class Body(BaseModel):
    """A body of a request: an unknown field is an error, text is never taken for a number or a truth value."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Reply(BaseModel):
    """A body of a reply."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)


class Page(Reply, Generic[Item]):
    """One page of a list. `next_cursor` is null on the last page."""

    items: list[Item]
    next_cursor: str | None


def _parse_moment(value: object) -> object:
    if isinstance(value, datetime):
        return value
    found = _RFC3339.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise PydanticCustomError("memdb", "must be a time as in RFC 3339, such as 2026-01-31T09:30:00Z")
    if found["zone"] is None:
        raise PydanticCustomError("memdb", "must have a time zone, such as Z or -03:00")
    assert isinstance(value, str), "matched above"
    try:
        return datetime.fromisoformat(value.upper())
    except ValueError:
        raise PydanticCustomError("memdb", "is not a time that exists") from None


def _bound_moment(value: datetime) -> datetime:
    if value.tzinfo is None:
        raise PydanticCustomError("memdb", "must have a time zone, such as Z or -03:00")
    try:
        moment = value.astimezone(UTC)
    except OverflowError:
        moment = None
    if moment is None or not YEAR_MIN <= moment.year <= YEAR_MAX:
        raise PydanticCustomError("memdb", f"must lie in the years {YEAR_MIN} to {YEAR_MAX}")
    return moment


Moment = Annotated[
    datetime,
    BeforeValidator(_parse_moment),
    AfterValidator(_bound_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-01-31T09:30:00Z"]}),
]
"""An aware time in UTC, from RFC 3339 text with a zone, years 1000 to 2999."""

Integer = StrictInt
Number = StrictFloat
Flag = StrictBool
Name = Annotated[str, Field(min_length=1, max_length=200)]
Identifier = Annotated[str, Field(min_length=1, max_length=64)]
