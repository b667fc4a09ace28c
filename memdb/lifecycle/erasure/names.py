"""What else holds words or ids of the subject: titles, notes, entities, names of others, questions and what became of them."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from memdb.lifecycle.erasure.work import AMBIGUOUS, Work
from memdb.storage import erasing, quarantine
from memdb.storage.audit import record
from memdb.storage.database import Identity, tried_again
from memdb.storage.erasing import NIL, Asked, NamedText

_TABLES: Final = {
    "session": "sessions",
    "episode": "episodes",
    "conflict": "conflicts",
    "note": "outcomes",
    "topic": "topics",
    "entity": "entities",
    "brain": "brains",
}
# Derived of memories, which are decided on themselves.
_DERIVED: Final = frozenset({"topic", "entity"})
QUESTIONS_AT_ONCE: Final = 500


async def scan_names(work: Work, brain_id: UUID) -> None:
    """Short texts of a brain, and what the subject said of memories that they recalled."""
    sought = work.sought(brain_id)
    work.pause()
    async with work.runtime.database.read(work.identity(brain_id)) as conn:
        found = [] if sought.expression is None else await erasing.find_names(conn, sought)
    changed = [(one, text) for one in found if (text := _marked(work, brain_id, one)) is not None]
    if not work.apply:
        for one, _ in changed:
            work.count(**{f"{_TABLES[one.kind]}_rewritten": 1})
        return

    async def once() -> int:
        async with work.runtime.database.write(work.identity(brain_id)) as conn:
            for one, text in changed:
                await erasing.rewrite_name(conn, sought, one, text)
            return await erasing.forget_outcomes_of(conn, sought) if work.ids else 0

    votes = await tried_again(once)
    work.count(outcomes=votes)
    for one, _ in changed:
        # A topic that memories still have is rewritten again in each pass, and nothing comes of it.
        work.counts[f"{_TABLES[one.kind]}_rewritten"] += one.kind != "topic"
        work.changed += one.kind != "topic"


def _marked(work: Work, brain_id: UUID, one: NamedText) -> str | None:
    decision = None if one.kind in _DERIVED else work.decision_on(one.kind, one.id)
    marked = work.finder.mark(one.text, all_of_them=decision == "erase")
    if marked.open and decision is None and one.kind not in _DERIVED:
        work.leave(one.kind, one.id, brain_id, AMBIGUOUS)
    return None if marked.text == one.text else marked.text


async def scan_other_names(work: Work) -> None:
    """Names and labels of other subjects in which one of the subject's stands: "Ana's assistant"."""
    identity, now = Identity(work.org_id), work.runtime.clock.now()
    async with work.runtime.database.read(identity) as conn:
        every = await erasing.list_other_names(conn)
    changed = []
    for table, subject_id, key, text in every:
        if subject_id in work.ids:
            continue
        decision = work.decision_on("subject", subject_id)
        marked = work.finder.mark(text, all_of_them=decision == "erase")
        # A label that somebody else has is theirs; only where it is a part of more may it mean the one who is erased.
        if marked.text != text:
            changed.append(((table, subject_id, key, text), marked.text))
    if work.apply and changed:
        async with work.runtime.database.write(identity) as conn:
            for before, text in changed:
                await erasing.rewrite_other_name(conn, work.org_id, before, text, now)
                await record(conn, work.event("subject.redact", ("subject", before[1])))
        work.runtime.directory.invalidate(work.org_id)
    for (table, *_), _text in changed:
        work.count(**{f"{table}_rewritten": 1})


async def scan_reasons(work: Work) -> None:
    """Why somebody quarantined something, in their own words."""
    identity = Identity(work.org_id)
    async with work.runtime.database.read(identity) as conn:
        every = await quarantine.list_said(conn, work.org_id)
    changed: list[tuple[UUID, str]] = []
    for action_id, reason in every:
        decision = work.decision_on("hold_action", action_id)
        marked = work.finder.mark(reason, all_of_them=decision == "erase")
        if marked.open and decision is None:
            work.leave("hold_action", action_id, None, AMBIGUOUS)
        if marked.text != reason:
            changed.append((action_id, marked.text))
    if work.apply and changed:
        async with work.runtime.database.write(identity) as conn:
            for action_id, text in changed:
                await quarantine.set_action(conn, work.org_id, action_id, reason=text)
                await record(conn, work.event("quarantine.redact", ("hold_action", action_id)))
    work.count(hold_actions_rewritten=len(changed))


async def scan_questions(work: Work) -> None:
    """Stored questions that the subject asked, that show what was erased, that ask about the subject or name them."""
    finder = work.finder
    await _delete_questions(work, finder.expression(unsure=False), apply=work.apply)
    shared = finder.expression(sure=False)
    if shared is None:
        return
    after, cut = NIL, []
    while True:
        async with work.runtime.database.read(Identity(work.org_id)) as conn:
            # Only by the label: what the others look for is gone by now.
            found = await erasing.find_questions(conn, work.org_id, Asked((), work.runtime.clock.now(), shared), after, QUESTIONS_AT_ONCE)
        for one in found:
            decision = work.decision_on("question", one)
            cut += [one] if decision == "erase" else []
            if decision is None:
                work.leave("question", one, None, AMBIGUOUS)
        if len(found) < QUESTIONS_AT_ONCE:
            break
        after = found[-1]
    if cut and work.apply:
        async with work.runtime.database.write(Identity(work.org_id)) as conn:
            work.count(recalls=await erasing.delete_questions(conn, work.org_id, cut))


async def _delete_questions(work: Work, expression: str | None, *, apply: bool) -> None:
    after: UUID = NIL
    while True:
        work.pause()
        async with work.runtime.database.read(Identity(work.org_id)) as conn:
            found = await erasing.find_questions(conn, work.org_id, Asked(work.ids, work.since, expression), after, QUESTIONS_AT_ONCE)
        if not found:
            return
        if apply:
            async with work.runtime.database.write(Identity(work.org_id)) as conn:
                work.count(recalls=await erasing.delete_questions(conn, work.org_id, found))
        else:
            work.count(recalls=len(found))
        after = found[-1]
