"""One embedded server for a whole test session, shared by all its worker processes."""

from __future__ import annotations

from pathlib import Path

import psycopg

from memdb.embedded.cluster import EmbeddedPostgres


def session_cluster(tmp_root: Path) -> EmbeddedPostgres:
    """Start or join the server of the session; the caller stops its share at the end.

    Give every worker the same `tmp_root` (with pytest-xdist the parent of its base folder for temporary files). The
    server does not wait for the disk: its data are thrown away anyway.
    """
    cluster = EmbeddedPostgres.start(tmp_root / "shared postgres")
    with psycopg.connect(cluster.superuser_url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("ALTER SYSTEM SET synchronous_commit = off")
        connection.execute("SELECT pg_reload_conf()")
    return cluster
