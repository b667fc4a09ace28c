"""What is no text of a memory: questions, notes of feedback and on conflicts, names of the directory. Read and written as the owner."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeVar
from uuid import UUID

from governance.redaction.findings import RedactedText
from governance.redaction.rules import RedactionRules
from memdb.formation.redact import strings
from memdb.lifecycle.rescan.work import PAGE, Numbered, Position, Scan, audit, check_names
from memdb.storage import texts
from memdb.storage.database import Identity, ReadConn, WriteConn
from memdb.storage.texts import Label, Note, QuestionText

K = TypeVar("K")


async def scan_questions(work: Scan, after: UUID | None) -> None:
    identity = Identity(work.org_id)
    async with work.owner.read(identity) as conn:
        everywhere = await texts.list_brain_ids(conn, work.org_id)
    while True:
        async with work.owner.read(identity) as conn:
            page = await texts.list_questions(conn, work.org_id, after, PAGE)
        if not page:
            return
        redacted = await asyncio.to_thread(lambda some: [_redact_question(work, everywhere, each) for each in some], page)
        changed = [now for before, now in zip(page, redacted, strict=True) if now != before]
        if work.apply and changed:
            async with work.owner.write(identity) as conn:
                for now in changed:
                    await texts.rewrite_question(conn, work.org_id, now)
            work.report.rewritten["questions"] += len(changed)
        after = page[-1].id
        work.report.read["questions"] += len(page)
        work.advance(Position(None, "questions", after), len(page))


def _redact_question(work: Scan, everywhere: Sequence[UUID], before: QuestionText) -> QuestionText:
    # As when it was asked: by the strictest of the brains that it named, or of all that it might have reached.
    named = [UUID(brain_id) for brain_id in before.filters.get("brains") or ()]
    rules = work.org.policy.strictest(named or everywhere)
    numbered = Numbered(work, rules, "question", [before.query, before.purpose or "", *strings(before.filters)])
    purpose = None if before.purpose is None else numbered.redact(before.purpose, "question").text
    filters = numbered.redact_json(before.filters, "question").value
    assert isinstance(filters, dict), "filters are an object"
    return QuestionText(before.id, numbered.redact(before.query, "question").text, purpose, filters)


async def scan_notes(work: Scan) -> None:
    """Notes of feedback follow the policy of the brain of their memory, as when they are given; those on conflicts that of their brain."""
    await _scan_notes(work, "notes", texts.list_notes, texts.rewrite_note)
    await _scan_notes(work, "conflict notes", texts.list_conflict_notes, texts.rewrite_conflict_note)


async def _scan_notes(
    work: Scan,
    name: str,
    list_page: Callable[[ReadConn, UUID, K | None, int], Awaitable[list[Note[K]]]],
    rewrite: Callable[[WriteConn, UUID, Note[K], str], Awaitable[None]],
) -> None:
    identity, after = Identity(work.org_id), None
    while True:
        async with work.owner.read(identity) as conn:
            page = await list_page(conn, work.org_id, after, PAGE)
        if not page:
            return
        redacted = await asyncio.to_thread(lambda some: [_redact_note(work, each) for each in some], page)
        changed = [(before, text) for before, text in zip(page, redacted, strict=True) if text != before.note]
        if work.apply and changed:
            async with work.owner.write(identity) as write:
                for before, text in changed:
                    await rewrite(write, work.org_id, before, text)
            work.report.rewritten[name] += len(changed)
        after = page[-1].key
        work.report.read[name] += len(page)


def _redact_note(work: Scan, before: Note[K]) -> str:
    rules = work.org.policy.rules_for(before.brain_id)
    return Numbered(work, rules, str(before.brain_id), [before.note]).redact(before.note, "note").text


async def scan_names(work: Scan) -> None:
    """Names of the directory follow the defaults, as when they are written."""
    identity, rules = Identity(work.org_id), work.org.policy.directory
    async with work.owner.read(identity) as conn:
        labels = await texts.list_labels(conn, work.org_id)
        looked_up = await texts.list_identifiers(conn, work.org_id)
    redacted = await asyncio.to_thread(_redact_names, work, rules, labels, looked_up)
    changed = [(before, now.text) for before, now in zip(labels, redacted, strict=True) if now.text != before.text]
    if work.apply and changed:
        async with work.owner.write(identity) as conn:
            for label, text in changed:
                await texts.rewrite_label(conn, work.org_id, label, text)
                await audit(work, conn, (_KINDS[label.table], label.id), None)
        work.report.rewritten["names"] += len(changed)
        work.runtime.directory.invalidate(work.org_id)
    work.report.read["names"] += len(labels) + len(looked_up)


def _redact_names(
    work: Scan, rules: RedactionRules, labels: Sequence[Label], looked_up: Sequence[tuple[str, UUID, str]]
) -> list[RedactedText]:
    for where, object_id, text in looked_up:
        check_names(work, rules, (where, object_id), [text])
    return [Numbered(work, rules, "directory", [each.text]).redact(each.text, "name") for each in labels]


_KINDS: Final = {"subjects": "subject", "brains": "brain", "subject_identities": "subject"}
