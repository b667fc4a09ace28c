"""The script of the README does what it says, twice in a row."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from tests.integration.mcp.conftest import Served, key_of
from tests.support.product import Caller

SCRIPT = Path(__file__).parents[3] / "docs" / "examples" / "shared_brain.py"
SAYS = (
    "the second agent's write is flagged: True",
    "the routing index says so: [('clients/meridian', True)]",
    "a near miss: ['clients/meridian']",
    "both sides: Meridian pays in 45 days | Meridian pays in 30 days",
    "resolved: Meridian pays in 30 days, abroad in 45 | conflict: None",
    "who is Mike? None candidates: ['Larsen', 'Okafor']",
    "in the room: ['Mike Okafor prefers bullet points']",
    "the last one: drawer front_full",
    "a move is refused: 409 front_full 12 entries are there",
    "/drawer:grep",
)


async def test_the_script_of_the_readme_runs(served: Served, ana: Caller) -> None:
    env = {name: value for name, value in os.environ.items() if not name.startswith("MEMDB_")}
    for _ in range(2):
        run = await asyncio.create_subprocess_exec(
            sys.executable, SCRIPT, env=env | {"MEMDB_URL": served.url, "MEMDB_KEY": key_of(ana)},
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        out, errors = await run.communicate()
        assert run.returncode == 0, errors.decode()[-2_000:]
        printed = out.decode()
        assert [line for line in SAYS if line not in printed] == []
        assert "Baltimore" not in printed.split("in the room:")[1]
