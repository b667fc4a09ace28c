"""The tables of the job queue: those of procrastinate, in a schema of their own, made and upgraded by `memdb migrate`.

They hold ids and times, never text, and no row-level security: what a job does runs under the identity of the brain that it names. Which
release's they are stands in the comment of the schema. Upgrades are the library's own files, those between that release and the installed
one, in the order of their names, in the transaction of the migration.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING, Final

from psycopg import sql

from memdb.errors import SchemaMismatch

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

SCHEMA: Final = "memdb_jobs"
_LIBRARY: Final = "procrastinate"
_SCRIPTS: Final = "procrastinate/sql"
"""Where the library keeps the definition of its tables, and in `migrations` what leads there from older ones."""
_RELEASE: Final = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_NAMED: Final = re.compile(rf"{_LIBRARY} (\d+\.\d+\.\d+)")

Release = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class QueueSource:
    """What a release of the library has: its tables, and (release, file name, text) of each upgrade to them or to older ones, in order."""

    version: str
    script: str
    upgrades: tuple[tuple[Release, str, str], ...]

    @property
    def release(self) -> Release:
        return release_of(self.version)

    def upgrades_after(self, installed: Release) -> list[tuple[str, str]]:
        """(name, text) of what is left to apply to tables of that release."""
        return [(name, text) for release, name, text in self.upgrades if installed < release <= self.release]


def release_of(text: str) -> Release:
    """Numbers that a release, or the name of an upgrade, begins with; in order of age.

    >>> release_of("3.10.0") > release_of("03.04.00_01_pre_add_retry_failed_job_procedure.sql")
    True
    """
    match = _RELEASE.match(text)
    assert match is not None, "releases of the library have three numbers"
    major, minor, patch = match.groups()
    return int(major), int(minor), int(patch)


@cache
def load_queue_source() -> QueueSource:
    """That of the installed library. Read, not imported: it takes half a second to load, and a server that starts has none to spare."""
    library = distribution(_LIBRARY)
    folder = Path(str(library.locate_file(_SCRIPTS)))
    files = sorted((folder / "migrations").glob("*.sql"))
    upgrades = tuple((release_of(file.name), file.name, file.read_text(encoding="utf-8")) for file in files)
    return QueueSource(library.version, (folder / "schema.sql").read_text(encoding="utf-8"), upgrades)


def make_queue(conn: Connection, source: QueueSource | None = None) -> tuple[str, ...]:
    """Make the tables, or bring them to this release; a sentence for each thing done. In the transaction of the migration.

    Raises:
        SchemaMismatch: they are of a newer release of procrastinate, or the schema is somebody else's.
    """
    source = source or load_queue_source()
    wanted = f"{_LIBRARY} {source.version}"
    installed = _find_installed(conn)
    if installed is None:
        conn.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(SCHEMA)))
        _run(conn, [source.script], wanted)
        return (f"job queue made ({wanted})",)
    if installed > source.release:
        raise _newer(installed, source)
    if installed == source.release:
        return ()
    upgrades = source.upgrades_after(installed)
    _run(conn, [text for _, text in upgrades], wanted)
    return (*(f"job queue: upgrade {name} applied" for name, _ in upgrades), f"job queue is that of {wanted}")


def check_queue(conn: Connection, source: QueueSource | None = None) -> None:
    """Pass when the tables are those of the installed library, whichever release they were made by.

    Raises:
        SchemaMismatch: there are none, or they are older or newer, or the schema is somebody else's.
    """
    source = source or load_queue_source()
    installed = _find_installed(conn)
    if installed is None:
        raise SchemaMismatch("this database has no job queue; run memdb migrate")
    if installed > source.release:
        raise _newer(installed, source)
    if source.upgrades_after(installed):
        raise SchemaMismatch(
            f"the job queue in schema {SCHEMA} is that of {_LIBRARY} {_text(installed)}, and this release needs that of "
            f"{_LIBRARY} {source.version}; run memdb migrate"
        )


def _find_installed(conn: Connection) -> Release | None:
    row = conn.execute("SELECT to_regnamespace(%s) IS NOT NULL, obj_description(to_regnamespace(%s))", (SCHEMA, SCHEMA)).fetchone()
    assert row is not None, "a SELECT without FROM has one row"
    exists, comment = row
    if not exists:
        return None
    named = _NAMED.fullmatch(comment or "")
    if named is None:
        raise SchemaMismatch(
            f"this database has a schema {SCHEMA} that does not come from memdb; use another database, or rename that schema"
        )
    return release_of(named[1])


def _run(conn: Connection, scripts: list[str], wanted: str) -> None:
    name = sql.Identifier(SCHEMA)
    before = conn.execute("SHOW search_path").fetchone()
    assert before is not None, "SHOW has one row"
    conn.execute(sql.SQL("SET LOCAL search_path = {}, pg_catalog").format(name))
    for script in scripts:
        conn.execute(script.encode())
    # Its functions name its tables without a schema; whoever calls one has another search path.
    for (signature,) in conn.execute("SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = to_regnamespace(%s)", (SCHEMA,)):
        conn.execute(sql.SQL("ALTER FUNCTION {} SET search_path = {}, pg_catalog").format(sql.SQL(signature), name))
    conn.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO memdb_app").format(name))
    conn.execute(sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {} TO memdb_app").format(name))
    conn.execute(sql.SQL("GRANT USAGE ON ALL SEQUENCES IN SCHEMA {} TO memdb_app").format(name))
    conn.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(name, sql.Literal(wanted)))
    conn.execute(sql.SQL("SET LOCAL search_path = {}").format(sql.SQL(before[0])))


def _newer(installed: Release, source: QueueSource) -> SchemaMismatch:
    return SchemaMismatch(
        f"the job queue in schema {SCHEMA} is that of {_LIBRARY} {_text(installed)}, newer than the {source.version} of this release; "
        "install a newer memdb-server"
    )


def _text(release: Release) -> str:
    return ".".join(map(str, release))
