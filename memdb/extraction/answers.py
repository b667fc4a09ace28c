"""The shape of what a language model answers, one for each kind of memory and one for decisions: as a schema, and to check its reply.

Checked more strictly than the schema says: servers differ in how much of a schema they enforce.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, StrictInt

from memdb.models.memory import Kind

TEXT_MAX: Final = 4_000
PEOPLE_MAX: Final = 50
STEPS_MAX: Final = 50
ITEMS_MAX: Final = 200
"""Of one reply; more is a model that rambles."""
_COUNTED: Final = re.compile(r"[1-9][0-9]{0,8}")
_ATTRIBUTE: Final = re.compile(r"[\w-]{1,40}(?:/[\w-]{1,40}){0,2}")
_KEPT: Final = frozenset({"type", "properties", "required", "items", "anyOf", "enum", "$ref", "$defs", "additionalProperties"})
"""Words of a schema that every server knows; limits are checked here."""


def _number(value: object) -> object:
    """A number that was written as a text is that number; nothing else is made into one."""
    return int(value) if isinstance(value, str) and _COUNTED.fullmatch(value) else value


def _storable(text: str) -> str:
    if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("no text")
    return text


def _path(text: str) -> str:
    path = text.strip().strip("/").lower().replace(" ", "-")
    if not _ATTRIBUTE.fullmatch(path):
        raise ValueError("no attribute")
    return path


def _listed(value: object) -> object:
    return value if isinstance(value, list) else [] if value is None else [value]


def _absent(value: object) -> object:
    """Not every model writes null for what does not apply."""
    return None if isinstance(value, str) and not value.strip() else value


def _said(value: object) -> object:
    """A value may be a number: "shoe size: 38"."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Number = Annotated[StrictInt, BeforeValidator(_number)]
Numbers = Annotated[list[Number], BeforeValidator(_listed), Field(max_length=PEOPLE_MAX)]
Text = Annotated[str, Field(min_length=1, max_length=TEXT_MAX, strict=True), AfterValidator(_storable)]
Value = Annotated[Text, BeforeValidator(_said)]
Attribute = Annotated[Text, AfterValidator(_path)]
MaybeText = Annotated[Text | None, BeforeValidator(_absent)]
MaybeValue = Annotated[Value | None, BeforeValidator(_absent)]


class Answer(BaseModel):
    """What every item has: the turns that it rests on, and words of the first of them."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    evidence: Annotated[list[Number], BeforeValidator(_listed), Field(min_length=1, max_length=PEOPLE_MAX)]
    quote: Text


class End(BaseModel):
    """What is over of the same people."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    attribute: Attribute
    value: MaybeValue = None


class Fact(Answer):
    """A semantic statement; `content` is None where it only ends something."""

    content: MaybeText = None
    about: Numbers = Field(default_factory=list)
    attribute: Annotated[Attribute | None, BeforeValidator(_absent)] = None
    value: MaybeValue = None
    single: StrictBool = False
    valid_from: MaybeText = None
    valid_to: MaybeText = None
    ends: Annotated[list[End], BeforeValidator(_listed), Field(max_length=PEOPLE_MAX)] = Field(default_factory=list)


class Event(Answer):
    """An episodic statement."""

    content: Text
    about: Numbers = Field(default_factory=list)
    participants: Numbers = Field(default_factory=list)
    valid_from: MaybeText = None
    valid_to: MaybeText = None


class HowTo(Answer):
    """A procedural statement."""

    name: Text
    use_when: MaybeText = None
    steps: Annotated[list[Text], Field(min_length=1, max_length=STEPS_MAX)]


class Term(Answer):
    """A taxonomic statement."""

    term: Text
    definition: Text
    aliases: Annotated[list[Text], BeforeValidator(_listed), Field(max_length=STEPS_MAX)] = Field(default_factory=list)


class Judgement(BaseModel):
    """What a new statement is to what is known. `s`, `m`: as the question numbers them; nothing is made into a number but a number."""

    model_config = ConfigDict(extra="ignore", frozen=True, hide_input_in_errors=True)

    s: Number
    action: Literal["add", "same", "replaces"]
    m: Number | None = None
    quote: MaybeText = None


ANSWERS: Final[Mapping[Kind, type[Answer]]] = MappingProxyType(
    {Kind.SEMANTIC: Fact, Kind.EPISODIC: Event, Kind.PROCEDURAL: HowTo, Kind.TAXONOMIC: Term}
)


@cache
def schema_of(shape: type[BaseModel]) -> Mapping[str, Any]:
    """A JSON schema of a whole reply with items of a shape, as strict modes want it: every field required, none beside them, no limits."""
    item = shape.model_json_schema()
    defined = item.pop("$defs", {})
    reply = {"type": "object", "properties": {"items": {"type": "array", "items": item}}}
    strict: dict[str, Any] = _strict(reply | ({"$defs": defined} if defined else {}))
    return MappingProxyType(strict)


def _strict(schema: Any) -> Any:  # noqa: ANN401 - JSON
    if isinstance(schema, list):
        return [_strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {
        name: {field: _strict(one) for field, one in value.items()} if name in {"properties", "$defs"} else _strict(value)
        for name, value in schema.items()
        if name in _KEPT
    }
    if kept.get("type") == "object":
        kept |= {"required": list(kept["properties"]), "additionalProperties": False}
    return kept
