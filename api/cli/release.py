"""Which release of memdb this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

DISTRIBUTION = "memdb-server"


def release() -> str:
    """The version of the installed distribution; `unknown` where memdb runs without having been installed."""
    try:
        return version(DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"
