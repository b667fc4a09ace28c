"""The light parts of a start: sockets, signals, lazy modules, the event loop, and how any command ends."""

from __future__ import annotations

import ast
import asyncio
import contextlib
import gc
import os
import signal
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from api.cli.lazy import Lazy
from api.cli.loops import run_async
from api.cli.signals import StopSignal, stop_signals
from api.cli.sockets import listen, url_of
from memdb.errors import ConfigurationError, PortInUse

HEAVY = ("sqlalchemy", "spacy", "presidio_analyzer", "fastapi", "uvicorn", "numpy", "openai", "psycopg")
COMMAND = Path(sys.executable).with_name("memdb")
ROOT = Path(__file__).parents[4]


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
        stop.hand_to(lambda: asked.append(stop.count))
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGTERM)
    assert asked == [1, 2]
    with stop_signals(), pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is former


def test_an_interrupt_is_one_whatever_error_a_module_makes_of_it() -> None:
    with pytest.raises(KeyboardInterrupt), stop_signals():
        try:
            os.kill(os.getpid(), signal.SIGINT)
        except KeyboardInterrupt:
            raise ImportError from None
    with pytest.raises(ImportError), stop_signals():
        raise ImportError


def test_an_interrupt_that_was_swallowed_ends_the_server_as_soon_as_there_is_one() -> None:
    asked: list[int] = []
    with stop_signals() as stop:
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
        stop.hand_to(lambda: asked.append(stop.count))
    assert asked == [1]


def test_a_server_may_be_asked_to_stop_before_it_runs() -> None:
    asked: list[str] = []
    early, late = StopSignal(), StopSignal()
    early.ask()
    early.hand_to(lambda: asked.append("early"))
    late.hand_to(lambda: asked.append("late"))
    late.ask()
    assert asked == ["early", "late"]


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


def test_the_entry_point_itself_loads_nothing() -> None:
    code = "import sys; before = set(sys.modules); import api.cli.main; print(sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(ast.literal_eval(done.stdout))
    assert {name for name in loaded if name.partition(".")[0] not in sys.stdlib_module_names} == {"api", "api.cli", "api.cli.main"}
    assert len(loaded) < 30


@pytest.mark.parametrize("when", ["before", "ignored"])
def test_ctrl_c_while_modules_load_ends_at_once_without_a_traceback(tmp_path: Path, when: str) -> None:
    # A module that everything needs stands in the way: it sends the signal in the middle of the import.
    (tmp_path / "typer.py").write_text(
        "import os, signal\ntry:\n    os.kill(os.getpid(), signal.SIGINT)\nexcept BaseException:\n    pass\nraise SystemExit(77)\n"
    )
    script = f"import sys; sys.path[:0] = [{str(tmp_path)!r}, {str(ROOT)!r}]; sys.argv = ['memdb', '--version']\n"
    # Whoever runs the tests may keep the signal from its children, as a shell does for what it runs in the background.
    handler = "SIG_IGN" if when == "ignored" else "default_int_handler"
    script += f"import signal; signal.signal(signal.SIGINT, signal.{handler})\n"
    script += "from api.cli.main import run; run()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (130 if when == "before" else 77, "", "")


def test_the_version_is_that_of_the_distribution() -> None:
    done = subprocess.run([COMMAND, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"memdb {version('memdb-server')}\n"


def test_the_command_line_loads_nothing_heavy() -> None:
    code = f"import sys, api.cli.commands; print([m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("raised", "code", "line"), [
    ("RuntimeError('secret text')", 1, "[internal]"),
    ("KeyboardInterrupt", 130, ""),
    ("errors.PortInUse", 5, "[port_in_use]"),
])  # fmt: skip
def test_no_error_shows_a_traceback_or_the_text_of_a_defect(raised: str, code: int, line: str) -> None:
    script = (
        "import sys; from api.cli import commands, main; from memdb import errors\n"
        f"def fails(): raise {raised}\n"
        "commands.app.command('fails')(fails); sys.argv = ['memdb', 'fails']; main.run()"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert "secret text" not in done.stderr
    assert done.stderr.strip().endswith(line)
