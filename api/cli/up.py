"""`memdb up`: everything from an empty directory to a served API, in one process."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.lazy import Lazy
from api.cli.options import DataDir, Json
from api.cli.output import plain, print_json, remark, stdout
from api.cli.signals import stop_signals
from api.cli.sockets import listen
from api.logging import configure
from memdb.config import load_settings
from memdb.embedded.layout import open_layout, require_writable

if TYPE_CHECKING:
    from api.cli import embedded, serving
else:
    # INVARIANT: the port is bound and the directory is tried before these are loaded; they take seconds.
    embedded = Lazy("api.cli.embedded")
    serving = Lazy("api.cli.serving")

Port = Annotated[int | None, typer.Option("--port", min=0, max=65_535, help="Port to listen on; 0 takes a free one. [MEMDB_PORT]")]
Host = Annotated[str | None, typer.Option("--host", help="Address to listen on. [MEMDB_HOST]")]


def up(data_dir: DataDir = None, port: Port = None, host: Host = None, as_json: Json = False) -> None:
    """Start Postgres and the API in the foreground; Ctrl-C stops both."""
    settings = load_settings(data_dir=data_dir, port=port, host=host)
    configure(settings.log_level, settings.log_format)
    with contextlib.ExitStack() as stack:
        stop = stack.enter_context(stop_signals())
        listener = stack.enter_context(listen(settings.host, settings.port))

        def tell(ready: serving.Ready) -> None:
            show(ready, as_json=as_json)

        if settings.database_url is not None:
            serving.serve_external(settings, listener, stop, tell, bring_up=True)
            return
        require_writable(open_layout(settings.data_dir))
        postgres = stack.enter_context(embedded.StartingPostgres(settings.data_dir, (lambda _: None) if as_json else remark))
        # Once the end has begun, another signal must not cut it short: the server would be left running.
        stack.callback(stop.hand_to, lambda: None)
        serving.serve_embedded(settings, listener, postgres.started, stop, tell)


def show(ready: serving.Ready, *, as_json: bool) -> None:
    """Tell that requests are answered: one line of JSON, or a few lines for people."""
    if as_json:
        print_json(ready.document())
        return
    lines = [f"API       {ready.url}", f"data      {plain(str(ready.data_dir))}"]
    if ready.admin_key is not None:
        lines += [f"admin key {ready.admin_key}", "", "The key is shown this once; keep it. To try it:"]
        lines += [f"  export MEMDB_URL={ready.url} MEMDB_KEY={ready.admin_key}", '  memdb remember "Ana is allergic to peanuts"']
        lines += ['  memdb recall "what must Ana not eat?"']
    lines += ["", "Ctrl-C stops it."]
    # No frame: it would cut the key at the edge of a narrow terminal.
    stdout().out("\n".join(["memdb is ready", *lines]), highlight=False)
