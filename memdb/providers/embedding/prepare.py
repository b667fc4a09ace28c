"""What is done to a text before any model sees it.

One form of code points, no surrogates or NUL, a bounded length, and pieces where a model averages.

A change here changes vectors: raise `RECIPE`, which makes new spaces.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from governance.errors import InvalidInput
from memdb.text.normalise import clean, visible
from memdb.text.sentences import split_sentences
from memdb.text.tokens import Encoding, count_tokens, cut_to_tokens

RECIPE: Final = "1"

_UNENCODABLE = re.compile("[\x00\ud800-\udfff]")
# One unit is about one word: a word of at most 24 characters, or two ideographs.
_UNIT = re.compile(
    "[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]{1,2}|[^\\s\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]{1,24}"
)
_TAIL_TRIES_MAX = 12


@dataclass(frozen=True, slots=True)
class Limits:
    """What one model takes.

    `document_tokens` and `query_tokens`: of one text, counted in `encoding`. `batch_texts` and `batch_tokens`: of one call.
    `piece_units`: words per vector for models that average over the text (pieces are embedded apart and averaged); None: no pieces.
    """

    document_tokens: int
    query_tokens: int
    batch_texts: int
    batch_tokens: int
    piece_units: int | None
    encoding: Encoding


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text as the model gets it: pieces in order, words in each, and whether the middle was left out."""

    pieces: tuple[str, ...]
    weights: tuple[int, ...]
    truncated: bool


def prepare_document(text: str, limits: Limits) -> Prepared:
    """Prepare a text that is to be found; a too long one keeps its first and its last half of the limit.

    Raises:
        InvalidInput: the text is blank.
    """
    kept, truncated = _keep_head_and_tail(_clean(text), limits.document_tokens, limits.document_tokens // 2, limits.encoding)
    return _split(kept, truncated, limits)


def prepare_query(text: str, limits: Limits) -> Prepared:
    """Prepare a question; a too long one keeps a quarter of the limit from its head and the rest from its tail, where the question is.

    Raises:
        InvalidInput: the text is blank.
    """
    kept, truncated = _keep_head_and_tail(_clean(text), limits.query_tokens, limits.query_tokens // 4, limits.encoding)
    prepared = _split(kept, truncated, limits)
    if limits.piece_units is None or len(prepared.pieces) == 1:
        return prepared
    # An averaging model would drown the question in what was pasted above it, so the last sentence has half of the weight.
    start, end = _short_spans(kept, limits.piece_units)[-1]
    return Prepared((*prepared.pieces, kept[start:end]), (*prepared.weights, sum(prepared.weights)), truncated)


def _clean(text: str) -> str:
    # Models normalise too, each in its own way; one that gets NFKC always cannot be surprised by what NFKC expands.
    cleaned = unicodedata.normalize("NFKC", clean(_UNENCODABLE.sub("", text), "text")).strip()
    if not visible(cleaned):
        raise InvalidInput("a text to embed is blank; leave it out", field="text")
    return cleaned


def _keep_head_and_tail(text: str, limit: int, head: int, encoding: Encoding) -> tuple[str, bool]:
    # A token is at least one byte, so a text of few bytes needs no counting.
    if len(text) * 4 <= limit or (total := count_tokens(text, encoding)) <= limit:
        return text, False
    first, _ = cut_to_tokens(text, head, encoding)
    return f"{first}\n{_last_tokens(text, limit - head - 1, total, encoding)}", True


def _last_tokens(text: str, limit: int, total: int, encoding: Encoding) -> str:
    """Keep about the last `limit` tokens, never more: tokens are counted from the front, so the place is found by trying."""
    size = len(text) * limit // total
    for _ in range(_TAIL_TRIES_MAX):
        tail = text[len(text) - size :]
        found = count_tokens(tail, encoding)
        if found <= limit:
            return tail
        size = size * limit // found - 1
    return cut_to_tokens(text[len(text) - size :], limit, encoding)[0] if size > 0 else ""


def _split(text: str, truncated: bool, limits: Limits) -> Prepared:  # noqa: FBT001 - private
    if limits.piece_units is None:
        return Prepared((text,), (1,), truncated)
    pieces: list[str] = []
    weights: list[int] = []
    start = end = units = 0
    for first, last in _short_spans(text, limits.piece_units):
        added = _count_units(text[first:last])
        if units and units + added > limits.piece_units:
            pieces.append(text[start:end])
            weights.append(units)
            start, units = first, 0
        end, units = last, units + added
    pieces.append(text[start:end] or text)
    weights.append(max(units, 1))
    return Prepared(tuple(pieces), tuple(weights), truncated)


def _short_spans(text: str, units_max: int) -> list[tuple[int, int]]:
    """Give the sentences, with those of more than `units_max` units cut between units."""
    spans: list[tuple[int, int]] = []
    for start, end in split_sentences(text):
        places = [match.span() for match in _UNIT.finditer(text, start, end)]
        spans.extend(
            (group[0][0], group[-1][1]) for index in range(0, len(places), units_max) if (group := places[index : index + units_max])
        )
    return spans


def _count_units(text: str) -> int:
    return sum(1 for _ in _UNIT.finditer(text))
