"""Heads sent to an address outside (`MEMDB_AUDIT_WEBHOOK`), beside the folder: whoever receives them keeps what no restore brings back.

Each server sends every head of its folder, again and again until it is taken; what receives them meets the same one more than once. A head
is signed, so that it need not be believed for where it came from.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self
from uuid import UUID

import httpx
import structlog

from memdb.auditing.heads import BYTES_MAX

if TYPE_CHECKING:
    from pydantic import SecretStr

    from memdb.config import Settings

INTERVAL_S: Final = 2.0
TIMEOUT_S: Final = 5.0
PAUSE_S: Final = 2.0
"""After the first failure; twice as long after each further one, up to PAUSE_MAX_S, less a random part, so that servers do not meet."""
PAUSE_MAX_S: Final = 300.0

log = structlog.get_logger()


class Outcome(StrEnum):
    """What became of one try."""

    TAKEN = "taken"
    REFUSED = "refused"  # answered with another status than 2xx
    FAILED = "failed"  # not answered


@dataclass(slots=True)
class _Sending:
    """Where one org's heads stand."""

    position: int = 0
    failures: int = 0
    not_before: float = 0.0


@dataclass(slots=True)
class Delivery:
    """Sends the heads of a folder to an address.

    tell: is told of each try. waiting: orgs whose present head was not taken yet.
    """

    folder: Path
    url: str
    token: SecretStr | None
    tell: Callable[[Outcome], None]
    waiting: set[UUID] = field(default_factory=set)
    _sent: dict[UUID, _Sending] = field(default_factory=dict)

    @classmethod
    def of(cls, settings: Settings, tell: Callable[[Outcome], None]) -> Self | None:
        """That of a process; None where no address is configured."""
        if settings.audit_webhook is None:
            return None
        return cls(settings.heads, settings.audit_webhook, settings.audit_webhook_token, tell)

    async def run(self) -> None:
        """Until cancelled."""
        # SECURITY: a redirect would carry the token to another host.
        async with httpx.AsyncClient(timeout=TIMEOUT_S, follow_redirects=False) as client:
            while True:
                try:
                    await self.send_due(client, asyncio.get_running_loop().time())
                except OSError as error:
                    log.warning("heads_unreadable", error_type=type(error).__qualname__)
                await asyncio.sleep(INTERVAL_S)

    async def send_due(self, client: httpx.AsyncClient, now: float) -> None:
        """Send each head that was not taken yet and is due, one after another.

        Args:
            client: to send with.
            now: the time in seconds of a clock that only goes forward.
        """
        for org_id, position, body in await asyncio.to_thread(self._read):
            state = self._sent.setdefault(org_id, _Sending())
            if position <= state.position:
                continue
            self.waiting.add(org_id)
            if now < state.not_before:
                continue
            outcome = await self._send(client, body)
            self.tell(outcome)
            if outcome is Outcome.TAKEN:
                state.position, state.failures, state.not_before = position, 0, 0.0
                self.waiting.discard(org_id)
            else:
                pause = min(PAUSE_MAX_S, PAUSE_S * 2.0**state.failures)
                state.failures, state.not_before = state.failures + 1, now + pause * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
                log.warning("head_not_taken", outcome=outcome.value, org_id=str(org_id), failures=state.failures)

    def _read(self) -> list[tuple[UUID, int, bytes]]:
        found = []
        for path in sorted(self.folder.glob("*.json")) if self.folder.is_dir() else ():
            try:
                org_id = UUID(path.stem)
                with path.open("rb") as file:
                    body = file.read(BYTES_MAX)
                position = int(json.loads(body)["position"])
            except (ValueError, KeyError, TypeError, FileNotFoundError):
                continue  # put aside, or none
            found.append((org_id, position, body))
        return found

    async def _send(self, client: httpx.AsyncClient, body: bytes) -> Outcome:
        headers = {"Content-Type": "application/json"}
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token.get_secret_value()}"
        try:
            reply = await client.post(self.url, content=body, headers=headers)
        except httpx.HTTPError:
            return Outcome.FAILED
        return Outcome.TAKEN if reply.is_success else Outcome.REFUSED
