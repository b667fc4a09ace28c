from __future__ import annotations

from pathlib import Path

import psycopg

from tests.integration.embedded.conftest import server_pid
from tests.support.postgres import session_cluster


def test_workers_share_one_server_that_does_not_wait_for_the_disk(tmp_path: Path) -> None:
    first = session_cluster(tmp_path)
    second = session_cluster(tmp_path)
    try:
        assert first.owner_url == second.owner_url
        with psycopg.connect(second.superuser_url) as connection:
            row = connection.execute("SHOW fsync").fetchone()
        assert row == ("off",)
    finally:
        first.stop()
        second.stop()
    assert server_pid(first.data_dir) is None
