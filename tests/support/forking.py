"""Commands of `memdb`, each as a process of its own, without each importing everything anew.

One program imports all that commands need and forks itself for each that it is asked for: arguments, environment, standard streams and exit
code are those of the installed command, and it begins in milliseconds. `Commands` starts and asks the program; the rest of this file is it.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NoReturn

import typer

_ROOT: Final = Path(__file__).parents[2]
_LAZY: Final = ("api.mcp.proxy",)
"""What a command imports at its first use and is no module of `api.cli`."""
_ENDS_WITHIN_S: Final = 60
_SETTLES_WITHIN_S: Final = 0.5
"""What a command writes right behind the text that is waited for is looked at as well."""
_LOOK_EVERY_S: Final = 0.01


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and every byte that it wrote to stdout and stderr."""

    code: int
    out: str
    err: str


@dataclass(frozen=True, slots=True)
class Commands:
    """The program. `folder` is where the streams of commands are kept, and where they run."""

    process: asyncio.subprocess.Process
    folder: Path

    @classmethod
    @asynccontextmanager
    async def opened(cls, folder: Path) -> AsyncIterator[Commands]:
        """Start it, and end it with the block."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMDB_", "PYTHON"))}
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.support.forking", cwd=_ROOT, env=kept, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        try:
            yield cls(process, folder)
        finally:
            process.stdin.close()  # type: ignore[union-attr]  # a pipe
            await process.wait()

    async def run(self, *arguments: object, env: Mapping[str, str], stdin: str = "", until: str | None = None) -> Ended:
        """Run a command to its end.

        Args:
            arguments: behind `memdb`.
            env: its whole environment.
            stdin: at most as long as a pipe holds, 64 KiB.
            until: once this stands in what a command that goes on wrote, its input ends, or where it has none it is stopped as by Ctrl-C.
        """
        streams = [self.folder / f".{name}" for name in ("out", "err")]
        for path in streams:
            path.write_bytes(b"")
        asked = {
            "argv": ["memdb", *map(str, arguments)], "env": dict(env), "cwd": str(self.folder), "stdin": stdin, "until": until,
            "streams": [str(path) for path in streams],
        }  # fmt: skip
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked).encode() + b"\n")
        await self.process.stdin.drain()
        code = int(await self.process.stdout.readline())
        out, err = [path.read_bytes().decode("utf-8", "replace") for path in streams]
        return Ended(code, out, err)


# -------------------------------------------------------------------------------------------------------------- the program
def serve() -> None:
    """Fork for each line of stdin, and answer with the exit code."""
    for module in pkgutil.iter_modules(import_module("api.cli").__path__, "api.cli."):
        import_module(module.name)
    for name in _LAZY:
        import_module(name)
    # Building the tree of commands from their signatures takes as long as all the rest of a command; it is the same each time.
    tree = typer.main.get_command(import_module("api.cli.commands").app)
    typer.main.get_command = lambda typer_instance: tree  # noqa: ARG005 - named as the one that it replaces
    gc.collect()
    gc.freeze()  # what is here already is no garbage, and is not looked through again by every child
    for line in sys.stdin:
        asked = json.loads(line)
        read, write = os.pipe()
        os.write(write, asked["stdin"].encode())
        pid = os.fork()
        if pid == 0:
            os.close(write)
            _become(asked, read)
        os.close(read)
        sys.stdout.write(f"{_await(pid, asked, write)}\n")
        sys.stdout.flush()


def _become(asked: Mapping[str, Any], stdin: int) -> NoReturn:
    """Be the command, in a child."""
    code = 1
    try:
        for number, descriptor in enumerate((stdin, *(os.open(path, os.O_WRONLY) for path in asked["streams"]))):
            os.dup2(descriptor, number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - the former one has read ahead
        os.environ.clear()
        os.environ.update(asked["env"])
        os.chdir(asked["cwd"])
        sys.modules["__main__"].__spec__ = None  # else usage errors would name this module
        sys.argv = asked["argv"]
        code = _run()
    except BaseException:  # noqa: BLE001 - a child must never go on as the program
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _run() -> int:
    try:
        import_module("api.cli.main").run()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def _await(pid: int, asked: Mapping[str, Any], stdin: int) -> int:
    begun, goes_on = time.monotonic(), asked["until"] is not None
    if not goes_on:
        os.close(stdin)
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            break
        if goes_on and any(asked["until"] in Path(path).read_text(encoding="utf-8", errors="replace") for path in asked["streams"]):
            goes_on = False
            time.sleep(_SETTLES_WITHIN_S)
            os.close(stdin)
            if not asked["stdin"]:
                os.kill(pid, signal.SIGINT)
        if time.monotonic() - begun > _ENDS_WITHIN_S:
            os.kill(pid, signal.SIGKILL)
        time.sleep(_LOOK_EVERY_S)
    if goes_on:
        os.close(stdin)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    serve()
