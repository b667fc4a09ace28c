"""The HTTP client of the commands that talk to a server. The standard library alone: no proxy, no redirect, no other address is used."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self
from urllib.parse import urlencode, urlsplit

from memdb.config import Settings
from memdb.errors import ConfigurationError

TIMEOUT_S: Final = 120.0  # a batch of 200 memories on a busy machine
TRIES: Final = 6
_RETRY_STATUS: Final = frozenset({429, 503})
WAIT_MAX_S: Final = 60.0  # a server that wants more is not waited for


@dataclass
class Refused(Exception):
    """The server said no, or could not be asked. `code` is the server's, or `unreachable`."""

    message: str
    code: str
    status: int | None = None
    retryable: bool = False
    retry_after_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.message} [{self.code}]"


@dataclass
class Client:
    """One server and one key. Use it in a `with` block."""

    url: str
    key: str = field(repr=False)
    _connection: http.client.HTTPConnection | None = field(default=None, repr=False)

    @property
    def key_id(self) -> str:
        """What of the key is no secret: product, org and id."""
        return "_".join(self.key.split("_")[:3])

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """The client that MEMDB_URL and MEMDB_KEY describe.

        Raises:
            ConfigurationError: the URL is none, or there is no key.
        """
        parts = urlsplit(settings.url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise ConfigurationError("MEMDB_URL must be like http://127.0.0.1:8765")
        if settings.key is None or not settings.key.get_secret_value().strip():
            raise ConfigurationError("set MEMDB_KEY to an API key; `memdb up` shows the first one, `memdb key create` makes more")
        return cls(settings.url.rstrip("/"), settings.key.get_secret_value())

    def get(self, path: str, query: Mapping[str, object] | None = None) -> Any:  # noqa: ANN401 - JSON
        """Read; tried again while the server is busy."""
        return self.send("GET", path + (f"?{urlencode(query, doseq=True)}" if query else ""))

    def post(self, path: str, body: object, *, idempotency_key: str | None = None) -> Any:  # noqa: ANN401 - JSON
        """Write; tried again while the server is busy, after a lost connection only with an idempotency key."""
        return self.send("POST", path, json.dumps(body).encode(), idempotency_key=idempotency_key)

    def put(self, path: str, body: object) -> Any:  # noqa: ANN401 - JSON
        """Replace."""
        return self.send("PUT", path, json.dumps(body).encode())

    def patch(self, path: str, body: object) -> Any:  # noqa: ANN401 - JSON
        """Edit."""
        return self.send("PATCH", path, json.dumps(body).encode())

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        content_type: str = "application/json",
        idempotency_key: str | None = None,
    ) -> Any:  # noqa: ANN401 - JSON
        """One request; the JSON of the reply, or its text where it is Markdown.

        Raises:
            Refused: any reply but 2xx, or none.
        """
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": content_type, "Accept": "application/json, text/markdown"}
        if idempotency_key is not None:
            headers["Idempotency-Key"] = idempotency_key
        repeatable = method == "GET" or idempotency_key is not None
        wait_s = 0.5
        for attempt in range(1, TRIES + 1):
            try:
                return self._once(method, path, body, headers)
            except Refused as refused:
                sent = refused.status is not None or not refused.retryable
                again = refused.retryable and (repeatable or sent) and refused.retry_after_s <= WAIT_MAX_S
                if not again or attempt == TRIES or refused.code == "unreachable":
                    raise
                pause_s = max(wait_s, refused.retry_after_s)
            self.close()  # a server closes what is idle for some seconds; finding that out would look like a lost connection
            time.sleep(pause_s)
            wait_s *= 2
        raise AssertionError("the loop returns or raises")

    def _once(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
        connection = self._open()
        try:
            connection.request(method, urlsplit(self.url).path + path, body=body, headers=dict(headers))
            reply = connection.getresponse()
            payload = reply.read()
        except (http.client.HTTPException, OSError) as error:
            self.close()
            if isinstance(error, (ConnectionRefusedError, socket.gaierror)):
                message = f"no server answers at {self.url}; start one with `memdb up`, or set MEMDB_URL"
                raise Refused(message, "unreachable", retryable=True) from None
            raise Refused(f"the connection to {self.url} was lost ({type(error).__name__})", "connection_lost", retryable=True) from None
        if reply.headers.get_content_type() == "text/markdown" and reply.status == http.client.OK:
            return payload.decode()
        return _read(reply.status, payload)

    def _open(self) -> http.client.HTTPConnection:
        if self._connection is None:
            parts = urlsplit(self.url)
            assert parts.hostname is not None, "checked when the client was made"
            if parts.scheme == "https":
                self._connection = http.client.HTTPSConnection(
                    parts.hostname, parts.port, timeout=TIMEOUT_S, context=ssl.create_default_context()
                )
            else:
                self._connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=TIMEOUT_S)
        return self._connection

    def close(self) -> None:
        """Give the connection back."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def _read(status: int, payload: bytes) -> Any:  # noqa: ANN401 - JSON
    try:
        value = json.loads(payload) if payload else None
    except ValueError:
        raise Refused("the server answered with something that is not JSON; is MEMDB_URL a memdb server?", "not_memdb", status) from None
    if 200 <= status < 300:
        return value
    problem = value if isinstance(value, dict) else {}
    code, after = str(problem.get("code") or f"http_{status}"), problem.get("retry_after_s")
    raise Refused(
        str(problem.get("detail") or f"the server answered {status}"),
        code,
        status,
        retryable=status in _RETRY_STATUS and code != "locked_out",  # the key is wrong, whatever the time
        retry_after_s=float(after) if isinstance(after, int) else 0.0,
    )
