"""What commands print: results to stdout, everything else to stderr.

With `--json` stdout holds one JSON document and nothing else. Text of memories is shown without control characters, so that nobody can
steer a terminal by what they wrote.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

_BAR_CELLS = 10
# C0, DEL and C1; embeddings, overrides and isolates of the writing direction.
_CONTROL = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)), " ")


class Advance(Protocol):
    """Moves a progress bar on by so many."""

    def __call__(self, steps: int, /) -> None: ...


def stdout() -> Console:
    """For results; as wide as the terminal, 120 columns where there is none."""
    return Console(width=None if sys.stdout.isatty() else 120)


def stderr() -> Console:
    """For progress and remarks."""
    return Console(stderr=True)


def print_json(value: object) -> None:
    """One line of JSON on stdout, at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, default=str) + "\n")
    sys.stdout.flush()


def print_error(message: str, code: str) -> None:
    """`error: <message> [code]` on stderr. Statements to run, where the message has some, follow on lines of their own."""
    first, *further = message.splitlines() or [""]
    sys.stderr.write("\n".join([f"error: {first.rstrip()} [{code}]", *further]) + "\n")
    sys.stderr.flush()


def remark(message: str) -> None:
    """One line on stderr."""
    sys.stderr.write(message + "\n")
    sys.stderr.flush()


def plain(text: str) -> str:
    r"""Text without control characters and without marks that turn the direction of writing.

    >>> plain("a\x1b[31mb\nc")
    'a [31mb c'
    """
    return text.translate(_CONTROL)


def cell(value: object) -> Text:
    """A table cell that is text, whatever markup it holds."""
    return Text("" if value is None else plain(str(value)))


def make_table(title: str | None, columns: Sequence[str], rows: Sequence[Sequence[object]], *, first_whole: bool = False) -> Table:
    """A table of plain text; a cell that is already rich text is kept. `first_whole`: ids stand first, and one cut in two is of no use."""
    table = Table(title=title, title_justify="left", header_style="bold", show_lines=False)
    for place, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=first_whole and place == 0)
    for row in rows:
        table.add_row(*(value if isinstance(value, Text) else cell(value) for value in row))
    return table


def make_bar(share: float) -> str:
    """A bar for 0 to 1 and the percentage.

    >>> make_bar(0.38)
    '████       38 %'
    """
    filled = round(max(0.0, min(1.0, share)) * _BAR_CELLS)
    return f"{'█' * filled}{' ' * (_BAR_CELLS - filled)} {share * 100:.0f} %"


def make_evidence_table(reply: Mapping[str, object], title: str | None = None) -> Table:
    """The evidence of a search reply: score, memory, sources, and each branch with its share."""
    table = Table(title=title, title_justify="left", header_style="bold", show_lines=True)
    table.add_column("score", justify="right")
    table.add_column("memory", overflow="fold", ratio=5)
    table.add_column("why", no_wrap=True)
    table.add_column("sources", overflow="fold", ratio=4)
    evidence = reply.get("evidence")
    for hit in evidence if isinstance(evidence, list) else []:
        why, sources = Text("\n".join(_branch_lines(hit))), cell_lines(_source_lines(hit))
        table.add_row(cell(f"{hit['score']:.2f}"), cell(_memory_line(hit)), why, sources)
    return table


def cell_lines(lines: Sequence[str]) -> Text:
    """A cell with one line for each of some texts."""
    return Text("\n".join(map(plain, lines)))


def _memory_line(hit: Mapping[str, object]) -> str:
    memory = hit["memory"]
    assert isinstance(memory, dict), "a hit has a memory"
    past = "" if hit.get("current", True) else f" (version {memory['version']}, since replaced)"
    return f"{memory['content']} [{memory['kind']}]{past}"


def _branch_lines(hit: Mapping[str, object]) -> list[str]:
    branches = hit.get("branches")
    found = branches if isinstance(branches, dict) else {}
    return [f"{plain(name):<8} {make_bar(branch['share'])}" for name, branch in sorted(found.items(), key=lambda b: -b[1]["share"])]


def _source_lines(hit: Mapping[str, object]) -> list[str]:
    sources = hit.get("sources")
    lines = []
    for source in sources if isinstance(sources, list) else []:
        said_at = str(source.get("said_at") or "")[:16].replace("T", " ")
        who = " ".join(part for part in (source.get("speaker"), said_at) if part)
        lines.append(f"{who}: “{source['fragment']}”" if who else f"“{source['fragment']}”")
    return lines


@contextmanager
def progress(description: str, total: int | None) -> Iterator[Advance]:
    """A bar on stderr for long work; nothing where stderr is no terminal."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    console = stderr()
    with Progress(*columns, console=console, disable=not console.is_terminal) as shown:
        task = shown.add_task(description, total=total)
        yield lambda steps: shown.advance(task, steps)
