"""A real HTTP server on loopback that answers `/v1/embeddings` as a script says."""

from __future__ import annotations

import asyncio
import hashlib
import json
from typing import Any, Self

import numpy as np


class ScriptedServer:
    """Answers good vectors of `dimension`, or what `behaviour` says; keeps the requests."""

    def __init__(self) -> None:
        self.behaviour = "good"
        self.failures_left = 0  # answer 500 so many times, then behave
        self.dimension = 16
        self.can_cut = False
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.base_url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in head.split("\r\n")[1:] if ": " in line)}
                body = json.loads(await reader.readexactly(int(headers["content-length"])))
                self.requests.append(body)
                self.headers.append(headers)
                reply = await self._reply(body)
                if reply is None:
                    break
                writer.write(reply)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _reply(self, body: dict[str, Any]) -> bytes | None:
        if self.failures_left:
            self.failures_left -= 1
            return _http(500, "{}")
        if self.behaviour == "slow":
            await asyncio.sleep(5)
        if self.behaviour == "dropped":
            return None
        if self.behaviour in _FIXED:
            return _FIXED[self.behaviour]
        if self.behaviour.isdigit():
            return _http(int(self.behaviour), json.dumps({"error": {"message": f"echo {body['input']}"}}), retry_after=True)
        if "dimensions" in body and not self.can_cut:
            return _http(400, '{"error": {"message": "dimensions is not supported"}}')
        return _http(200, self._vectors(body))

    def _vectors(self, body: dict[str, Any]) -> str:
        dimension = body.get("dimensions", self.dimension) + (1 if self.behaviour == "wrong dimension" else 0)
        vectors = [_vector(text, dimension) for text in body["input"]]
        if self.behaviour in {"nan", "infinite", "zero"}:
            vectors[-1] = [{"nan": float("nan"), "infinite": float("inf"), "zero": 0.0}[self.behaviour]] * dimension
        if self.behaviour == "one short":
            vectors.pop()
        # Out of order on purpose: `index` says which is which.
        entries = [{"object": "embedding", "index": index, "embedding": vector} for index, vector in enumerate(vectors)][::-1]
        return json.dumps({"object": "list", "data": entries, "model": body["model"], "usage": {"prompt_tokens": 1, "total_tokens": 1}})


def _vector(text: str, dimension: int) -> list[float]:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
    return [float(value) for value in 3.0 * np.random.default_rng(seed).normal(size=dimension)]


def _http(status: int, body: str, kind: str = "application/json", *, retry_after: bool = False) -> bytes:
    wait = "retry-after-ms: 1\r\n" if retry_after else ""
    return f"HTTP/1.1 {status} x\r\ncontent-type: {kind}\r\n{wait}content-length: {len(body.encode())}\r\n\r\n{body}".encode()


_FIXED = {
    "redirect": b"HTTP/1.1 307 x\r\nlocation: http://127.0.0.1:9/elsewhere\r\ncontent-length: 0\r\n\r\n",
    "html": _http(200, "<html>", "text/html"),
    "no data": _http(200, '{"object": "list", "data": [], "model": "m"}'),
    "odd": _http(200, '{"object": "list", "data": [{"index": 0, "embedding": "oops"}], "model": "m"}'),
}
