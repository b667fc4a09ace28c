"""Context of a fragment: the fragments before it in its episode, bounded. Taken at write, and rebuilt when one of them goes."""

from __future__ import annotations

from collections.abc import Sequence

from memdb.text.lexemes import Analysis, analyse

CONTEXT_FRAGMENTS_MAX = 2
CONTEXT_CHARS_MAX = 1_000
"""How much of the episode before a fragment is its context. Preceding alone is as good as both sides (LoCoMo recall@10 0.778 against
0.779), and one to three turns differ by less than the noise."""

NO_WORDS = Analysis(counts={}, length=0, positions={})


def context_words(texts: Sequence[str], language: str) -> Analysis:
    """The words of a context.

    Args:
        texts: of the fragments before, in their order; of each the last CONTEXT_CHARS_MAX characters count.
        language: of the memory that the context belongs to.
    """
    return analyse("\n".join(text[-CONTEXT_CHARS_MAX:] for text in texts), language) if texts else NO_WORDS
