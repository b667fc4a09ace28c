"""What became of a recalled memory."""

from __future__ import annotations

from enum import StrEnum


class Outcome(StrEnum):
    """Each has a counter of its name in `mem.memory_stats`."""

    USED = "used"  # it went into the answer
    HELPFUL = "helpful"
    NOT_HELPFUL = "not_helpful"  # true, and no answer to this question
    STALE = "stale"  # was true
    WRONG = "wrong"
    HARMFUL = "harmful"  # somebody has to look at it
