"""Brains: who may see, make, and change them; an administrator always remains."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from uuid import UUID, uuid4

import pytest

from governance.errors import AccessDenied, InvalidInput, NotFound
from governance.principals import Role
from governance.trust import Trust
from memdb.directory import brains, keys, subjects
from memdb.directory.authentication import Authenticated, Authenticator
from memdb.directory.subjects import Subject, SubjectRequest
from memdb.errors import AlreadyExists, StorageError
from memdb.ids import make_id
from memdb.runtime import Runtime
from memdb.storage import brains as brain_rows
from memdb.storage.brains import BrainKind
from memdb.storage.keys import KeyGrant
from memdb.storage.subjects import SubjectKind


async def person(runtime: Runtime, who: Authenticated, name: str) -> Subject:
    return await subjects.create_subject(runtime, who, SubjectRequest(SubjectKind.PERSON, name))


async def enter(runtime: Runtime, who: Authenticated, subject: Subject, role: Role = Role.ADMIN, **more: object) -> Authenticated:
    grant = KeyGrant(subject.row.id, "bot", role, frozenset(), Trust.AGENT, **more)  # type: ignore[arg-type]  # fields of the grant
    key = (await keys.create_key(runtime, who, grant, "tests")).key.render()
    return await again(runtime, key)


async def again(runtime: Runtime, key: str) -> Authenticated:
    return await Authenticator(runtime.database, runtime.clock, runtime.keyring).authenticate(key, None, None)


async def test_whoever_makes_a_brain_administers_it(runtime: Runtime, who: Authenticated) -> None:
    ana = await enter(runtime, who, await person(runtime, who, "Ana"))
    bruno = await person(runtime, who, "Bruno")
    made = await brains.create_brain(runtime, ana, BrainKind.ROOM, "Room", {bruno.row.id: Role.READER})
    assert made.role is Role.ADMIN
    seen = await enter(runtime, who, bruno)
    assert (await brains.get_brain(runtime, seen, made.row.id)).role is Role.READER
    with pytest.raises(NotFound):
        await brains.get_brain(runtime, who, made.row.id)
    roles = {m.subject_id: m.role for m in await brains.list_members(runtime, seen, made.row.id, after=None, limit=9)}
    assert roles == {ana.principal.subject_id: Role.ADMIN, bruno.row.id: Role.READER}


async def test_a_reader_may_look_and_not_change(runtime: Runtime, who: Authenticated) -> None:
    bruno = await person(runtime, who, "Bruno")
    made = await brains.create_brain(runtime, who, BrainKind.ROOM, "Room", {bruno.row.id: Role.WRITER})
    seen = await enter(runtime, who, bruno)
    for attempt in (
        brains.add_member(runtime, seen, made.row.id, bruno.row.id, Role.ADMIN),
        brains.change_role(runtime, seen, made.row.id, bruno.row.id, Role.ADMIN),
        brains.remove_member(runtime, seen, made.row.id, who.principal.subject_id),
    ):
        with pytest.raises(AccessDenied):
            await attempt


async def test_unknown_and_unreadable_are_the_same_in_every_verb(runtime: Runtime, who: Authenticated) -> None:
    ana = await person(runtime, who, "Ana")
    assert ana.row.home_brain_id is not None
    messages = set()
    for brain_id in (ana.row.home_brain_id, uuid4()):
        for attempt in (
            brains.get_brain(runtime, who, brain_id),
            brains.list_members(runtime, who, brain_id, after=None, limit=1),
            brains.add_member(runtime, who, brain_id, ana.row.id, Role.READER),
            brains.change_role(runtime, who, brain_id, ana.row.id, Role.READER),
            brains.remove_member(runtime, who, brain_id, ana.row.id),
        ):
            with pytest.raises(NotFound) as refused:
                await attempt
            messages.add(refused.value.message)
    assert len(messages) == 1


async def test_row_level_security_alone_keeps_a_stranger_out(runtime: Runtime, who: Authenticated) -> None:
    """The service's own checks are skipped: the caller claims a reach that it has not."""
    ana = await person(runtime, who, "Ana")
    assert ana.row.home_brain_id is not None
    liar = replace(who, access={**who.access, ana.row.home_brain_id: Role.ADMIN})
    with pytest.raises(NotFound):
        await brains.get_brain(runtime, liar, ana.row.home_brain_id)
    assert await brains.list_members(runtime, liar, ana.row.home_brain_id, after=None, limit=9) == []
    for attempt in (
        brains.add_member(runtime, liar, ana.row.home_brain_id, who.principal.subject_id, Role.ADMIN),
        brains.remove_member(runtime, liar, ana.row.home_brain_id, ana.row.id),
    ):
        with pytest.raises(NotFound):
            await attempt
    with pytest.raises(StorageError):
        async with runtime.database.write(who.identity) as conn:
            members = {who.principal.subject_id: Role.ADMIN}
            now = runtime.clock.now()
            await brain_rows.insert_members(conn, who.principal.org_id, ana.row.home_brain_id, members, now, None)


async def test_the_last_administrator_stays(runtime: Runtime, who: Authenticated) -> None:
    made = await brains.create_brain(runtime, who, BrainKind.ROOM, "Room", {})
    ana = await person(runtime, who, "Ana")
    who = replace(who, access={**who.access, made.row.id: Role.ADMIN})
    me = who.principal.subject_id
    for attempt in (
        brains.remove_member(runtime, who, made.row.id, me),
        brains.change_role(runtime, who, made.row.id, me, Role.WRITER),
    ):
        with pytest.raises(InvalidInput):
            await attempt
    added = await brains.add_member(runtime, who, made.row.id, ana.row.id, Role.READER)
    assert added.role is Role.READER
    with pytest.raises(AlreadyExists):
        await brains.add_member(runtime, who, made.row.id, ana.row.id, Role.ADMIN)
    await brains.change_role(runtime, who, made.row.id, ana.row.id, Role.ADMIN)
    await brains.remove_member(runtime, who, made.row.id, me)
    with pytest.raises(NotFound):
        await brains.add_member(runtime, who, made.row.id, me, Role.ADMIN)
    assert made.row.id in (await enter(runtime, who, ana)).access


async def test_two_administrators_cannot_remove_each_other_at_once(runtime: Runtime, who: Authenticated) -> None:
    ana = await person(runtime, who, "Ana")
    made = await brains.create_brain(runtime, who, BrainKind.ROOM, "Room", {ana.row.id: Role.ADMIN})
    who = replace(who, access={**who.access, made.row.id: Role.ADMIN})
    other = await enter(runtime, who, ana)
    done = await asyncio.gather(
        brains.remove_member(runtime, who, made.row.id, ana.row.id),
        brains.remove_member(runtime, other, made.row.id, who.principal.subject_id),
        return_exceptions=True,
    )
    assert sum(d is None for d in done) == 1
    assert sum(isinstance(d, NotFound | InvalidInput) for d in done) == 1


async def test_a_subject_keeps_its_home(runtime: Runtime, who: Authenticated) -> None:
    ana = await person(runtime, who, "Ana")
    bruno = await person(runtime, who, "Bruno")
    mine = await enter(runtime, who, ana)
    home = mine.home_brain_id
    assert home is not None
    await brains.add_member(runtime, mine, home, bruno.row.id, Role.ADMIN)
    guest = await enter(runtime, who, bruno)
    for attempt in (
        brains.remove_member(runtime, guest, home, ana.row.id),
        brains.change_role(runtime, guest, home, ana.row.id, Role.READER),
    ):
        with pytest.raises(InvalidInput):
            await attempt


async def test_a_key_limits_what_its_subject_may_do(runtime: Runtime, who: Authenticated) -> None:
    ana = await person(runtime, who, "Ana")
    assert ana.row.home_brain_id is not None
    reader = await enter(runtime, who, ana, Role.READER)
    assert (await brains.get_brain(runtime, reader, ana.row.home_brain_id)).role is Role.READER
    limited = await enter(runtime, who, ana, brains=frozenset({make_id()}))
    assert await brains.list_brains(runtime, limited, kind=None, after=None, limit=9) == []
    for key in (reader, limited):
        with pytest.raises(AccessDenied):
            await brains.create_brain(runtime, key, BrainKind.ROOM, "Room", {})


async def test_kinds_that_can_be_made(runtime: Runtime, who: Authenticated) -> None:
    for kind in (BrainKind.PERSONAL, BrainKind.AGENT):
        with pytest.raises(InvalidInput):
            await brains.create_brain(runtime, who, kind, "Mine", {})
    shared = await brains.create_brain(runtime, who, BrainKind.ORG, "News", {})
    ana = await enter(runtime, who, await person(runtime, who, "Ana"))
    assert ana.access[shared.row.id] is Role.READER
    with pytest.raises(AccessDenied):
        await brains.create_brain(runtime, ana, BrainKind.ORG, "Mine", {})
    with pytest.raises(NotFound):
        await brains.create_brain(runtime, who, BrainKind.ROOM, "Room", {make_id(): Role.READER})


async def test_names_are_redacted(runtime: Runtime, who: Authenticated) -> None:
    made = await brains.create_brain(runtime, who, BrainKind.ROOM, "Room of ana@example.com", {})
    who = replace(who, access={**who.access, made.row.id: Role.ADMIN})
    assert "ana@example.com" not in (await brains.get_brain(runtime, who, made.row.id)).row.name


async def test_pages_hold_each_brain_once(runtime: Runtime, who: Authenticated) -> None:
    made = [await brains.create_brain(runtime, who, BrainKind.ROOM, f"Room {n}", {}) for n in range(5)]
    who = replace(who, access={**who.access, **{b.row.id: Role.ADMIN for b in made}})
    seen: list[UUID] = []
    after: UUID | None = None
    while page := await brains.list_brains(runtime, who, kind=BrainKind.ROOM, after=after, limit=2):
        seen += [b.row.id for b in page]
        after = page[-1].row.id
    assert seen == [b.row.id for b in made]
