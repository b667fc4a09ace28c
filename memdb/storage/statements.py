"""SQL of a fixed shape lives in `.sql` files, one named statement after another; this file reads them.

    -- name: find_subject
    -- The subject of an external id. Index: subject_identities_pk.
    SELECT s.id FROM mem.subjects s WHERE s.org_id = :org_id

A name is the Python function that runs the statement. The comment lines under it are its description and are required. Parameters are
`:named`, as SQLAlchemy's `text()` takes them. What several statements have in common stands once, as a snippet, and is put in for
`{its name}`:

    -- snippet: visible
    -- What a row called s has to be.
    s.merged_into IS NULL AND NOT s.hidden
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import TYPE_CHECKING

import sqlparse
from sqlalchemy import TextClause, text
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg

from memdb.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_HEAD = re.compile(r"^--[ \t]*(name|snippet):[ \t]*(.*?)[ \t]*$", re.MULTILINE)
_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_PARAMETER = re.compile(r"%\((\w+)\)s")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Statement:
    """One named statement; `sql` has no trailing semicolon. A snippet is a part of others."""

    name: str
    description: str
    sql: str
    snippet: bool = False

    @property
    def clause(self) -> TextClause:
        """The statement as a connection executes it."""
        return clause(self.sql)


@cache
def clause(sql: str) -> TextClause:
    """`text()` of a statement of this house, made once: it searches the whole statement for its parameters each time."""
    return text(sql)


@cache
def numbered(sql: str) -> tuple[bytes, tuple[str, ...]]:
    """A statement as Postgres takes it, with `$1` and so on for its parameters, and their names in that order.

    >>> numbered("SELECT :b, :a, :b, '%'")
    (b"SELECT $1, $2, $1, '%'", ('b', 'a'))
    """
    names: dict[str, str] = {}
    sent = str(clause(sql).compile(dialect=PGDialect_psycopg()))  # type: ignore[no-untyped-call]  # SQLAlchemy's dialects have no types
    sent = _PARAMETER.sub(lambda found: names.setdefault(found[1], f"${len(names) + 1}"), sent).replace("%%", "%")
    return sent.encode(), tuple(names)


@cache
def load(package: str) -> Mapping[str, Statement]:
    """Read every `.sql` file directly inside an importable package, in the order of file names; snippets are put in, and are not returned.

    Raises:
        ConfigurationError: the folder holds no statement, or one of them is malformed, or no statement uses a snippet; the message names
            file and statement.
    """
    found: dict[str, Statement] = {}
    for entry in sorted(files(package).iterdir(), key=lambda e: e.name):
        if not entry.name.endswith(".sql"):
            continue
        for statement in parse(entry.read_text(encoding="utf-8"), entry.name):
            if statement.name in found:
                raise ConfigurationError(f"{entry.name}: a second statement is called {statement.name}; rename one")
            found[statement.name] = statement
    if not found:
        raise ConfigurationError(f"{package} holds no named statement")
    snippets = {s.name: s.sql for s in found.values() if s.snippet}
    unused = snippets.keys() - {name for s in found.values() for name in _PLACE.findall(s.sql)}
    if unused:
        raise ConfigurationError(f"{package}: no statement uses the snippet {min(unused)}; take it out")
    return MappingProxyType({s.name: replace(s, sql=_filled(s.sql, snippets)) for s in found.values() if not s.snippet})


def _filled(sql: str, snippets: Mapping[str, str]) -> str:
    # Other names in braces are tables, which whoever runs the statement puts in.
    return _PLACE.sub(lambda place: snippets.get(place[1], place[0]), sql)


def catalogue(name: str) -> bytes:
    """A statement of `memdb/storage/catalogue`, with `%(named)s` parameters, as psycopg takes what is no literal of the code."""
    return load("memdb.storage.catalogue")[name].sql.encode()


def parse(script: str, file: str) -> Iterator[Statement]:
    """The statements and snippets of one file, in order. `file` is only named in errors; duplicates are `load`'s to refuse.

    Raises:
        ConfigurationError: text before the first name, a malformed name, no description, no statement or several under one name.
    """
    heads = list(_HEAD.finditer(script))
    if split(script[: heads[0].start()] if heads else script):
        raise ConfigurationError(f"{file}: SQL stands before the first `-- name:` line")
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        name = head[2]
        if not _NAME.fullmatch(name):
            raise ConfigurationError(f"{file}: {name!r} is no statement name; use lower case letters, digits and _")
        description, sql = _split_description(script[head.end() : following.start() if following else None])
        if not description:
            raise ConfigurationError(f"{file}: {name} has no description; write it as comment lines under the name")
        pieces = split(sql)
        if len(pieces) != 1:
            raise ConfigurationError(f"{file}: {name} holds {len(pieces)} statements; it must hold one")
        yield Statement(name, description, pieces[0].removesuffix(";").strip(), snippet=head[1] == "snippet")


def split(script: str) -> list[str]:
    """The statements of a script, in order, each for one `execute`; pieces that are only comments are dropped.

    A distributed Postgres sends a string of several statements whole to its shards, hence one at a time. Dollar quotes are kept together.
    """
    # Without a semicolon inside there is nothing to split; the lexer would take a third of a second of each start.
    several = ";" in script.rstrip().removesuffix(";")
    return [piece for piece in (sqlparse.split(script) if several else [script.strip()]) if strip_comments(piece).strip("; \t\r\n")]


def strip_comments(sql: str) -> str:
    """The script with each comment replaced by a blank; strings and dollar quotes are kept whole.

    >>> strip_comments("SELECT '--' -- a remark")
    "SELECT '--'  "
    """
    if "--" not in sql and "/*" not in sql:
        return sql
    tokens = sqlparse.lexer.tokenize(sql)  # type: ignore[no-untyped-call]  # sqlparse publishes no types
    return "".join(" " if kind in sqlparse.tokens.Comment else value for kind, value in tokens)


def _split_description(block: str) -> tuple[str, str]:
    lines = block.splitlines()[1:]  # the first is the rest of the name's line
    count = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    words = " ".join(line.removeprefix("--").strip() for line in lines[:count])
    return words.strip(), "\n".join(lines[count:])
