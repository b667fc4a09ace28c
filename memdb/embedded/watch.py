"""Looking after the server while it is used: one that ends is started again, by whichever process is first."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Event
from typing import Final, Protocol

from memdb.embedded.waiting import GaveUp
from memdb.errors import ConfigurationError, StorageUnavailable

LOOK_EVERY_S: Final = 0.5
# Before each further try. A disk that somebody clears or a machine out of memory has come back by the last one.
PAUSES_S: Final = (0.0, 1.0, 2.0, 4.0, 8.0)
# A server that has lived as long counts as started; one that ends again before that uses up the tries.
STEADY_AFTER_S: Final = 60.0


class Restartable(Protocol):
    """What is looked after, see `memdb.embedded.cluster.EmbeddedPostgres`."""

    def is_running(self) -> bool: ...

    def restart(self, *, given_up: Callable[[], bool]) -> None: ...


def keep_running(server: Restartable, stop: Event, tell: Callable[[], None], *, clock: Callable[[], float] = time.monotonic) -> None:
    """Look every half second whether the server lives, and start it again; blocks until `stop` is set.

    Args:
        server: running when this begins.
        stop: ends the watch, also in the middle of a restart, which then leaves no server of its own behind.
        tell: called when the server is found dead, once for all tries to start it.
        clock: seconds that never go back.

    Raises:
        StorageUnavailable: it did not come back, or ended again and again; the message has the last reason.
    """
    pauses = iter(PAUSES_S)
    steady_at = clock()
    while not stop.wait(LOOK_EVERY_S):
        if not _is_dead(server):
            continue
        tell()
        if clock() >= steady_at:
            pauses = iter(PAUSES_S)
        _bring_back(server, stop, pauses)
        steady_at = clock() + STEADY_AFTER_S


def _is_dead(server: Restartable) -> bool:
    try:
        return not server.is_running()
    except ConfigurationError:
        return False  # a look that fails, such as for want of file descriptors, tells nothing; the next one may


def _bring_back(server: Restartable, stop: Event, pauses: Iterator[float]) -> None:
    reason = "it ends soon after each start"
    for pause_s in pauses:
        if stop.wait(pause_s):
            return
        try:
            server.restart(given_up=stop.is_set)
        except GaveUp:
            return
        except ConfigurationError as error:
            reason = error.message
        else:
            return
    raise StorageUnavailable(f"Postgres ended and does not come back: {reason}")
