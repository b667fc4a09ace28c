"""From what a language model wrote to items of a shape. What can be understood in one way is; the rest is refused, item by item. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from memdb.extraction.answers import ITEMS_MAX

_ITEMS: Final = "items"
_STARTS_MAX: Final = 200
"""Places at which an object is looked for in prose; more is no answer, and looking on would take long."""
_PROBLEMS_MAX: Final = 10
_THOUGHT: Final = re.compile(r"\A.*?</(?:think|thinking|reasoning)>", re.DOTALL)
"""What a model wrote for itself. Some servers leave the opening mark out."""
_FENCED: Final = re.compile(r"```[a-z]*\s(?P<inside>.*?)```", re.DOTALL)


class Unusable(Exception):
    """Nothing of a reply can be used. SECURITY: says what is wrong by paths and limits, never by what was written."""


A = TypeVar("A", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Items(Generic[A]):
    """What of a reply has the right shape, and how many items have not."""

    answers: Sequence[A]
    misshapen: int


class _TwoValues:
    """In the place of an object that has a key twice, with different values: it says nothing."""


def read_reply(shape: type[A], text: str) -> Items[A]:
    """The items of a reply, in order.

    Understood around the JSON object with `items`: prose, code fences, `<think>…</think>`; instead of it: the bare list of items. An item
    of the wrong shape does not keep the others out.

    Raises:
        Unusable: there is no such object, or there are several, or more than `ITEMS_MAX` items, or none of the right shape among some.
    """
    items = _items(_answer(text))
    if len(items) > ITEMS_MAX:
        raise Unusable(f"{_ITEMS}: more than {ITEMS_MAX}")
    answers: list[A] = []
    problems: list[str] = []
    for number, item in enumerate(items):
        try:
            answers.append(shape.model_validate(item))
        except ValidationError as error:
            found = error.errors(include_input=False, include_url=False, include_context=False)
            problems += [f"{'.'.join(map(str, (_ITEMS, number, *one['loc'])))}: {one['type']}" for one in found]
    if items and not answers:
        raise Unusable("; ".join(problems[:_PROBLEMS_MAX]))
    return Items(answers, len(items) - len(answers))


def _items(value: object) -> list[object]:
    found = value.get(_ITEMS) if isinstance(value, dict) else value
    if not isinstance(found, list):
        raise Unusable(f"{_ITEMS}: not a list" if isinstance(value, dict) else 'no JSON object {"items": [...]}')
    return found


def _answer(text: str) -> object:
    """The one JSON value of a reply. A reply is first read as it is: its strings may hold what else would be cut out."""
    bare = _THOUGHT.sub("", text)
    fenced = _FENCED.fullmatch(bare.strip())
    for whole in (text, bare, fenced["inside"] if fenced else None):
        if whole is not None:
            try:
                return _decode(whole.strip())
            except (ValueError, RecursionError):
                continue
    return _embedded(bare)


def _embedded(text: str) -> object:
    """The object with items that stands in prose.

    SECURITY: there may be no second mention of items beside it. Two answers are none; and where a model copied what somebody said without
    escaping it, the object that can be read is the one that somebody said.
    """
    at = text.find("{")
    for _ in range(_STARTS_MAX):
        if at < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            at = text.find("{", at + 1)
            continue
        if isinstance(value, dict) and _ITEMS in value:
            if f'"{_ITEMS}"' in text[:at] + text[end:]:
                raise Unusable("more than one answer")
            return value
        at = text.find("{", end)
    raise Unusable('no JSON object {"items": [...]}' if text.strip() else "the reply is empty")


def _object(pairs: list[tuple[str, Any]]) -> object:
    found = dict(pairs)
    return found if len(found) == len(pairs) or all(found[name] == value for name, value in pairs) else _TwoValues()


def _constant(name: str) -> object:
    raise ValueError(name)


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)


def _decode(text: str) -> object:
    return _DECODER.decode(text)
