"""The type of a tsvector column for SQLAlchemy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import cast
from sqlalchemy.types import UserDefinedType

if TYPE_CHECKING:
    from sqlalchemy.sql.elements import BindParameter, ColumnElement


class Lexemes(UserDefinedType[str]):
    """A tsvector. Bound as its text form (`'sky':1,4 'blue':3`), which Postgres parses; no text search configuration takes part."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "TSVECTOR"

    def bind_expression(self, bindvalue: BindParameter[str]) -> ColumnElement[str]:
        # Without the cast a parameter inside VALUES is text, and Postgres has no assignment from text to tsvector.
        return cast(bindvalue, self)
