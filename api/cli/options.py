"""Options that several commands share. A value on the command line wins over its MEMDB_ variable."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

DataDir = Annotated[Path | None, typer.Option("--data-dir", help="Folder of the embedded Postgres. [MEMDB_DATA_DIR]")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
Url = Annotated[str | None, typer.Option("--url", help="Server to talk to. [MEMDB_URL]")]
Key = Annotated[str | None, typer.Option("--key", help="API key; better kept in MEMDB_KEY than in the history of a shell. [MEMDB_KEY]")]
Org = Annotated[str, typer.Option("--org", help="Name of the org.")]
