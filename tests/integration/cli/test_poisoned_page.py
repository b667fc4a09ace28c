"""The script of docs/quarantine.md does what it says, twice in a row, against `memdb up`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.integration.cli.conftest import environment, up

SCRIPT = Path(__file__).parents[3] / "docs" / "examples" / "poisoned_page.py"
NAME = r"[A-Z][a-z]{5}"
SAYS = (
    r"in Bruno's own brain:\n    held: low_trust_in_personal_brain",
    r"of his team:\n    active, believed no more than a page",
    rf"Recalled:\n    {NAME} Logistics has moved to Porto\. \(trust: agent\)\n    {NAME} Logistics has moved its offices to Porto \(trust: web\)",
    r"4 memories in 3 brains, 1 conversation; 1 held already:",
    r"All of it is quarantined\. Recalled:\n    nothing",
    r"exactly as it was:\n    True",
    r"4 of 4 memories are purged\. Recalled:\n    nothing\nThe audit verifies:\n    True",
    r"It is read:\n    refused: integrity_failed",
    r"The audit verifies: False; it names\n    memory_changed: memory [0-9a-f-]{36}",
    rf"The row is put back\. It is read:\n    {NAME} Logistics closes at six\nThe audit verifies:\n    True\n$",
)


def test_the_script_of_the_page_on_quarantine_runs(tmp_path: Path) -> None:
    with up(tmp_path / "data", tmp_path / "up.log") as server:
        reached = {"MEMDB_URL": server.ready["url"], "MEMDB_OWNER_URL": server.ready["database_url"], "MEMDB_KEY": server.key}
        env = environment(MEMDB_DATA_DIR=str(server.data_dir), **reached)
        for _ in range(2):
            done = subprocess.run([sys.executable, SCRIPT], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=240, check=False)
            assert done.returncode == 0, done.stderr[-2_000:]
            assert [said for said in SAYS if not re.search(said, done.stdout)] == [], done.stdout
            assert done.stdout.count("exactly as it was") == 1
