"""The conditions of a statement, one by one, and the statement without one of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_TOKEN = re.compile(r"'(?:[^']|'')*'|[A-Za-z_]\w*|\s+|.", re.DOTALL)
_OPENS = {"WHERE", "ON", "AND"}
_ENDS = {
    "WHEN",
    "THEN",
    "ELSE",
    "END",
    "GROUP",
    "ORDER",
    "LIMIT",
    "UNION",
    "JOIN",
    "CROSS",
    "LEFT",
    "HAVING",
    "RETURNING",
    "FOR",
    "SELECT",
    "FROM",
    "OR",
}


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A condition that stands alone or is joined by AND: where it is, and its text on one line."""

    start: int
    end: int
    text: str


@dataclass(slots=True)
class _Open:
    start: int
    joined: bool


def find_conjuncts(sql: str) -> list[Conjunct]:
    """Every condition of WHERE and ON, at every depth, in order; comments are not expected."""
    found: list[Conjunct] = []
    stack: list[_Open | None] = [None]

    def close(end: int, *, by_and: bool) -> None:
        operand = stack[-1]
        if operand is not None and (operand.joined or by_and):
            text = sql[operand.start : end]
            start = operand.start + len(text) - len(text.lstrip())
            found.append(Conjunct(start, start + len(text.strip()), " ".join(text.split())))
        stack[-1] = None

    for token in _TOKEN.finditer(sql):
        word, at = token[0], token.start()
        if word == "(":
            stack.append(_Open(token.end(), joined=False))
        elif word == ")":
            close(at, by_and=False)
            stack.pop()
        elif word in _OPENS:
            close(at, by_and=word == "AND")
            stack[-1] = _Open(token.end(), joined=True)
        elif word in _ENDS:
            close(at, by_and=False)
            stack[-1] = _Open(token.end(), joined=False) if word == "OR" else None
    close(len(sql), by_and=False)
    return sorted(found, key=lambda c: (c.start, -c.end))


def without(sql: str, conjuncts: Iterable[Conjunct]) -> str:
    """The statement with these conditions always true."""
    for conjunct in sorted(conjuncts, key=lambda c: -c.start):
        sql = f"{sql[: conjunct.start]}true{sql[conjunct.end :]}"
    return sql
