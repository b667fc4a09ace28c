"""What a login role could do to row-level security: read from the catalogues, and judged without a database."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memdb.storage.prerequisites import quote
from memdb.storage.statements import catalogue

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

APP_ROLE = "memdb_app"
SEARCH_ROLE = "memdb_search"


@dataclass(frozen=True, slots=True)
class ReachableRole:
    """A role that the login role is, inherits from, can switch to, or could grant to itself."""

    name: str
    superuser: bool
    bypasses_rls: bool
    owns_tenant_table: bool


@dataclass(frozen=True, slots=True)
class RoleFacts:
    """What the catalogues say about one login role. `reachable` begins with the role itself, the rest by name.

    `search_inherited_by` is the role whose membership of memdb_search holds without switching: memdb_app, this one, or None.
    `grants_have_options` is true since Postgres 16, where inheritance belongs to the grant and no longer to the role.
    """

    name: str
    reachable: tuple[ReachableRole, ...]
    roles_exist: bool
    has_app_rights: bool
    can_switch_to_search: bool
    search_inherited_by: str | None
    grants_have_options: bool


def role_problems(facts: RoleFacts) -> tuple[tuple[str, str], ...]:
    """Pairs of reason and the statement that removes it; none for a role that is safe to serve with."""
    problems: list[tuple[str, str]] = []
    me = quote(facts.name)
    for role in facts.reachable:
        danger = _danger(role)
        if danger is None:
            continue
        if role.name != facts.name:
            problems.append((f"it can act as {role.name}, {danger}", f"REVOKE {quote(role.name)} FROM {me};"))
        else:
            problems.append((f"it is {danger}", _make_app_login(facts)))
    if any(role.name == facts.name and _danger(role) for role in facts.reachable):
        return tuple(problems)  # another role has to serve, so grants to this one would be no help
    if not facts.has_app_rights:
        problems.append((f"it has not the rights of {APP_ROLE}", f"GRANT {APP_ROLE} TO {me};"))
    if not facts.can_switch_to_search:
        problems.append((f"it cannot switch to {SEARCH_ROLE}", f"GRANT {SEARCH_ROLE} TO {me};"))
    if facts.search_inherited_by is not None:
        # Its own membership can go: by way of memdb_app it can still switch.
        fix = _end_inheritance_of_app(facts) if facts.search_inherited_by == APP_ROLE else f"REVOKE {SEARCH_ROLE} FROM {me};"
        problems.append((f"it sees rows of every org without switching to {SEARCH_ROLE}", fix))
    return tuple(problems)


def read_role(conn: Connection, name: str) -> RoleFacts:
    """Look a role up; one that does not exist has no reachable role and no right."""
    # Before version 16 a membership always allowed SET ROLE, and MEMBER was the word for it.
    switch = "SET" if conn.info.server_version >= 160_000 else "MEMBER"
    reachable = conn.execute(catalogue("list_reachable_roles"), {"name": name, "switch": switch}).fetchall()
    rights = conn.execute(catalogue("read_rights"), {"name": name, "switch": switch, "app": APP_ROLE, "search": SEARCH_ROLE}).fetchone()
    exist, has_app_rights, can_switch, inherited_by = rights or (False, False, False, None)
    roles = tuple(ReachableRole(*row) for row in reachable)
    return RoleFacts(name, roles, exist, has_app_rights, can_switch, inherited_by, grants_have_options=switch == "SET")


def _danger(role: ReachableRole) -> str | None:
    if role.superuser:
        return "a superuser"
    if role.bypasses_rls:
        return "a role with BYPASSRLS"
    return "the owner of a table with memories" if role.owns_tenant_table else None


def _end_inheritance_of_app(facts: RoleFacts) -> str:
    if facts.grants_have_options:
        return "GRANT memdb_search TO memdb_app WITH INHERIT FALSE;"
    return "ALTER ROLE memdb_app NOINHERIT;"


def _make_app_login(facts: RoleFacts) -> str:
    if facts.name == APP_ROLE:
        return f"ALTER ROLE {APP_ROLE} NOSUPERUSER NOBYPASSRLS;"
    return f"ALTER ROLE {APP_ROLE} LOGIN;  -- with a password of its own, then connect as {APP_ROLE}"
