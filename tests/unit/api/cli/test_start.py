"""The light parts of a start: sockets, signals, lazy modules, the event loop, and how any command ends."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from api.cli.lazy import Lazy
from api.cli.loops import run_async
from api.cli.signals import stop_signals
from api.cli.sockets import listen, url_of
from memdb.errors import ConfigurationError, PortInUse

HEAVY = ("sqlalchemy", "spacy", "presidio_analyzer", "fastapi", "uvicorn", "numpy", "openai", "psycopg")


def test_a_taken_port_is_refused_and_a_free_one_found() -> None:
    with listen("127.0.0.1", 0) as first:
        with pytest.raises(PortInUse, match=str(first.getsockname()[1])):
            listen("127.0.0.1", first.getsockname()[1])
        assert url_of(first) == f"http://127.0.0.1:{first.getsockname()[1]}"


def test_clients_may_connect_before_the_server_answers() -> None:
    with listen("127.0.0.1", 0) as listener, socket.create_connection(listener.getsockname(), timeout=2) as client:
        assert client.getpeername() == listener.getsockname()


@pytest.mark.parametrize("host", ["no.such.host.invalid", "203.0.113.1", "a" * 300])
def test_an_address_that_is_not_ours_is_refused(host: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        listen(host, 0)
    assert type(caught.value) is ConfigurationError


def test_signals_interrupt_first_and_ask_later() -> None:
    former = signal.getsignal(signal.SIGTERM)
    asked: list[int] = []
    with stop_signals() as stop:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
        stop.hand_to(lambda: asked.append(stop.count))
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
    assert asked == [2, 3]
    assert signal.getsignal(signal.SIGTERM) is former


def test_a_lazy_module_is_loaded_at_its_first_use_and_collection_goes_on() -> None:
    sys.modules.pop("this_is_loaded_later", None)
    lazy = Lazy("json.tool")
    assert callable(lazy.main)
    assert gc.isenabled()
    with pytest.raises(ModuleNotFoundError):
        _ = Lazy("this_is_loaded_later").anything
    assert gc.isenabled()


def test_every_command_runs_on_a_loop_that_the_driver_can_use() -> None:
    async def loop() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    assert isinstance(run_async(loop()), asyncio.SelectorEventLoop)


def test_the_command_line_loads_nothing_heavy() -> None:
    code = f"import sys, api.cli.main; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[4])
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("raised", "code", "line"), [
    ("RuntimeError('secret text')", 1, "[internal]"),
    ("KeyboardInterrupt", 130, ""),
    ("errors.PortInUse", 5, "[port_in_use]"),
])  # fmt: skip
def test_no_error_shows_a_traceback_or_the_text_of_a_defect(raised: str, code: int, line: str) -> None:
    script = (
        "import sys; from api.cli import main; from memdb import errors\n"
        f"def fails(): raise {raised}\n"
        "main.app.command('fails')(fails); sys.argv = ['memdb', 'fails']; main.run()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=Path(__file__).parents[4])
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "secret text" not in done.stderr
    assert done.stderr.strip().endswith(line)
