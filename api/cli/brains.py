"""Brains on the command line: listed, named by id or by name, and recognised in another org."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from uuid import UUID

from api.cli.client import Client
from api.cli.output import plain
from governance.errors import InvalidInput, NotFound

_PAGE = 200

Brain = Mapping[str, Any]  # as GET /v1/brains gives it


def list_brains(client: Client) -> list[Brain]:
    """Every brain that the key may read, oldest first. Raises Refused."""
    query: dict[str, object] = {"limit": _PAGE}
    found: list[Brain] = []
    while True:
        page = client.get("/v1/brains", query)
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        query["cursor"] = page["next_cursor"]


def find_id(client: Client, given: str) -> str:
    """The id of a brain that the user gave by id or by name; an id is not looked up, the server says what it thinks of it.

    Raises:
        NotFound: no brain of the key has this name.
        InvalidInput: several have.
        Refused: the server did not answer.
    """
    try:
        return str(UUID(given))
    except ValueError:
        pass
    ids = [str(brain["id"]) for brain in list_brains(client) if brain["name"] == given]
    if not ids:
        raise NotFound(f"this key reads no brain named {quoted(given)}; `memdb brain list` shows those it reads", field="brain")
    if len(ids) > 1:
        raise InvalidInput(f"{len(ids)} brains are named {quoted(given)}; give the id, one of {', '.join(ids)}", field="brain")
    return ids[0]


def make_label(brain: Brain) -> dict[str, object]:
    """What an export says of a brain besides its id, so that an import recognises the one that it corresponds to.

    >>> make_label({"id": "a", "kind": "personal", "name": "Ana", "role": "admin", "home": True})
    {'kind': 'personal', 'name': 'Ana', 'home': True}
    """
    return {"kind": brain["kind"], "name": brain["name"]} | ({"home": True} if brain["home"] else {})


class Placement:
    """Decides where the lines of an import go. Asks for the brains of the key once, and only if a line needs it."""

    def __init__(self, client: Client, brain_id: str | None) -> None:
        """Everything goes to `brain_id`; with None each line goes where it says."""
        self._client = client
        self._brain_id = brain_id
        self._known: list[Brain] | None = None

    def place(self, line: bytes, number: int) -> bytes:
        """The line as it is sent. What is no JSON object stays as it is: the server says what is wrong with it.

        Raises:
            NotFound: the brain of line `number` has no counterpart among those of the key, or several.
            Refused: the server did not answer.
        """
        # Most lines of a large file are not worth a look: without a label and a brain for all there is nothing to do.
        if self._brain_id is None and b'"brain"' not in line:
            return line
        try:
            document = json.loads(line)
        except ValueError:
            return line
        if not isinstance(document, dict):
            return line
        label = document.pop("brain", None)
        if self._brain_id is not None:
            return _dump(document | {"brain_id": self._brain_id})
        if not _is_label(label):
            return line
        brain_id = self._find(document.pop("brain_id", None), label, number)
        return _dump(document if brain_id is None else document | {"brain_id": brain_id})

    def _find(self, former_id: object, label: Brain, number: int) -> str | None:
        """The id of the brain; None for the home of the key, where the server puts what names none."""
        if self._known is None:
            self._known = list_brains(self._client)
        if any(brain["id"] == former_id for brain in self._known):
            return str(former_id)
        if label.get("home") is True:
            return None
        name, kind = label["name"], label["kind"]
        # SECURITY: a name alone is not enough. A person and a room may be called the same, and the room has more readers.
        ids = [str(brain["id"]) for brain in self._known if name and (brain["kind"], brain["name"]) == (kind, name)]
        if len(ids) == 1:
            return ids[0]
        many = f"this key reads {len(ids)} of that kind and name: name one"
        none = "this key reads none of that kind and name: make one, or name another"
        which = f"line {number} is of the brain {quoted(name)} ({plain(kind)})"
        raise NotFound(f"{which}, and {many if ids else none} for all lines with --brain", field="brain")


def quoted(name: str) -> str:
    """A name in a message, without what would steer a terminal."""
    return f"“{plain(name)}”"


def _is_label(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("kind"), str) and isinstance(value.get("name"), str)


def _dump(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document).encode()
