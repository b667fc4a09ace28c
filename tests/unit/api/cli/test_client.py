"""Trying again: which requests, when, and over a connection that the server has closed meanwhile."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from api.cli.client import TRIES, Client, Refused

BUSY = b'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 35\r\n\r\n{"code":"overloaded","detail":"no"}\n'
DONE = b'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{"id": "m1"}'


@contextmanager
def serving(*replies: bytes) -> Iterator[str]:
    """Gives one reply on each connection and closes it, as a server does with one that is idle for some seconds."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(5)

        def serve() -> None:
            for reply in replies:
                try:
                    connection, _ = listener.accept()
                except TimeoutError:  # the client did not come; the test tells what it did instead
                    return
                with connection:
                    connection.recv(65_536)
                    connection.sendall(reply)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            thread.join()


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    return waits


def test_a_write_that_a_busy_server_refused_is_sent_again_over_a_new_connection(waited: list[float]) -> None:
    with serving(BUSY, BUSY, DONE) as url, Client(url, "k") as client:
        assert client.post("/v1/memories", {}) == {"id": "m1"}
    assert waited == [0.5, 1.0]


def test_a_server_that_stays_busy_is_told_as_it_said(waited: list[float]) -> None:
    with serving(*[BUSY] * TRIES) as url, Client(url, "k") as client, pytest.raises(Refused) as caught:
        client.post("/v1/memories", {})
    assert (caught.value.code, caught.value.status, caught.value.retryable) == ("overloaded", 503, True)
    assert sum(waited) == 15.5


def test_a_write_whose_reply_was_lost_is_sent_again_only_if_that_is_safe(waited: list[float]) -> None:
    with serving(b"") as url, Client(url, "k") as client, pytest.raises(Refused) as caught:
        client.post("/v1/memories", {})
    assert caught.value.code == "connection_lost"
    assert waited == []
    with serving(b"", DONE) as url, Client(url, "k") as client:
        assert client.post("/v1/memories", {}, idempotency_key="once") == {"id": "m1"}
    with serving(b"", DONE) as url, Client(url, "k") as client:
        assert client.get("/v1/memories/m1") == {"id": "m1"}
