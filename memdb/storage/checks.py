"""What is made sure of before the server serves, on a connection of the role that it will serve with; and what `memdb doctor` looks at.

Each check passes silently or raises with the statements or the command that put things right. `diagnose` runs them all and reports.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING

from governance.errors import ServiceError
from memdb.errors import SchemaMismatch, UnsafeRole, WrongSecret
from memdb.storage.invariants import STUCK_AFTER, count_turn_faults, sees_all
from memdb.storage.migrate import find_version
from memdb.storage.owner import connect
from memdb.storage.prerequisites import require_server, require_vector
from memdb.storage.queue_schema import check_queue
from memdb.storage.roles import APP_ROLE, read_role, role_problems
from memdb.storage.schema_file import SCHEMA_VERSION
from memdb.storage.spaces import differing, find_active, list_spaces, vector_tables

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from memdb.clock import Clock
    from memdb.providers.embedding.base import EmbeddingSpace
    from memdb.storage.invariants import TurnFaults
    from memdb.storage.owner import Connection

CLOCK_DIFFERENCE_MAX_S = 5.0  # expiry and validity are compared across both clocks; NTP keeps machines within tens of milliseconds
FREE_BYTES_MIN = 1 << 30  # Postgres stops at a full disk; one WAL cycle at default settings is 1 GiB


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at. `fix` is what to do about it, None when it is all right."""

    name: str
    ok: bool
    detail: str
    fix: str | None = None


def check_role(conn: Connection) -> None:
    """Pass when the connected role is bound by row-level security and can switch to memdb_search, and only by switching.

    Raises:
        UnsafeRole: it is not; lists each reason and the statements to run, which hold no password.
        SchemaMismatch: the roles of the schema do not exist.
    """
    facts = read_role(conn, conn.info.user)
    if not facts.roles_exist:
        raise SchemaMismatch("the roles memdb_app and memdb_search do not exist; run memdb migrate as the owner")
    problems = role_problems(facts)
    if problems:
        listed = "\n".join(f"  {reason}: {statement}" for reason, statement in problems)
        raise UnsafeRole(f"the database role {facts.name} cannot be served with; run as an administrator:\n{listed}")


def check_schema(conn: Connection) -> None:
    """Pass when the database has the schema version of this release.

    Raises:
        SchemaMismatch: it has another one, or none.
    """
    version = find_version(conn)
    if version is None:
        raise SchemaMismatch("this database has no memdb schema; run memdb migrate")
    if version > SCHEMA_VERSION:
        raise SchemaMismatch(
            f"this database has schema version {version}, newer than the {SCHEMA_VERSION} of this release; install a newer memdb-server"
        )
    if version < SCHEMA_VERSION:
        raise SchemaMismatch(f"this database has schema version {version}, this release needs {SCHEMA_VERSION}; run memdb migrate")


def check_space(conn: Connection, space: EmbeddingSpace) -> None:
    """Pass when the configured embedding space is the active one and has its tables.

    Raises:
        SchemaMismatch: no space is active, or another one of the same dimension.
        DimensionMismatch: the active one has another dimension.
    """
    active = find_active(list_spaces(conn))
    if active is None:
        raise SchemaMismatch(f"this database has no embedding space {space.name}; run memdb migrate")
    if active != space:
        raise differing(active, space)
    for table in vector_tables(space.name):
        row = conn.execute("SELECT to_regclass(%s) IS NOT NULL", (f"mem.{table}",)).fetchone()
        if row is None or not row[0]:
            raise SchemaMismatch(f"the table mem.{table} of embedding space {space.name} is missing; restore it from a backup")


def check_vector_version(conn: Connection) -> None:
    """Pass on Postgres 15 to 18 with pgvector 0.8 or newer.

    Raises:
        ConfigurationError: one of them is something else; says what to install or run.
    """
    require_server(conn)
    require_vector(conn)


def check_secret(conn: Connection, known_key_ids: Collection[str]) -> None:
    """Pass when every key id that sealed rows of this database is in the secret file.

    Raises:
        WrongSecret: names the missing key ids.
    """
    missing = missing_key_ids(conn, known_key_ids)
    if missing:
        raise WrongSecret(
            f"rows of this database are sealed with root key {', '.join(missing)}, which the secret file does not hold; "
            "set MEMDB_SECRET_FILE to the file that this database was written with, or restore that file from a backup"
        )


def missing_key_ids(conn: Connection, known_key_ids: Collection[str]) -> tuple[str, ...]:
    """Key ids in use that are not known, by first use."""
    rows = conn.execute("SELECT key_id FROM mem.secret_keys ORDER BY first_used_at, key_id").fetchall()
    return tuple(row[0] for row in rows if row[0] not in known_key_ids)


def diagnose(
    url: str,
    *,
    space: EmbeddingSpace,
    known_key_ids: Collection[str],
    clock: Clock,
    data_dir: Path | None = None,
) -> list[Finding]:
    """Look at a database as its owner or as the app; never changes anything and raises for nothing that it can report.

    Args:
        url: any role that may connect.
        space: the configured embedding space.
        known_key_ids: key ids of the secret file.
        clock: this process's time.
        data_dir: where the embedded Postgres keeps its files; None for a server elsewhere, whose disk is not seen.

    Returns:
        Findings in a fixed order: connection, server, schema, roles, queue, space, secret, partitions, turns, clock, disk. After a failed
        connection only that and the disk; without a schema nothing that needs one; turns as the owner alone, who sees those of every org.
    """
    findings: list[Finding] = []
    try:
        with connect(url) as conn:
            findings.append(Finding("connection", True, f"as {conn.info.user} to {conn.info.dbname}"))
            findings += _look_inside(conn, space, known_key_ids, clock)
    except ServiceError as error:
        findings.append(Finding("connection", False, error.message, "start the database or correct MEMDB_DATABASE_URL"))
    if data_dir is not None:
        findings.append(_disk(data_dir))
    return findings


def judge_clock(difference_s: float) -> Finding:
    """Whether the database's clock, `difference_s` ahead of this process's, is near enough."""
    near = abs(difference_s) <= CLOCK_DIFFERENCE_MAX_S
    ahead = "ahead" if difference_s >= 0 else "behind"
    return Finding(
        "clock",
        near,
        f"the database is {abs(difference_s):.1f} s {ahead}",
        None if near else "set the clocks of both machines by NTP",
    )


def judge_disk(free_bytes: int) -> Finding:
    """Whether the disk of the data directory has room."""
    enough = free_bytes >= FREE_BYTES_MIN
    return Finding(
        "disk", enough, f"{free_bytes / (1 << 30):.1f} GiB free", None if enough else "free at least 1 GiB, or move the data directory"
    )


def judge_turns(faults: TurnFaults) -> Finding:
    """Whether sessions, turns and snapshots are as they must be, and nothing waits for a worker for too long."""
    looked_at = f"{faults.turns} turns of {faults.sessions} sessions"
    found = faults.found
    if not found:
        return Finding("turns", True, looked_at)
    said = {
        "gaps": "positions without a turn",
        "doubles": "turns at a position that another one has",
        "ahead": "turns that their session does not count",
        "in_none": "turns in no snapshot that should be in one",
        "in_several": "turns in several snapshots",
        "beyond": "snapshots of turns that are still open",
        "stuck": f"extractions that wait for more than {STUCK_AFTER // timedelta(hours=1)} hours",
    }
    detail = f"{looked_at}: " + ", ".join(f"{count} {said[name]}" for name, count in found.items())
    fixes = ["start memdb up or memdb worker, and look at its log"] if "stuck" in found else []
    if found.keys() != {"stuck"}:
        fixes.append("rows were changed past memdb or lost: restore a backup, or report it with these counts")
    return Finding("turns", False, detail, "; ".join(fixes))


def _look_inside(conn: Connection, space: EmbeddingSpace, known_key_ids: Collection[str], clock: Clock) -> list[Finding]:
    major = conn.info.server_version // 10_000
    findings = [
        _attempt("server", f"Postgres {major} with pgvector", lambda: check_vector_version(conn)),
        _attempt("schema", "the version of this release", lambda: check_schema(conn)),
    ]
    if all(finding.ok for finding in findings):
        findings += [
            _attempt("roles", f"{APP_ROLE} is bound by row-level security", lambda: _check_app_role(conn)),
            _attempt("queue", "the job queue of this release", lambda: check_queue(conn)),
            _attempt("space", space.name, lambda: check_space(conn, space)),
            _attempt("secret", "every key id in use is in the secret file", lambda: check_secret(conn, known_key_ids)),
            _attempt("partitions", "the present month and the next have theirs", lambda: _check_partitions(conn, clock)),
        ]
        if sees_all(conn):
            findings.append(judge_turns(count_turn_faults(conn, clock.now())))
    return [*findings, _clock(conn, clock)]


def _attempt(name: str, detail: str, check: Callable[[], None]) -> Finding:
    try:
        check()
    except ServiceError as error:
        what, _, fix = error.message.partition("; ")
        return Finding(name, False, what, fix or error.message)
    return Finding(name, True, detail)


def _check_app_role(conn: Connection) -> None:
    problems = role_problems(read_role(conn, APP_ROLE))
    if problems:
        reasons = ", ".join(reason for reason, _ in problems)
        raise UnsafeRole(f"{APP_ROLE}: {reasons}; run as an administrator: {' '.join(statement for _, statement in problems)}")


def _check_partitions(conn: Connection, clock: Clock) -> None:
    now = clock.now().astimezone(UTC)
    following = now.replace(day=1) + timedelta(days=32)
    rows = conn.execute(_MISSING_PARTITIONS, {"months": [f"{now:%Y_%m}", f"{following:%Y_%m}"]}).fetchall()
    if rows:
        raise SchemaMismatch(f"no partition {', '.join(row[0] for row in rows)} in schema mem; run memdb migrate")


def _clock(conn: Connection, clock: Clock) -> Finding:
    before = clock.now()
    row = conn.execute("SELECT clock_timestamp()").fetchone()
    after = clock.now()
    assert row is not None, "a SELECT without FROM has one row"
    return judge_clock((row[0] - before).total_seconds() - (after - before).total_seconds() / 2)


def _disk(data_dir: Path) -> Finding:
    try:
        return judge_disk(shutil.disk_usage(data_dir).free)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        return Finding("disk", False, f"{data_dir}: {reason}", "correct MEMDB_DATA_DIR")


_MISSING_PARTITIONS = """
SELECT c.relname || '_' || m.month
  FROM pg_catalog.pg_partitioned_table p
  JOIN pg_catalog.pg_class c ON c.oid = p.partrelid
  JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'mem'
 CROSS JOIN unnest(%(months)s::text[]) AS m (month)
 WHERE to_regclass('mem.' || c.relname || '_' || m.month) IS NULL
 ORDER BY 1
"""
