"""What was said in conversations and excerpts of it: what the subject said goes, what others said stays without the name.

A turn keeps its id, its place, its times and the caller's id of it: positions have no gap, and a repetition is known as one. A fragment is
an excerpt and goes whole.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from memdb.formation.rebuild import rebuild_contexts
from memdb.keyring import Purpose
from memdb.lifecycle.erasure.labels import ERASED, shift
from memdb.lifecycle.erasure.work import AMBIGUOUS, Work
from memdb.storage import erasing, links, origins
from memdb.storage.audit import record_all
from memdb.storage.database import tried_again
from memdb.storage.erasing import NIL, Sought, SpokenText

SESSIONS: Final = 50
EPISODES: Final = 500
AT_ONCE: Final = 100


async def scan_turns(work: Work, brain_id: UUID) -> None:
    """Blank or mark every turn of a brain that has to do with the subject."""
    sought, after = work.sought(brain_id), NIL
    while True:
        async with work.runtime.database.read(work.identity(brain_id)) as conn:
            until = await erasing.end_of_page(conn, "end_of_sessions", sought, after, SESSIONS)
            found = [] if until is None else await erasing.find_turns(conn, sought, after, until, ERASED)
        if until is None:
            return
        for start in range(0, len(found), AT_ONCE):
            some = found[start : start + AT_ONCE]
            gone = [turn.id for turn in some if _is_theirs(work, sought, turn)]
            marked = [now for turn in some if turn.id not in set(gone) and (now := _mark(work, sought, turn, "turn")) is not None]
            await blank(work, sought, gone, marked)
        after = until


async def blank(work: Work, sought: Sought, gone: Sequence[UUID], marked: Sequence[SpokenText] = ()) -> None:
    """Blank some turns of a brain and rewrite others, in one transaction."""
    work.pause()
    if not work.apply or not (gone or marked):
        work.count(turns=len(gone), turns_rewritten=len(marked))
        return

    async def once() -> None:
        async with work.runtime.database.write(work.identity(sought.brain_id)) as conn:
            await erasing.blank_turns(conn, sought, gone, ERASED)
            for now in marked:
                await erasing.rewrite_turn(conn, sought, now)
            events = [work.event("turn.erase", ("turn", one), sought.brain_id) for one in gone]
            events += [work.event("turn.redact", ("turn", now.id), sought.brain_id) for now in marked]
            await record_all(conn, events)

    await tried_again(once)
    work.count(turns=len(gone), turns_rewritten=len(marked))


async def scan_fragments(work: Work, brain_id: UUID) -> None:
    """Delete or mark every fragment of a brain that has to do with the subject; contexts that were made of them are made anew."""
    sought, after = work.sought(brain_id), NIL
    while True:
        async with work.runtime.database.read(work.identity(brain_id)) as conn:
            until = await erasing.end_of_page(conn, "end_of_episodes", sought, after, EPISODES)
            found = [] if until is None else await erasing.find_fragments(conn, sought, after, until)
        if until is None:
            return
        for start in range(0, len(found), AT_ONCE):
            some = found[start : start + AT_ONCE]
            gone = [one.id for one in some if _is_theirs(work, sought, one)]
            marked = [(one, now) for one in some if one.id not in set(gone) and (now := _mark(work, sought, one, "fragment")) is not None]
            await remove_fragments(work, sought, gone, marked)
        after = until


async def remove_fragments(work: Work, sought: Sought, gone: Sequence[UUID], marked: Sequence[tuple[SpokenText, SpokenText]] = ()) -> None:
    """Delete some fragments of a brain and rewrite others, in one transaction."""
    work.pause()
    if not work.apply or not (gone or marked):
        work.count(fragments=len(gone), fragments_rewritten=len(marked))
        return
    org_id, brain_id, now = work.org_id, sought.brain_id, work.runtime.clock.now()
    key = work.runtime.keyring.derive(Purpose.FRAGMENT, org_id)

    async def once() -> None:
        async with work.runtime.database.write(work.identity(brain_id)) as conn:
            for before, after in marked:
                await erasing.rewrite_fragment(conn, sought, after, hmac.digest(key, after.text.encode(), hashlib.sha256))
                if before.speaker is not None and before.speaker != after.speaker:
                    await links.forget_speaker(conn, org_id, await origins.list_told(conn, org_id, [before.id]), before.speaker)
            # While the fragments are there: whose context they were is known from the rows of those memories.
            await rebuild_contexts(
                conn, work.runtime.keyring, (org_id, [brain_id]), now, gone=gone, changed=[after.id for _, after in marked]
            )
            await erasing.delete_fragments(conn, sought, gone)
            events = [work.event("fragment.erase", ("fragment", one), brain_id) for one in gone]
            events += [work.event("fragment.redact", ("fragment", after.id), brain_id) for _, after in marked]
            await record_all(conn, events)

    await tried_again(once)
    work.count(fragments=len(gone), fragments_rewritten=len(marked))


def _is_theirs(work: Work, sought: Sought, one: SpokenText) -> bool:
    """True for what the subject said: by id, by a label that is nobody else's, or as who recorded what no speaker is named for."""
    if sought.all_of_it or one.speaker_id in work.ids:
        return True
    if one.speaker_id is None and one.speaker is not None and work.finder.is_label(one.speaker):
        return True
    return one.speaker_id is None and one.speaker is None and one.role == "user" and one.written_by in work.ids


def _mark(work: Work, sought: Sought, one: SpokenText, kind: str) -> SpokenText | None:
    """It without the name; None when nothing of it changes. What others are called too is left to a person."""
    decision = work.decision_on(kind, one.id)
    everything = decision == "erase"
    text = work.finder.mark(one.text, all_of_them=everything)
    speaker = None if one.speaker is None else work.finder.mark(one.speaker, all_of_them=everything)
    attachments, _, attachments_open = work.finder.mark_json(one.attachments, all_of_them=everything)
    # Who speaks is known by id: a shared name beside it is theirs who bear it.
    speaker_open = speaker is not None and speaker.open and one.speaker_id is None
    if (text.open or attachments_open or speaker_open) and decision is None:
        work.leave(kind, one.id, sought.brain_id, AMBIGUOUS)
    places = dict.fromkeys(("text", "source.text"), text.places)
    if speaker is not None:
        places |= dict.fromkeys(("speaker", "source.speaker"), speaker.places)
    after = replace(
        one,
        text=text.text,
        speaker=None if speaker is None else speaker.text,
        attachments=attachments,
        writer_label=None if one.writer_label is None else work.finder.mark(one.writer_label, all_of_them=everything).text,
        redactions=shift(one.redactions, places),
    )
    return None if after == one else after
