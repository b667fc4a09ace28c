"""Redactions of a text that is redacted once more: those of before, at their new places, and the new ones. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from governance.redaction.findings import Action, RedactedJson, RedactedText, Redaction
from memdb.formation.redact import stored
from memdb.models.memory import StoredRedaction


def carry_over(before: Sequence[StoredRedaction], text: str, now: RedactedText, field: str) -> tuple[StoredRedaction, ...]:
    """The redactions of one field after its text was redacted again, in order of place.

    Labels stay byte for byte and in their order, so each former one is found again behind the one before it. What was kept before is
    found anew if it is still kept.

    Args:
        before: of every field of the memory.
        text: the field as it was stored.
        now: what the redactor made of it.
        field: its path, such as `content`.
    """
    return _carry([r for r in before if r.field == field], text, now.text, now.redactions, field)


def carry_over_json(before: Sequence[StoredRedaction], value: object, now: RedactedJson) -> tuple[StoredRedaction, ...]:
    """The same for `data`, of which each string is a field of its own, such as `data.contacts[0].mail`."""
    texts, texts_now = dict(_strings(value, "data")), dict(_strings(now.value, "data"))
    former: dict[str, list[StoredRedaction]] = defaultdict(list)
    for each in before:
        if each.root == "data":
            former[each.field].append(each)
    found: dict[str, list[Redaction]] = defaultdict(list)
    for each_now in now.redactions:
        found[f"data.{each_now.path}" if each_now.path else "data"].append(each_now.redaction)
    return tuple(
        carried
        for field in sorted(former.keys() | found.keys())
        for carried in _carry(former[field], texts.get(field, ""), texts_now.get(field, ""), found[field], field)
    )


def _carry(
    before: Sequence[StoredRedaction], text: str, text_now: str, found: Sequence[Redaction], field: str
) -> tuple[StoredRedaction, ...]:
    taken = [(r.start, r.end) for r in found]
    carried = [stored(field, r) for r in found]
    behind = 0
    for old in sorted((r for r in before if r.action != Action.KEEP.value), key=lambda r: r.start):
        label = text[old.start : old.end]
        place = text_now.find(label, behind) if label else -1
        while place >= 0 and any(start < place + len(label) and place < end for start, end in taken):
            place = text_now.find(label, place + 1)
        if place >= 0:
            behind = place + len(label)
            carried.append(StoredRedaction(old.field, old.entity, old.action, place, behind, old.token))
    return tuple(sorted(carried, key=lambda r: r.start))


def _strings(value: object, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _strings(item, f"{path}.{name}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _strings(item, f"{path}[{index}]")
