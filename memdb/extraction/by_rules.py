"""Extraction without a model: the rules, on a thread beside the event loop."""

from __future__ import annotations

import asyncio
from typing import Final

from memdb.extraction.extractor import Found
from memdb.extraction.rules.registry import BY_KIND
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind

RULES: Final = "rules/2"
"""Counts up when rules change, so that one can tell what was read by which."""


class ByRules:
    """An `Extractor` that never fails and asks nobody."""

    async def read(self, kind: Kind, transcript: Transcript) -> Found:
        """As `Extractor.read`."""
        return Found(await asyncio.to_thread(BY_KIND[kind], transcript), RULES)

    def judge(self) -> None:
        """As `Extractor.judge`."""
        return
