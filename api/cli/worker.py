"""`memdb worker`: does the jobs of the queue, in a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.lazy import Lazy
from api.cli.options import DataDir
from api.cli.signals import stop_signals
from api.logging import configure
from memdb.config import load_settings

if TYPE_CHECKING:
    from api.cli import working
else:
    working = Lazy("api.cli.working")


Port = Annotated[int | None, typer.Option("--metrics-port", min=0, max=65_535, help="Serve figures for Prometheus; 0 picks a free port.")]
Host = Annotated[str, typer.Option("--metrics-host", help="Address of that port. Whoever reaches it reads the figures without a key.")]


def worker(data_dir: DataDir = None, metrics_port: Port = None, metrics_host: Host = "127.0.0.1") -> None:
    """Cut sessions and learn from them until Ctrl-C. `memdb up` does so itself; several workers share the work."""
    settings = load_settings(data_dir=data_dir)
    configure(settings.log_level, settings.log_format)
    with stop_signals() as stop:
        working.run(settings, stop, None if metrics_port is None else (metrics_host, metrics_port))
