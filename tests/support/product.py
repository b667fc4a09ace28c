"""The product over HTTP without a network: one server and database for a folder of tests, an org of its own for each test."""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

import httpx
from sqlalchemy import event, text

from api.app import create_app
from api.container import build_runtime, close_runtime
from memdb.directory.orgs import create_org
from memdb.keyring import Keyring, make_root_key
from memdb.providers.embedding.base import Embedded, Embedder, EmbeddingSpace
from memdb.runtime import Runtime
from memdb.storage.database import Database

if TYPE_CHECKING:
    from memdb.config import Settings
    from tests.support.database import FreshDatabase

Json = dict[str, Any]


class Clock:
    """The machine's time plus what a test adds."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@dataclass(frozen=True, slots=True)
class Product:
    """A running server: its parts, and the database as its owner, who sees every row."""

    runtime: Runtime
    clock: Clock
    owner: Database
    superuser_url: str
    app_url: str
    client: httpx.AsyncClient

    async def rows(self, sql: str, **parameters: object) -> list[Any]:
        """Rows that a statement gives to the owner, past row-level security."""
        async with self.owner.bare() as conn:
            result = await conn.execute(text(sql), parameters)
            return list(result.all()) if result.returns_rows else []

    async def value(self, sql: str, **parameters: object) -> Any:
        """The first column of the only row."""
        (row,) = await self.rows(sql, **parameters)
        return row[0]

    async def make_caller(self) -> Caller:
        """A new org and its administrator."""
        created = await create_org(self.owner, self.runtime.keyring, f"org-{random_letters(12)}", self.clock.now())
        headers = {"Authorization": f"Bearer {created.key.render()}"}
        return Caller(self, self.client, headers, created.org_id, created.subject_id, created.brain_id)


def random_letters(count: int) -> str:
    """A name without digits: five in a row would look like a part of some planted number to a test that searches for leaks."""
    return "".join(secrets.choice("bcdfghlmnprst") for _ in range(count))


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a key. `everybody` is the brain that the whole org reads."""

    product: Product
    client: httpx.AsyncClient
    headers: Mapping[str, str]
    org_id: UUID
    subject_id: UUID
    everybody: UUID

    async def send(self, method: str, path: str, *, expect: int, **options: Any) -> Any:
        """A request whose status must be `expect`; the body of the reply."""
        options["headers"] = {**self.headers, **options.get("headers", {})}
        reply = await self.client.request(method, path, **options)
        assert reply.status_code == expect, (reply.status_code, reply.text)
        return reply.json() if reply.content else None

    async def write(self, content: str, kind: str = "semantic", *, expect: int = 201, key: str | None = None, **fields: Any) -> Json:
        """Write one memory; the receipt, or the problem when `expect` is another status."""
        headers = {} if key is None else {"Idempotency-Key": key}
        body = {"content": content, "kind": kind, **fields}
        return cast("Json", await self.send("POST", "/v1/memories", expect=expect, json=body, headers=headers))

    async def write_batch(self, lines: Sequence[Json | str], *, expect: int = 200, key: str | None = None) -> Json:
        """Write a batch; a line that is text is sent as it is."""
        headers = {"Content-Type": "application/x-ndjson"} | ({} if key is None else {"Idempotency-Key": key})
        body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        return cast("Json", await self.send("POST", "/v1/memories:batch", expect=expect, content=body.encode(), headers=headers))

    async def read(self, memory_id: str, *, expect: int = 200) -> Json:
        return cast("Json", await self.send("GET", f"/v1/memories/{memory_id}", expect=expect))

    async def history(self, memory_id: str, *, expect: int = 200) -> Json:
        return cast("Json", await self.send("GET", f"/v1/memories/{memory_id}/history", expect=expect))

    async def edit(self, memory_id: str, *, expect: int = 200, **fields: Any) -> Json:
        return cast("Json", await self.send("PATCH", f"/v1/memories/{memory_id}", expect=expect, json=fields))

    async def delete(self, memory_id: str, *, expect: int = 204, **query: Any) -> Json:
        return cast("Json", await self.send("DELETE", f"/v1/memories/{memory_id}", expect=expect, params=query))

    async def list_ids(self, **query: Any) -> list[str]:
        """Ids of the first page of the list."""
        page = await self.send("GET", "/v1/memories", expect=200, params={"limit": 200, **query})
        return [item["id"] for item in page["items"]]

    async def search(self, query: str, *, expect: int = 200, **fields: Any) -> Json:
        return cast("Json", await self.send("POST", "/v1/memories/search", expect=expect, json={"query": query, **fields}))

    async def found(self, query: str, **fields: Any) -> list[str]:
        """Contents that a search gives, best first, whatever their score."""
        answer = await self.search(query, **{"min_score": 0.0, **fields})
        return [e["memory"]["content"] for e in answer["evidence"]]

    async def found_ids(self, query: str, **fields: Any) -> list[str]:
        answer = await self.search(query, **{"min_score": 0.0, **fields})
        return [e["memory"]["id"] for e in answer["evidence"]]

    async def make_person(self, name: str, *, max_role: str = "writer", trust: str = "member", **grant: Any) -> Caller:
        """A new person of the org with a home brain and a key."""
        subject = await self.send("POST", "/v1/subjects", expect=201, json={"kind": "person", "name": name})
        wanted = {"subject_id": subject["id"], "writer_label": "tests", "max_role": max_role, "trust": trust, "reason": "tests", **grant}
        made = await self.send("POST", "/v1/admin/keys", expect=201, json=wanted)
        headers = {"Authorization": f"Bearer {made['key']}"}
        return replace(self, headers=headers, subject_id=UUID(subject["id"]))

    async def make_brain(self, name: str = "room", kind: str = "room", **fields: Any) -> str:
        made = await self.send("POST", "/v1/brains", expect=201, json={"kind": kind, "name": name, **fields})
        return str(made["id"])

    def through(self, runtime: Runtime) -> Caller:
        """The same caller at a server with other parts over the same database."""
        return replace(self, client=open_client(runtime))


def open_client(runtime: Runtime) -> httpx.AsyncClient:
    """A client of an application around this runtime; it holds no socket, so nothing needs to be closed."""
    transport = httpx.ASGITransport(app=create_app(runtime), client=("203.0.113.9", 40_000))
    return httpx.AsyncClient(transport=transport, base_url="http://memdb.example")


@asynccontextmanager
async def running(settings: Settings, database: FreshDatabase) -> AsyncIterator[Product]:
    """A product on a migrated database without rows."""
    clock = Clock()
    keyring = Keyring((make_root_key(),))
    runtime = await build_runtime(settings, app_url=database.app_url, keyring=keyring, clock=clock)
    owner = Database(database.owner_url, pool_size=2, statement_timeout_ms=60_000)
    try:
        yield Product(runtime, clock, owner, database.superuser_url, database.app_url, open_client(runtime))
    finally:
        await owner.aclose()
        await close_runtime(runtime)


class WatchedEmbedder:
    """Passes texts on to another embedder, and keeps what it was given and how many connections were out at the time.

    With `failure` set it raises that instead of answering.
    """

    def __init__(self, inner: Embedder, database: Database | None = None) -> None:
        self._inner = inner
        self._database = database
        self.documents: list[str] = []
        self.queries: list[str] = []
        self.checked_out: list[int] = []
        self.failure: Exception | None = None

    @property
    def space(self) -> EmbeddingSpace:
        return self._inner.space

    @property
    def max_batch(self) -> int:
        return self._inner.max_batch

    @property
    def max_tokens(self) -> int:
        return self._inner.max_tokens

    async def warm(self) -> None:
        await self._inner.warm()

    async def embed_documents(self, texts: Sequence[str]) -> list[Embedded]:
        self.documents += texts
        self._look()
        return await self._inner.embed_documents(texts)

    async def embed_queries(self, texts: Sequence[str]) -> list[Embedded]:
        self.queries += texts
        self._look()
        return await self._inner.embed_queries(texts)

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _look(self) -> None:
        if self._database is not None:
            self.checked_out.append(self._database.checked_out)
        if self.failure is not None:
            raise self.failure


class Statements:
    """Statements that a database's connections have run since this was made; `stop` ends the watching."""

    def __init__(self, database: Database) -> None:
        self._engine = database._engine.sync_engine
        self.seen: list[str] = []
        event.listen(self._engine, "before_cursor_execute", self._note)

    def stop(self) -> None:
        event.remove(self._engine, "before_cursor_execute", self._note)

    def _note(self, _conn: object, _cursor: object, statement: str, *_rest: object) -> None:
        self.seen.append(statement)
