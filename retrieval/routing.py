"""What a question asks for exactly: memories by their id, a topic by its path, words between quotation marks. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from memdb.text.lexemes import phrase_query
from memdb.text.normalise import fold

IDS_MAX: Final = 10
PHRASES_MAX: Final = 4
PHRASE_WORDS_MIN: Final = 2
"""A single word between quotation marks is often irony, and the lexical branch finds it anyway."""
TOPIC_CHARS_MAX: Final = 200
TOPIC_WORDS_MAX: Final = 4
"""A longer text, like one that ends in a question mark, is a question; asking for a topic of its name would be a statement for nothing."""

_ID = re.compile(r"(?<![0-9A-Za-z-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9A-Za-z-])", re.IGNORECASE)
_QUOTED = re.compile(r'(?<!\w)"([^"]+)"(?!\w)|“([^”]+)”|«([^»]+)»|„([^“]+)“')
_REST = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Exact:
    """What is asked for exactly. `phrase` is the tsquery literal of all that stands between quotation marks; `topic` is the whole question,
    folded. `alone`: the question holds nothing else, so that what is found is the answer; of a topic this is so when it is a path, as a
    single word may mean more.
    """

    ids: tuple[UUID, ...] = ()
    phrase: str | None = field(default=None, repr=False)
    topic: str | None = field(default=None, repr=False)
    alone: bool = False


def find_exact(text: str, languages: tuple[str, ...]) -> Exact:
    """Read a redacted question; `languages` are those that texts may have been analysed in.

    >>> find_exact("clients/meridian", ("en",))
    Exact(ids=(), alone=True)
    >>> find_exact("what changed?", ("en",)).alone
    False
    """
    ids = tuple(dict.fromkeys(UUID(match[0]) for match in _ID.finditer(text)))[:IDS_MAX]
    if ids:
        return Exact(ids=ids, alone=_is_nothing(_ID.sub(" ", text)))
    quoted = [next(filter(None, match.groups())) for match in _QUOTED.finditer(text)]
    phrases = [query for phrase in quoted[:PHRASES_MAX] if (query := phrase_query(phrase, languages, PHRASE_WORDS_MIN)) is not None]
    if phrases:
        return Exact(phrase=" & ".join(f"({phrase})" for phrase in phrases), alone=_is_nothing(_QUOTED.sub(" ", text)))
    topic = fold(text.strip().rstrip("/"))
    if len(topic) > TOPIC_CHARS_MAX or len(topic.split()) > TOPIC_WORDS_MAX or topic.endswith("?"):
        return Exact()
    return Exact(topic=topic, alone="/" in topic and not re.search(r"\s", topic))


def _is_nothing(text: str) -> bool:
    return _REST.search(text) is None
