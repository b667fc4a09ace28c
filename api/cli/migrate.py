"""`memdb migrate`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json
from api.cli.output import print_json, stdout
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import migrating
else:
    migrating = Lazy("api.cli.migrating")


def migrate(data_dir: DataDir = None, as_json: Json = False) -> None:
    """Bring the database to the schema of this release; a second run changes nothing."""
    report = migrating.run(load_settings(data_dir=data_dir))
    if as_json:
        print_json(asdict(report) | {"changed": report.changed})
        return
    for line in report.lines():
        stdout().out(line, highlight=False)
