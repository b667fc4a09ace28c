"""What a door is asked in order to make it show a memory, and when it may."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

REFUSED: Final = -1
"""In the place of a status: a tool answered with an error."""


@dataclass(frozen=True, slots=True)
class Row:
    """One route, tool or command. `{name}` in any of it stands for an id or a text of the world, see `world.py`.

    json: body of a route, arguments of a tool. text: a body of lines. params: query of a route.
    argv, stdin: of a command. by: whether it talks to the server with a key, or is run as the owner of the database.
    until: a command that goes on is stopped once this stands in what it wrote.
    files: a command writes a folder or file `out`, which is looked through as well.
    shows: a memory that is served comes out of it, for whom it may. shows_held: why one that is held does, to a reviewer.
    refused: statuses or exit codes with which it refuses a memory that is served as well.
    last: it ends something that other doors are asked for, so it is asked behind them.
    """

    json: Any = None
    params: dict[str, str] | None = None
    text: str | None = None
    argv: tuple[str, ...] = ()
    stdin: str = ""
    by: Literal["key", "owner"] = "key"
    until: str | None = None
    files: bool = False
    shows: bool = False
    shows_held: str | None = None
    refused: frozenset[int] = frozenset()
    last: bool = False


def command(*argv: str, by: Literal["key", "owner"] = "key", refused: int | None = None, **fields: Any) -> Row:
    """The row of a command."""
    return Row(argv=argv, by=by, refused=frozenset(() if refused is None else {refused}), **fields)


def refusing(*statuses: int, **fields: Any) -> Row:
    """A row of a door that refuses the objects of this world, whatever became of the memory."""
    return Row(refused=frozenset(statuses), **fields)


PLAIN: Final = Row()
SHOWS: Final = Row(shows=True)
FOR_REVIEWERS: Final = "reviewers decide on it"
