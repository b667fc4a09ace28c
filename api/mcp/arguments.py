"""Arguments of a call, checked against the tool's own table: nothing is guessed, turned into another type or left out in silence.

SECURITY: who calls is known from the key alone. An argument that names an identity is refused and never ignored, because a model that sends
one expects the answer to be narrowed by it. No message repeats a value, nor a name that could be one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from api.mcp.schema import LISTS, Parameter, Shape, Tool
from governance.errors import InvalidInput

_UUID: Final = re.compile(r"[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")
_TOLD_NAME: Final = re.compile(r"[A-Za-z_]{1,40}")
_SURROGATES: Final = re.compile(r"[\ud800-\udfff]")
_LETTERS: Final = re.compile(r"[^a-z]")
_IDENTITY: Final = re.compile(
    r"(?:account|act(?:ing)?(?:as|for)|actor|agent|apikey|caller|identity|key|member|namespace|onbehalfof|org(?:ani[sz]ation)?|owner|person"
    r"|principal|role|runas|scopes?|subject|tenant|user(?:name)?|workspace|writer|writtenby)(?:id)?"
)
"""Names under which callers say who they are, or believe to be, without case and signs."""


class Arguments:
    """What was given, by name. Asking for a name that the tool does not have is a programmer's error."""

    def __init__(self, parameters: Sequence[Parameter], given: Mapping[str, object]) -> None:
        self._known = frozenset(parameter.name for parameter in parameters)
        self._given = given

    def find_text(self, name: str) -> str | None:
        """A text, if it was given."""
        value = self._find(name)
        assert value is None or isinstance(value, str), f"{name} is no text"
        return value

    def get_text(self, name: str) -> str:
        """A text that the tool requires."""
        value = self.find_text(name)
        assert value is not None, f"{name} is not required"
        return value

    def find_id(self, name: str) -> UUID | None:
        """An id, if it was given."""
        value = self._find(name)
        assert value is None or isinstance(value, UUID), f"{name} is no id"
        return value

    def get_id(self, name: str) -> UUID:
        """An id that the tool requires."""
        value = self.find_id(name)
        assert value is not None, f"{name} is not required"
        return value

    def find_integer(self, name: str) -> int | None:
        """An integer, if it was given."""
        value = self._find(name)
        assert value is None or isinstance(value, int), f"{name} is no integer"
        return value

    def has_flag(self, name: str) -> bool:
        """True when it was given as true."""
        return self._find(name) is True

    def find_texts(self, name: str) -> tuple[str, ...] | None:
        """Texts in their order, if they were given."""
        value = self._find(name)
        assert value is None or isinstance(value, tuple), f"{name} is no list"
        return value

    def find_ids(self, name: str) -> tuple[UUID, ...] | None:
        """Ids in their order, if they were given."""
        value = self._find(name)
        assert value is None or isinstance(value, tuple), f"{name} is no list"
        return value

    def get_records(self, name: str) -> tuple[Arguments, ...]:
        """Records that the tool requires, in their order."""
        value = self._find(name)
        assert isinstance(value, tuple), f"{name} is no list of records"
        return value

    def _find(self, name: str) -> object:
        assert name in self._known, f"the tool has no parameter {name}"
        return self._given.get(name)


def find_identity(tool: Tool, sent: Mapping[str, object] | None) -> str | None:
    """An argument by which the caller says who it is, if there is one; its name as it may be told."""
    known = {parameter.name for parameter in tool.parameters}
    named = (name for name in sent or {} if name not in known and _IDENTITY.fullmatch(_LETTERS.sub("", name.lower())))
    return next(map(_told, named), None)


def check(tool: Tool, sent: Mapping[str, object] | None) -> Arguments:
    """The arguments of a call. Null is absent, and so are arguments that were left out altogether.

    Raises:
        InvalidInput: one is missing, unknown, of another type, out of bounds or none of the choices, or names an identity.
    """
    sent = sent or {}
    if (identity := find_identity(tool, sent)) is not None:  # of several unknown ones it is the one to tell
        raise InvalidInput("who calls follows from the key; leave out arguments that name an identity", field=identity)
    return _checked(tool.name, tool.parameters, sent, "")


def _checked(owner: str, parameters: Sequence[Parameter], sent: Mapping[str, object], within: str) -> Arguments:
    """`within`: the place of a record, such as `turns[3].`, which its errors name; empty for the arguments themselves."""
    known = {parameter.name: parameter for parameter in parameters}
    unknown = [name for name in sent if name not in known]
    if unknown:
        raise InvalidInput(f"unknown argument; {owner} takes {', '.join(known) or 'none'}", field=within + _told(unknown[0]))
    given = {name: _value(replace(known[name], name=within + name), value) for name, value in sent.items() if value is not None}
    for parameter in parameters:
        if parameter.required and parameter.name not in given:
            raise InvalidInput(f"{within}{parameter.name} is required", field=within + parameter.name)
    return Arguments(parameters, given)


def _told(name: str) -> str:
    """A name that the table does not know may be anything, even a secret."""
    return name if _TOLD_NAME.fullmatch(name) else "?"


def _value(parameter: Parameter, value: object) -> object:
    match parameter.shape:
        case Shape.TEXT:
            return _text(parameter, value, "text")
        case Shape.ID:
            return _id(parameter, value)
        case Shape.INTEGER:
            return _integer(parameter, value)
        case Shape.FLAG:
            if not isinstance(value, bool):
                raise _wrong(parameter, "must be true or false")
            return value
        case Shape.TEXTS | Shape.IDS:
            return _list(parameter, value)
        case Shape.RECORDS:
            return _records(parameter, value)


def _text(parameter: Parameter, value: object, what: str) -> str:
    if not isinstance(value, str):
        raise _wrong(parameter, f"must be {what}")
    if _SURROGATES.search(value):
        raise _wrong(parameter, "holds half of a character, which cannot be stored")
    if parameter.choices and value not in parameter.choices:
        raise _wrong(parameter, f"must be one of {', '.join(parameter.choices)}")
    if parameter.shape is Shape.TEXT:
        _bound(parameter, len(value), "characters")
    return value


def _id(parameter: Parameter, value: object) -> UUID:
    text = _text(parameter, value, "the text of a UUID")
    if not _UUID.fullmatch(text):
        raise _wrong(parameter, "must be a UUID")
    return UUID(text)


def _integer(parameter: Parameter, value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _wrong(parameter, "must be an integer")
    _bound(parameter, value, "")
    return value


def _list(parameter: Parameter, value: object) -> tuple[object, ...]:
    assert parameter.shape in LISTS, "a list has items"
    if not isinstance(value, list):
        raise _wrong(parameter, "must be a list")
    _bound(parameter, len(value), "items")
    if parameter.shape is Shape.IDS:
        return tuple(_id(parameter, item) for item in value)
    return tuple(_text(parameter, item, "a list of texts") for item in value)


def _records(parameter: Parameter, value: object) -> tuple[Arguments, ...]:
    if not isinstance(value, list):
        raise _wrong(parameter, "must be a list")
    _bound(parameter, len(value), "items")
    return tuple(_record(replace(parameter, name=f"{parameter.name}[{place}]"), item) for place, item in enumerate(value))


def _record(parameter: Parameter, item: object) -> Arguments:
    """One of a list; the parameter is named by its place."""
    if not isinstance(item, dict) or not all(isinstance(name, str) for name in item):
        raise _wrong(parameter, "must be an object")
    return _checked(parameter.name, parameter.parts, item, f"{parameter.name}.")


def _bound(parameter: Parameter, size: int, unit: str) -> None:
    if parameter.at_least is not None and size < parameter.at_least:
        raise _wrong(parameter, f"must be at least {parameter.at_least} {unit}".rstrip())
    if parameter.at_most is not None and size > parameter.at_most:
        raise _wrong(parameter, f"must be at most {parameter.at_most} {unit}".rstrip())


def _wrong(parameter: Parameter, reason: str) -> InvalidInput:
    return InvalidInput(f"{parameter.name} {reason}", field=parameter.name)
