"""The product speaks of itself alone: no path of the machine it was written on, no address to download packages from."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.architecture.source import ROOT, kept_files

FOREIGN = {
    "path of a machine": re.compile(r"(?<![\w.$~}*<-])/(?:work|workspace|root|(?:home|Users)/[a-z][\w.-]*)/[\w.-]"),
    "package registry": re.compile(
        r"pypi\.org|pythonhosted\.org|npmjs\.org|registry\.yarnpkg|conda\.anaconda|proxy\.golang|index\.crates|--(?:extra-)?index-url"
    ),
    "download address in a constraint": re.compile(r"^[\w.-]+ @ |^--(?:find-links|trusted-host)|^-e ", re.MULTILINE),
}


@cache
def patterns() -> dict[str, re.Pattern[str]]:
    """The fixed ones, this checkout's own path, and the registries that pip on this machine is told to use."""
    own = {"path of this checkout": re.compile(re.escape(str(ROOT)) + r"(?![\w-])")} if len(ROOT.parts) > 2 else {}
    told = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False).stdout
    hosts = {urlsplit(address).hostname for address in re.findall(r"\w+://[^\s'\"\\]+", told)} - {None, "localhost", "127.0.0.1"}
    folders = {str(Path(p).parent) for p in re.findall(r"(?:file://)?(/[^\s'\"\\]+)", told) if "://" not in p}
    named = {f"registry of this machine ({h})": re.compile(re.escape(str(h))) for h in hosts}
    named |= {
        f"folder of this machine ({f})": re.compile(re.escape(f) + "/") for f in folders if f.count("/") > 1 and f != "/etc/ssl/certs"
    }
    return FOREIGN | own | named


def foreign(text: str, among: dict[str, re.Pattern[str]]) -> list[str]:
    return [f"line {text.count(chr(10), 0, found.start()) + 1}: {name}" for name, p in among.items() if (found := p.search(text))]


def test_files_name_no_machine_and_no_registry() -> None:
    wrong = []
    for path in kept_files():
        raw = path.read_bytes()
        if b"\0" not in raw[:8000]:
            wrong += [f"{path.relative_to(ROOT)}, {what}" for what in foreign(raw.decode("utf-8", "replace"), patterns())]
    assert not wrong, "\n" + "\n".join(wrong)


def test_constraints_pin_versions_and_nothing_else() -> None:
    lines = [line for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert lines
    assert not [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line)]
    assert not [line for line in lines if line.lower().startswith("memdb")]


@pytest.mark.parametrize(
    "planted",
    [
        "see /" + "work/main/notes",
        "cd /" + "root/checkout",
        "/" + "home/ana/memdb",
        "https://" + "pypi" + ".org/simple",
        "numpy" + " @ file:///x",
    ],
)
def test_planted_faults_are_caught(planted: str) -> None:
    assert foreign(planted, FOREIGN)


@pytest.mark.parametrize("harmless", ["/path/to/python", "api/work/items", "https://example.com/home/page", "$HOME/memdb"])
def test_ordinary_paths_are_free(harmless: str) -> None:
    assert not foreign(harmless, FOREIGN)
