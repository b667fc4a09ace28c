"""Modules that are imported at their first use.

Redactor, models and web framework take seconds to import. A command that needs none of them answers at once, and `memdb up` finds a taken
port before it loads anything. For the type checker the modules are imported as usual:

    if TYPE_CHECKING:
        from api.cli import serving
    else:
        serving = Lazy("api.cli.serving")
"""

from __future__ import annotations

import gc
import sys
from importlib import import_module


class Lazy:
    """Stands for a module."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> object:
        if self._name not in sys.modules:
            _load(self._name)
        return getattr(import_module(self._name), attribute)


def _load(name: str) -> None:
    # Modules are never garbage. Looking through them while they load takes a tenth of the time; looking again later, some of each pause.
    gc.disable()
    try:
        import_module(name)
        gc.freeze()
    finally:
        gc.enable()
