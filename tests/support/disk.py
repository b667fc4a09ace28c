"""A disk that is soon full, for tests of what happens then."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[Path]:
    """A file system of that size on a new folder. Mounting is root's right, and containers take it even from root: then the test is skipped."""
    folder.mkdir()
    options = f"size={megabytes}m,mode=0755"
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False)
    if made.returncode != 0:
        pytest.skip("mounting a small disk needs a right that this account does not have")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Write until not one byte more fits; the file that takes the room."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue
    return ballast
