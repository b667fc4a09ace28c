"""The catalogue check: rules that keep schema.sql usable on a distributed Postgres and safe under row-level security."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import psycopg

_TENANT = """
  SELECT c.oid, c.relname, c.relispartition, c.relrowsecurity, a.attnum, a.attnotnull, a.atttypid
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'org_id' AND NOT a.attisdropped
   WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p')
"""

# Fault -> a query whose rows name the objects at fault.
RULES = {
    "org_id is not the first column, a uuid and NOT NULL": f"""
        SELECT t.relname FROM ({_TENANT}) t WHERE t.attnum <> 1 OR NOT t.attnotnull OR t.atttypid <> 'uuid'::regtype""",
    "no primary key": f"""
        SELECT t.relname FROM ({_TENANT}) t
         WHERE NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conrelid = t.oid AND k.contype = 'p')""",
    "a unique or exclusion index does not begin with org_id": f"""
        SELECT i.indexrelid::regclass::text FROM ({_TENANT}) t JOIN pg_index i ON i.indrelid = t.oid
         WHERE (i.indisunique OR i.indisexclusion) AND i.indkey[0] IS DISTINCT FROM t.attnum""",
    "a foreign key between tenant tables does not begin with org_id on both sides": f"""
        SELECT k.conname FROM pg_constraint k JOIN ({_TENANT}) a ON a.oid = k.conrelid JOIN ({_TENANT}) b ON b.oid = k.confrelid
         WHERE k.contype = 'f' AND (k.conkey[1] <> a.attnum OR k.confkey[1] <> b.attnum)""",
    "a foreign key from a table without org_id to a tenant table": f"""
        SELECT k.conname FROM pg_constraint k JOIN ({_TENANT}) b ON b.oid = k.confrelid
         WHERE k.contype = 'f' AND k.conrelid NOT IN (SELECT t.oid FROM ({_TENANT}) t)""",
    "a foreign key sets or cascades values": """
        SELECT k.conname FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
         WHERE n.nspname = 'mem' AND k.contype = 'f' AND (k.confdeltype IN ('n', 'd') OR k.confupdtype IN ('c', 'n', 'd'))""",
    "a deferrable constraint": """
        SELECT k.conname FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace WHERE n.nspname = 'mem' AND k.condeferrable""",
    "a constraint with a made-up name": """
        SELECT k.conname FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = k.connamespace
         WHERE n.nspname = 'mem' AND NOT c.relispartition AND k.contype IN ('p', 'u', 'f', 'c', 'x')
           AND k.conname ~ '_(pkey|key|fkey|check|excl)[0-9]*$'""",
    "a policy with a subquery": """
        SELECT p.polrelid::regclass || '.' || p.polname FROM pg_policy p
         WHERE coalesce(p.polqual::text, '') || coalesce(p.polwithcheck::text, '') LIKE '%SUBLINK%'""",
    "no row-level security": f"SELECT t.relname FROM ({_TENANT}) t WHERE NOT t.relrowsecurity",
    "no policy for the app role": f"""
        SELECT t.relname FROM ({_TENANT}) t WHERE NOT t.relispartition
           AND NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = t.oid AND 'memdb_app'::regrole = ANY (p.polroles))""",
    "a policy for everybody": """
        SELECT p.polrelid::regclass || '.' || p.polname FROM pg_policy p WHERE 0 = ANY (p.polroles)""",
    "a partition with a policy or a grant": """
        SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'mem' AND c.relispartition AND c.relkind = 'r'
           AND (EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid)
                OR EXISTS (SELECT 1 FROM aclexplode(c.relacl) x WHERE x.grantee <> c.relowner))""",
    "a rule": """
        SELECT r.rulename FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p')""",
    "inheritance": """
        SELECT c.relname FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'mem' AND c.relkind IN ('r', 'p') AND NOT c.relispartition""",
    "a view with its owner's rights": """
        SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'mem' AND c.relkind = 'v' AND NOT coalesce(c.reloptions @> ARRAY['security_invoker=true'], false)""",
    "a function with its owner's rights and a free search path": """
        SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
         WHERE n.nspname = 'mem' AND p.prosecdef
           AND NOT coalesce(p.proconfig @> ARRAY['search_path=pg_catalog, pg_temp'], false)""",
    "an index key or predicate with status, validity or holds": """
        SELECT i.indexrelid::regclass::text FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
          JOIN pg_attribute a ON a.attrelid = c.oid
         WHERE n.nspname = 'mem' AND c.relname IN ('memories', 'memory_index')
           AND a.attname IN ('status', 'held', 'valid_from', 'valid_to', 'expires_at', 'updated_at', 'confirmed_at', 'mac_state')
           AND (a.attnum = ANY (i.indkey) OR pg_get_expr(i.indpred, c.oid) ~ ('\\m' || a.attname || '\\M')
                OR pg_get_expr(i.indexprs, c.oid) ~ ('\\m' || a.attname || '\\M'))""",
}


def find_faults(conn: psycopg.Connection) -> list[str]:
    """`<fault>: <object>` for everything in schema mem that breaks a rule."""
    return [f"{fault}: {row[0]}" for fault, query in RULES.items() for row in conn.execute(query.encode()).fetchall()]
