"""Topics as paths of words: their parts, and what to offer instead of one that nobody wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rapidfuzz import fuzz, process

SUGGESTIONS_MAX: Final = 5
NEAR: Final = 70
"""Of 100, by rapidfuzz's ratio: two typing errors in a short path are near, another word is not."""
NEAR_PART: Final = 80
"""The same of one part, which has less to go by."""
_BETWEEN = re.compile(r"[][ /_.,:;#()+|&-]+")  # as in migration 0007


def topic_words(folded: str) -> list[str]:
    """Distinct words of a folded topic, sorted.

    >>> topic_words("clients/meridian-foods")
    ['clients', 'foods', 'meridian']
    """
    return sorted({word for word in _BETWEEN.split(folded) if word})


def suggest(folded: str, known: Iterable[str]) -> list[str]:
    """Paths that a folded one may be a near miss of, nearest first: topics, what they lie below, and topics with such a last part.

    >>> suggest("client/meridain", ["clients/meridian", "brand/voice"]), suggest("client", ["clients/meridian"])
    (['clients/meridian'], ['clients'])
    """
    topics = sorted(known)
    paths = sorted({head for topic in topics for head in _heads(topic)})
    whole = process.extract(folded, paths, scorer=fuzz.ratio, score_cutoff=NEAR, limit=SUGGESTIONS_MAX)
    best = {path: score for path, score, _ in whole}
    last = folded.rpartition("/")[2]
    ends = [topic.rpartition("/")[2] for topic in topics]
    for _, score, place in process.extract(last, ends, scorer=fuzz.ratio, score_cutoff=NEAR_PART, limit=SUGGESTIONS_MAX):
        best[topics[place]] = max(score - 1, best.get(topics[place], 0))
    return sorted(best, key=lambda path: (-best[path], path))[:SUGGESTIONS_MAX]


def _heads(topic: str) -> list[str]:
    parts = topic.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts) + 1)]
