"""Files of an export: names that are safe anywhere, and nothing overwritten that is not ours."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.cli.people_cards import FIRST_LINE, file_name, write_folder
from governance.errors import InvalidInput
from retrieval.people.notes import MARK

ID, OTHER = "01980000-0000-7000-8000-0000000000c1", "01980000-0000-7000-8000-0000000000c2"
TEXT = f"{MARK}{ID}, memories: 3 -->\n# Ana\n"


@given(st.none() | st.text(max_size=300))
def test_a_file_name_is_one_plain_name(name: str | None) -> None:
    made = file_name(ID, name)
    assert Path(made).name == made
    assert set(made) <= set("abcdefghijklmnopqrstuvwxyz0123456789-.")
    assert made.endswith(f"{ID}.md")
    assert len(made) < 120
    assert not made.startswith((".", "-"))


def test_the_first_line_is_that_of_the_server() -> None:
    found = FIRST_LINE.match(TEXT)
    assert found is not None
    assert (found["id"], found["count"]) == (ID, "3")


def test_own_files_are_replaced_and_are_private(tmp_path: Path) -> None:
    path = write_folder(tmp_path, ID, "Ana", TEXT)
    assert write_folder(tmp_path, ID, "Ana", TEXT + "more\n") == path
    assert path.read_text() == TEXT + "more\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("there", ["my own notes\n", "", f"{MARK}{OTHER}, memories: 3 -->\n", "\ufffd\x00"])
def test_a_foreign_file_is_left_alone(tmp_path: Path, there: str) -> None:
    path = tmp_path / file_name(ID, "Ana")
    path.write_text(there)
    with pytest.raises(InvalidInput, match="no file of this command"):
        write_folder(tmp_path, ID, "Ana", TEXT)
    assert path.read_text() == there


def test_a_link_or_a_folder_in_its_place_is_left_alone(tmp_path: Path) -> None:
    target = tmp_path / "target.md"
    target.write_text(TEXT)
    (tmp_path / file_name(ID, "Ana")).symlink_to(target)
    (tmp_path / file_name(ID, "Bia")).mkdir()
    for name in ("Ana", "Bia"):
        with pytest.raises(InvalidInput):
            write_folder(tmp_path, ID, name, TEXT + "more")
    assert target.read_text() == TEXT
