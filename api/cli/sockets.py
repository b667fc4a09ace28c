"""The listening socket, bound before anything else is done, and handed to the server: nobody can take the port in between."""

from __future__ import annotations

import errno
import socket

from memdb.errors import ConfigurationError, PortInUse

_BACKLOG = 2048  # as many as uvicorn keeps waiting


def listen(host: str, port: int) -> socket.socket:
    """Bind and listen; port 0 takes a free one. Whoever connects from now on waits until the server is ready.

    Raises:
        PortInUse: another process listens there.
        ConfigurationError: the address is not one of this machine, or the port is not allowed.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise ConfigurationError(f"cannot listen on {host}: no such address; set MEMDB_HOST or --host") from None
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port of a server that has just ended is free
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise PortInUse(f"another process listens on {host} port {port}; stop it, or choose another port with --port") from None
        reason = (error.strerror or type(error).__name__).lower()
        raise ConfigurationError(f"cannot listen on {host} port {port}: {reason}; set another with --host and --port") from None
    return listener


def url_of(listener: socket.socket) -> str:
    """Where this machine reaches the socket.

    >>> with listen("127.0.0.1", 0) as listener: url_of(listener).startswith("http://127.0.0.1:")
    True
    """
    host, port = listener.getsockname()[:2]
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - the wildcard is only compared
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"
