"""The tables of the job queue: those of procrastinate, in a schema of their own, made by `memdb migrate`.

They hold ids and times, never text, and no row-level security: what a job does runs under the identity of the brain that it names.
"""

from __future__ import annotations

from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING, Final

from psycopg import sql

from memdb.errors import SchemaMismatch

if TYPE_CHECKING:
    from memdb.storage.owner import Connection

SCHEMA: Final = "memdb_jobs"
SCRIPT: Final = "procrastinate/sql/schema.sql"
"""Where the library keeps the definition of its tables."""


def make_queue(conn: Connection) -> tuple[str, ...]:
    """Make the tables unless they are there; a sentence for each thing done. In the transaction of the migration.

    Raises:
        SchemaMismatch: they are of another release of procrastinate, or the schema is somebody else's.
    """
    library = distribution("procrastinate")
    wanted = f"procrastinate {library.version}"
    row = conn.execute("SELECT obj_description(to_regnamespace(%s)), to_regnamespace(%s) IS NOT NULL", (SCHEMA, SCHEMA)).fetchone()
    assert row is not None, "a SELECT without FROM has one row"
    if row[1]:
        if row[0] != wanted:
            raise SchemaMismatch(f"the schema {SCHEMA} holds tables of {row[0] or 'another product'}, and this release needs {wanted}")
        return ()
    name = sql.Identifier(SCHEMA)
    before = conn.execute("SHOW search_path").fetchone()
    assert before is not None, "SHOW has one row"
    conn.execute(sql.SQL("CREATE SCHEMA {}").format(name))
    conn.execute(sql.SQL("SET LOCAL search_path = {}, pg_catalog").format(name))
    # Read, not imported: the library takes half a second to load, and a server that starts has none to spare.
    conn.execute(Path(str(library.locate_file(SCRIPT))).read_text(encoding="utf-8").encode())
    # Its functions name its tables without a schema; whoever calls one has another search path.
    for (signature,) in conn.execute("SELECT oid::regprocedure::text FROM pg_proc WHERE pronamespace = to_regnamespace(%s)", (SCHEMA,)):
        conn.execute(sql.SQL("ALTER FUNCTION {} SET search_path = {}, pg_catalog").format(sql.SQL(signature), name))
    conn.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO memdb_app").format(name))
    conn.execute(sql.SQL("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {} TO memdb_app").format(name))
    conn.execute(sql.SQL("GRANT USAGE ON ALL SEQUENCES IN SCHEMA {} TO memdb_app").format(name))
    conn.execute(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(name, sql.Literal(wanted)))
    conn.execute(sql.SQL("SET LOCAL search_path = {}").format(sql.SQL(before[0])))
    return (f"job queue made ({wanted})",)
