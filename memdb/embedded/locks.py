"""Advisory file locks that end with the process that holds them, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memdb.embedded.layout import naming_path, open_private
from memdb.embedded.waiting import Progress, wait_until


class FileLock:
    """One open file with an flock. Two of them on the same file exclude each other even inside one process.

    A child that inherits the descriptor holds the lock too; it is free when the last holder has closed it or died.
    """

    __slots__ = ("_descriptor", "path")

    def __init__(self, path: Path) -> None:
        """Open the file, make it if it is missing.

        Raises:
            ConfigurationError: the file cannot be opened, such as by another account than its owner.
        """
        self.path = path
        with naming_path(path, "open the lock file"):
            self._descriptor = open_private(path, os.O_RDWR)

    def fileno(self) -> int:
        return self._descriptor

    def try_exclusive(self) -> bool:
        """Take the lock for us alone if nobody holds it. A shared lock of ours is given up first."""
        return self._try(fcntl.LOCK_EX)

    def try_shared(self) -> bool:
        """Take the lock beside others that share it."""
        return self._try(fcntl.LOCK_SH)

    def close(self) -> None:
        """Give the lock up, unless a child has inherited it."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _try(self, kind: int) -> bool:
        with naming_path(self.path, "lock"):
            try:
                fcntl.flock(self._descriptor, kind | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
        return True


@contextmanager
def start_lock(path: Path, say: Progress) -> Iterator[None]:
    """Exclude every other start and stop of the same data directory; wait for them without a time limit.

    Raises:
        GaveUp: `say` was given up during the wait.
    """
    lock = FileLock(path)
    try:
        wait_until(lock.try_exclusive, say, f"waiting for another process that starts or stops {path.parent}")
        yield
    finally:
        lock.close()
