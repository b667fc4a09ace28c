"""What a tool is to a client: name, description, parameters, and the JSON Schema of its arguments.

The schema is JSON Schema 2020-12 as the strictest client takes it: an object with its properties, each described, `required` always there,
no other property; no alternative, no reference, no null, no `format`. Bounds and choices stand in it, so that a model need not guess.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

Schema: TypeAlias = "dict[str, object]"

TOOLS_MAX: Final = 16
"""Models choose worse among many tools, and some clients cut the list."""


class Shape(StrEnum):
    """What a value of a parameter is. An id is a UUID, which JSON Schema could say by `format` alone, and not every client takes that."""

    TEXT = "text"
    ID = "id"
    INTEGER = "integer"
    FLAG = "flag"
    TEXTS = "texts"
    IDS = "ids"
    RECORDS = "records"


_TYPES: Final = {
    Shape.TEXT: "string",
    Shape.ID: "string",
    Shape.INTEGER: "integer",
    Shape.FLAG: "boolean",
    Shape.TEXTS: "array",
    Shape.IDS: "array",
    Shape.RECORDS: "array",
}
LISTS: Final = frozenset({Shape.TEXTS, Shape.IDS})
_BOUNDS: Final = {
    Shape.TEXT: ("minLength", "maxLength"),
    Shape.INTEGER: ("minimum", "maximum"),
    Shape.TEXTS: ("minItems", "maxItems"),
    Shape.IDS: ("minItems", "maxItems"),
    Shape.RECORDS: ("minItems", "maxItems"),
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument. `at_least` and `at_most` bound the value of an integer, the characters of a text, the items of a list. `parts`: what
    each of RECORDS has.
    """

    name: str
    shape: Shape
    description: str
    required: bool = False
    choices: tuple[str, ...] = ()
    at_least: int | None = None
    at_most: int | None = None
    parts: tuple[Parameter, ...] = ()

    def schema(self) -> Schema:
        """Its JSON Schema."""
        made: Schema = {"type": _TYPES[self.shape], "description": self.description}
        if self.shape in LISTS:
            made["items"] = {"type": "string"}
        if self.shape is Shape.RECORDS:
            made["items"] = _object(self.parts)
        if self.choices:
            made["enum"] = list(self.choices)
        for keyword, bound in zip(_BOUNDS.get(self.shape, ()), (self.at_least, self.at_most), strict=False):
            if bound is not None:
                made[keyword] = bound
        return made


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. `reads`: it changes nothing that anybody is told; `destroys`: what it takes away is gone; `repeatable`: twice is once."""

    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...] = ()
    reads: bool = False
    destroys: bool = False
    repeatable: bool = False

    def schema(self) -> Schema:
        """JSON Schema of its arguments."""
        return _object(self.parameters)


def _object(parameters: tuple[Parameter, ...]) -> Schema:
    return {
        "type": "object",
        "properties": {parameter.name: parameter.schema() for parameter in parameters},
        "required": [parameter.name for parameter in parameters if parameter.required],
        "additionalProperties": False,
    }
