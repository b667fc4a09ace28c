"""What a data set is to a benchmark: documents to write, questions to ask, and which half of them is for choosing weights."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from memdb.models.submission import Submission

LOCOMO: Final = "conv-"
LOCOMO_DEV: Final = frozenset({"conv-26", "conv-42", "conv-44"})
APART: Final = "adversarial"
"""Categories that begin so hold questions without an answer in the text; they stay out of every headline."""


@dataclass(frozen=True, slots=True)
class Document:
    """A memory to write. `brain` groups those that are searched together; `label` is what questions name: the document, or its session."""

    id: str
    brain: str
    submission: Submission
    label: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to some brains, the labels that answer it, and its category.

    `group` is what a split keeps together. `valid_at` asks for what was true then. Nothing answers a question that is not `answerable`.
    """

    brains: tuple[str, ...]
    text: str
    relevant: frozenset[str]
    category: str
    group: str
    valid_at: datetime | None = None
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class Dataset:
    """Documents in the order in which they were said; questions that have an answer among them, and some that must have none."""

    name: str
    documents: list[Document]
    questions: list[Asked]

    @property
    def headline(self) -> list[Asked]:
        """The questions that count."""
        return [a for a in self.questions if a.answerable and not a.category.startswith(APART)]

    def asking(self, questions: list[Asked]) -> Dataset:
        """The same with some of the questions, and with the documents of the brains that they search."""
        wanted = {brain for asked in questions for brain in asked.brains}
        return replace(self, questions=questions, documents=[d for d in self.documents if d.brain in wanted])


def split(dataset: Dataset, part: str) -> Dataset:
    """The half that weights were chosen on (`dev`), the other (`rest`), or `all`.

    Of LoCoMo the conversations 26, 42 and 44 are for choosing; of other sets every second group in order of its name; of a set with one
    group every second question.
    """
    if part == "all":
        return dataset
    groups = sorted({asked.group for asked in dataset.questions})
    if len(groups) == 1:
        chosen = dataset.questions[::2]
        return dataset.asking(chosen if part == "dev" else dataset.questions[1::2])
    dev = LOCOMO_DEV if all(group.startswith(LOCOMO) for group in groups) else frozenset(groups[::2])
    return dataset.asking([asked for asked in dataset.questions if (asked.group in dev) is (part == "dev")])


def sample(dataset: Dataset, questions: int | None) -> Dataset:
    """About so many questions, evenly spread; None is all."""
    if questions is None or questions >= len(dataset.questions):
        return dataset
    return dataset.asking(dataset.questions[:: max(1, len(dataset.questions) // questions)])


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON lines file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def moment(text: str | None) -> datetime | None:
    """An ISO time; without an offset it is UTC."""
    if text is None:
        return None
    parsed = datetime.fromisoformat(text)
    return parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)
