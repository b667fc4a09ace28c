"""What the tests of erasure share: people who are known by names, what is said of them, and a look at every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from tests.support.product import Caller, Json

if TYPE_CHECKING:
    from collections.abc import Sequence


async def make_subject(admin: Caller, name: str, *aliases: str, **fields: Any) -> str:
    """A person of the org."""
    body = {"kind": "person", "name": name, "aliases": list(aliases), **fields}
    return str((await admin.send("POST", "/v1/subjects", expect=201, json=body))["id"])


async def forget(admin: Caller, what: str, object_id: str, *, expect: int = 200, dry_run: bool = False) -> Json:
    """Forget something for good."""
    path = f"/v1/{what}/{object_id}:forget"
    return cast("Json", await admin.send("POST", path, expect=expect, json={"dry_run": dry_run}))


async def decide(admin: Caller, erasure: Json, decision: str, *objects: str) -> Json:
    """Decide what an erasure left."""
    body = {"decision": decision} | ({"objects": list(objects)} if objects else {})
    return cast("Json", await admin.send("POST", f"/v1/admin/erasures/{erasure['id']}:decide", expect=200, json=body))


async def decisions(admin: Caller, erasure: Json) -> list[Json]:
    """What an erasure left."""
    page = await admin.send("GET", f"/v1/admin/erasures/{erasure['id']}/decisions", expect=200, params={"limit": 200})
    return cast("list[Json]", page["items"])


@dataclass(frozen=True)
class Rows:
    """Every row of the org as text, past row-level security."""

    caller: Caller

    async def holding(self, *texts: str) -> dict[str, int]:
        """Rows by table that hold one of the texts, whatever its case."""
        found: dict[str, int] = {}
        for schema, table in await self._tables():
            wanted: Sequence[str] = [text.lower() for text in texts]
            where = "org_id = :org AND " if await self._has_org(schema, table) else ""
            sql = f'SELECT count(*) FROM "{schema}"."{table}" x WHERE {where} EXISTS (SELECT 1 FROM unnest(CAST(:t AS text[])) u WHERE position(u IN lower(x::text)) > 0)'
            count = await self.caller.product.value(sql, t=wanted, **({"org": self.caller.org_id} if where else {}))
            if count:
                found[table] = int(count)
        return found

    async def _tables(self) -> list[tuple[str, str]]:
        rows = await self.caller.product.rows(
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname IN ('mem', 'memdb_jobs') AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 2"
        )
        return [(row[0], row[1]) for row in rows]

    async def _has_org(self, schema: str, table: str) -> bool:
        sql = "SELECT count(*) FROM information_schema.columns WHERE table_schema = :s AND table_name = :t AND column_name = 'org_id'"
        return bool(await self.caller.product.value(sql, s=schema, t=table))
