"""The policy as a file, from the command line: shown, checked, tried, set, set again, listed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from api.cli.client import Client
from tests.integration.cli.conftest import Running, error_line

FILE = "redaction:\n  recognizers:\n    CUSTOMER_NUMBER:\n      pattern: \\bC-[0-9]{6}\\b\n      context:\n      - customer\n      action: mask\n"
EXAMPLE = Path(__file__).parents[3] / "docs/examples/policy.yaml"


@pytest.fixture
def file(server: Running, tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "policy.yaml"
    with Client(server.ready["url"], server.key) as client:
        client.put("/v1/admin/policy", {})


def test_a_file_is_checked_tried_set_and_shown(server: Running, file: Path) -> None:
    before = server.json("policy", "show")["version"]
    file.write_text(FILE)
    assert server.run("policy", "check", file).stdout == "policy.yaml is a policy\n"
    server.json("remember", "the customer C-123456 likes tea")
    tried = server.json("policy", "apply", file, "--dry-run", 10)
    assert (tried["redacted"], tried["version"]) == (1, before)
    assert "1 more mentions redacted, in 1 memories" in server.run("policy", "apply", file, "--dry-run", 10).stdout
    assert server.json("policy", "show")["version"] == before, "nothing was set"
    done = server.run("policy", "apply", file, "--expected-version", before)
    assert done.stdout == f"policy version {before + 1} is set\n"
    assert server.run("policy", "show").stdout.partition("\n")[2] == FILE
    assert server.run("policy", "apply", file).stdout == f"nothing changed; the policy is at version {before + 1}\n"
    assert "version_conflict" in error_line(server.run("policy", "apply", EXAMPLE, "--expected-version", before, expect=1))
    newest = server.json("policy", "history")["items"][0]
    assert (newest["version"], list(newest["redaction"]["recognizers"])) == (before + 1, ["CUSTOMER_NUMBER"])
    assert "redaction" in server.run("policy", "history").stdout
    receipt = server.json("remember", "the customer C-654321 likes rum")
    assert [r["entity"] for r in receipt["redactions"]] == ["CUSTOMER_NUMBER"]


def test_what_holds_without_a_policy_is_the_example(server: Running, file: Path) -> None:
    shown = server.run("policy", "show", "--version", 0, "--effective").stdout
    file.write_text(shown)
    assert server.json("policy", "check", EXAMPLE) == {"valid": True, "problems": []}
    assert server.json("policy", "apply", file)["version"] == server.json("policy", "apply", EXAMPLE)["version"]


def test_every_mistake_is_told_with_file_line_and_key(server: Running, file: Path) -> None:
    file.write_text("redaction:\n  actions:\n    EMAIL_ADDRESS: shout\nfrost: {}\n")
    refused = server.run("policy", "check", file, expect=1).stderr.splitlines()
    assert refused[0].startswith("error: policy.yaml, line 3: redaction.actions.EMAIL_ADDRESS: ")
    assert refused[1].startswith("error: policy.yaml, line 4: frost: unknown key; known: redaction, screening,")
    assert server.run("policy", "apply", file, expect=1).stderr.splitlines() == refused
    assert "cannot be read" in error_line(server.run("policy", "check", file.with_name("none.yaml"), expect=3))
