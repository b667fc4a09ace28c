"""A caller at the doors of a world: what it sends, what it may get back, and what that must be equal to."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from uuid import UUID

from tests.scope.model import STRENGTH, Caller, Memory
from tests.scope.world import World

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable
    from random import Random

    import httpx

    Visit = Callable[["Request"], Awaitable[None]]


_READS = re.compile(r"GET |POST \S+(?:/search|:query|:grep|:lookup|:resolve|/context) ")


@dataclass(slots=True)
class Request:
    """Who is at the door of which world; `brains` is what that caller reads, with roles."""

    world: World
    rng: Random
    caller: Caller
    brains: dict[UUID, str]
    exact: bool
    log: list[str] = field(default_factory=list)

    @property
    def org_id(self) -> UUID:
        return self.caller.org_id

    @property
    def editor(self) -> bool:
        return bool(self.world.oracle.capabilities(self.caller) & {"admin", "loader"})

    async def send(
        self, method: str, path: str, *, brains: Iterable[UUID] | None = None, editor: bool = False, **options: Any
    ) -> httpx.Response:
        """Send it, and look for anything foreign in the reply; `brains` None: all that the caller reads."""
        reply = await self.world.call(self.caller, method, path, **options)
        self.log.append(f"{method} {path} {options} -> {reply.status_code}")
        text = spelled_out(reply)
        leaked = self.world.oracle.find_leaks(text, self.org_id, self.brains if brains is None else brains, editor=editor)
        assert not leaked, f"{self.log[-1]} shows {leaked}: {reply.text}"
        return reply

    async def compare(self, known: httpx.Response, method: str, path: str, **options: Any) -> None:
        """What may not be seen is answered like what does not exist, byte for byte."""
        unknown = await self.world.call(self.caller, method, path, **options)
        assert told(known) == told(unknown), f"{self.log[-1]} differs from an unknown one: {known.text} {unknown.text}"

    def any_memory(self) -> Memory:
        """Of this world; those that the caller may read come more often."""
        here = [m for m in self.world.oracle.memories.values() if m.org_id in self.world.admins]
        near = [m for m in here if m.brain_id in self.brains]
        return self.rng.choice(near if near and self.rng.random() < 0.5 else here)

    def any_brain(self) -> UUID:
        near = self.brains and self.rng.random() < 0.5
        return self.rng.choice(
            list(self.brains) if near else [b for b, org in self.world.oracle.brains.items() if org in self.world.admins]
        )

    def any_subject(self) -> UUID:
        return self.rng.choice([s for s, org in self.world.oracle.subjects.items() if org in self.world.admins])

    def may(self, brain_id: UUID, role: str) -> bool:
        return brain_id in self.brains and STRENGTH[self.brains[brain_id]] >= STRENGTH[role]

    def expect(self, reply: httpx.Response, status: int | set[int]) -> None:
        wanted = status if isinstance(status, set) else {status}
        if self.exact:
            assert reply.status_code in wanted, f"{self.log[-1]}, expected {wanted}: {reply.text}"
        elif min(wanted) >= 400 and not _READS.match(self.log[-1]):
            # Without its predicates a read answers with whatever the caller may read; a change has to be refused.
            assert reply.status_code >= 400, f"{self.log[-1]} succeeded: {reply.text}"


def told(reply: httpx.Response) -> tuple[int, str, bytes]:
    """What a caller learns from a reply; request ids are equal already."""
    return reply.status_code, reply.headers.get("content-type", ""), reply.content


def spelled_out(reply: httpx.Response) -> str:
    """Body and headers, cursors decoded: they hold the id that a page ended with."""
    cursors = [
        base64.urlsafe_b64decode(c + "=" * (-len(c) % 4)).decode("latin-1") for c in re.findall(r'"next_cursor":"([^"]+)"', reply.text)
    ]
    return "\n".join([reply.text, *cursors, *(f"{k}: {v}" for k, v in reply.headers.items())])


async def pages(
    at: Request,
    path: str,
    query: list[tuple[str, str]],
    *,
    limit: int,
    brains: Iterable[UUID] | None = None,
    name: str = "id",
    editor: bool = False,
) -> list[str]:
    """Ids on all pages of a list, in order."""
    found: list[str] = []
    cursor: str | None = None
    for _ in range(100):
        more = [("cursor", cursor)] if cursor else []
        reply = await at.send("GET", path, params=[*query, ("limit", str(limit)), *more], brains=brains, editor=editor)
        assert reply.status_code == 200, (at.log[-1], reply.text)
        body = reply.json()
        found += [item[name] for item in body["items"]]
        cursor = body["next_cursor"]
        if cursor is None or not at.exact:
            break
    return found


def steady(reply: httpx.Response) -> Any:
    """A reply to a search without what no two have in common: the recall's id and how long things took."""
    body = reply.json()
    if "timings_ms" in body:
        body |= {"recall_id": None, "timings_ms": sorted(body["timings_ms"])}
    return reply.status_code, body
