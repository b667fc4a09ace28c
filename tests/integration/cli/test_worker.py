"""`memdb worker` as a process beside a server that does no jobs: it learns, stops when told, and is replaced when it is killed."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from memdb.embedded.cluster import EmbeddedPostgres
from tests.integration.cli.conftest import COMMAND, READY_WITHIN_S, STOPPED_WITHIN_S, environment, up

LEARNED_WITHIN_S = 120  # on a machine that runs other tests as well
STOPS_WITHIN_S = 10
NAMES = ("Ana", "Bruno", "Carla", "Diego")
LOG = "log of the worker"
FOODS = ("peanuts", "shrimp", "soy", "milk")


@dataclass(frozen=True, slots=True)
class Served:
    """A server that cuts and learns nothing, its database, and a client with the admin's key."""

    client: httpx.Client
    cluster: EmbeddedPostgres
    data_dir: Path

    def send(self, method: str, path: str, **arguments: Any) -> Any:
        reply = self.client.request(method, path, **arguments)
        assert reply.is_success, reply.text
        return reply.json()

    def begin(self) -> tuple[str, str, dict[str, str]]:
        """A brain of its own, a session whose every turn is a snapshot, and people by name."""
        brain = self.send("POST", "/v1/brains", json={"kind": "room", "name": "kitchen"})["id"]
        session = self.send("POST", "/v1/sessions", json={"brain_id": brain, "max_messages": 1, "overlap": 0})["id"]
        return brain, session, {n: self.send("POST", "/v1/subjects", json={"kind": "person", "name": n})["id"] for n in NAMES}

    def contents(self, brain: str) -> list[str]:
        """What a brain remembers."""
        return [one["content"] for one in self.send("GET", "/v1/memories", params={"brain_id": brain, "limit": 200})["items"]]

    def states(self, session: str) -> list[str]:
        """What has become of the extractions of a session."""
        page = self.send("GET", f"/v1/sessions/{session}/snapshots", params={"limit": 200})
        return [extraction["state"] for snapshot in page["items"] for extraction in snapshot["extractions"]]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("worker") / "some data"
    folder.mkdir()
    with up(folder / "d", folder / "log") as made:
        key, data_dir = made.key, made.data_dir
    # A connection for each request: on a busy machine the server may have closed an idle one a moment ago.
    no_reuse, headers = httpx.Limits(max_keepalive_connections=0), {"Authorization": f"Bearer {key}"}
    with (
        EmbeddedPostgres.start(data_dir) as cluster,
        _serve(cluster, data_dir, folder / "log") as url,
        httpx.Client(base_url=url, headers=headers, timeout=READY_WITHIN_S, limits=no_reuse) as client,
    ):
        yield Served(client, cluster, data_dir)


@contextmanager
def _serve(cluster: EmbeddedPostgres, data_dir: Path, log: Path) -> Iterator[str]:
    env = environment(MEMDB_DATABASE_URL=cluster.app_url, MEMDB_SECRET_FILE=str(data_dir / "secret.key"))
    with log.open("a") as errors:
        process = subprocess.Popen(
            [str(COMMAND), "serve", "--port", "0", "--json"], cwd=data_dir.parent, env=env, stdout=subprocess.PIPE, stderr=errors, text=True
        )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, log.read_text()
        yield json.loads(line)["url"]
    finally:
        process.terminate()
        process.communicate(timeout=STOPPED_WITHIN_S)


@contextmanager
def working(data_dir: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker; it is gone at the end."""
    with (data_dir.parent / LOG).open("a") as log:
        process = subprocess.Popen(
            [str(COMMAND), "worker", "--data-dir", str(data_dir), *options], cwd=data_dir.parent, env=environment(), stdout=log, stderr=log
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + LEARNED_WITHIN_S
    while not is_so():
        assert time.monotonic() < deadline, "not within the time"
        time.sleep(0.2)


def test_it_learns_from_turns_and_ends_when_told(served: Served) -> None:
    brain, session, people = served.begin()
    with working(served.data_dir) as process:
        turns = [{"text": "I'm allergic to peanuts.", "speaker": {"subject_id": people["Ana"]}}]
        served.send("POST", f"/v1/sessions/{session}/turns", json={"turns": turns})
        wait_until(lambda: served.contents(brain) == ["Ana is allergic to peanuts."])
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOPS_WITHIN_S) == 0
    served.send("POST", f"/v1/sessions/{session}/turns", json={"turns": [{"text": "hello"}]})
    time.sleep(1)
    assert len(served.states(session)) == 4, "nobody cuts while no worker runs"


def test_it_tells_its_figures_where_it_is_asked_to(served: Served) -> None:
    brain, session, people = served.begin()
    log = served.data_dir.parent / LOG
    with working(served.data_dir, "--metrics-port", "0") as process:
        wait_until(lambda: "figures_served" in log.read_text())
        (port,) = [line["port"] for line in map(json.loads, log.read_text().splitlines()) if line["event"] == "figures_served"]
        url = f"http://127.0.0.1:{port}/metrics"
        turns = [{"text": "I'm allergic to zanzibar nuts.", "speaker": {"subject_id": people["Ana"]}}]
        served.send("POST", f"/v1/sessions/{session}/turns", json={"turns": turns})
        wait_until(lambda: len(served.contents(brain)) == 1 and set(served.states(session)) == {"done"})
        # A turn that nobody had cut before may be read as well.
        done = re.compile(r'memdb_extractions_total\{handler="taxonomic",outcome="done"\} [1-9]')
        wait_until(lambda: done.search(httpx.get(url).text) is not None)
        figures = httpx.get(url).text
        assert 'memdb_decisions_total{action="ADD",kind="semantic"} 1.0' in figures
        assert re.search(r'memdb_extraction_seconds_count\{handler="semantic"\} [1-9]', figures)
        assert "zanzibar" not in figures
        other = subprocess.run(
            [str(COMMAND), "worker", "--data-dir", str(served.data_dir), "--metrics-port", str(port)],
            cwd=served.data_dir.parent, env=environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert (other.returncode, "[port_in_use]" in other.stderr) == (5, True), other.stderr
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOPS_WITHIN_S) == 0


def test_another_one_finishes_what_a_killed_one_had_begun(served: Served) -> None:
    brain, session, people = served.begin()
    said = [(name, food) for name in NAMES for food in FOODS]
    turns = [{"text": f"I'm allergic to {food}.", "speaker": {"subject_id": people[name]}} for name, food in said]
    served.send("POST", f"/v1/sessions/{session}/turns", json={"turns": turns})
    with working(served.data_dir) as process:
        wait_until(lambda: "done" in served.states(session))
        process.kill()
        process.wait()
    assert "waiting" in served.states(session), "it was killed in the middle"
    with psycopg.connect(served.cluster.owner_url, autocommit=True) as conn:
        # As if the time had passed after which a worker without a sign of life is given up.
        conn.execute("UPDATE memdb_jobs.procrastinate_workers SET last_heartbeat = last_heartbeat - interval '1 minute'")
    with working(served.data_dir) as process:
        wait_until(lambda: set(served.states(session)) == {"done"} and len(served.states(session)) == 4 * len(said))
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOPS_WITHIN_S) == 0
    assert sorted(served.contents(brain)) == sorted(f"{name} is allergic to {food}." for name, food in said)
    with psycopg.connect(served.cluster.owner_url) as conn:
        assert conn.execute("SELECT count(*) FROM memdb_jobs.procrastinate_jobs WHERE status = 'doing'").fetchone() == (0,)
