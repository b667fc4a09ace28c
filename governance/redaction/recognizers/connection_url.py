"""URLs with a password.

Of a database or broker the whole URL goes: user, internal host, port and name are the other half of the credential, and nobody looks them
up in a memory without it. Of any other URL, such as a repository's, only user and password go: scheme, host and path say what it is about.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from governance.redaction.entities import CONNECTION_STRING, PASSWORD
from governance.redaction.findings import EntityType, Finding
from governance.redaction.recognizers.base import CHECKED

if TYPE_CHECKING:
    from collections.abc import Iterator

_STORES: Final = frozenset(
    """
    postgres postgresql postgis timescaledb cockroachdb redshift mysql mysqlx mariadb mongodb redis rediss valkey amqp amqps rabbitmq kafka
    mssql sqlserver oracle clickhouse clickhousedb cassandra scylla neo4j bolt nats mqtt mqtts memcached couchbase couchbases couchdb
    elasticsearch opensearch influxdb ldap ldaps snowflake trino presto databricks db2 firebird pyamqp celery sqlalchemy dynamodb vertica
    """.split()  # noqa: SIM905 - fifty quoted words, one a line, read worse
)
"""Schemes of stores and brokers, without what stands behind a plus sign (`postgresql+asyncpg`, `mongodb+srv`)."""

_URL: Final = re.compile(
    r"(?:\\[nrt]|(?<![A-Za-z0-9+.-]))(?P<url>(?:jdbc:|r2dbc:)?[A-Za-z][A-Za-z0-9+._-]{1,30}://)(?P<rest>[^\s\"'`<>|\uffff]{3,2048})"
)
_USER: Final = re.compile(r"[^\s/?#:@]{0,128}:")
_PORT: Final = re.compile(r"[0-9]{1,5}(?:[/?#]|$)")
_HOST: Final = re.compile(r"(?:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+|localhost|\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9_-]+:[0-9]{1,5})(?:[:/?#,;]|$)")
_TOKEN_USER: Final = re.compile(r"[A-Za-z0-9_-]{20,}")
_ORACLE: Final = re.compile(r"jdbc:oracle:(?:thin|oci8?):(?P<value>[^\s/@\"']{1,64}/[^\s@\"']{1,128})@")
_VARIABLE: Final = re.compile(r"\$[{(]|[{<]|%[({]|\$[A-Z_][A-Z0-9_]*$|\$[a-z_]+$|%[A-Za-z_]+%$")
_TRAILING: Final = ".,;:!?)]}'\"…\\。，、；！？）"
_ESCAPED_BREAK: Final = re.compile(r"\\[nrt]")


class ConnectionUrlRecognizer:
    """`scheme://user:password@host`, with whatever signs people put into passwords."""

    name = "connection_url"
    entities: tuple[EntityType, ...] = (CONNECTION_STRING, PASSWORD)

    def find(self, text: str) -> Iterator[Finding]:
        if "://" in text:
            for match in _URL.finditer(text):
                finding = _judge(text, match.start("url"), match.start("rest"), match.end())
                if finding is not None:
                    yield finding
        if "jdbc:oracle" in text:
            for match in _ORACLE.finditer(text):
                yield Finding(PASSWORD, *match.span("value"), CHECKED)


RECOGNIZER: Final = ConnectionUrlRecognizer()


def _judge(text: str, start: int, rest: int, end: int) -> Finding | None:
    """Return the finding of one URL: `start` is its first character, `rest` the one behind `://`."""
    at = _user_end(text[rest:end])
    if at is None:
        return None
    scheme = text[start : rest - len("://")].lower().removeprefix("jdbc:").removeprefix("r2dbc:").split("+", 1)[0]
    if scheme not in _STORES:
        return Finding(PASSWORD, rest, rest + at, CHECKED)
    if (broken := _ESCAPED_BREAK.search(text, rest + at, end)) is not None:
        end = broken.start()
    while end > rest + at and text[end - 1] in _TRAILING:
        end -= 1
    return Finding(CONNECTION_STRING, start, end, CHECKED)


def _user_end(rest: str) -> int | None:
    """Return the place of the @ behind user and password, None where there is no password to take away."""
    user = _USER.match(rest)
    if user is None:
        token = rest.partition("@")[0]
        return len(token) if len(token) < len(rest) and _TOKEN_USER.fullmatch(token) and any(char.isdigit() for char in token) else None
    at = _password_end(rest, user.end())
    return at if at is not None and _is_filled_in(rest[user.end() : at]) else None


def _password_end(rest: str, start: int) -> int | None:
    """Return the place of the last @ that a host stands behind; the first one if hosts are unusual. `host:8080/a@b` has a port."""
    if _PORT.match(rest, start):
        return None
    query = rest.find("?", start)
    first = rest.find("@", start)
    if first < 0 or first == start:
        return None
    last, position = first, first
    while position >= 0 and (query < 0 or position < query or position == first):
        if _HOST.match(rest, position + 1):
            last = position
        position = rest.find("@", position + 1)
    return last


def _is_filled_in(password: str) -> bool:
    return _VARIABLE.match(password) is None and not set(password) <= set("*xX.…•_-")
