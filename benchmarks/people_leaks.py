"""What may not be anywhere in a reply: ids, texts, topics and planted values. Pure.

A text counts as shown when five words of it stand in a row in one string of the reply, unless what may be shown says them too; a value when
its letters and digits do, whatever lies between them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

RUN: Final = 5
"""Words in a row that betray a text; of a shorter one all of them."""

_WORDS: Final = re.compile(r"\w+")
_DRAWER: Final = re.compile(
    r"^More about .*?: (?:1 memory|\d+ memories)(?: on (?P<topics>.*))?, last change \d{4}-\d\d-\d\d; ", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A memory that a reply may not show. `id` None: it was not stored."""

    name: str
    id: str | None
    content: str
    topic: str | None


@dataclass(frozen=True, slots=True)
class Guard:
    """Looks through replies. `runs`: name and words in a row; `topics` that only hidden memories have; `values`: letters and digits."""

    ids: tuple[tuple[str, str], ...]
    runs: tuple[tuple[str, str], ...]
    topics: frozenset[str]
    values: tuple[tuple[str, str], ...]

    def find(self, reply: Any) -> list[str]:  # noqa: ANN401 - any JSON value
        """What it shows and may not, each once: kind and name."""
        texts = list(strings(reply))
        words = [f" {spoken(text)} " for text in texts]
        flats = [flat(text) for text in texts]
        found = [f"id of {name}" for name, id_ in self.ids if any(id_ in text for text in texts)]
        found += [f"text of {name}" for name, run in self.runs if any(f" {run} " in text for text in words)]
        found += [f"value of {name}" for name, value in self.values if any(value in text for text in flats)]
        found += [f"topic {topic}" for text in texts for topic in topics_named(text) if topic in self.topics]
        return list(dict.fromkeys(found))


def make_guard(hidden: Iterable[Hidden], shown: Iterable[Hidden], statements: Iterable[tuple[str, str]], values: Iterable[str]) -> Guard:
    """A guard of what may not be shown.

    Args:
        hidden: memories outside of what the audience may read, or forbidden by name.
        shown: memories that may be shown; what they say is no leak.
        statements: further texts by name that nobody may see.
        values: planted strings that may be nowhere.
    """
    hidden, shown = list(hidden), list(shown)
    allowed = [f" {spoken(memory.content)} " for memory in shown]
    texts = [(memory.name, memory.content) for memory in hidden] + list(statements)
    runs = [(name, run) for name, text in texts for run in _runs(text) if not any(f" {run} " in other for other in allowed)]
    topics = {m.topic for m in hidden if m.topic} - {m.topic for m in shown if m.topic}
    ids = tuple((m.name, m.id) for m in hidden if m.id is not None)
    return Guard(ids, tuple(runs), frozenset(topics), tuple((value[:3] + "…", flat(value)) for value in values))


def strings(value: Any) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Every string and key of a JSON value; numbers as they are written."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)
    elif value is not None:
        yield str(value)


def spoken(text: str) -> str:
    """Words alone, one space between them, without case.

    >>> spoken("R$ 50, por-pessoa")
    'r 50 por pessoa'
    """
    return " ".join(_WORDS.findall(text.casefold()))


def flat(text: str) -> str:
    """Letters and digits alone, without case.

    >>> flat("077.914.113-00")
    '07791411300'
    """
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def topics_named(text: str) -> list[str]:
    """Topics that the drawer lines of a card name."""
    return [topic for found in _DRAWER.finditer(text) if found["topics"] for topic in found["topics"].split(", ")]


def _runs(text: str) -> Collection[str]:
    words = spoken(text).split()
    return {" ".join(words[start : start + RUN]) for start in range(max(1, len(words) - RUN + 1))}
