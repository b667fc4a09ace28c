"""A throw-away memdb: `memdb up` as a process of its own over a temporary folder, its commands, and keys made over HTTP.

There is no way to point it at another database: the folder is made here and removed at the end, and settings of whoever starts this are
refused.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from typer.testing import CliRunner

from memdb.embedded.cluster import EmbeddedPostgres

ROOT: Final = Path(__file__).parents[2]
_RUN: Final = "from api.cli.main import run; run()"
_END_WITHIN_S: Final = 30
_HTTP_TIMEOUT_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class Said:
    """What a command wrote to stdout, and its exit code."""

    code: int
    text: str

    def json(self) -> Any:  # noqa: ANN401 - any JSON value
        """Its one JSON document."""
        return json.loads(self.text)


@dataclass(slots=True)
class Product:
    """A running server. `url` stays over a restart; `restarts` counts them."""

    folder: Path
    postgres: EmbeddedPostgres
    url: str = ""
    restarts: int = 0
    _port: int = 0
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def start(self) -> None:
        """Serve; returns once requests are answered."""
        with (self.folder / "server.log").open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - this program
                [sys.executable, "-c", _RUN, "up", "--json", "--port", str(self._port), "--data-dir", str(self.data_dir)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        assert self._process.stdout is not None, "it is a pipe"
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"memdb up did not start:\n{(self.folder / 'server.log').read_text(encoding='utf-8')[-2000:]}")
        self.url = json.loads(line)["url"]
        self._port = int(self.url.rsplit(":", 1)[1])

    def stop(self) -> None:
        """End the server; the database goes on."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(_END_WITHIN_S)

    def restart(self) -> None:
        """End the server and start it again at the same address."""
        self.stop()
        self.start()
        self.restarts += 1

    @property
    def data_dir(self) -> Path:
        """The folder of `memdb up`: database, secret and heads."""
        return self.folder / "data"

    def run(self, *arguments: str) -> Said:
        """A command of `memdb` on this folder."""
        return _run([*arguments, "--data-dir", str(self.data_dir)], {})

    def run_as(self, key: str, *arguments: str) -> Said:
        """A command of `memdb` that asks the server, with a key."""
        return _run(arguments, {"MEMDB_URL": self.url, "MEMDB_KEY": key})

    def make_org(self, name: str) -> Org:
        """A new org with its administrator.

        Args:
            name: 1 to 40 of a-z, 0-9 and hyphen, not used before.
        """
        said = self.run("org", "create", name, "--json")
        if said.code != 0:
            raise RuntimeError(f"memdb org create: {said.text}")
        made = said.json()
        return Org(self, name, made["org_id"], made["subject_id"], made["admin_key"])


def _run(arguments: Sequence[str], env: Mapping[str, str]) -> Said:
    """By the program's own commands, in this process, because a new one takes seconds to load."""
    from api.cli.commands import app  # noqa: PLC0415 - it loads everything

    done = CliRunner().invoke(app, list(arguments), env=dict(env))
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        return Said(1, f"{type(done.exception).__name__}: {done.exception}")
    return Said(done.exit_code, done.stdout)


@contextmanager
def thrown_away() -> Iterator[Product]:
    """A server over an empty folder, until the block ends; nothing is left behind.

    Raises:
        SystemExit: a setting of memdb is in the environment: it could lead to a database that is somebody's.
    """
    settings = sorted(name for name in os.environ if name.upper().startswith("MEMDB_"))
    if settings:
        raise SystemExit(f"this measures a database of its own and the settings as shipped; unset {', '.join(settings)}")
    with tempfile.TemporaryDirectory(prefix="memdb-scoreboards-", ignore_cleanup_errors=True) as folder:
        data_dir = Path(folder) / "data"
        data_dir.mkdir()
        with EmbeddedPostgres.start(data_dir) as postgres:
            product = Product(Path(folder), postgres)
            try:
                product.start()
                yield product
            finally:
                product.stop()


@dataclass(frozen=True, slots=True)
class Org:
    """An org of the product. `admin_key` also reviews and audits."""

    product: Product
    name: str
    id: str
    admin_subject: str
    admin_key: str

    @property
    def admin(self) -> Caller:
        """Its administrator."""
        return Caller(self.product.url, self.admin_key, self.admin_subject)

    def make(self, kind: str, name: str, *, trust: str, role: str = "writer", act_as: Sequence[str] = ()) -> Caller:
        """A person or an agent with a key.

        Args:
            kind: person or agent.
            name: shown.
            trust: of the key, a level of the policy.
            role: the most that the key may be in a brain.
            act_as: ids of subjects that it may speak for.
        """
        subject = self.admin.post("/v1/subjects", {"kind": kind, "name": name})
        return self.make_key(subject["id"], name, trust=trust, role=role, act_as=act_as)

    def make_key(self, subject_id: str, label: str, *, trust: str, role: str = "writer", act_as: Sequence[str] = ()) -> Caller:
        """Another key of a subject; arguments as of `make`."""
        body = {
            "subject_id": subject_id,
            "writer_label": label,
            "max_role": role,
            "trust": trust,
            "capabilities": ["act_as"] if act_as else [],
            "act_as_subjects": list(act_as),
            "reason": "a benchmark",
        }
        return Caller(self.product.url, self.admin.post("/v1/admin/keys", body)["key"], subject_id)


class Refused(RuntimeError):
    """An answer of 400 or more. `code` is the product's."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(f"HTTP {status} {code}")
        self.status = status
        self.code = code


class Caller:
    """Somebody with a key, over a connection of their own."""

    def __init__(self, url: str, key: str, subject_id: str, act_as: str | None = None) -> None:
        self.subject_id = subject_id
        headers = {"Authorization": f"Bearer {key}"} | ({} if act_as is None else {"Memdb-Act-As": act_as})
        self._url, self._headers = url, headers
        self._client: httpx.Client | None = None
        self._key = key

    def acting_for(self, subject_id: str) -> Caller:
        """The same key, speaking for somebody."""
        return Caller(self._url, self._key, self.subject_id, subject_id)

    def ask(self, method: str, path: str, body: object = None, **query: object) -> httpx.Response:
        """Send a request; whatever is answered."""
        given = {name: value for name, value in query.items() if value is not None}
        return self._connected().request(method, path, json=body, params=given)  # type: ignore[arg-type]  # ids, numbers, words and lists of them

    def post(self, path: str, body: object) -> Any:  # noqa: ANN401 - any JSON value
        """The reply.

        Raises:
            Refused: 400 or more.
        """
        return self._answer(self.ask("POST", path, body))

    def post_lines(self, path: str, bodies: Sequence[object]) -> Any:  # noqa: ANN401 - any JSON value
        """The same for a body a line."""
        lines = "\n".join(json.dumps(body) for body in bodies)
        return self._answer(self._connected().post(path, content=lines.encode(), headers={"Content-Type": "application/x-ndjson"}))

    def get(self, path: str, **query: object) -> Any:  # noqa: ANN401 - any JSON value
        """The same."""
        return self._answer(self.ask("GET", path, **query))

    def _answer(self, reply: httpx.Response) -> Any:  # noqa: ANN401 - any JSON value
        if reply.status_code >= 400:
            raise Refused(reply.status_code, str(reply.json().get("code")))
        return reply.json() if reply.content else None

    def _connected(self) -> httpx.Client:
        if self._client is None:
            self._client = httpx.Client(base_url=self._url, headers=self._headers, timeout=_HTTP_TIMEOUT_S)
        return self._client

    def hang_up(self) -> None:
        """Close the connection; the next request makes a new one."""
        if self._client is not None:
            self._client.close()
            self._client = None
