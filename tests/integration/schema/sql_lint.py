"""The text lint: forms that a distributed Postgres refuses or, worse, takes with another meaning."""

from __future__ import annotations

import re
from itertools import pairwise

_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)

RULES = {
    "set_config() does not travel to shards; use SET LOCAL": re.compile(r"\bset_config\s*\(", re.IGNORECASE),
    "MERGE is refused": re.compile(r"\bMERGE\s+INTO\b", re.IGNORECASE),
    "no ROLLUP, CUBE or GROUPING SETS": re.compile(r"\b(ROLLUP|CUBE)\s*\(|\bGROUPING\s+SETS\b", re.IGNORECASE),
    "no DEFERRABLE constraint": re.compile(r"\bDEFERRABLE\b|\bINITIALLY\s+DEFERRED\b", re.IGNORECASE),
    "TG_TABLE_NAME is the shard's name": re.compile(r"\bTG_(TABLE_NAME|RELNAME)\b", re.IGNORECASE),
    "no clock or chance in DO UPDATE SET; pass it as a parameter": re.compile(
        r"\bDO\s+UPDATE\s+SET\b[^;]*?\b((now|clock_timestamp|statement_timestamp|transaction_timestamp|random|gen_random_uuid)\s*\(|CURRENT_TIMESTAMP\b)",
        re.IGNORECASE | re.DOTALL,
    ),
}


def find_faults(script: str) -> list[str]:
    """The rules that the script breaks, in the order of RULES. Comments may say anything."""
    bare = _COMMENT.sub(" ", script)
    return [rule for rule, pattern in RULES.items() if pattern.search(bare)]


_INDEX = re.compile(r"^\s*(?:CREATE (?:UNIQUE )?INDEX|EXECUTE format\('CREATE (?:UNIQUE )?INDEX)")


def find_uncommented_indexes(script: str) -> list[str]:
    """Lines that make an index without a `--` line above that names the statement it serves."""
    lines = ["", *script.splitlines()]
    return [line.strip() for above, line in pairwise(lines) if _INDEX.match(line) and not re.match(r"\s*-- \S", above)]
