"""A real HTTP server on loopback that answers `/v1/chat/completions` as it is told, one answer after another."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

from memdb.providers.chat.registry import make_chat
from memdb.providers.chat.settings import ChatSettings

NOTHING = '{"items": []}'


@dataclass(frozen=True)
class Answer:
    """What is sent: `status` with headers, after `wait_s`; `sent` bytes of it, then the connection is cut (None: all)."""

    body: bytes = b""
    status: int = 200
    headers: tuple[str, ...] = ()
    wait_s: float = 0.0
    sent: int | None = None

    def wire(self) -> bytes:
        head = [f"HTTP/1.1 {self.status} x", "content-type: application/json", f"content-length: {len(self.body)}", *self.headers, "", ""]
        return ("\r\n".join(head).encode() + self.body)[: self.sent]


def completion(text: str | None, *, tokens: tuple[int, int] | None = (100, 10), **changes: Any) -> Answer:
    """A completion that says this, and what it cost."""
    usage = {} if tokens is None else {"usage": {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}}
    body = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", **usage}
    body["choices"] = [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}]
    return Answer(json.dumps(body).encode(), **changes)


def refusal(status: int, *headers: str) -> Answer:
    """An error that echoes what no error of ours may tell."""
    return Answer(b'{"error": {"message": "echo peanuts hunter2"}}', status, headers)


DROPPED = Answer(sent=0)
BROKEN_OFF = completion("x" * 5_000, sent=2_000)
HUGE = completion("x" * 5_000_000)


class ScriptedModel:
    """Answers with what stands in `script`, in order, then with `otherwise`; keeps requests. `watch` is called inside each answer."""

    def __init__(self) -> None:
        self.script: deque[Answer | str] = deque()
        self.otherwise: Answer | str | Callable[[dict[str, Any]], Answer | str] = NOTHING
        self.requests: list[dict[str, Any]] = []
        self.headers: list[str] = []
        self.refused: Callable[[dict[str, Any]], bool] = lambda _: False
        self.watch: Callable[[], None] = lambda: None
        self.base_url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    def settings(self, **changes: Any) -> ChatSettings:
        return ChatSettings(**{"model": "tiny", "base_url": self.base_url, "timeout_s": 5.0, "retries": 0, **changes})

    def make(self, **changes: Any) -> Any:
        return make_chat(self.settings(**changes))

    def asked(self, number: int = -1) -> dict[str, Any]:
        """The data that a request shows the model."""
        shown: dict[str, Any] = json.loads(self.requests[number]["messages"][1]["content"])
        return shown

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = next(int(line.split(":")[1]) for line in head.split("\r\n") if line.lower().startswith("content-length"))
                body = json.loads(await reader.readexactly(length))
                self.requests.append(body)
                self.headers.append(head)
                self.watch()
                answer = self._next(body)
                await asyncio.sleep(answer.wait_s)
                writer.write(answer.wire())
                await writer.drain()
                if answer.sent is not None:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _next(self, body: dict[str, Any]) -> Answer:
        if self.refused(body):
            return refusal(400)
        answer = self.script.popleft() if self.script else self.otherwise
        if callable(answer):
            answer = answer(body)
        return completion(answer) if isinstance(answer, str) else answer
