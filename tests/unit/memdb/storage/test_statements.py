"""Named statements: what is read, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memdb.errors import ConfigurationError
from memdb.storage.schema_file import read_schema
from memdb.storage.statements import Statement, load, numbered, parse, split, strip_comments

if TYPE_CHECKING:
    from pathlib import Path

TWO = """-- Statements of a test.

-- name: find_one
-- One row by key.
--   Second line.
SELECT t.a, '-- name: not_one' AS trap -- a remark
  FROM mem.t t
 WHERE t.org_id = :org_id AND t.id = CAST(:id AS uuid);

-- name: add_one
-- Adds a row.
INSERT INTO mem.t (a) VALUES (:a)
"""


def test_statements_are_read_with_name_description_and_sql() -> None:
    find, add = parse(TWO, "two.sql")
    assert find.name == "find_one"
    assert find.description == "One row by key. Second line."
    assert find.sql.startswith("SELECT t.a, '-- name: not_one' AS trap")
    assert find.sql.endswith("CAST(:id AS uuid)")
    assert add == Statement("add_one", "Adds a row.", "INSERT INTO mem.t (a) VALUES (:a)")


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("SELECT 1;\n-- name: a\n-- Description.\nSELECT 1", "before the first"),
        ("SELECT 1", "before the first"),
        ("-- name: a\nSELECT 1", "a has no description"),
        ("-- name: a\n--\nSELECT 1", "a has no description"),
        ("-- name: a\n\n-- Detached.\nSELECT 1", "a has no description"),
        ("-- name: a\n-- Description.\n", "a holds 0 statements"),
        ("-- name: a\n-- Description.\nSELECT 1; SELECT 2", "a holds 2 statements"),
        ("-- name: A b\n-- Description.\nSELECT 1", "'A b' is no statement name"),
        ("-- name:\n-- Description.\nSELECT 1", "'' is no statement name"),
    ],
)
def test_a_malformed_file_is_refused_by_name(script: str, complaint: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^x\.sql: ") as caught:
        list(parse(script, "x.sql"))
    assert complaint in caught.value.message


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / f"statements_of_{tmp_path.name}"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    return folder


def test_a_folder_is_read_whole_and_cannot_be_changed(package: Path) -> None:
    (package / "b.sql").write_text(TWO)
    (package / "a.sql").write_text("-- name: first\n-- Of all.\nSELECT 1")
    (package / "notes.txt").write_text("no SQL")
    found = load(package.name)
    assert list(found) == ["first", "find_one", "add_one"]
    with pytest.raises(TypeError):
        found["first"] = found["add_one"]  # type: ignore[index]  # the point of the test


def test_a_name_given_twice_is_refused_across_files(package: Path) -> None:
    (package / "a.sql").write_text(TWO)
    (package / "b.sql").write_text("-- name: add_one\n-- Again.\nSELECT 1")
    with pytest.raises(ConfigurationError, match=r"b\.sql: a second statement is called add_one"):
        load(package.name)


def test_a_folder_without_statements_is_refused(package: Path) -> None:
    with pytest.raises(ConfigurationError, match="no named statement"):
        load(package.name)


def test_dollar_quotes_and_strings_stay_whole() -> None:
    body = "CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$\nBEGIN\n  PERFORM 1; -- one; two\n  IF true THEN PERFORM ';'; END IF;\nEND\n$$;"
    tagged = "DO $do$ BEGIN PERFORM $q$a;b$q$; END $do$;"
    assert split(f"-- head; of all\n{body}\n\n/* ; */\n{tagged}\n-- tail;\nSELECT 'a;''b', \"c;d\";") == [
        f"-- head; of all\n{body}",
        f"/* ; */\n{tagged}",
        "-- tail;\nSELECT 'a;''b', \"c;d\";",
    ]


@pytest.mark.parametrize("nothing", ["", " \n", ";", "-- only a comment; really\n", "/* a; b */;\n--c"])
def test_what_is_only_comment_is_no_statement(nothing: str) -> None:
    assert split(nothing) == []


PIECES = st.sampled_from(
    ["SELECT 1", "SELECT 'a;b -- c'", "DO $$ BEGIN PERFORM 1; END $$", 'SELECT 1 AS "x;y"', "SELECT $q$;$q$", "INSERT INTO t VALUES (1)"]
)
COMMENTS = st.sampled_from(["", "-- a; comment\n", "/* an; other */ ", "\n\n"])


@given(st.lists(st.tuples(COMMENTS, PIECES), max_size=8))
def test_as_many_statements_come_out_as_went_in(parts: list[tuple[str, str]]) -> None:
    script = "".join(f"{comment}{piece};\n" for comment, piece in parts)
    assert [strip_comments(found).strip().removesuffix(";") for found in split(script)] == [piece for _, piece in parts]


def test_schema_sql_comes_apart_into_single_statements() -> None:
    # The dull way: outside dollar quotes, a statement of schema.sql ends where a line ends with a semicolon.
    outside = read_schema().split("$$")[::2]
    ends = sum(line.rstrip().endswith(";") and not line.lstrip().startswith("--") for part in outside for line in part.splitlines())
    pieces = split(read_schema())
    assert len(pieces) == ends
    assert all(strip_comments(piece).strip().endswith(";") for piece in pieces)


def test_a_snippet_is_put_in_and_is_no_statement(package: Path) -> None:
    (package / "a.sql").write_text("-- name: find_one\n-- One row.\nSELECT 1 FROM mem.{table} s WHERE {visible} AND s.a = :a")
    (package / "b.sql").write_text("-- snippet: visible\n-- What a row has to be.\nNOT s.hidden\n  AND s.b IS NULL")
    found = load(package.name)
    assert list(found) == ["find_one"]
    assert found["find_one"].sql == "SELECT 1 FROM mem.{table} s WHERE NOT s.hidden\n  AND s.b IS NULL AND s.a = :a"


def test_a_snippet_that_nothing_uses_is_refused(package: Path) -> None:
    (package / "a.sql").write_text(TWO)
    (package / "b.sql").write_text("-- snippet: visible\n-- What a row has to be.\nNOT s.hidden")
    with pytest.raises(ConfigurationError, match="no statement uses the snippet visible"):
        load(package.name)


def test_a_parameter_has_one_number_however_often_it_stands() -> None:
    statement, names = numbered("SELECT :b, CAST(:a AS uuid[]), :b, '%' WHERE x::text LIKE :c")
    assert names == ("b", "a", "c")
    assert statement == b"SELECT $1, CAST($2 AS uuid[]), $1, '%' WHERE x::text LIKE $3"
