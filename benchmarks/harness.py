"""What every benchmark needs: an embedded server of its own, the real runtime, orgs and brains, percentiles, and what machine it was."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from api.container import build_runtime, close_runtime
from memdb import keyring
from memdb.config import load_settings
from memdb.directory.authentication import Authenticated, Authenticator
from memdb.directory.brains import create_brain
from memdb.directory.orgs import create_org
from memdb.embedded.cluster import EmbeddedPostgres
from memdb.formation.pipeline import Writer
from memdb.providers.embedding.registry import open_embedder
from memdb.runtime import Runtime
from memdb.storage.brains import BrainKind
from memdb.storage.database import Database
from memdb.storage.migrate import migrate
from retrieval.engine import Reader


@dataclass(frozen=True, slots=True)
class Bench:
    """A running memdb without HTTP, and an administrator's key in it."""

    runtime: Runtime
    authenticator: Authenticator
    key: str
    postgres: EmbeddedPostgres

    async def enter(self) -> Authenticated:
        """The administrator with what it reaches now."""
        return await self.authenticator.authenticate(self.key, None, None)

    async def make_brain(self, name: str) -> UUID:
        """A room of the administrator's."""
        return (await create_brain(self.runtime, await self.enter(), BrainKind.ROOM, name, {})).row.id


def writer_of(who: Authenticated) -> Writer:
    """The administrator as a writer through the loader's door."""
    return Writer(who.principal, who.access, who.home_brain_id, "import", who.redaction)


def reader_of(who: Authenticated) -> Reader:
    """The administrator as a reader."""
    return Reader(who.principal, who.access, who.redaction)


@asynccontextmanager
async def open_bench(**overrides: object) -> AsyncIterator[Bench]:
    """Start everything in a temporary folder; nothing is left behind. `overrides` are settings."""
    with tempfile.TemporaryDirectory(prefix="memdb-bench-") as folder:
        data_dir = Path(folder) / "data"
        data_dir.mkdir()
        postgres = EmbeddedPostgres.start(data_dir)
        try:
            settings = load_settings({}, data_dir=data_dir, **overrides)
            embedder = await open_embedder(settings.embedding)
            migrate(postgres.owner_url, embedder.space, now=datetime.now(UTC))
            await embedder.aclose()
            postgres.set_app_password()
            keyring.write_new(data_dir / "secret.key", keyring.make_root_key())
            ring = keyring.load(data_dir / "secret.key")
            owner = Database(postgres.owner_url, pool_size=1, statement_timeout_ms=60_000)
            org = await create_org(owner, ring, "bench", datetime.now(UTC))
            await owner.aclose()
            runtime = await build_runtime(settings, app_url=postgres.app_url, keyring=ring)
            try:
                yield Bench(runtime, Authenticator(runtime.database, runtime.clock, ring), org.key.render(), postgres)
            finally:
                await close_runtime(runtime)
        finally:
            postgres.stop()


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def environment() -> dict[str, object]:
    """The machine, for the record."""
    return {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count(), "load": os.getloadavg()}


def write_json(path: Path | None, headline: dict[str, object], rest: dict[str, object]) -> None:
    """The result as JSON, beginning with `headline`."""
    if path is not None:
        path.write_text(json.dumps({"headline": headline, **rest, "environment": environment()}, indent=2) + "\n", encoding="utf-8")
