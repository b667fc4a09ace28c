"""Months and ids: partitions begin and end where a UUIDv7 of that moment begins."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from psycopg import errors
from psycopg.types.json import Jsonb

from memdb.ids import floor_id
from tests.support.rows import insert, make_org

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.database import FreshDatabase

MOMENTS = st.datetimes(datetime(2000, 1, 1), datetime(2199, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001 - the zone is the next argument


@pytest.fixture(scope="module")
def conn(module_database: FreshDatabase) -> Iterator[psycopg.Connection]:
    with psycopg.connect(module_database.owner_url, autocommit=True) as opened:
        yield opened


def bounds(conn: psycopg.Connection, parent: str) -> dict[str, tuple[UUID, UUID]]:
    """Partition name -> first id, first id after it."""
    rows = conn.execute(
        "SELECT c.relname, pg_get_expr(c.relpartbound, c.oid) FROM pg_class c WHERE c.relispartition AND c.relkind = 'r' AND c.relname LIKE %s",
        (f"{parent}_%",),
    ).fetchall()
    found = {}
    for name, expression in rows:
        first, last = re.findall(r"'([0-9a-f-]{36})'", expression)
        found[name] = (UUID(first), UUID(last))
    return found


def month_floor(months: int) -> UUID:
    """The dull way: months since year 0."""
    return floor_id(datetime(months // 12, months % 12 + 1, 1, tzinfo=UTC))


@given(moment=MOMENTS, months=st.integers(1, 15))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_months_follow_each_other_without_gap_or_overlap(conn: psycopg.Connection, moment: datetime, months: int) -> None:
    with conn.transaction(force_rollback=True):
        before = bounds(conn, "recalls")
        made = conn.execute("SELECT mem.ensure_partitions(%s, %s)", (moment, months)).fetchone()
        found = bounds(conn, "recalls")
        first = moment.year * 12 + moment.month - 1
        expected = {f"recalls_{m // 12}_{m % 12 + 1:02}": (month_floor(m), month_floor(m + 1)) for m in range(first, first + months)}
        assert found == before | expected
        assert made == (3 * len(expected.keys() - before.keys()),)
        assert conn.execute("SELECT mem.ensure_partitions(%s, %s)", (moment, months)).fetchone() == (0,)


def test_december_ends_where_january_begins(conn: psycopg.Connection) -> None:
    with conn.transaction(force_rollback=True):
        conn.execute("SELECT mem.ensure_partitions('2030-12-31 23:59:59.999Z', 2)")
        found = bounds(conn, "audit_events")
        december, january = found["audit_events_2030_12"], found["audit_events_2031_01"]
        assert december == (floor_id(datetime(2030, 12, 1, tzinfo=UTC)), floor_id(datetime(2031, 1, 1, tzinfo=UTC)))
        assert january[0] == december[1]


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Sao_Paulo", "UTC"])
def test_months_are_those_of_utc_in_every_session(conn: psycopg.Connection, zone: str) -> None:
    with conn.transaction(force_rollback=True):
        conn.execute(f"SET LOCAL timezone = '{zone}'".encode())
        conn.execute("SELECT mem.ensure_partitions('2040-01-31 23:30Z', 1)")
        conn.execute("SELECT mem.ensure_partitions('2040-03-01 00:30Z', 1)")
        found = {name for name in bounds(conn, "recalls") if "_2040_" in name}
        assert found == {"recalls_2040_01", "recalls_2040_03"}
        assert bounds(conn, "recalls")["recalls_2040_01"] == (month_floor(2040 * 12), month_floor(2040 * 12 + 1))


@pytest.mark.parametrize("months", [0, -1, 25])
def test_a_number_of_months_out_of_range_is_refused(conn: psycopg.Connection, months: int) -> None:
    with pytest.raises(errors.InvalidParameterValue):
        conn.execute("SELECT mem.ensure_partitions(now(), %s)", (months,))


def test_a_row_without_a_partition_is_refused_not_lost(conn: psycopg.Connection) -> None:
    org = make_org(conn)
    moment = datetime(2050, 6, 1, tzinfo=UTC)
    with pytest.raises(errors.CheckViolation):
        insert(
            conn, "audit_events", org_id=org, id=floor_id(moment), at=moment, action="a", object_kind="x", object_id="x", detail=Jsonb({})
        )


@given(moment=MOMENTS | MOMENTS.map(lambda m: m.replace(microsecond=m.microsecond // 1000 * 1000)))
@example(moment=datetime(2039, 8, 13, 3, 8, 50, 674_000, tzinfo=UTC))  # seconds as a float fall short of this millisecond
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_floor_of_a_moment_is_the_same_in_sql_and_python(conn: psycopg.Connection, moment: datetime) -> None:
    milliseconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    row = conn.execute("SELECT mem.uuid_floor(%s)", (moment,)).fetchone()
    assert row == (UUID(int=milliseconds << 80),)
    assert floor_id(moment) == UUID(int=milliseconds << 80)
