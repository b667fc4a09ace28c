"""The public suites: which release of each is measured, and how they are loaded. Nothing of the product needs them.

They publish no types, so that their modules are `Any` here; an adapter is a typed class of ours that `adapter_class` joins with their base.
"""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

AMSB: Final = "agent-memory-guard"
AGMI: Final = "agent-memory-integrity"
POISON_CHECK: Final = "dendrita-poison-check"
PINNED: Final = {AMSB: "0.3.3", AGMI: "0.6.3", POISON_CHECK: "0.1.0"}
"""As in the dependency group `scoreboards` of pyproject.toml; a test compares them."""


def require(package: str) -> str:
    """The version of a suite.

    Raises:
        SystemExit: it is missing, or another release than the figures are of.
    """
    try:
        found = version(package)
    except PackageNotFoundError:
        found = "not installed"
    if found != PINNED[package]:
        raise SystemExit(
            f"this needs {package} {PINNED[package]} ({found}); install it beside memdb with"
            " `.venv/bin/python -m pip install --constraint constraints.txt --group scoreboards`"
        )
    return found


def load(module: str) -> Any:  # noqa: ANN401 - a module without types
    """A module of a suite whose package `require` has found."""
    return importlib.import_module(module)


def adapter_class(ours: type, base: Any) -> Any:  # noqa: ANN401 - a class of a suite
    """Our class with the suite's base behind it, so that what we leave out is the suite's default."""
    return type(ours.__name__, (ours, base), {"__doc__": ours.__doc__})
