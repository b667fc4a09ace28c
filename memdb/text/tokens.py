"""Token counts, as language models count them. The vocabularies are compiled into toktok: no download, no file."""

from __future__ import annotations

from typing import Final, Literal

import toktok

Encoding = Literal["o200k_base", "cl100k_base"]
CARD_ENCODING: Final[Encoding] = "o200k_base"


def count_tokens(text: str, encoding: Encoding = CARD_ENCODING) -> int:
    """Count the tokens of a text; half surrogates count as a question mark. Linear in the length."""
    return int(toktok.batch_count([_encodable(text)], encoding, threads=1)[0])


def cut_to_tokens(text: str, limit: int, encoding: Encoding = CARD_ENCODING) -> tuple[str, bool]:
    """Keep the first `limit` tokens, cut between characters; tell whether anything was cut.

    >>> cut_to_tokens("hello world", 1)
    ('hello', True)
    """
    if limit <= 0:
        return "", text != ""
    kept, total = toktok.truncate(_encodable(text), limit, encoding)
    return str(kept), int(total) > limit


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
