"""Somebody at every door: what each is asked, and every byte that comes out of it."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memdb.embedded.binaries import find_binaries
from tests.integration.doors.commands import COMMANDS
from tests.integration.doors.routes import ROUTES
from tests.integration.doors.rows import REFUSED, Row
from tests.integration.doors.tools import TOOLS
from tests.support.served import Served, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tests.integration.doors.world import World
    from tests.support.forking import Commands
    from tests.support.product import Caller


@dataclass(frozen=True, slots=True)
class Reply:
    """What came out of a door. status: of HTTP, REFUSED or 0 of a tool, the exit code of a command."""

    status: int
    text: str

    @property
    def well(self) -> bool:
        return self.status == 0 or 200 <= self.status < 300

    @property
    def broken(self) -> bool:
        """A fault of the server or the command, or a question that it did not understand."""
        return self.status >= 500 or self.status == 422 or self.status in {2, 3} or "[internal]" in self.text


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where commands are run: with which server, and as the owner of which database."""

    commands: Commands
    served: Served
    environment: Mapping[str, str]

    @property
    def folder(self) -> Path:
        return self.commands.folder


@dataclass(slots=True)
class Walk:
    """Somebody at every door in turn, at those that end something last. `replies` by door: a route as `GET /path`, `tool <name>` or `memdb <command>`."""

    world: World
    caller: Caller
    replies: dict[str, Reply] = field(default_factory=dict)

    async def with_key(self, terminal: Terminal | None = None) -> Walk:
        """All routes and tools, and where there is a terminal all commands that talk to the server, as the caller."""
        if terminal is not None:
            (terminal.folder / "lines.jsonl.memdb-state").unlink(missing_ok=True)  # how far somebody else's import came
        for last in (False, True):
            for (method, path), row in _of(ROUTES, last):
                self.replies[f"{method} {path}"] = await self._ask(method, path, row)
            for tool, row in _of(TOOLS, last):
                self.replies[f"tool {tool}"] = await self._call(tool, row)
            for command, row in _of(COMMANDS, last):
                if row.by == "key" and terminal is not None:
                    self.replies[f"memdb {command}"] = await self._run(terminal, row)
        return self

    async def as_owner(self, terminal: Terminal, *, processes: bool = False) -> Walk:
        """All commands of the owner of the database; those that go on only where they are asked for, as they take seconds."""
        (terminal.folder / "receipt.json").write_text(json.dumps(self.world.receipt))
        for command, row in [*_of(COMMANDS, False), *_of(COMMANDS, True)]:
            if row.by == "owner" and (processes or row.until is None):
                self.replies[f"memdb {command}"] = await self._run(terminal, row)
        return self

    def showing(self, *words: str) -> set[str]:
        """Doors out of which one of the words came, however it is written."""
        return {door for door, reply in self.replies.items() if any(word in reply.text.casefold() for word in words)}

    @property
    def unwell(self) -> dict[str, Reply]:
        """Doors that failed, or did not understand what they were asked: the table is to be true of every caller."""
        return {door: reply for door, reply in self.replies.items() if reply.broken and reply.status not in rows()[door].refused}

    async def _ask(self, method: str, path: str, row: Row) -> Reply:
        options: dict[str, Any] = {"headers": dict(self.caller.headers)}
        if row.text is not None:
            options["content"] = row.text.format(**self.world.ids).encode()
            options["headers"]["Content-Type"] = "application/x-ndjson"
        elif row.json is not None:
            options["json"] = fill(row.json, self.world.ids)
        reply = await self.caller.client.request(method, path.format(**self.world.ids), params=fill(row.params, self.world.ids), **options)
        return Reply(reply.status_code, f"{reply.headers} {reply.content.decode('utf-8', 'replace')}")

    async def _call(self, tool: str, row: Row) -> Reply:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": fill(row.json, self.world.ids)}}
        headers = {**self.caller.headers, "Content-Type": "application/json", "Accept": "application/json"}
        reply = await self.caller.client.post("/mcp", content=json.dumps(message).encode(), headers=headers)
        assert reply.status_code == 200, reply.text
        return Reply(REFUSED if reply.json()["result"].get("isError") else 0, reply.text)

    async def _run(self, terminal: Terminal, row: Row) -> Reply:
        out = terminal.folder / "out"
        if row.files and out.is_dir():
            shutil.rmtree(out)
        elif row.files:
            out.unlink(missing_ok=True)
        key = {"MEMDB_URL": terminal.served.url, "MEMDB_KEY": key_of(self.caller)} if row.by == "key" else {}
        argv, stdin = fill(list(row.argv), self.world.ids), row.stdin.format(**self.world.ids)
        ended = await terminal.commands.run(*argv, env={**terminal.environment, **key}, stdin=stdin, until=row.until)
        return Reply(ended.code, "\n".join([ended.out, ended.err, *(_content(out) if row.files else ())]))


def fill(value: Any, ids: Mapping[str, str]) -> Any:
    """A row with the ids of a world."""
    if isinstance(value, dict):
        return {name: fill(one, ids) for name, one in value.items()}
    if isinstance(value, list):
        return [fill(one, ids) for one in value]
    return value.format(**ids) if isinstance(value, str) else value


def rows() -> dict[str, Row]:
    """All of them by door."""
    routes = {f"{method} {path}": row for (method, path), row in ROUTES.items()}
    return routes | {f"tool {name}": row for name, row in TOOLS.items()} | {f"memdb {name}": row for name, row in COMMANDS.items()}


def _of(table: Mapping[Any, Row], last: bool) -> Iterable[tuple[Any, Row]]:
    return [(door, row) for door, row in table.items() if row.last is last]


def _content(out: Path) -> list[str]:
    """What a command wrote into files; a dump as the statements that it restores."""
    files = [out] if out.is_file() else [file for file in out.rglob("*") if file.is_file()]
    return [_unpacked(file) if file.suffix == ".dump" else file.read_text(encoding="utf-8", errors="replace") for file in files]


def _unpacked(dump: Path) -> str:
    done = subprocess.run([find_binaries().pg_restore, "--file=-", dump], capture_output=True, check=True, timeout=60)
    return done.stdout.decode("utf-8", "replace")
