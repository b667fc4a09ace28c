"""How far the origin of a text is believed. Trust comes from the credential and channel; a request can only lower it."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from governance.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable


class Trust(IntEnum):
    """Levels from least to most believed; compare with `<`. The stored and served form is `label`."""

    WEB = 0
    IMPORTED = 1
    TOOL = 2
    AGENT = 3
    MEMBER = 4
    ADMIN = 5

    @property
    def label(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls, label: str) -> Trust:
        """Return the level with this label.

        Raises:
            InvalidInput: there is no such level.
        """
        for level in cls:
            if level.label == label:
                return level
        raise InvalidInput("unknown trust level: use " + ", ".join(level.label for level in cls), field="trust")


def lowest(levels: Iterable[Trust]) -> Trust:
    """Return the trust of something derived from several sources; without any source it is the lowest there is."""
    return min(levels, default=Trust.WEB)


def lower(base: Trust, claimed: Trust | None) -> Trust:
    """Return the trust of a write whose body claims a level: never above `base`, what the credential and channel give."""
    return base if claimed is None else min(base, claimed)
