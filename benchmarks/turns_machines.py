"""What the endurance run does to processes: a worker that is killed and started again, and a Postgres that is ended at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from memdb.embedded.cluster import EmbeddedPostgres

ROOT: Final = Path(__file__).parents[1]
_RUN: Final = "from api.cli.main import run; run()"
_END_WITHIN_S: Final = 20


class Worker:
    """`memdb worker` as a process of its own; what it logs goes to a file."""

    def __init__(self, data_dir: Path, log: Path) -> None:
        self._data_dir = data_dir
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self.kills = 0
        self.deaths = 0

    def start(self) -> None:
        """Start it, if it does not run; one that ended by itself counts as a death."""
        if self._process is not None and self._process.poll() is None:
            return
        self.deaths += self._process is not None
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - this program
                [sys.executable, "-c", _RUN, "worker", "--data-dir", str(self._data_dir)],
                cwd=ROOT,
                env=os.environ | {"MEMDB_EMBEDDING_PROVIDER": "hashing"},
                stdout=log,
                stderr=log,
            )

    def kill(self) -> None:
        """SIGKILL, and a new one."""
        assert self._process is not None, "it was started"
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
            self._process = None
            self.kills += 1
        self.start()

    def logged(self, event: str) -> int:
        """How often the workers logged an event."""
        return self._log.read_text(encoding="utf-8").count(event)

    def stop(self) -> int | None:
        """SIGTERM, and the exit code; None when it had to be killed."""
        assert self._process is not None, "it was started"
        self._process.terminate()
        try:
            return self._process.wait(_END_WITHIN_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return None


async def restart_postgres(postgres: EmbeddedPostgres) -> None:
    """End it as `pg_ctl stop -m immediate` does, without a checkpoint, and start it again: it recovers from its log."""
    pid = int((postgres.data_dir / "postgres" / "postmaster.pid").read_text(encoding="utf-8").split()[0])
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGQUIT)
    while postgres.is_running():  # noqa: ASYNC110 - a process of somebody else tells nothing when it ends
        await asyncio.sleep(0.05)
    await asyncio.to_thread(postgres.restart, given_up=lambda: False)
