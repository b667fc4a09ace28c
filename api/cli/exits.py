"""Exit codes: what a script can tell from the outcome of a command. `docs/cli.md` describes them."""

from __future__ import annotations

from enum import IntEnum

from governance.errors import ServiceError
from memdb.errors import ConfigurationError, DimensionMismatch, PortInUse, SchemaMismatch


class Exit(IntEnum):
    """`FAILED` also for a part of many, such as some lines of an import; 2 is a wrong option or argument."""

    OK = 0
    FAILED = 1
    USAGE = 2
    CONFIGURATION = 3
    UNAVAILABLE = 4
    PORT_IN_USE = 5
    INTERRUPTED = 130


def exit_of(error: ServiceError) -> Exit:
    """The exit code of an error of this process.

    >>> exit_of(PortInUse()).name, exit_of(SchemaMismatch()).name
    ('PORT_IN_USE', 'CONFIGURATION')
    """
    if isinstance(error, PortInUse):
        return Exit.PORT_IN_USE
    if isinstance(error, ConfigurationError | SchemaMismatch | DimensionMismatch):
        return Exit.CONFIGURATION
    return Exit.UNAVAILABLE if error.retryable else Exit.FAILED
