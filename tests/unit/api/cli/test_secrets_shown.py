"""A key that is shown once is shown whole, however narrow the terminal is."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from rich.console import Console

from api.cli import up

if TYPE_CHECKING:
    from api.cli.serving import Ready

KEY = "memdb_main_abcd2345efgh_" + "A" * 43


class _Ready:
    url = "http://127.0.0.1:8765"
    admin_key = KEY
    database_url = None
    data_dir = Path("data")


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_admin_key_is_whole(monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(up, "stdout", lambda: Console(file=shown, width=width, force_terminal=True))
    up.show(cast("Ready", _Ready()), as_json=False)
    assert shown.getvalue().count(KEY) == 2
    assert f"export MEMDB_URL={_Ready.url} MEMDB_KEY={KEY}\n" in shown.getvalue()
