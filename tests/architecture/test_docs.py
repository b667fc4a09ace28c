"""Every setting, route and command is described in `docs/`, and nothing that is gone. (Error codes: `test_errors.py`.)"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from importlib import import_module

import typer.core
import typer.main

from governance.redaction.entities import ENTITIES
from memdb.config import PREFIX, Settings
from tests.architecture.source import ROOT, kept_files

ROUTE = re.compile(r"\b(GET|HEAD|POST|PUT|PATCH|DELETE) (/[^\s`|?)]*)")
COMMAND = re.compile(r"^#+ `memdb(?P<name>(?: [a-z][a-z-]*)+)", re.MULTILINE)
FIGURE = re.compile(r"\bmemdb_[a-z_]+\b")
SETTING = re.compile(rf"\b{PREFIX}[A-Z][A-Z0-9_]*\b")


def document(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def settings() -> set[str]:
    return {PREFIX + name.upper() for name in Settings.model_fields}


def commands(command: object, prefix: str = "") -> set[str]:
    """Full names of the commands that do something; groups are not among them, hidden ones neither."""
    if not isinstance(command, typer.core.TyperGroup):
        return set() if getattr(command, "hidden", False) else {prefix.strip()}
    return {name for key, sub in command.commands.items() for name in commands(sub, f"{prefix} {key}")}


def test_settings_are_described() -> None:
    described = set(SETTING.findall(document("configuration.md")))
    assert settings() - described == set(), "missing in docs/configuration.md"


def test_no_text_names_a_setting_that_does_not_exist() -> None:
    texts = [p for p in kept_files() if p.suffix == ".md" or p.name in {"Makefile", "run"}]
    gone = {p.name: found for p in texts if (found := set(SETTING.findall(p.read_text(encoding="utf-8"))) - settings())}
    assert not gone


def test_settings_have_a_reason() -> None:
    assert not [name for name, field in Settings.model_fields.items() if len(field.description or "") < 10]


def test_routes_are_described_and_none_that_is_gone() -> None:
    described = set(ROUTE.findall(document("api.md")))
    assert described == set(import_module("api.access").ROUTES)


def test_entity_types_stand_under_their_default_action() -> None:
    rows = re.findall(r"^\| `(replace|pseudonymise|keep)`([^|]*)\|(.*)\|$", document("api.md"), re.MULTILINE)
    described = {(name, action, "secret" in aside) for action, aside, cells in rows for name in re.findall(r"`([A-Z_]+)`", cells)}
    assert described == {(str(entity), spec.default.value, spec.secret) for entity, spec in ENTITIES.items()}


def test_commands_have_a_heading_and_none_that_is_gone() -> None:
    existing = commands(typer.main.get_command(import_module("api.cli.commands").app))
    described = {found["name"].strip() for found in COMMAND.finditer(document("cli.md"))}
    assert described == existing


def test_figures_are_described_and_none_that_is_gone() -> None:
    nothing = import_module("memdb.sessions.learning").Figures(datetime.now(UTC), 0, None, (), {}, 0)
    text = import_module("api.metrics").Metrics(lambda: 0).render(nothing).decode()
    served = {name for name in re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE) if not name.endswith("_created")}
    (section,) = re.findall(r"^### `GET /metrics`\n(.*?)^## ", document("api.md"), re.MULTILINE | re.DOTALL)
    assert set(FIGURE.findall(section)) == served


def test_the_patterns_see_what_they_should() -> None:
    app = typer.Typer()
    group = typer.Typer()
    app.add_typer(group, name="org")
    app.command("up")(lambda: None)
    group.command("list")(lambda: None)
    group.command("create")(lambda: None)
    assert commands(typer.main.get_command(app)) == {"up", "org list", "org create"}
    assert [m["name"] for m in COMMAND.finditer("## `memdb org list --json`\n### `memdb up`\n")] == [" org list", " up"]
    assert ROUTE.findall("`GET /v1/memories/{memory_id}` | `POST /v1/memories:batch`") == [
        ("GET", "/v1/memories/{memory_id}"),
        ("POST", "/v1/memories:batch"),
    ]
    assert SETTING.findall("`MEMDB_PORT=0`") == ["MEMDB_PORT"]
