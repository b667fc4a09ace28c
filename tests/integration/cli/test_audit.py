"""`memdb audit` beside a running server: what is stored verifies, what was changed is named, and what is accepted verifies again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from memdb.embedded.cluster import EmbeddedPostgres
from tests.integration.cli.conftest import Running, error_line, memdb, up


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose rows these tests may change."""
    folder = tmp_path_factory.mktemp("audit")
    with up(folder / "data", folder / "up.log") as running:
        yield running


def audit(server: Running, *arguments: object, expect: int = 0) -> Any:
    done = memdb("audit", *arguments, "--data-dir", server.data_dir, "--json", cwd=server.folder, expect=expect)
    return json.loads(done.stdout)


def change(server: Running, sql: str, memory_id: str) -> None:
    with EmbeddedPostgres.start(server.data_dir) as cluster, psycopg.connect(cluster.owner_url) as conn:
        assert conn.execute(sql.encode(), (memory_id,)).rowcount == 1


def test_an_edit_behind_the_product_is_named_and_can_be_accepted(own_server: Running) -> None:
    receipt = own_server.json("remember", "The harbour opens at six")
    audit(own_server, "seal")
    (report,) = audit(own_server, "verify")
    assert (report["intact"], report["unsealed"], report["memories"]) == (True, 0, 1)
    assert report["head_position"] > 0
    change(own_server, "UPDATE mem.memories SET content = 'The harbour opens at five' WHERE id = %s", receipt["id"])
    (report,) = audit(own_server, "verify", expect=1)
    assert report["damage"] == {"memory_changed": 1}
    assert report["first"][0]["object_id"] == receipt["id"]
    shown = memdb("audit", "verify", "--data-dir", own_server.data_dir, cwd=own_server.folder, expect=1).stdout
    assert f"memory_changed: memory {receipt['id']}" in shown
    refused = memdb("audit", "reseal", "--data-dir", own_server.data_dir, cwd=own_server.folder, expect=3)
    assert "--accept-unverified" in error_line(refused)
    assert audit(own_server, "reseal", "--accept-unverified")[0]["memories"] == 1
    assert audit(own_server, "verify")[0]["intact"]


def test_what_cannot_be_verified_says_why_in_one_line(own_server: Running, tmp_path: Path) -> None:
    arguments = ("audit", "verify", "--data-dir", own_server.data_dir)
    assert "no org nowhere" in error_line(memdb(*arguments, "--org", "nowhere", cwd=tmp_path, expect=3))
    assert "there is no file" in error_line(memdb(*arguments, "--org", "main", "--head", tmp_path / "none", cwd=tmp_path, expect=3))
