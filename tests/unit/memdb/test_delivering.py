"""Heads on their way to a webhook: each once it is taken, again until then, less and less often."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from uuid import UUID

import httpx
import pytest
from pydantic import SecretStr

from memdb.auditing.delivering import PAUSE_MAX_S, PAUSE_S, Delivery, Outcome
from memdb.auditing.heads import Head, path_of, put_aside, write_head
from memdb.config import load_settings
from memdb.errors import ConfigurationError
from memdb.keyring import Keyring, Purpose, make_root_key
from memdb.signing import is_signed, public_key_of

ONE, OTHER = UUID(int=1), UUID(int=2)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
RING = Keyring((make_root_key(),))


def head(folder: Path, position: int, org_id: UUID = ONE) -> None:
    write_head(folder, RING, Head(org_id, position, b"link", NOW))


class Receiver:
    """Takes what is posted to it, or answers with another status; None: not at all."""

    def __init__(self) -> None:
        self.status: int | None = 204
        self.taken: list[httpx.Request] = []
        self.asked = 0

    def client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.MockTransport(self._answer), follow_redirects=False)

    def _answer(self, request: httpx.Request) -> httpx.Response:
        self.asked += 1
        if self.status is None:
            raise httpx.ConnectError("refused")
        if self.status == 204:
            self.taken.append(request)
        return httpx.Response(self.status, headers={"location": "http://elsewhere.example/"} if self.status == 302 else {})

    @property
    def positions(self) -> list[int]:
        return [json.loads(request.content)["position"] for request in self.taken]


def delivery(folder: Path, told: Counter[Outcome], token: str | None = None) -> Delivery:
    return Delivery(folder, "http://heads.example/in", None if token is None else SecretStr(token), lambda outcome: told.update([outcome]))


async def test_a_head_is_posted_once_and_can_be_believed_for_its_signature(tmp_path: Path) -> None:
    receiver, told = Receiver(), Counter[Outcome]()
    sending = delivery(tmp_path, told, "hunter2")
    async with receiver.client() as client:
        await sending.send_due(client, 0.0)
        assert receiver.asked == 0
        head(tmp_path, 5)
        for now in (1.0, 2.0):
            await sending.send_due(client, now)
        head(tmp_path, 6)
        head(tmp_path, 1, OTHER)
        await sending.send_due(client, 3.0)
    assert receiver.positions == [5, 6, 1]
    assert told == {Outcome.TAKEN: 3}
    assert sending.waiting == set()
    posted = receiver.taken[0]
    assert (str(posted.url), posted.headers["authorization"]) == ("http://heads.example/in", "Bearer hunter2")
    public_key = public_key_of(RING, Purpose.HEAD)
    assert public_key is not None
    assert is_signed(Purpose.HEAD, json.loads(posted.content), public_key=public_key)
    assert "hunter2" not in repr(sending)


@pytest.mark.parametrize(("status", "outcome"), [(500, Outcome.REFUSED), (302, Outcome.REFUSED), (None, Outcome.FAILED)])
async def test_what_is_not_taken_is_sent_again_less_and_less_often(tmp_path: Path, status: int | None, outcome: Outcome) -> None:
    receiver, told = Receiver(), Counter[Outcome]()
    receiver.status = status
    sending = delivery(tmp_path, told)
    head(tmp_path, 5)
    tried = []
    async with receiver.client() as client:
        for now in range(2_000):
            before = receiver.asked
            await sending.send_due(client, float(now))
            if receiver.asked > before:
                tried.append(now)
        assert sending.waiting == {ONE}
        gaps = [later - earlier for earlier, later in pairwise(tried)]
        assert PAUSE_S / 2 <= gaps[0] <= PAUSE_S
        assert max(gaps) <= PAUSE_MAX_S + 1
        assert max(gaps) > 100
        assert told == {outcome: len(tried)}
        receiver.status = 204
        head(tmp_path, 7)
        await sending.send_due(client, 10_000.0)
    assert receiver.positions == [7]
    assert sending.waiting == set()


async def test_one_that_is_put_aside_or_is_none_is_not_sent(tmp_path: Path) -> None:
    receiver = Receiver()
    head(tmp_path, 5)
    put_aside(path_of(tmp_path, ONE), NOW)
    (tmp_path / f"{OTHER}.json").write_text("{", encoding="ascii")
    (tmp_path / "notes.json").write_text("{}", encoding="ascii")
    async with receiver.client() as client:
        await delivery(tmp_path, Counter()).send_due(client, 0.0)
    assert receiver.asked == 0


async def test_it_is_sent_over_a_socket_until_the_server_stops(tmp_path: Path) -> None:
    got = asyncio.Event()
    bodies: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().lower().split("\r\n")
        length = next(int(line.partition(":")[2]) for line in lines if line.startswith("content-length"))
        bodies.append(await reader.readexactly(length))
        writer.write(b"HTTP/1.1 204 x\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        got.set()

    head(tmp_path, 9)
    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        sending = delivery(tmp_path, Counter())
        sending.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/heads"
        running = asyncio.create_task(sending.run())
        await asyncio.wait_for(got.wait(), 5)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
    assert bodies == [path_of(tmp_path, ONE).read_bytes()]


def test_without_an_address_nothing_is_sent_and_a_wrong_one_is_refused() -> None:
    assert Delivery.of(load_settings({}), lambda _: None) is None
    made = Delivery.of(load_settings({"MEMDB_AUDIT_WEBHOOK": "https://heads.example/in"}), lambda _: None)
    assert made is not None
    assert made.token is None
    with pytest.raises(ConfigurationError, match="AUDIT_WEBHOOK"):
        load_settings({"MEMDB_AUDIT_WEBHOOK": "heads.example"})
