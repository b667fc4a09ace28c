"""What a serving process asks about the database as a whole, for `/readyz`."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import column as col
from sqlalchemy import func, literal_column, select, table
from sqlalchemy.ext.asyncio import AsyncConnection

from memdb.storage import tables as t
from memdb.storage.database import ReadConn

OPTIONAL_EXTENSIONS = ("pg_search", "pg_textsearch", "pg_trgm", "unaccent", "vectorscale", "citus", "pg_stat_statements")


@dataclass(frozen=True, slots=True)
class DatabaseStatus:
    """What the database is. `extensions`: name -> version, None where the extension is not installed."""

    postgres: str
    schema_version: int
    extensions: dict[str, str | None]


async def read_status(conn: AsyncConnection) -> DatabaseStatus:
    """Look at the database; needs no identity."""
    postgres = (await conn.execute(select(func.current_setting("server_version")))).scalar_one()
    version = (await conn.execute(select(func.max(t.schema_versions.c.version)))).scalar_one()
    names = ("vector", *OPTIONAL_EXTENSIONS)
    catalogue = table("pg_extension", col("extname"), col("extversion"), schema="pg_catalog")
    # The catalogue's names are of type name, which drivers know as text.
    query = select(literal_column("extname::text"), catalogue.c.extversion).select_from(catalogue)
    installed = {row[0]: str(row[1]) for row in await conn.execute(query)}
    return DatabaseStatus(str(postgres).partition(" ")[0], int(version), {name: installed.get(name) for name in names})


async def count_pending(conn: ReadConn, org_id: UUID, space: str) -> int:
    """Memories of an org that wait for their vector."""
    p = t.embedding_pending.c
    query = select(func.count()).select_from(t.embedding_pending).where(p.org_id == org_id, p.space == space)
    return int((await conn.execute(query)).scalar_one())
