"""What a project's file may say of its memory, and the line that a mistake is told with."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from api.cli.project_config import BYTES_MAX, read_enabled
from governance.policy.memory_rules import EXTRACTIONS
from memdb.errors import ConfigurationError


def write(folder: Path, content: str | bytes) -> Path:
    file = folder / "project-config.yaml"
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return file


@pytest.mark.parametrize(
    ("content", "enabled"),
    [
        ("memory:\n  extraction:\n    enabled: [semantic, episodic, procedural, taxonomic]\n", EXTRACTIONS),
        ("memory:\n  extraction:\n    enabled:\n      - taxonomic\n      - semantic\n", ("semantic", "taxonomic")),
        ('{"memory": {"extraction": {"enabled": ["episodic"]}}}', ("episodic",)),
        ("# of this project\nmemory:\n  extraction:\n    enabled: []\n", ()),
        ("memory:\n  extraction:\n    enabled: null\n", None),
    ],
)
def test_the_kinds_are_read_in_their_order(tmp_path: Path, content: str, enabled: tuple[str, ...] | None) -> None:
    assert read_enabled(write(tmp_path, content)) == enabled


@given(st.lists(st.sampled_from(EXTRACTIONS), unique=True), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_list_of_kinds_in_any_style_is_read(tmp_path: Path, kinds: list[str], flow: bool) -> None:
    content = yaml.safe_dump({"memory": {"extraction": {"enabled": kinds}}}, default_flow_style=flow)
    assert read_enabled(write(tmp_path, content)) == tuple(kind for kind in EXTRACTIONS if kind in kinds)


@pytest.mark.parametrize(
    ("content", "line", "told"),
    [
        ("", 1, "memory.extraction.enabled is missing"),
        ("# nothing\n", 1, "memory.extraction.enabled is missing"),
        ("memory:\n", 1, "memory must hold extraction"),
        ("memory: {}\n", 1, "memory.extraction is missing"),
        ("memory:\n  extraction:\n    {}\n", 3, "memory.extraction.enabled is missing"),
        ("\nmemory:\n  extraction:\n    enabled:\n", 4, "must be a list of kinds"),
        ("memory:\n  extraction:\n    enabled: semantic\n", 3, "must be a list of kinds"),
        ("memory:\n  extraction:\n    enabled: true\n", 3, "must be a list of kinds"),
        ("memory:\n  extraction:\n    enabled: !!python/tuple [semantic]\n", 3, "must be a list of kinds"),
        ("memory: !thing\n  extraction:\n    enabled: [semantic]\n", 1, "memory must hold extraction"),
        ("memory:\n  extraction:\n    enabled:\n      - semantic\n      - sematic\n", 5, "lists kinds of semantic, episodic"),
        ("memory:\n  extraction:\n    enabled: [semantic, working]\n", 3, "lists kinds of"),
        ("memory:\n  extraction:\n    enabled: [semantic,\n      Episodic]\n", 4, "lists kinds of"),
        ("memory:\n  extraction:\n    enabled: [semantic, [episodic]]\n", 3, "lists kinds of"),
        ("memory:\n  extraction:\n    enabled: [semantic, null]\n", 3, "lists kinds of"),
        ("memory:\n  extraction:\n    enabled:\n      - semantic\n      - episodic\n      - semantic\n", 6, "lists semantic twice"),
        ("memory:\n  extraction:\n    enabled: []\n    enabld: []\n", 4, "unknown key memory.extraction.enabld"),
        ("memory:\n  extraction:\n    enabled: []\n    enabled: []\n", 4, "memory.extraction.enabled stands there twice"),
        ("memory:\n  extraction:\n    enabled: []\nredaction: {}\n", 4, "unknown key redaction"),
        ("memory:\n  extraction:\n    enabled: []\n  12: x\n", 4, "unknown key memory.12"),
        ("memory:\n  extraction:\n    enabled: []\n  ? [a, b]\n  : x\n", 4, "a key of memory is no name"),
        ("- memory\n", 1, "the file must hold memory"),
        ("memory:\n  extraction: *nowhere\n", 2, "not YAML"),
        ("memory:\n  extraction: [\n", 3, "not YAML"),
        ("memory:\n\textraction: x\n", 2, "not YAML"),
        ("memory:\n  extraction:\n    enabled: []\n---\nmemory: {}\n", 4, "not YAML"),
        (b"memory:\n  # caf\xe9\n", 2, "not UTF-8"),
        ("memory:\n  extraction:\n    enabled: &a [*a]\n", 3, "memory.extraction.enabled"),
        ("#" * (BYTES_MAX + 1), 1, "more than"),
        ("[" * 5_000, 1, "not YAML"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, content: str | bytes, line: int, told: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_enabled(write(tmp_path, content))
    assert caught.value.message.startswith(f"project-config.yaml, line {line}: ")
    assert told in caught.value.message


def test_a_file_that_is_not_there_is_told_by_its_name(tmp_path: Path) -> None:
    for missing in (tmp_path / "project-config.yaml", tmp_path):
        with pytest.raises(ConfigurationError, match="cannot be read"):
            read_enabled(missing)


def test_a_value_cannot_steer_the_terminal(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_enabled(write(tmp_path, '"\\e[2Jmemory": {}\n'))
    assert "\x1b" not in caught.value.message
