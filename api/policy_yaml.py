"""The policy of an org as YAML: read with the line of whatever is wrong, and written so that it reads back as the same.

Nothing is guessed: an unknown key, a key twice, a value of another shape, an alias or a tag is an error. No error repeats a pattern or any
other text of the file but short names of keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, get_args

import yaml
from pydantic import BaseModel, ValidationError

from api.errors import path_of, reason_of
from api.schemas.policy import PolicyRequest
from governance.errors import InvalidInput
from governance.policy.sections import SECTIONS

BYTES_MAX: Final = 262_144
DEPTH_MAX: Final = 12
PROBLEMS_MAX: Final = 50
_PLAIN: Final = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")}
_STEP: Final = re.compile(r"([^.\[\]]+)|\[([0-9]+)\]")
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class PolicyProblem:
    """One thing that is wrong: its line from 1 on, the path of its key, and what is allowed instead."""

    line: int
    path: str
    reason: str


class PolicyFileInvalid(Exception):
    """A file is no policy; `problems` in the order of their lines."""

    def __init__(self, problems: Sequence[PolicyProblem]) -> None:
        super().__init__(f"{len(problems)} problems")
        self.problems = sorted(problems, key=lambda problem: (problem.line, problem.path))[:PROBLEMS_MAX]


@dataclass(slots=True)
class _Reading:
    """Lines of the values that were read, by path, and what was wrong on the way."""

    lines: dict[Path, int] = field(default_factory=dict)
    problems: list[PolicyProblem] = field(default_factory=list)

    def refuse(self, line: int, path: Path, reason: str) -> None:
        self.problems.append(PolicyProblem(line, path_of(path), reason))

    def line_of(self, path: Path) -> int:
        """Of the value at a path, else of the nearest above it."""
        return next((self.lines[path[:size]] for size in range(len(path), -1, -1) if path[:size] in self.lines), 1)


def parse_policy(content: bytes) -> PolicyRequest:
    """Read a policy; all of it was checked but whether its brains exist.

    Raises:
        PolicyFileInvalid: it is none.
    """
    reading = _Reading()
    value = _value(reading, _compose(content), ())
    if reading.problems:
        raise PolicyFileInvalid(reading.problems)
    try:
        request = PolicyRequest.model_validate(value)
    except ValidationError as error:
        found = [(tuple(each["loc"]), dict(each)) for each in error.errors(include_url=False, include_input=False)]
        raise PolicyFileInvalid([PolicyProblem(reading.line_of(loc), path_of(loc), _reason(loc, each)) for loc, each in found]) from None
    try:
        request.document().check()
    except InvalidInput as problem:
        path = _steps(problem.field or "")
        raise PolicyFileInvalid([PolicyProblem(reading.line_of(path), path_of(path), problem.message)]) from None
    return request


def write_policy(policy: Mapping[str, Any], comment: str) -> str:
    """The document of a reply as YAML, section by section, behind a comment; what says nothing is left out."""
    said = {name: _without_empty(policy[name]) for name in SECTIONS}
    document = {name: value for name, value in said.items() if value}
    text = yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=120) if document else "{}\n"
    return "".join(f"# {line}\n" for line in comment.splitlines()) + str(text)


def _without_empty(value: Any) -> Any:  # noqa: ANN401 - JSON
    if not isinstance(value, dict):
        return value
    kept = {name: _without_empty(each) for name, each in value.items()}
    return {name: each for name, each in kept.items() if each is not None and each != {}}


def _compose(content: bytes) -> yaml.Node:
    if len(content) > BYTES_MAX:
        raise PolicyFileInvalid([PolicyProblem(1, "", f"more than {BYTES_MAX} bytes")])
    problem = PolicyProblem(1, "", "not YAML")
    root: yaml.Node | None = None
    try:
        text = content.decode()
        odd = _find_odd(text)
        if odd is None:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        problem = odd or PolicyProblem(1, "", "the file says nothing; {} is a policy of defaults")
    except UnicodeDecodeError as error:
        problem = PolicyProblem(content[: error.start].count(b"\n") + 1, "", "not UTF-8")
    except yaml.MarkedYAMLError as error:
        line = 1 if error.problem_mark is None else error.problem_mark.line + 1
        problem = PolicyProblem(line, "", "not YAML: look at indentation, colons, quotes and brackets here and in the line before")
    except (yaml.YAMLError, RecursionError):
        pass
    if root is None:
        raise PolicyFileInvalid([problem])
    return root


def _find_odd(text: str) -> PolicyProblem | None:
    """The first alias, or what is nested too deep, before anything is made of the file: both may cost more than the file is long."""
    depth = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = 1 if event.start_mark is None else event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            return PolicyProblem(line, "", "aliases are not read: write the value out")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEPTH_MAX:
            return PolicyProblem(line, "", f"nested deeper than {DEPTH_MAX} levels")
    return None


def _value(reading: _Reading, node: yaml.Node, path: Path) -> Any:  # noqa: ANN401 - JSON
    reading.lines[path] = line = node.start_mark.line + 1
    if node.tag not in _PLAIN:
        reading.refuse(line, path, "neither text, number, truth value, list nor mapping: put the value in quotes")
        return None
    if isinstance(node, yaml.MappingNode):
        return dict(_members(reading, node, path))
    if isinstance(node, yaml.SequenceNode):
        return [_value(reading, item, (*path, place)) for place, item in enumerate(node.value)]
    try:
        return yaml.SafeLoader("").construct_object(node)
    except (ValueError, yaml.YAMLError):
        reading.refuse(line, path, "no such value: put it in quotes")
        return None


def _members(reading: _Reading, node: yaml.MappingNode, path: Path) -> Iterator[tuple[str, Any]]:
    seen: set[str] = set()
    for key, value in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode) or key.tag != "tag:yaml.org,2002:str":
            reading.refuse(line, path, "a key must be a name: put it in quotes")
            continue
        name = str(key.value)
        if name in seen:
            reading.refuse(line, (*path, name), "stands there twice")
            continue
        seen.add(name)
        yield name, _value(reading, value, (*path, name))
        reading.lines[*path, name] = line


def _reason(loc: Path, error: Mapping[str, Any]) -> str:
    if error["type"] != "extra_forbidden":
        return reason_of(error)
    model = _model_at(loc[:-1])
    return "unknown key" if model is None else "unknown key; known: " + ", ".join(model.model_fields)


def _model_at(loc: Path) -> type[BaseModel] | None:
    """The schema that stands at a path of the policy."""
    found: Any = PolicyRequest
    for step in loc:
        if isinstance(found, type) and issubclass(found, BaseModel):
            known = found.model_fields.get(str(step))
            found = None if known is None else known.annotation
        else:
            found = _inner(found)
        if found is None:
            return None
    while not (isinstance(found, type) and issubclass(found, BaseModel)):
        found = _inner(found)
        if found is None:
            return None
    return found


def _inner(annotation: Any) -> Any:  # noqa: ANN401 - a type
    """What a mapping or list holds, or what may be left out."""
    held = [each for each in get_args(annotation) if each is not type(None)]
    return held[-1] if held and held[-1] is not annotation else None


def _steps(path: str) -> Path:
    return tuple(int(place) if place else name for name, place in _STEP.findall(path))
