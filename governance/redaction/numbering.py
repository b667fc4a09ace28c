"""Numbers of labels inside one memory: the same value gets the same label in content, data and fragments."""

from __future__ import annotations

from governance.redaction.entities import NUMBERED, label_of
from governance.redaction.findings import EntityType


class Numbering:
    """Hands out `[EMAIL_1]`, `[EMAIL_2]`, … One object per memory, used by one thread; holds tokens, never values.

    Numbers start at 1 per label, in order of first appearance, and jump over numbers that `reserve` saw in the text.
    """

    __slots__ = ("_labels", "_next", "_taken")

    def __init__(self) -> None:
        self._labels: dict[tuple[EntityType, str], str] = {}
        self._taken: dict[str, set[int]] = {}
        self._next: dict[str, int] = {}

    def reserve(self, text: str) -> None:
        """Keep the numbers of labels that stand in the text already, so that no other value gets them.

        Call it for every field of a memory before the first field is redacted; `Redactor` does so for the field at hand.
        """
        if "[" not in text:
            return
        for match in NUMBERED.finditer(text):
            self._taken.setdefault(match["name"], set()).add(int(match["number"]))

    def label(self, entity: EntityType, token: str) -> str:
        """Return the label of the value behind this token, such as `[EMAIL_1]`."""
        known = self._labels.get((entity, token))
        if known is not None:
            return known
        name = label_of(entity)
        taken = self._taken.get(name, ())
        number = self._next.get(name, 1)
        while number in taken:
            number += 1
        self._next[name] = number + 1
        label = f"[{name}_{number}]"
        self._labels[entity, token] = label
        return label
