"""`project-config.yaml`: what a project says of its memory, beside its code.

    memory:
      extraction:
        enabled: [semantic, episodic]

Nothing is guessed: an unknown key, a key twice, a value of another shape is an error with its line.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NoReturn

import yaml

from api.cli.output import plain
from governance.policy.memory_rules import EXTRACTIONS
from memdb.errors import ConfigurationError

FILE: Final = Path("project-config.yaml")
BYTES_MAX: Final = 65_536
_KEY: Final = "memory.extraction.enabled"
_TEXT: Final = "tag:yaml.org,2002:str"
_NULL: Final = "tag:yaml.org,2002:null"
_LIST: Final = "tag:yaml.org,2002:seq"
_MAPPING: Final = "tag:yaml.org,2002:map"


def read_enabled(file: Path) -> tuple[str, ...] | None:
    """The kinds that a file lists, in the order of EXTRACTIONS; None where it says null: as the server is set.

    Raises:
        ConfigurationError: it cannot be read, is no such file, or does not name them; says the line and the key.
    """
    here = _Place(file)
    root = _compose(here)
    memory = _find(here, root, "", ("memory",))
    extraction = _find(here, memory, "memory", ("extraction",))
    return _kinds(here, _find(here, extraction, "memory.extraction", ("enabled",)))


class _Place:
    """Where in which file something is wrong."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def refuse(self, line: int, message: str) -> NoReturn:
        raise ConfigurationError(f"{self.file.name}, line {line}: {plain(message)}") from None


def _compose(here: _Place) -> yaml.Node:
    try:
        with here.file.open("rb") as opened:
            content = opened.read(BYTES_MAX + 1)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ConfigurationError(f"{plain(str(here.file))} cannot be read: {reason}; name the file, or make it with {_KEY}") from None
    if len(content) > BYTES_MAX:
        here.refuse(1, f"more than {BYTES_MAX} bytes")
    try:
        root = yaml.compose(content.decode(), Loader=yaml.SafeLoader)
    except UnicodeDecodeError as error:
        here.refuse(content[: error.start].count(b"\n") + 1, "not UTF-8")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        here.refuse(1 if mark is None else mark.line + 1, f"not YAML: {error.problem}")
    except (yaml.YAMLError, RecursionError):
        here.refuse(1, "not YAML")
    if root is None:
        here.refuse(1, f"{_KEY} is missing")
    return root


def _find(here: _Place, node: yaml.Node, path: str, known: tuple[str, ...]) -> yaml.Node:
    """The value of the only key that this mapping may have, which has to be there."""
    found = _mapping(here, node, path, known)
    name = known[0]
    if name not in found:
        here.refuse(_line(node), f"{_join(path, name)} is missing")
    return found[name]


def _mapping(here: _Place, node: yaml.Node, path: str, known: tuple[str, ...]) -> Mapping[str, yaml.Node]:
    if not isinstance(node, yaml.MappingNode) or node.tag != _MAPPING:
        here.refuse(_line(node), f"{path or 'the file'} must hold {', '.join(known)}")
    found: dict[str, yaml.Node] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            here.refuse(_line(key), f"a key of {path or 'the file'} is no name; known: {', '.join(known)}")
        name = str(key.value)
        if name not in known or key.tag != _TEXT:
            here.refuse(_line(key), f"unknown key {_join(path, name[:40])}; known: {', '.join(known)}")
        if name in found:
            here.refuse(_line(key), f"{_join(path, name)} stands there twice")
        found[name] = value
    return found


def _kinds(here: _Place, node: yaml.Node) -> tuple[str, ...] | None:
    if isinstance(node, yaml.ScalarNode) and node.tag == _NULL and node.value:
        return None
    if not isinstance(node, yaml.SequenceNode) or node.tag != _LIST:
        here.refuse(_line(node), f"{_KEY} must be a list of kinds, [] for none, or null for as the server is set")
    named: list[str] = []
    for item in node.value:
        kind = item.value if isinstance(item, yaml.ScalarNode) and item.tag == _TEXT else None
        if kind not in EXTRACTIONS:
            here.refuse(_line(item), f"{_KEY} lists kinds of {', '.join(EXTRACTIONS)}")
        if kind in named:
            here.refuse(_line(item), f"{_KEY} lists {kind} twice")
        named.append(kind)
    return tuple(kind for kind in EXTRACTIONS if kind in named)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
