"""Lines of a file to batches of the API, and where it ended last time.

A batch carries an idempotency key made of its place and its bytes, and the state file is written after each reply. So an import that was
cut off at any moment stores nothing twice: the server answers a batch that it has already stored as it did before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from api.cli.brains import Placement
from api.cli.client import Client, Refused
from api.cli.output import Advance
from governance.errors import InvalidInput
from memdb.embedded.layout import naming_path, write_private

STATE_SUFFIX: Final = ".memdb-state"
BATCH_LINES: Final = 200
BATCH_BYTES: Final = 2_000_000  # below the bound that a server has on a body by default
_FORMAT: Final = 2
_LETTERS: Final = str.maketrans("0123456789abcdef", "abcdefghijklmnop")


@dataclass(slots=True)
class State:
    """How far an import came. `offset` bytes of the file, whose SHA-256 is `digest`, are done; `failed` are line numbers with codes.

    `target` is a digest of where it went: server, key and brain.
    """

    offset: int = 0
    digest: str = hashlib.sha256(b"").hexdigest()
    lines: int = 0
    stored: int = 0
    held: int = 0
    failed: list[tuple[int, str]] = field(default_factory=list)
    target: str = ""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some lines: their numbers from 1, what is sent, and what of the file they are."""

    numbers: tuple[int, ...]
    body: bytes = field(repr=False)
    raw: bytes = field(repr=False)
    offset: int

    @property
    def idempotency_key(self) -> str:
        """The same for the same lines at the same place. Letters alone, so that no recognizer takes it for a number of somebody."""
        return "import-" + hashlib.sha256(str(self.offset).encode() + b"\n" + self.body).hexdigest()[:24].translate(_LETTERS)


def import_file(client: Client, file: Path, state_file: Path, brain_id: str | None, advance: Advance) -> State:
    """Send what is left of the file.

    Args:
        client: of a key that may write.
        file: one JSON object a line; blank lines are skipped.
        state_file: made if it is missing.
        brain_id: put in place of what the lines say; None leaves them.
        advance: called with how many lines are done.

    Raises:
        Refused: the server did not answer or refused a whole batch; the state says how far it came.
        InvalidInput: the state file is of another file.
        NotFound: a line is of a brain that has no counterpart here; nothing more was sent.
    """
    placement = Placement(client, brain_id)
    state = read_state(state_file, target_of(client, brain_id))
    with naming_path(file, "read"), file.open("rb") as source:
        digest = hashlib.sha256()
        _skip(source, state, digest, state_file)
        advance(state.lines)
        _check_brains(source, state, placement)
        for batch in cut(source, state, placement.place):
            _send(client, batch, state)
            digest.update(batch.raw)
            state.offset, state.digest = batch.offset + len(batch.raw), digest.hexdigest()
            before, state.lines = state.lines, batch.numbers[-1] if batch.numbers else state.lines
            _write_state(state_file, state)
            advance(state.lines - before)
    return state


def cut(source: BinaryIO, state: State, place: Callable[[bytes, int], bytes]) -> Iterator[Batch]:
    """Batches from where the file stands, in order. A batch is bounded in lines and bytes, except for one long line alone.

    `place` makes of a line and its number what is sent.
    """
    offset, number = state.offset, state.lines
    numbers: list[int] = []
    lines: list[bytes] = []
    raw: list[bytes] = []
    for line in source:
        number += 1
        sent = place(line.strip(), number)
        if lines and (len(lines) == BATCH_LINES or sum(map(len, lines)) + len(sent) > BATCH_BYTES):
            yield Batch(tuple(numbers), b"\n".join(lines), b"".join(raw), offset)
            offset += sum(map(len, raw))
            numbers, lines, raw = [], [], []
        raw.append(line)
        if sent:
            numbers.append(number)
            lines.append(sent)
    if lines:
        yield Batch(tuple(numbers), b"\n".join(lines), b"".join(raw), offset)


def count_lines(file: Path) -> int:
    """How many lines a file has."""
    with naming_path(file, "read"), file.open("rb") as source:
        return sum(1 for _ in source)


def target_of(client: Client, brain_id: str | None) -> str:
    """Where an import goes, as a digest. The key's id stands for its org and subject; its secret is no part of it."""
    return hashlib.sha256("\n".join((client.url, client.key_id, brain_id or "")).encode()).hexdigest()[:32]


def read_state(file: Path, target: str = "") -> State:
    """The state of an earlier run to the same target; a fresh one when there was none.

    Raises:
        InvalidInput: the file is not such a state, or is of an import to somewhere else.
    """
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return State(target=target)
    except (OSError, ValueError):
        document = None
    if not isinstance(document, dict) or document.pop("format", None) != _FORMAT:
        raise InvalidInput(f"{file} is not the state of an import; remove it to begin anew", field="state")
    try:
        state = State(**document)
    except TypeError:
        raise InvalidInput(f"{file} is not the state of an import; remove it to begin anew", field="state") from None
    if state.target != target:
        raise InvalidInput(
            f"{file} is of an import to another server, key or brain; remove it, or name another one with --state", field="state"
        )
    state.failed = [(int(number), str(code)) for number, code in state.failed]
    return state


def _send(client: Client, batch: Batch, state: State) -> None:
    try:
        reply = client.send(
            "POST", "/v1/memories:batch", batch.body, content_type="application/x-ndjson", idempotency_key=batch.idempotency_key
        )
    except Refused as refused:
        if refused.code == "request_too_large" and len(batch.numbers) == 1:
            state.failed.append((batch.numbers[0], refused.code))
            return
        raise
    for result in reply["results"]:
        if result.get("error") is None:
            state.stored += 1
            state.held += result["memory"]["status"] == "held"
        else:
            state.failed.append((batch.numbers[result["index"]], result["error"]["code"]))


def _check_brains(source: BinaryIO, state: State, placement: Placement) -> None:
    """Look at the brains of all lines before the first is sent: half an import would be of no use to anybody."""
    start = source.tell()
    for number, line in enumerate(source, state.lines + 1):
        placement.place(line.strip(), number)
    source.seek(start)


def _skip(source: BinaryIO, state: State, digest: hashlib._Hash, state_file: Path) -> None:
    left = state.offset
    while left:
        block = source.read(min(left, 1 << 20))
        if not block:
            break
        digest.update(block)
        left -= len(block)
    if left or digest.hexdigest() != state.digest:
        raise InvalidInput(f"the file has changed since {state_file} was written; remove that state to begin anew", field="state")


def _write_state(file: Path, state: State) -> None:
    with naming_path(file, "write the state"):
        write_private(file, json.dumps({"format": _FORMAT} | asdict(state)) + "\n")
