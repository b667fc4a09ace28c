"""What the tests of a language model share: one good answer, and a transcript that a scripted model reads."""

from __future__ import annotations

import json
from typing import Any

from memdb.extraction.by_model import ByModel
from memdb.extraction.extractor import Found
from memdb.extraction.transcript import Transcript
from memdb.models.memory import Kind
from tests.support.scripted_model import ScriptedModel
from tests.unit.memdb.extraction.talk import said

PEANUTS = "I'm allergic to peanuts."
FACT: dict[str, Any] = {
    "content": "Ana is allergic to peanuts.", "about": [1], "attribute": "allergy", "value": "peanuts", "single": False, "valid_from": None,
    "valid_to": None, "ends": [], "evidence": [1], "quote": "allergic to peanuts",
}  # fmt: skip
GOOD = json.dumps({"items": [FACT]})


def reply(*items: Any) -> str:
    return json.dumps({"items": list(items)})


def fact(**changes: Any) -> dict[str, Any]:
    return FACT | changes


async def read(server: ScriptedModel, what: Transcript | None = None, kind: Kind = Kind.SEMANTIC, **settings: Any) -> Found:
    learner = ByModel(server.make(**settings))
    try:
        return await learner.read(kind, said(PEANUTS) if what is None else what)
    finally:
        await learner.aclose()


def contents(found: Found) -> list[str | None]:
    return [one.content for one in found.candidates]
