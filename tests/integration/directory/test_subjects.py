"""Subjects: homes, labels without personal data, platform ids as hashes, teams."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from uuid import UUID

import pytest
from sqlalchemy import text

from governance.errors import AccessDenied, InvalidInput, NotFound, PersonalDataInIdentifier
from governance.principals import Role
from memdb.directory import brains, subjects
from memdb.directory.authentication import Authenticated
from memdb.directory.labels import ExternalId
from memdb.directory.subjects import Subject, SubjectRequest
from memdb.errors import AlreadyExists
from memdb.keyring import Keyring, make_root_key
from memdb.runtime import Runtime
from memdb.storage.access import load_access, load_audience
from memdb.storage.brains import BrainKind
from memdb.storage.database import Database, Identity
from memdb.storage.owner import connect
from memdb.storage.subjects import SubjectKind
from tests.integration.conftest import Org
from tests.support.database import FreshDatabase

PHONE = "+55 11 98765-4321"


async def make(runtime: Runtime, who: Authenticated, kind: SubjectKind, name: str | None, **more: object) -> Subject:
    return await subjects.create_subject(runtime, who, SubjectRequest(kind, name, **more))  # type: ignore[arg-type]  # fields of the request


@pytest.mark.parametrize(
    ("kind", "home"),
    [("person", "personal"), ("agent", "agent"), ("service", "agent"), ("team", "team"), ("project", "team")],
)
async def test_a_subject_is_made_with_a_home_that_only_it_reaches(
    runtime: Runtime, who: Authenticated, owner: Database, kind: str, home: str
) -> None:
    made = await make(runtime, who, SubjectKind(kind), "Ana")
    assert made.row.home_brain_id is not None
    async with owner.read(Identity(who.principal.org_id)) as conn:
        access = await load_access(conn, who.principal.org_id, made.row.id)
        found = await conn.execute(text("SELECT kind FROM mem.brains WHERE id = :id"), {"id": made.row.home_brain_id})
        assert found.scalar_one() == home
    assert access[made.row.home_brain_id] is Role.ADMIN
    # Not the administrator who made it: no capability reads content.
    assert made.row.home_brain_id not in who.access
    with pytest.raises(NotFound):
        await brains.get_brain(runtime, who, made.row.home_brain_id)
    assert await subjects.get_subject(runtime, who, made.row.id) == made


async def test_names_are_redacted_and_personal_data_becomes_no_alias(runtime: Runtime, who: Authenticated) -> None:
    made = await make(runtime, who, SubjectKind.PERSON, f"Ana {PHONE} ana@example.com")
    assert made.row.name is not None
    assert "98765" not in made.row.name
    assert "ana@example.com" not in made.row.name
    assert made.aliases == ()
    for alias in ("ana@example.com", PHONE):
        with pytest.raises(PersonalDataInIdentifier):
            await subjects.add_alias(runtime, who, made.row.id, alias)


async def test_two_mikes_are_two_subjects_of_one_label(runtime: Runtime, who: Authenticated) -> None:
    one = await make(runtime, who, SubjectKind.PERSON, "Mike")
    two = await make(runtime, who, SubjectKind.PERSON, "MIKE", aliases=["Míke", "Mick"])
    dictionary = await runtime.directory.get(runtime.database, who.identity)
    assert dictionary["mike"] == (one.row.id, two.row.id)
    assert dictionary["mick"] == (two.row.id,)
    await subjects.add_alias(runtime, who, one.row.id, "Mick")
    assert (await runtime.directory.get(runtime.database, who.identity))["mick"] == (one.row.id, two.row.id)
    await subjects.add_alias(runtime, who, one.row.id, "mick")
    assert (await subjects.get_subject(runtime, who, one.row.id)).aliases == ("Mick", "Mike")


async def test_a_platform_id_leads_to_its_subject_and_is_stored_nowhere(
    runtime: Runtime, who: Authenticated, other_org: Org, module_database: FreshDatabase
) -> None:
    external = ExternalId("whatsapp", PHONE)
    ana = await make(runtime, who, SubjectKind.PERSON, "Ana", identities=[external])
    found = await subjects.look_up_subject(runtime, who, external)
    assert found.row.id == ana.row.id
    assert "98765" not in found.identities[0].label
    with pytest.raises(NotFound):
        await subjects.look_up_subject(runtime, who, ExternalId("telegram", PHONE))
    with pytest.raises(NotFound):
        await subjects.look_up_subject(runtime, who, ExternalId("whatsapp", PHONE + " "))
    with connect(module_database.owner_url) as conn:
        rows = conn.execute("SELECT row_to_json(i)::text, encode(external_hash, 'escape') FROM mem.subject_identities i").fetchall()
    assert all("98765" not in str(row) for row in rows)


@pytest.mark.parametrize("external_id", ["5511987654321", "123456789012", "ana_b", "50%", "a\\b", "O'Neil", "U0ANA:x", "x" * 254, "é日"])
async def test_external_ids_are_compared_byte_for_byte(runtime: Runtime, who: Authenticated, external_id: str) -> None:
    made = await make(runtime, who, SubjectKind.PERSON, None, identities=[ExternalId("chat", external_id)])
    assert (await subjects.look_up_subject(runtime, who, ExternalId("chat", external_id))).row.id == made.row.id
    for other in (external_id[:-1], external_id + "x", external_id.replace("_", "x").replace("%", "x") + "?"):
        if other:
            with pytest.raises(NotFound):
                await subjects.look_up_subject(runtime, who, ExternalId("chat", other))
    assert "987654" not in made.identities[0].label
    assert "12345678" not in made.identities[0].label


async def test_a_platform_id_has_one_subject_even_in_a_race(runtime: Runtime, who: Authenticated) -> None:
    one, two = [await make(runtime, who, SubjectKind.PERSON, name) for name in ("Ana", "Bruno")]
    external = ExternalId("slack", "U0X")
    done = await asyncio.gather(*(subjects.add_identity(runtime, who, s.row.id, external) for s in (one, two)), return_exceptions=True)
    assert sorted(type(d).__name__ for d in done) == ["AlreadyExists", "Subject"]
    with pytest.raises(AlreadyExists):
        await make(runtime, who, SubjectKind.PERSON, "Carla", identities=[external])
    assert [s.row.name for s in await subjects.list_subjects(runtime, who, kind=SubjectKind.PERSON, after=None, limit=9)] == [
        "admin",
        "Ana",
        "Bruno",
    ]


async def test_a_platform_id_is_found_after_the_root_key_was_rotated(runtime: Runtime, who: Authenticated) -> None:
    external = ExternalId("slack", "U0ROT")
    ana = await make(runtime, who, SubjectKind.PERSON, "Ana", identities=[external])
    rotated = replace(runtime, keyring=Keyring((make_root_key(), *runtime.keyring.keys)))
    assert (await subjects.look_up_subject(rotated, who, external)).row.id == ana.row.id
    with pytest.raises(AlreadyExists):
        await subjects.add_identity(rotated, who, ana.row.id, external)


@pytest.mark.parametrize("platform", ["", "Slack", "a b", "1a", "x" * 41, "ana@example.com"])
async def test_a_platform_is_an_identifier(runtime: Runtime, who: Authenticated, platform: str) -> None:
    with pytest.raises(InvalidInput):
        await make(runtime, who, SubjectKind.PERSON, "Ana", identities=[ExternalId(platform, "U0")])


async def test_a_team_member_reaches_the_brains_of_the_team_until_it_leaves(runtime: Runtime, who: Authenticated, owner: Database) -> None:
    org_id = who.principal.org_id
    team = await make(runtime, who, SubjectKind.TEAM, "Support")
    ana = await make(runtime, who, SubjectKind.PERSON, "Ana")
    room = await brains.create_brain(runtime, who, BrainKind.ROOM, "Room", {team.row.id: Role.WRITER})

    async def reach() -> dict[UUID | None, Role]:
        async with owner.read(Identity(org_id)) as conn:
            return dict((await load_access(conn, org_id, ana.row.id)).items())

    before = await reach()
    await subjects.add_team_member(runtime, who, team.row.id, ana.row.id)
    assert await reach() == {**before, room.row.id: Role.WRITER, team.row.home_brain_id: Role.ADMIN}
    assert await subjects.list_team(runtime, who, team.row.id, after=None, limit=9) == [ana.row.id]
    with pytest.raises(AlreadyExists):
        await subjects.add_team_member(runtime, who, team.row.id, ana.row.id)
    await subjects.remove_team_member(runtime, who, team.row.id, ana.row.id)
    assert await reach() == before
    with pytest.raises(NotFound):
        await subjects.remove_team_member(runtime, who, team.row.id, ana.row.id)
    with pytest.raises(InvalidInput):
        await subjects.add_team_member(runtime, who, team.row.id, team.row.id)
    with pytest.raises(InvalidInput):
        await subjects.add_team_member(runtime, who, ana.row.id, ana.row.id)


async def test_a_guest_reaches_what_the_whole_org_reads(runtime: Runtime, who: Authenticated, org: Org) -> None:
    guest = org.created.key.sha256[:16]
    guest_id = UUID(bytes=guest)
    async with runtime.database.read(who.identity) as conn:
        reached = await load_audience(conn, org.id, [guest_id, who.principal.subject_id])
    assert reached[guest_id] == {org.created.brain_id}
    assert reached[who.principal.subject_id] == set(who.access)


async def test_changing_the_directory_needs_a_capability(runtime: Runtime, who: Authenticated) -> None:
    ana = await make(runtime, who, SubjectKind.PERSON, "Ana")
    plain = replace(who, principal=replace(who.principal, capabilities=frozenset()))
    for attempt in (
        make(runtime, plain, SubjectKind.PERSON, "Eve"),
        subjects.add_alias(runtime, plain, ana.row.id, "Eve"),
        subjects.add_identity(runtime, plain, ana.row.id, ExternalId("slack", "U0EVE")),
        subjects.add_team_member(runtime, plain, ana.row.id, ana.row.id),
        subjects.remove_team_member(runtime, plain, ana.row.id, ana.row.id),
    ):
        with pytest.raises(AccessDenied):
            await attempt
    with pytest.raises(InvalidInput):
        await make(runtime, who, SubjectKind.ORG, "Second")
