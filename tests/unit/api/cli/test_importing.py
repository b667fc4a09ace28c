"""Cutting a file into batches, and going on where an import ended: against a server that loses replies."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.cli.client import Client, Refused
from api.cli.importing import BATCH_BYTES, BATCH_LINES, State, cut, import_file, read_state
from governance.errors import InvalidInput

LINE = st.binary(max_size=40).filter(lambda b: b"\n" not in b and b"\r" not in b)


class Server(Client):
    """Remembers batches by idempotency key, as the real one; `lose` decides which replies get lost."""

    def __init__(self, lose: Callable[[int], bool] = lambda _: False) -> None:
        super().__init__("http://127.0.0.1:1", "k")
        self.stored: list[bytes] = []
        self.replies: dict[str, Any] = {}
        self.calls = 0
        self._lose = lose

    def send(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        *,
        content_type: str = "application/json",
        idempotency_key: str | None = None,
    ) -> Any:
        assert (method, path, content_type) == ("POST", "/v1/memories:batch", "application/x-ndjson")
        assert body is not None
        assert idempotency_key is not None
        self.calls += 1
        if idempotency_key not in self.replies:
            self.replies[idempotency_key] = {"results": [self._write(i, line) for i, line in enumerate(body.split(b"\n"))]}
        if self._lose(self.calls):
            raise Refused("the connection was lost", "connection_lost", retryable=True)
        return self.replies[idempotency_key]

    def _write(self, index: int, line: bytes) -> dict[str, Any]:
        try:
            json.loads(line)
        except ValueError:
            return {"index": index, "error": {"code": "malformed_json"}}
        self.stored.append(line)
        return {"index": index, "memory": {"status": "active"}}


def as_it_is(line: bytes, _number: int) -> bytes:
    return line


def nothing(_steps: int) -> None:
    return


@given(st.lists(LINE, max_size=12), st.booleans(), st.integers(0, 2))
def test_batches_cover_the_file_in_order(lines: list[bytes], ends: bool, doubled: int) -> None:
    text = b"\n".join(lines * (1 + doubled * 60)) + (b"\n" if ends else b"")
    batches = list(cut(io.BytesIO(text), State(), as_it_is))
    covered = b"".join(batch.raw for batch in batches)
    assert text.startswith(covered)
    assert text[len(covered) :].strip() == b"", "only blank lines may be left"
    assert [b"\n".join(x for x in map(bytes.strip, batch.raw.split(b"\n")) if x) for batch in batches] == [b.body for b in batches]
    numbers = [number for batch in batches for number in batch.numbers]
    assert numbers == [i for i, line in enumerate(text.split(b"\n"), 1) if line.strip()]
    assert all(len(batch.numbers) <= BATCH_LINES for batch in batches)
    assert [batch.offset for batch in batches] == [sum(len(b.raw) for b in batches[:i]) for i in range(len(batches))]


def test_a_batch_is_bounded_in_bytes_but_a_long_line_goes_alone() -> None:
    long, short = b"x" * (BATCH_BYTES + 10), b"y" * 10
    batches = list(cut(io.BytesIO(b"\n".join([short, long, short, short])), State(), as_it_is))
    assert [len(batch.numbers) for batch in batches] == [1, 1, 2]


def test_keys_depend_on_place_and_content_and_hold_no_digit() -> None:
    first, second = (list(cut(io.BytesIO(b'{"a": 1}\n' * 450), State(), as_it_is)) for _ in range(2))
    assert [b.idempotency_key for b in first] == [b.idempotency_key for b in second]
    assert len({b.idempotency_key for b in first}) == 3
    assert not any(c.isdigit() for b in first for c in b.idempotency_key)


@pytest.mark.parametrize("lost", [1, 2, 3, 4])
def test_an_import_cut_off_anywhere_stores_each_line_once(tmp_path: Path, lost: int) -> None:
    file, state = tmp_path / "f.jsonl", tmp_path / "state"
    lines = [json.dumps({"content": f"fact {i}"}) for i in range(700)]
    lines[300] = "no json"
    file.write_text("\n".join(lines))
    server = Server(lose=lambda call: call == lost)
    with pytest.raises(Refused):
        import_file(server, file, state, None, nothing)
    done = import_file(server, file, state, None, nothing)
    assert (done.stored, done.failed, done.lines) == (699, [(301, "malformed_json")], 700)
    assert len(server.stored) == len(set(server.stored)) == 699
    again = import_file(server, file, state, None, nothing)
    assert again == done
    assert server.calls == 5


def test_progress_reaches_the_number_of_lines(tmp_path: Path) -> None:
    file, state = tmp_path / "f.jsonl", tmp_path / "state"
    file.write_text('{"content": "a"}\n' * 450)
    steps: list[int] = []
    import_file(Server(), file, state, None, steps.append)
    assert sum(steps) == 450
    import_file(Server(), file, state, None, steps.append)
    assert sum(steps) == 900, "a finished import is shown as finished"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2, "surprise": 2}', '{"format": 1}'])
def test_a_foreign_state_is_refused(tmp_path: Path, text: str) -> None:
    state = tmp_path / "state"
    state.write_text(text)
    with pytest.raises(InvalidInput, match="not the state"):
        read_state(state)


def test_a_state_of_another_target_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.write_text('{"format": 2, "target": "one"}')
    assert read_state(state, "one").target == "one"
    with pytest.raises(InvalidInput, match="another server"):
        read_state(state, "two")
