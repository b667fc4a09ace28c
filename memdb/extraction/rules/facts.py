"""Rules of all facts about somebody, in the order in which they are tried."""

from __future__ import annotations

from typing import Final

from memdb.extraction.rules import (
    english,
    english_daily,
    english_life,
    english_room,
    portuguese,
    portuguese_daily,
    portuguese_life,
    portuguese_room,
)
from memdb.extraction.rules.dated import PLANS
from memdb.extraction.rules.wishes import WISHES

FACTS: Final = (
    *WISHES, *english_room.RULES, *english_life.RULES, *english.RULES, *english_daily.RULES,
    *portuguese_daily.RULES, *portuguese_room.RULES, *portuguese_life.RULES, *portuguese.RULES, *PLANS,
)  # fmt: skip
