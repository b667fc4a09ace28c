"""`memdb demo`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.lazy import Lazy

if TYPE_CHECKING:
    from api.cli import demonstrating
else:
    demonstrating = Lazy("api.cli.demonstrating")

DATA_DIR = Path(".memdb") / "demo"


def demo(
    data_dir: Annotated[Path, typer.Option("--data-dir", help="Folder of the demo's own Postgres; kept for the next time.")] = DATA_DIR,
) -> None:
    """Start a server of its own, write a small conversation, ask it questions in two languages, and stop."""
    demonstrating.run(data_dir)
