"""Looks in the database itself: what row-level security lets a looker do, whatever the code above it believes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest

from memdb.ids import make_id
from tests.integration.schema.world import CONTENT_TABLES, Org, acting, count
from tests.support.rows import insert, make_key, set_identity

if TYPE_CHECKING:
    from uuid import UUID

NOW = datetime.now(UTC)
OPEN = {"begins_at": NOW, "ends_at": NOW + timedelta(minutes=50)}
OVER = {"begins_at": NOW - timedelta(minutes=50), "ends_at": NOW - timedelta(minutes=1)}
BREAK = "SELECT mem.break_glass(%s, %s, 'tests', %s, %s)"


@pytest.fixture
def admin_key(owner: psycopg.Connection, org: Org) -> str:
    """A key of the stranger, who is in no brain, with the capability admin."""
    with owner.transaction():
        return make_key(owner, org.id, org.stranger, capabilities=["admin"])


def open_look(owner: psycopg.Connection, org: Org, key: str, brain: UUID, **changes: object) -> UUID:
    look = make_id()
    row = {"org_id": org.id, "id": look, "brain_id": brain, "key_id": key, "subject_id": org.stranger, "reason": "tests"} | OPEN
    with owner.transaction():
        insert(owner, "looks", **(row | changes))
    return look


@pytest.mark.parametrize("table", CONTENT_TABLES)
def test_a_look_shows_its_brain_and_no_other(
    app: psycopg.Connection, owner: psycopg.Connection, org: Org, foreign: Org, admin_key: str, table: str
) -> None:
    open_look(owner, org, admin_key, org.bruno_brain)
    with acting(app, org.id, org.stranger, admin_key):
        assert count(app, table, brain_id=org.bruno_brain) > 0
        assert count(app, table, brain_id=org.shared) == 0
        assert count(app, table, org_id=foreign.id) == 0


@pytest.mark.parametrize("table", CONTENT_TABLES)
def test_a_look_changes_nothing(app: psycopg.Connection, owner: psycopg.Connection, org: Org, admin_key: str, table: str) -> None:
    open_look(owner, org, admin_key, org.bruno_brain)
    for change in ("UPDATE mem.{} SET org_id = org_id", "DELETE FROM mem.{}"):
        with acting(app, org.id, org.stranger, admin_key):
            try:
                done = app.execute(change.format(table))
            except psycopg.errors.InsufficientPrivilege:
                continue
            assert done.rowcount == 0, (table, change)


@pytest.mark.parametrize(
    "changes",
    [OVER, {"ended_at": NOW}, {"key_id": "zzzz2222"}],
    ids=["over", "ended", "another_key"],
)
def test_what_is_no_open_look_of_this_key_shows_nothing(
    app: psycopg.Connection, owner: psycopg.Connection, org: Org, admin_key: str, changes: dict[str, object]
) -> None:
    open_look(owner, org, admin_key, org.bruno_brain, **changes)
    with acting(app, org.id, org.stranger, admin_key):
        assert count(app, "memories") == 0


def test_a_look_is_of_its_subject_and_needs_a_live_key_of_an_administrator(
    app: psycopg.Connection, owner: psycopg.Connection, org: Org, admin_key: str
) -> None:
    open_look(owner, org, org.stranger_key, org.bruno_brain)
    with acting(app, org.id, org.stranger, org.stranger_key):
        assert count(app, "memories") == 0, "without the capability"
    open_look(owner, org, admin_key, org.bruno_brain)
    with acting(app, org.id, org.carla, admin_key):
        assert count(app, "memories", brain_id=org.bruno_brain) == 0, "another subject"
    with owner.transaction():
        owner.execute("UPDATE mem.api_keys SET revoked_at = now() WHERE org_id = %s AND id = %s", [org.id, admin_key])
    with acting(app, org.id, org.stranger, admin_key):
        assert count(app, "memories") == 0, "revoked"


def test_looks_are_opened_and_ended_through_functions_alone(
    app: psycopg.Connection, owner: psycopg.Connection, org: Org, admin_key: str
) -> None:
    look = open_look(owner, org, admin_key, org.bruno_brain, **OVER)
    row = {"org_id": org.id, "id": make_id(), "brain_id": org.shared, "key_id": admin_key, "subject_id": org.stranger, "reason": "x"} | OPEN
    with acting(app, org.id, org.stranger, admin_key), pytest.raises(psycopg.errors.InsufficientPrivilege):
        insert(app, "looks", **row)
    for change in ("UPDATE mem.looks SET ends_at = now()", "DELETE FROM mem.looks"):
        with acting(app, org.id, org.stranger, admin_key), pytest.raises(psycopg.errors.InsufficientPrivilege):
            app.execute(change)
    with acting(app, org.id, org.stranger, org.stranger_key), pytest.raises(psycopg.errors.InsufficientPrivilege):
        app.execute("SELECT mem.end_look(%s, %s, now())", [org.bruno_brain, look])


def test_the_function_opens_one_only_for_an_administrators_own_key(app: psycopg.Connection, org: Org, foreign: Org, admin_key: str) -> None:
    begins = datetime.now(UTC)  # the database asks its own clock whether a look is open
    wanted = [make_id(), org.bruno_brain, begins, begins + timedelta(minutes=5)]
    with acting(app, org.id, org.stranger, admin_key):
        assert app.execute(BREAK, wanted).fetchone() == (True,)
        assert count(app, "memories", brain_id=org.bruno_brain) == 2
    for subject, key in ((org.stranger, org.stranger_key), (org.carla, admin_key), (None, admin_key)):
        with app.transaction(force_rollback=True):
            set_identity(app, org.id, subject, key)
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                app.execute(BREAK, wanted)
    with acting(app, org.id, org.stranger, admin_key):
        assert app.execute(BREAK, [make_id(), foreign.bruno_brain, *wanted[2:]]).fetchone() == (False,)
    with acting(app, org.id, org.stranger, admin_key), pytest.raises(psycopg.errors.CheckViolation):
        app.execute(BREAK, [make_id(), org.bruno_brain, begins, begins + timedelta(minutes=61)])
