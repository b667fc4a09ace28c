"""Fragments of a brain: text and speaker, and the contexts that were made of them."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from uuid import UUID

from memdb.formation.rebuild import rebuild_contexts
from memdb.keyring import Purpose
from memdb.lifecycle.rescan.carry import carry_over
from memdb.lifecycle.rescan.work import PAGE, Numbered, Position, Scan, audit
from memdb.storage import links, origins, texts
from memdb.storage.database import Identity
from memdb.storage.texts import FragmentText


async def scan_fragments(work: Scan, brain_id: UUID, after: UUID | None) -> None:
    identity = Identity(work.org_id, job_brain_id=brain_id)
    while True:
        async with work.runtime.database.read(identity) as conn:
            page = await texts.list_fragments(conn, work.org_id, brain_id, after, PAGE)
        if not page:
            return
        redacted = await asyncio.to_thread(lambda some: [_redact_fragment(work, brain_id, each) for each in some], page)
        for before, now in zip(page, redacted, strict=True):
            if work.apply and (now.text, now.speaker) != (before.text, before.speaker):
                await _rewrite_fragment(work, identity, before, now)
        after = page[-1].id
        work.report.read["fragments"] += len(page)
        work.advance(Position(brain_id, "fragments", after), len(page))


def _redact_fragment(work: Scan, brain_id: UUID, before: FragmentText) -> FragmentText:
    numbered = Numbered(work, work.org.policy.rules_for(brain_id), str(brain_id), [before.text, before.speaker or ""])
    text = numbered.redact(before.text, "fragment")
    speaker = None if before.speaker is None else numbered.redact(before.speaker, "speaker")
    carried = carry_over(before.redactions, before.text, text, "source.text")
    if speaker is not None and before.speaker is not None:
        carried += carry_over(before.redactions, before.speaker, speaker, "source.speaker")
    return FragmentText(before.id, text.text, None if speaker is None else speaker.text, carried)


async def _rewrite_fragment(work: Scan, identity: Identity, before: FragmentText, now: FragmentText) -> None:
    assert identity.job_brain_id is not None, "a fragment lies in a brain"
    key = work.runtime.keyring.derive(Purpose.FRAGMENT, work.org_id)
    text_hash = hmac.digest(key, now.text.encode(), hashlib.sha256)
    async with work.runtime.database.write(identity) as conn:
        if await texts.rewrite_fragment(conn, work.org_id, before, now, text_hash):
            if before.speaker is not None and now.speaker != before.speaker:
                told = await origins.list_told(conn, work.org_id, [before.id])
                await links.forget_speaker(conn, work.org_id, told, before.speaker)
            await rebuild_contexts(
                conn, work.runtime.keyring, (work.org_id, [identity.job_brain_id]), work.runtime.clock.now(), changed=[before.id]
            )
            await audit(work, conn, ("fragment", before.id), identity.job_brain_id)
            work.report.rewritten["fragments"] += 1
