"""Versions of a memory: the first, the next, and when one took over from the other. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from governance.redaction.findings import JsonValue
from memdb.formation.embed import keeps_text
from memdb.formation.stages import Decided
from memdb.models.memory import Kind, Memory, Status, StoredRedaction
from memdb.storage.conflicts import ConflictReason
from memdb.text.meaning import statement_of
from memdb.text.normalise import fold

_ALIASES = "aliases"


def says_the_same(item: Decided, memory: Memory) -> bool:
    """True when a statement with the memory's duplicate key brings nothing new, so that it only reinforces."""
    # Other data, validity or placement is an UPDATE, never dropped. A repetition without them says nothing against what is known. What was
    # the same event to two people need not be told with the same words beside it.
    data_same = item.kind is Kind.EPISODIC or _is_same_term(item, memory) or _data_of(item, memory) == memory.data
    placed_same = item.placement in {None, memory.placement}
    return data_same and placed_same and validity_of(item, memory) == (memory.valid_from, memory.valid_to)


def merged_data(item: Decided, memory: Memory) -> JsonValue:
    """The data of a memory that is said again: of a term that has other aliases there, with all of them."""
    before, new = memory.data, item.data.value
    if not _is_same_term(item, memory) or not isinstance(before, dict) or not isinstance(new, dict):
        return before
    spelt: dict[str, JsonValue] = {}
    for alias in (*_aliases(before), *_aliases(new)):
        spelt.setdefault(fold(alias), alias)
    return before | {_ALIASES: [*spelt.values()]}


def _is_same_term(item: Decided, memory: Memory) -> bool:
    """True of a term with the same definition, and aliases that are names."""
    before, new = memory.data, item.data.value
    if memory.kind is not Kind.TAXONOMIC or not isinstance(before, dict) or not isinstance(new, dict) or item.unit is not None:
        return False
    rest, said = ({name: value for name, value in data.items() if name != _ALIASES} for data in (before, new))
    lists = [data.get(_ALIASES, []) for data in (before, new)]
    return rest == said and all(isinstance(one, list) and all(isinstance(name, str) for name in one) for one in lists)


def _aliases(data: Mapping[str, JsonValue]) -> list[str]:
    listed = data.get(_ALIASES, [])
    return [name for name in listed if isinstance(name, str)] if isinstance(listed, list) else []


def tells_the_same(item: Decided, memory: Memory) -> bool:
    """True when a statement gives an attribute the value that it has there, in other words: who said so before said this as well."""
    before, new = memory.data, item.data.value
    if (
        item.replaces is not None
        or not isinstance(before, dict)
        or not isinstance(new, dict)
        or before.get("attribute") != new.get("attribute")
    ):
        return False
    known, said = before.get("value"), new.get("value")
    return isinstance(known, str) and isinstance(said, str) and fold(known) == fold(said)


def same_statement(item: Decided, memory: Memory) -> bool:
    """True when a unit is written with the words that it has."""

    def redacted(redactions: tuple[StoredRedaction, ...]) -> list[str]:
        return [r.token or r.entity for r in redactions if r.field == "content"]

    return statement_of(item.content.text) == statement_of(memory.content) and redacted(item.redactions) == redacted(memory.redactions)


def conflict_of(item: Decided, before: Memory, now: datetime) -> ConflictReason | None:
    """Why a write of a unit contradicts the version that it replaces; None when it does not."""
    terms = item.unit
    if terms is None:
        return None
    if terms.base_version is not None and terms.base_version != before.version:
        return ConflictReason.BASE_VERSION
    other_key = item.principal.key_id != before.written_key
    within = terms.window is not None and now - before.updated_at <= terms.window
    if other_key and within and not same_statement(item, before):
        return ConflictReason.WINDOW
    return None


def next_version(item: Decided, before: Memory) -> Memory:
    """What the memory is after an edit, or after a repetition with other data, validity or placement."""
    new = first_version(item)
    edited = item.replaces is not None
    valid_from, valid_to = validity_of(item, before)
    if keeps_text(item):
        # "Yesterday" was resolved when it was said.
        new = replace(new, language=before.language, importance=before.importance, event_from=before.event_from, event_to=before.event_to)
    return replace(
        new,
        id=before.id,
        kind=before.kind,
        version=before.version + 1,
        created_at=before.created_at,
        # A repetition adds to what is there; an edit says what is there.
        tags=new.tags if edited else tuple(sorted({*before.tags, *new.tags})),
        data=_data_of(item, before),
        placement=item.placement or before.placement,
        about=new.about if edited or new.about else before.about,
        topic=new.topic if edited or before.topic is None else before.topic,
        valid_from=valid_from,
        valid_to=valid_to,
        redactions=_redactions(item, before),
        said_by=new.said_by or before.said_by,
        text_cut=before.text_cut if keeps_text(item) else new.text_cut,
        source_kind=new.source_kind or before.source_kind,
        expires_at=item.expires_at or before.expires_at,
    )


def _data_of(item: Decided, before: Memory) -> JsonValue:
    """The data of the next version: an edit and a unit say what it is, a repetition adds to what is there."""
    new = item.data.value
    if item.replaces is None and item.unit is None and isinstance(new, dict) and isinstance(before.data, dict):
        return before.data | new
    return new if item.replaces is not None or new else before.data


def _redactions(item: Decided, before: Memory) -> tuple[StoredRedaction, ...]:
    # Data that stays keeps the redactions in it.
    if item.replaces is not None or (item.unit is not None and item.data.value):
        return item.redactions
    told = {f"data.{name}" for name in item.data.value} if isinstance(item.data.value, dict) else set()
    inside = tuple(field + sign for field in told for sign in ".[")
    kept = (r for r in before.redactions if r.root == "data" and r.field not in told and not r.field.startswith(inside))
    return (*kept, *item.redactions)


def validity_of(item: Decided, before: Memory) -> tuple[datetime | None, datetime | None]:
    """Since when and until when the next version holds. A repetition that names one end keeps the other, unless the two contradict."""
    if item.replaces is not None:
        return item.valid_from, item.valid_to
    if item.claim is not None:
        return _claimed_from(item), item.valid_to
    start, end = item.valid_from or before.valid_from, item.valid_to or before.valid_to
    return (start, end) if start is None or end is None or start < end else (item.valid_from, item.valid_to)


def taken_over_at(item: Decided, before: Memory, after: Memory) -> datetime | None:
    """When the former version stopped being true because another one began to be; None when it was only corrected.

    What is said again of what had ended by then is a period of its own; an edit that says when it holds corrects it.
    """
    start = after.valid_from
    if item.replaces is None and start is not None and before.valid_to is not None and before.valid_to <= start:
        return before.valid_to
    changed = (after.content, after.data) != (before.content, before.data)
    if start is None or not changed or (before.valid_from is not None and start <= before.valid_from):
        return None
    return start if before.valid_to is None else min(start, before.valid_to)


def _claimed_from(item: Decided) -> datetime | None:
    since = item.valid_from or (item.claim.since if item.claim is not None else None)
    return None if since is not None and item.valid_to is not None and since >= item.valid_to and item.valid_from is None else since


def first_version(item: Decided) -> Memory:
    """The memory that a decided write makes."""
    return Memory(
        org_id=item.principal.org_id,
        id=item.memory_id,
        brain_id=item.brain_id,
        kind=item.kind,
        version=1,
        status=Status.ACTIVE,
        topic=item.topic,
        content=item.content.text,
        data=item.data.value,
        tags=item.tags,
        about=item.about,
        said_by=item.said_by,
        language=item.language,
        placement=item.proposal.placement,
        importance=item.importance,
        trust=item.trust.label,
        source_kind=None if item.source_kind is None else item.source_kind.value,
        valid_from=_claimed_from(item),
        valid_to=item.valid_to,
        event_from=item.event_from,
        event_to=item.event_to,
        expires_at=item.expires_at,
        redactions=item.redactions,
        text_cut=item.text_cut,
        written_by=item.principal.subject_id,
        written_key=item.principal.key_id,
        writer_label=item.principal.writer_label,
        created_at=item.now,
        updated_at=item.now,
        confirmed_at=item.now,
    )
