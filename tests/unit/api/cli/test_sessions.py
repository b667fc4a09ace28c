"""What `memdb sessions tail` shows of a turn and of an extraction."""

from __future__ import annotations

from typing import Any, Self

import pytest
from typer.testing import CliRunner

from api.cli.client import Client
from api.cli.sessions import app

ID = "01980000-0000-7000-8000-000000000001"
TURN = {"id": "t", "position": 0, "role": "user", "speaker_id": ID, "speaker": None, "text": "I no longer live in Lisbon."}
READ = {"handler": "semantic", "state": "done", "attempts": 0, "failure": None, "added": 0, "updated": 0, "reinforced": 0, "ended": 0}


class Server:
    """A session of one turn and one snapshot."""

    def __init__(self, turn: dict[str, Any], extraction: dict[str, Any]) -> None:
        self._turn, self._extraction = turn, extraction

    def get(self, path: str, _query: object) -> dict[str, Any]:
        if path.endswith("/turns"):
            return {"items": [self._turn], "next_cursor": None}
        snapshot = {"id": "s", "first_position": 0, "last_position": 0, "extractions": [self._extraction]}
        return {"items": [snapshot], "next_cursor": None}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


@pytest.mark.parametrize(
    ("turn", "extraction", "lines"),
    [
        ({"speaker": "Ana"}, {"ended": 1}, ["   0  Ana: I no longer live in Lisbon.", "      turns 0-0: semantic done 1 ended"]),
        ({}, {"added": 2, "ended": 1}, [f"   0  {ID}: I no longer live in Lisbon.", "      turns 0-0: semantic done 2 added, 1 ended"]),
        ({"speaker_id": None}, {"failure": "switched_off"}, ["   0  user: I no longer live in Lisbon.", "      turns 0-0: semantic done (switched_off)"]),
        ({"speaker": "Ana"}, {"state": "waiting", "failure": "provider_unavailable", "attempts": 2},
         ["   0  Ana: I no longer live in Lisbon.", "      turns 0-0: semantic waiting (provider_unavailable, try 2)"]),
    ],
)  # fmt: skip
def test_who_spoke_stands_by_name_and_what_came_of_it_in_counts(
    monkeypatch: pytest.MonkeyPatch, turn: dict[str, Any], extraction: dict[str, Any], lines: list[str]
) -> None:
    monkeypatch.setattr(Client, "of", lambda _settings: Server({**TURN, **turn}, {**READ, **extraction}))
    done = CliRunner().invoke(app, ["tail", ID, "--once"])
    assert done.output.splitlines() == lines
