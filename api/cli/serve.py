"""`memdb serve`: the API for a Postgres that somebody else runs."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from api.cli.lazy import Lazy
from api.cli.options import Json
from api.cli.signals import stop_signals
from api.cli.sockets import listen
from api.cli.up import Host, Port, show
from api.logging import configure
from memdb.config import load_settings
from memdb.errors import ConfigurationError

if TYPE_CHECKING:
    from api.cli import serving
else:
    serving = Lazy("api.cli.serving")


def serve(port: Port = None, host: Host = None, as_json: Json = False) -> None:
    """Serve the Postgres of MEMDB_DATABASE_URL as the role memdb_app; it must be migrated, and nothing in it is made or changed."""
    settings = load_settings(port=port, host=host)
    configure(settings.log_level, settings.log_format)
    if settings.database_url is None:
        raise ConfigurationError("set MEMDB_DATABASE_URL to a Postgres, as the role memdb_app; `memdb up` brings a Postgres of its own")
    with contextlib.ExitStack() as stack:
        stop = stack.enter_context(stop_signals())
        listener = stack.enter_context(listen(settings.host, settings.port))

        def tell(ready: serving.Ready) -> None:
            show(ready, as_json=as_json)

        serving.serve_external(settings, listener, stop, tell, bring_up=False)
