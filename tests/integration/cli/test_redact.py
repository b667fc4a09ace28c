"""`memdb redact scan` beside a running server, and canaries through the commands that take text."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from tests.integration.canary.values import MAKERS, canaries, leaks
from tests.integration.cli.conftest import Running, error_line, memdb, up

Lines = Callable[..., Path]
MAIL = "ana.silva@example.com"


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server whose policy these tests may change."""
    folder = tmp_path_factory.mktemp("redact")
    with up(folder / "data", folder / "up.log") as running:
        yield running


def set_mail(server: Running, action: str) -> None:
    body = json.dumps({"redaction": {"actions": {"EMAIL_ADDRESS": action}}}).encode()
    headers = {"Authorization": f"Bearer {server.key}", "Content-Type": "application/json"}
    request = urllib.request.Request(server.ready["url"] + "/v1/admin/policy", body, headers, method="PUT")  # noqa: S310 - this machine's own server
    with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310 - as above
        assert reply.status == 200


def scan(server: Running, *arguments: object, expect: int = 0) -> dict[str, object]:
    done = memdb("redact", "scan", "--data-dir", server.data_dir, "--json", *arguments, cwd=server.folder, expect=expect)
    found = json.loads(done.stdout)
    assert isinstance(found, dict)
    return found


def test_a_scan_reports_then_redacts_then_finds_nothing(own_server: Running) -> None:
    set_mail(own_server, "keep")
    receipt = own_server.json("remember", f"Write to {MAIL} about the harbour")
    set_mail(own_server, "pseudonymise")
    reported = scan(own_server, expect=1)
    assert reported["found"] == [{"where": "memory", "entity": "EMAIL_ADDRESS", "times": 1}]
    assert reported["rewritten"] == {}
    state = own_server.folder / "scan.state"
    applied = scan(own_server, "--apply", "--state", state)
    assert applied["rewritten"] == {"memories": 1}
    assert not state.exists()
    assert scan(own_server)["found"] == []
    evidence = own_server.json("recall", "the harbour")["evidence"]
    assert [(e["memory"]["id"], e["memory"]["content"]) for e in evidence] == [(receipt["id"], "Write to [EMAIL_1] about the harbour")]


def test_a_scan_that_cannot_be_done_says_why_in_one_line(own_server: Running, tmp_path: Path) -> None:
    arguments = ("redact", "scan", "--data-dir", own_server.data_dir)
    unknown = memdb(*arguments, "--org", "nobody", cwd=own_server.folder, expect=1)
    assert error_line(unknown).endswith("[not_found]")
    state = tmp_path / "state"
    for text in ("", "[]", '{"position": 1}', '{"format": 1, "org": "main", "apply": false, "position": ["x", "memories", null]}'):
        state.write_text(text)
        refused = memdb(*arguments, "--state", state, cwd=own_server.folder, expect=1)
        assert error_line(refused).endswith("[invalid_input]")
    nowhere = memdb("redact", "scan", "--data-dir", tmp_path / "nothing", cwd=tmp_path, expect=3)
    assert error_line(nowhere).endswith("[configuration]")


def test_no_canary_survives_the_commands(own_server: Running, write_lines: Lines) -> None:
    planted = canaries(2 * len(MAKERS), 23)
    everything = " and also ".join(c.text for c in planted[: len(MAKERS)])
    said = [own_server.run("remember", f"Note {everything} please", "--data", json.dumps({"value": everything}))]
    said.append(own_server.run("recall", f"who knows {everything}?"))
    said.append(own_server.run("remember", "a note", "--tag", planted[0].text, expect=1))
    lines: list[object] = [{"content": f"Import {c.text} now", "kind": "semantic", "tags": [c.text]} for c in planted]
    lines += [
        {"content": f"Import number {n}: {c.text}", "kind": "semantic", "source": {"speaker": c.text, "text": f"{c.text} was said"}}
        for n, c in enumerate(planted)
    ]
    lines += [{"content": 1, "kind": c.text, c.text: c.text} for c in planted] + [c.text.splitlines()[0] for c in planted]
    file = write_lines(*lines)
    said.append(own_server.run("import", file, expect=1))
    out = own_server.folder / "out.jsonl"
    said.append(own_server.run("export", out))
    state = file.with_name(file.name + ".memdb-state").read_text()
    shown = "\n".join([*(done.stdout + done.stderr for done in said), state, out.read_text(), own_server.log.read_text()])
    with psycopg.connect(own_server.ready["database_url"]) as conn:
        # Random names and numbers of this run; its log tells process id and port.
        known = {row[0] for row in conn.execute("SELECT id FROM mem.api_keys")}
        known |= {f"[{own_server.process.pid}]", own_server.ready["url"].removeprefix("http://")}
        texts = "SELECT to_jsonb(m)::text FROM mem.memories m UNION ALL SELECT to_jsonb(r)::text FROM mem.recalls r"
        shown += "\n".join(row[0] for row in conn.execute(texts))
    assert leaks(shown, planted, known) == {}
    assert out.read_text().count("Import number") == sum(c.kind != "pem" for c in planted)  # a speaker of several lines is refused
