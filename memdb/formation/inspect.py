"""Step 3: look for stored instructions in everything that an agent may read back. Policy decides what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from governance.inspection.inspect import inspect as find_signals
from governance.inspection.signals import Signal
from memdb.formation.stages import Inspected, Redacted, grow
from memdb.models.memory import Memory


def inspect(item: Redacted) -> Inspected:
    """Attach the signals of content, topic, tags, data and source."""
    texts, labels = [item.content.text], [*([item.topic] if item.topic else []), *item.tags]
    _collect(item.data.value, labels)
    if item.fragment is not None and item.fragment.text.text != item.content.text:
        texts.append(item.fragment.text.text)
    if item.fragment is not None and item.fragment.speaker is not None:
        labels.append(item.fragment.speaker.text)
    return grow(Inspected, item, signals=_signals(texts, labels))


def signals_of(memory: Memory) -> tuple[Signal, ...]:
    """The signals of a memory as it is stored, without those of its source."""
    labels = [*([memory.topic] if memory.topic else []), *memory.tags]
    _collect(memory.data, labels)
    return _signals([memory.content], labels)


def _signals(texts: Sequence[str], labels: Sequence[str]) -> tuple[Signal, ...]:
    spoken = [signal for text in texts for signal in find_signals(text)]
    return (*spoken, *(signal for label in labels for signal in find_signals(label, is_label=True)))


def _collect(value: object, texts: list[str]) -> None:
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, dict):
        for key, item in value.items():
            texts.append(str(key))
            _collect(item, texts)
    elif isinstance(value, list):
        for item in value:
            _collect(item, texts)
