"""`memdb redact scan`: what an older policy or an older redactor let through is found and, if asked for, redacted where it stands.

A rewritten text keeps its version, because the former one has to be gone and not one version back. Everything that was derived from it
follows in the same transaction: words, vector, mentions, links, duplicate key, contexts and seals. Names that are looked up (topics, tags,
data keys, aliases, external ids) are never rewritten; they are reported.

Each brain is read as a job bound to it, under row-level security; questions, notes and names are the owner's to read and write.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memdb.lifecycle.rescan.fragments import scan_fragments
from memdb.lifecycle.rescan.memories import scan_memories
from memdb.lifecycle.rescan.org import scan_names, scan_notes, scan_questions
from memdb.lifecycle.rescan.work import Position, Scan, ScanReport
from memdb.storage import texts
from memdb.storage.database import Identity

START: Final = Position(UUID(int=0), "fragments", None)


async def scan(work: Scan, start: Position = START) -> ScanReport:
    """Read every stored text of the org behind `start`. Scanning twice finds nothing more: redaction is idempotent.

    Raises:
        RedactionUnavailable: the redactor failed; what was rewritten before stays.
        StorageUnavailable: the database did not answer; go on from the position that was told last.
    """
    if start.brain_id is not None:
        async with work.owner.read(Identity(work.org_id)) as conn:
            brains = await texts.list_brain_ids(conn, work.org_id)
        for brain_id in (b for b in brains if b >= start.brain_id):
            here = start if brain_id == start.brain_id else Position(brain_id, "fragments", None)
            if here.stage == "fragments":
                await scan_fragments(work, brain_id, here.after)
                here = Position(brain_id, "memories", None)
            await scan_memories(work, brain_id, here.after)
        start = Position(None, "questions", None)
        work.advance(start, 0)
    await scan_questions(work, start.after)
    await scan_notes(work)
    await scan_names(work)
    return work.report
