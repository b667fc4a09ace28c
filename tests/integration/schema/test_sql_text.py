"""The text of schema.sql and of every .sql file keeps the rules, and the lint sees each breach."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.integration.schema.sql_lint import RULES, find_faults, find_uncommented_indexes

ROOT = Path(__file__).resolve().parents[3]
FILES = sorted([ROOT / "schema.sql", *(path for package in ("memdb", "retrieval", "api") for path in (ROOT / package).rglob("*.sql"))])

PLANTED = {
    "set_config() does not travel to shards; use SET LOCAL": [
        "SELECT set_config('mem.org_id', :org, true)",
        "PERFORM SET_CONFIG ('a', 'b', true)",
    ],
    "MERGE is refused": ["MERGE INTO mem.links l USING x ON true WHEN MATCHED THEN DELETE"],
    "no ROLLUP, CUBE or GROUPING SETS": [
        "SELECT count(*) FROM t GROUP BY ROLLUP (a)",
        "SELECT 1 FROM t GROUP BY cube(a, b)",
        "SELECT 1 FROM t GROUP BY GROUPING  SETS ((a), ())",
    ],
    "no DEFERRABLE constraint": ["ALTER TABLE t ADD CONSTRAINT u UNIQUE (a) DEFERRABLE"],
    "TG_TABLE_NAME is the shard's name": ["$$ BEGIN RAISE NOTICE '%', tg_table_name; END $$"],
    "no clock or chance in DO UPDATE SET; pass it as a parameter": [
        "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET at = now()",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE\n SET n = t.n + 1,\n at = clock_timestamp ()",
        "INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET n = 1 WHERE t.at < CURRENT_TIMESTAMP",
    ],
}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_file_keeps_the_rules(path: Path) -> None:
    assert find_faults(path.read_text(encoding="utf-8")) == []


def test_each_rule_has_a_planted_fault() -> None:
    assert PLANTED.keys() == RULES.keys()


@pytest.mark.parametrize(("rule", "script"), [(rule, script) for rule, scripts in PLANTED.items() for script in scripts])
def test_a_planted_fault_is_found(rule: str, script: str) -> None:
    assert find_faults(f"SELECT 1;\n{script};\nSELECT 2;") == [rule]


def test_words_in_comments_and_harmless_neighbours_are_no_fault() -> None:
    assert find_faults("-- no set_config() here\nSELECT merged_into, now() FROM t; /* DEFERRABLE */") == []
    assert find_faults("INSERT INTO t (at) VALUES (now()) ON CONFLICT (a) DO UPDATE SET at = excluded.at; SELECT now()") == []


def test_each_index_of_the_schema_names_its_statement() -> None:
    script = (ROOT / "schema.sql").read_text(encoding="utf-8")
    assert len(re.findall(r"CREATE (?:UNIQUE )?INDEX", script)) >= 20
    assert find_uncommented_indexes(script) == []


def test_an_index_without_a_comment_is_found() -> None:
    bare = "CREATE INDEX b_idx ON mem.t (b);"
    assert find_uncommented_indexes(f"-- t.find_a\nCREATE INDEX a_idx ON mem.t (a);\n{bare}\n\nCREATE UNIQUE INDEX c_uq ON mem.t (c);") == [
        bare,
        "CREATE UNIQUE INDEX c_uq ON mem.t (c);",
    ]
