"""What is learned, from the command line: as a file says it, in the policy beside what else it says, and shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.cli.client import Client
from tests.integration.cli.conftest import Running, error_line

ALL = ["semantic", "episodic", "procedural", "taxonomic"]


@pytest.fixture
def policy(server: Running) -> Iterator[int]:
    """A policy that says other things as well; the version. The org is as it was at the end."""
    with Client(server.ready["url"], server.key) as client:
        body = {"redaction": {"actions": {"PHONE_NUMBER": "mask"}}, "memory": {"front_entries": 7}}
        version: int = client.put("/v1/admin/policy", body)["version"]
    yield version
    with Client(server.ready["url"], server.key) as client:  # the server has closed the former connection meanwhile
        client.put("/v1/admin/policy", {})


def test_a_file_is_applied_shown_and_applied_again(server: Running, policy: int, tmp_path: Path) -> None:
    file = tmp_path / "project-config.yaml"
    file.write_text("memory:\n  extraction:\n    enabled:\n      - taxonomic\n      - semantic\n")
    done = server.json("config", "apply", file, "--wait", "--timeout", 60)
    assert (done["changed"], done["version"]) == (True, policy + 1)
    assert (done["enabled"], done["origin"], done["in_force"]) == (["semantic", "taxonomic"], "policy", True)
    with Client(server.ready["url"], server.key) as client:
        stored = client.get("/v1/admin/policy")
        assert stored["redaction"]["actions"] == {"PHONE_NUMBER": "mask"}
        assert stored["memory"] == {"front_entries": 7, "extraction": {"enabled": ["semantic", "taxonomic"]}}
    assert server.json("config", "status")["policy_version"] == policy + 1
    again = server.run("config", "apply", file).stdout
    assert again == f"nothing changed; learned from conversations: semantic, taxonomic (policy version {policy + 1})\n"
    shown = server.run("config", "status").stdout
    assert "worker: alive" in shown
    assert "in force: yes" in shown
    file.write_text("memory: {extraction: {enabled: null}}\n")
    assert server.json("config", "apply", file)["enabled"] == ALL


def test_the_file_is_looked_for_where_one_stands_and_a_mistake_told_with_its_line(server: Running) -> None:
    (server.folder / "project-config.yaml").unlink(missing_ok=True)
    assert "project-config.yaml cannot be read" in error_line(server.run("config", "apply", expect=3))
    (server.folder / "project-config.yaml").write_text("memory:\n  extraction:\n    enabled: [sematic]\n")
    assert "project-config.yaml, line 3: " in error_line(server.run("config", "apply", expect=3))
