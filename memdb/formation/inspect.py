"""Step 3: look for stored instructions in everything that an agent may read back. Policy decides what they mean."""

from __future__ import annotations

from governance.inspection.inspect import inspect as find_signals
from governance.inspection.signals import Signal
from memdb.formation.stages import Inspected, Redacted, grow
from memdb.models.memory import Memory


def inspect(item: Redacted) -> Inspected:
    """Attach the signals of content, topic, tags, data and source."""
    signals = [signal for text in _texts(item) for signal in find_signals(text)]
    return grow(Inspected, item, signals=tuple(signals))


def signals_of(memory: Memory) -> tuple[Signal, ...]:
    """The signals of a memory as it is stored, without those of its source."""
    texts = [memory.content, *([memory.topic] if memory.topic else []), *memory.tags]
    _collect(memory.data, texts)
    return tuple(signal for text in texts for signal in find_signals(text))


def _texts(item: Redacted) -> list[str]:
    texts = [item.content.text, *([item.topic] if item.topic else []), *item.tags]
    _collect(item.data.value, texts)
    if item.fragment is not None and item.fragment.text.text != item.content.text:
        texts.append(item.fragment.text.text)
    if item.fragment is not None and item.fragment.speaker is not None:
        texts.append(item.fragment.speaker.text)
    return texts


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
