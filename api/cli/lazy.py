"""Modules that are imported at their first use.

Redactor, models and web framework take seconds to import. A command that needs none of them answers at once, and `memdb up` finds a taken
port before it loads anything. For the type checker the modules are imported as usual:

    if TYPE_CHECKING:
        from api.cli import serving
    else:
        serving = Lazy("api.cli.serving")
"""

from __future__ import annotations

from importlib import import_module


class Lazy:
    """Stands for a module."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> object:
        return getattr(import_module(self._name), attribute)
