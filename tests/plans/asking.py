"""What a test of plans sends, and what it expects to find in them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from memdb.keyring import Keyring
    from tests.plans.loading import Loaded

Conn = Any  # a connection of either kind; these tests call functions of both
Run = Callable[["At"], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class At:
    """A transaction of the large org's person, and what there is to ask for."""

    conn: Conn
    loaded: Loaded
    keyring: Keyring

    @property
    def org(self) -> Any:
        return self.loaded.org

    @property
    def session(self) -> Any:
        return self.loaded.talk.sessions[7]


@dataclass(frozen=True, slots=True)
class Hot:
    """A function that sends statements, the indexes that have to appear in their plans, and what it runs as."""

    name: str
    run: Run
    indexes: tuple[str, ...]
    role: Literal["memdb_app", "memdb_search"] = "memdb_app"
    job: bool = False
