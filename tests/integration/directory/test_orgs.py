"""Orgs: made complete, deleted whole, and nothing of another org touched."""

from __future__ import annotations

import pytest
from psycopg import sql
from sqlalchemy import text

from governance.api_keys import parse
from governance.errors import InvalidInput, NotFound, Unauthenticated
from governance.principals import Capability, Role
from governance.trust import Trust
from memdb.directory import brains, orgs, subjects
from memdb.directory.authentication import Authenticated, Authenticator
from memdb.directory.subjects import SubjectRequest
from memdb.errors import AlreadyExists, ConfigurationError, StorageError
from memdb.keyring import Keyring
from memdb.runtime import Runtime
from memdb.storage import tables
from memdb.storage.access import load_access
from memdb.storage.brains import BrainKind
from memdb.storage.database import Database, Identity
from memdb.storage.orgs import IN_ORDER
from memdb.storage.owner import connect
from memdb.storage.subjects import SubjectKind
from tests.integration.conftest import Org, SteppingClock
from tests.support.database import FreshDatabase


def count_rows(database: FreshDatabase, org: Org) -> dict[str, int]:
    """Rows of an org by table, audit included, partitions counted once; through the catalogue, so no table is forgotten."""
    query = """SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id'
     WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1"""
    with connect(database.owner_url) as conn:
        names = [row[0] for row in conn.execute(query).fetchall()]
        counted = {}
        for name in names:
            row = conn.execute(
                sql.SQL("SELECT count(*) FROM {} WHERE org_id = %s").format(sql.Identifier("mem", name)), (org.id,)
            ).fetchone()
            assert row is not None
            counted[name] = row[0]
    return counted


async def test_the_first_key_owns_the_org(who: Authenticated, org: Org, runtime: Runtime) -> None:
    assert who.principal.capabilities == frozenset(Capability)
    assert (who.principal.trust, who.principal.max_role) == (Trust.ADMIN, Role.ADMIN)
    assert who.access == {org.created.brain_id: Role.ADMIN, who.home_brain_id: Role.ADMIN}
    assert who.home_brain_id is not None
    seen = {b.row.id: (b.row.kind, b.role) for b in await brains.list_brains(runtime, who, kind=None, after=None, limit=10)}
    assert seen == {
        org.created.brain_id: (BrainKind.ORG, Role.ADMIN),
        who.home_brain_id: (BrainKind.PERSONAL, Role.ADMIN),
    }


async def test_everybody_reads_the_brain_of_the_org(runtime: Runtime, who: Authenticated, org: Org, owner: Database) -> None:
    ana = await subjects.create_subject(runtime, who, SubjectRequest(SubjectKind.PERSON, "Ana"))
    async with owner.read(Identity(org.id)) as conn:
        access = await load_access(conn, org.id, ana.row.id)
    assert access == {org.created.brain_id: Role.READER, ana.row.home_brain_id: Role.ADMIN}


@pytest.mark.parametrize("name", ["", "-a", "a-", "A", "a_b", "a b", "a" * 41, "ü", "a\n"])
async def test_a_malformed_name_is_refused(owner: Database, keyring: Keyring, clock: SteppingClock, name: str) -> None:
    with pytest.raises(InvalidInput):
        await orgs.create_org(owner, keyring, name, clock.now())


async def test_a_name_is_taken_once(owner: Database, keyring: Keyring, clock: SteppingClock, org: Org) -> None:
    with pytest.raises(AlreadyExists):
        await orgs.create_org(owner, keyring, org.name, clock.now())
    assert (await orgs.get_org(owner, org.name)).id == org.id


async def test_a_serving_process_cannot_make_or_delete_an_org(runtime: Runtime, keyring: Keyring, clock: SteppingClock, org: Org) -> None:
    with pytest.raises(StorageError):
        await orgs.create_org(runtime.database, keyring, "mine", clock.now())
    with pytest.raises(StorageError):
        await orgs.delete_org(runtime.database, keyring, org.name, clock.now(), confirm=org.name)
    assert (await Authenticator(runtime.database, clock, keyring).authenticate(org.key, None, None)).principal.org_id == org.id


async def test_deletion_takes_every_row_but_the_audit_and_no_row_of_another(
    owner: Database, keyring: Keyring, clock: SteppingClock, runtime: Runtime, module_database: FreshDatabase,
    who: Authenticated, org: Org, other_org: Org,
) -> None:  # fmt: skip
    team = await subjects.create_subject(runtime, who, SubjectRequest(SubjectKind.TEAM, "Support", ["Helpdesk"]))
    ana = await subjects.create_subject(runtime, who, SubjectRequest(SubjectKind.PERSON, "Ana"))
    await subjects.add_team_member(runtime, who, team.row.id, ana.row.id)
    before = count_rows(module_database, other_org)
    with pytest.raises(InvalidInput):
        await orgs.delete_org(owner, keyring, org.name, clock.now(), confirm="yes")
    assert count_rows(module_database, org)["subjects"] == 4
    assert await orgs.delete_org(owner, keyring, org.name, clock.now(), confirm=org.name) > 10
    left = count_rows(module_database, org)
    assert {name for name, count in left.items() if count} == {"audit_events", "audit_pending"}
    assert count_rows(module_database, other_org) == before
    with pytest.raises(NotFound):
        await orgs.get_org(owner, org.name)
    with pytest.raises(Unauthenticated):
        await Authenticator(runtime.database, clock, keyring).authenticate(org.key, None, None)


def test_every_tenant_table_is_in_the_order_of_deletion() -> None:
    tenant = {
        t.name
        for t in tables.metadata.tables.values()
        if "org_id" in t.c and not t.name.startswith(("memory_vectors_", "memory_version_vectors_"))
    }
    assert {t.name for t in IN_ORDER} == tenant - {"audit_events", "audit_pending", "audit_chain", "erasure_ledger"}


async def test_the_audit_tells_of_the_deletion_and_is_sealed(owner: Database, keyring: Keyring, clock: SteppingClock, org: Org) -> None:
    await orgs.delete_org(owner, keyring, org.name, clock.now(), confirm=org.name)
    query = text("SELECT action, mac_key_id, length(digest) AS n FROM mem.audit_events WHERE org_id = :org ORDER BY id")
    async with owner.read(Identity(org.id)) as conn:
        rows = (await conn.execute(query, {"org": org.id})).all()
    assert [r.action for r in rows] == ["org.create", "org.delete_begin", "org.delete"]
    assert {(r.mac_key_id, r.n) for r in rows} == {(keyring.current_id, 32)}


async def test_an_installation_gets_its_first_org_once(database: FreshDatabase, keyring: Keyring, clock: SteppingClock) -> None:
    owner = Database(database.owner_url, pool_size=1, statement_timeout_ms=60_000)
    try:
        first = await orgs.ensure_first_org(owner, keyring, clock.now(), None)
        assert first is not None
        assert first.org_name == orgs.FIRST_ORG
        assert await orgs.ensure_first_org(owner, keyring, clock.now(), None) is None
        preset = orgs.make_key(orgs.FIRST_ORG).render()
        for _ in range(2):
            assert await orgs.ensure_first_org(owner, keyring, clock.now(), preset) == parse(preset)
        with pytest.raises(ConfigurationError):
            await orgs.ensure_first_org(owner, keyring, clock.now(), preset[:-43] + "A" * 43)
        with pytest.raises(ConfigurationError):
            await orgs.ensure_first_org(owner, keyring, clock.now(), "secret")
        app = Database(database.app_url, pool_size=1, statement_timeout_ms=5_000)
        who = await Authenticator(app, clock, keyring).authenticate(preset, None, None)
        await app.aclose()
        assert Capability.ADMIN in who.principal.capabilities
    finally:
        await owner.aclose()


async def test_a_preset_key_of_an_org_made_anew_is_found_again(
    owner: Database, keyring: Keyring, clock: SteppingClock, runtime: Runtime, org: Org
) -> None:
    authenticator = Authenticator(runtime.database, clock, keyring)
    before = await authenticator.authenticate(org.key, None, None)
    await orgs.delete_org(owner, keyring, org.name, clock.now(), confirm=org.name)
    await orgs.create_org(owner, keyring, org.name, clock.now(), preset=org.created.key)
    after = await authenticator.authenticate(org.key, None, None)
    assert after.principal.org_id != before.principal.org_id
