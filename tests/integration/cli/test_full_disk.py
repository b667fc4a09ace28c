"""A disk that is full at the start or while the server runs: refused with a reason, nothing half-written, and on it goes afterwards."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from pathlib import Path

import psycopg
import pytest

from tests.integration.cli.conftest import Running, error_line, memdb, up
from tests.integration.cli.test_up import postgres_in
from tests.support.disk import fill, small_disk

ROWS = """
SELECT (SELECT count(*) FROM mem.memories WHERE status <> 'deleted'), (SELECT count(*) FROM mem.memory_index),
       (SELECT count(*) FROM mem.memory_stats)
"""
STATEMENT = "the lighthouse keeper counts ship number {} " + "and writes it down in the long book " * 200


@pytest.fixture(name="small_disk")
def _small_disk(tmp_path: Path) -> Iterator[Path]:
    with small_disk(tmp_path / "small disk", 160) as disk:
        yield disk


def test_a_full_disk_refuses_writes_whole_and_takes_them_again_later(small_disk: Path) -> None:
    data_dir = small_disk / "data"
    with up(data_dir, small_disk.parent / "log") as running:
        running.run("remember", "written before", "--kind", "episodic")
        with psycopg.connect(running.ready["database_url"], autocommit=True) as owner:
            ballast = fill(small_disk)
            stored = 1
            # Pages that have room take some more.
            while not refused(running, STATEMENT.format(stored)):
                stored += 1
                assert stored < 100
            assert running.run("export", "-").stdout.count("\n") == stored, "what is there can be read"
            ballast.unlink()
            running.run("remember", "written afterwards", "--kind", "episodic")
            row = owner.execute(ROWS).fetchone()
        assert row == (stored + 1,) * 3, "something was half-written"
        assert running.stop() == ""
    assert postgres_in(data_dir) == []

    ballast = fill(small_disk)
    for folder in (data_dir, small_disk / "new"):
        line = error_line(memdb("up", "--data-dir", folder, "--port", 0, "--json", cwd=small_disk.parent, expect=3))
        assert "no space left" in line
    ballast.unlink()
    with up(data_dir, small_disk.parent / "log", key=running.key) as again:
        assert again.run("export", "-").stdout.count("\n") == stored + 1


def refused(running: Running, content: str) -> bool:
    """Whether the disk is too full for this memory; any other refusal fails the test."""
    body = json.dumps({"content": content, "kind": "episodic"})
    headers = {"Authorization": f"Bearer {running.key}", "Content-Type": "application/json"}
    with closing(http.client.HTTPConnection(running.ready["url"].removeprefix("http://"))) as connection:
        connection.request("POST", "/v1/memories", body, headers)
        reply = connection.getresponse()
        told = json.loads(reply.read())
    if reply.status == HTTPStatus.CREATED:
        return False
    assert (reply.status, told["code"]) == (503, "storage_unavailable")
    assert "the disk of the database is full" in told["detail"]
    return True
