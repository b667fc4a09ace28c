"""The work of `memdb org` and `memdb key`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from uuid import UUID

from api.cli.loops import run_async
from api.cli.owning import Owned, open_database, own
from api.cli.secret import open_keyring
from governance.errors import NotFound
from governance.principals import Capability, Role
from governance.trust import Trust
from memdb.clock import SystemClock
from memdb.config import Settings
from memdb.directory import keys, orgs, rotating
from memdb.keyring import Keyring
from memdb.storage import subjects
from memdb.storage.database import Database, Identity
from memdb.storage.keys import KeyGrant, KeyRow
from memdb.storage.subjects import SubjectKind

Result = TypeVar("Result")
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """A key to make. `subject_id` None is the oldest person of the org, its first administrator."""

    subject_id: UUID | None
    label: str
    role: Role
    trust: str
    capabilities: tuple[Capability, ...]
    brains: tuple[UUID, ...] | None
    act_as_subjects: tuple[UUID, ...]
    act_as_brains: tuple[UUID, ...]
    expires_at: datetime | None
    requests_per_minute: int | None = None


def create_org(settings: Settings, name: str) -> dict[str, str]:
    """Make an org; ids and the key. Raises as `memdb.directory.orgs.create_org`."""

    async def work(database: Database, keyring: Keyring) -> orgs.CreatedOrg:
        first = not await orgs.list_orgs(database)
        return await orgs.create_org(database, keyring, name, SystemClock().now(), operator=first)

    made = _with_keyring(settings, work)
    return {
        "name": name,
        "org_id": str(made.org_id),
        "subject_id": str(made.subject_id),
        "brain_id": str(made.brain_id),
        "admin_key": made.key.render(),
    }


def list_orgs(settings: Settings) -> list[dict[str, str]]:
    """Every org, by name."""
    found = _with_database(settings, orgs.list_orgs)
    return [{"name": org.name, "id": str(org.id), "created_at": org.created_at.isoformat()} for org in found]


def delete_org(settings: Settings, name: str, confirm: str) -> int:
    """Delete an org; how many rows. Raises as `memdb.directory.orgs.delete_org`."""

    async def work(database: Database, keyring: Keyring) -> int:
        return await orgs.delete_org(database, keyring, name, SystemClock().now(), confirm=confirm)

    return _with_keyring(settings, work)


def create_key(settings: Settings, org_name: str, wanted: Wanted) -> dict[str, object]:
    """Make a key; the key itself is in the result this once. Raises as `memdb.directory.keys.create_key_as_owner`."""
    trust = Trust.parse(wanted.trust)

    async def work(database: Database, keyring: Keyring) -> keys.CreatedKey:
        subject_id = wanted.subject_id or await _first_person(database, org_name)
        grant = KeyGrant(
            subject_id=subject_id,
            writer_label=wanted.label,
            max_role=wanted.role,
            capabilities=frozenset(wanted.capabilities),
            trust=trust,
            brains=None if wanted.brains is None else frozenset(wanted.brains),
            act_as_subjects=frozenset(wanted.act_as_subjects),
            act_as_brains=frozenset(wanted.act_as_brains),
            expires_at=wanted.expires_at,
            requests_per_minute=wanted.requests_per_minute,
        )
        return await keys.create_key_as_owner(database, keyring, org_name, grant, SystemClock().now())

    made = _with_keyring(settings, work)
    return _shown(made.row) | {"key": made.key.render()}


def list_keys(settings: Settings, org_name: str) -> list[dict[str, object]]:
    """Keys of an org by id. Raises NotFound: no such org."""

    async def work(database: Database) -> list[KeyRow]:
        found: list[KeyRow] = []
        while True:
            page = await keys.list_keys_as_owner(database, org_name, after=found[-1].id if found else None, limit=_PAGE)
            found += page
            if len(page) < _PAGE:
                return found

    return [_shown(row) for row in _with_database(settings, work)]


def rotate_key(settings: Settings, org_name: str, key_id: str, *, grace_s: int, expires_at: datetime | None) -> dict[str, object]:
    """Replace a key; the successor, with the key itself this once. Raises as `memdb.directory.rotating.rotate_key_as_owner`."""
    rotation = rotating.Rotation(grace_s, expires_at)

    async def work(database: Database, keyring: Keyring) -> keys.CreatedKey:
        return await rotating.rotate_key_as_owner(database, keyring, org_name, key_id, SystemClock().now(), rotation)

    made = _with_keyring(settings, work)
    return _shown(made.row) | {"key": made.key.render()}


def revoke_key(settings: Settings, org_name: str, key_id: str) -> None:
    """Revoke a key. Raises NotFound: no such org or key."""

    async def work(database: Database, keyring: Keyring) -> None:
        await keys.revoke_key_as_owner(database, keyring, org_name, key_id, SystemClock().now())

    _with_keyring(settings, work)


async def _first_person(database: Database, org_name: str) -> UUID:
    org = await orgs.get_org(database, org_name)
    async with database.read(Identity(org.id)) as conn:
        found = await subjects.find_first(conn, org.id, SubjectKind.PERSON)
    if found is None:
        raise NotFound("the org has no person; name a subject with --subject", field="subject")
    return found.id


def _with_database(settings: Settings, work: Callable[[Database], Awaitable[Result]]) -> Result:
    with own(settings) as owned:
        return _run(owned, work)


def _with_keyring(settings: Settings, work: Callable[[Database, Keyring], Awaitable[Result]]) -> Result:
    with own(settings) as owned:
        keyring = open_keyring(settings, owned.url)
        return _run(owned, lambda database: work(database, keyring))


def _run(owned: Owned, work: Callable[[Database], Awaitable[Result]]) -> Result:
    async def inside() -> Result:
        async with open_database(owned) as database:
            return await work(database)

    return run_async(inside())


def _shown(row: KeyRow) -> dict[str, object]:
    g = row.grant
    return {
        "id": row.id,
        "subject_id": str(g.subject_id),
        "writer_label": g.writer_label,
        "max_role": g.max_role.value,
        "capabilities": sorted(c.value for c in g.capabilities),
        "brains": None if g.brains is None else sorted(map(str, g.brains)),
        "act_as_subjects": sorted(map(str, g.act_as_subjects)),
        "act_as_brains": sorted(map(str, g.act_as_brains)),
        "trust": g.trust.label,
        "requests_per_minute": g.requests_per_minute,
        "reason": row.reason,
        "created_at": row.created_at.isoformat(),
        "created_by": row.created_by,
        "last_used_at": _moment(row.last_used_at),
        "expires_at": _moment(g.expires_at),
        "revoked_at": _moment(row.revoked_at),
        "replaced_by": row.replaced_by,
    }


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
