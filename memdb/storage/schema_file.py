"""Where schema.sql and its upgrades are: inside an installed package, or at the root of a checkout."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from memdb.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Mapping

SCHEMA_VERSION = 19
"""The version that schema.sql makes and that this release serves."""

_UPGRADE = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True, slots=True)
class Upgrade:
    """One numbered file; it leads from `version - 1` to `version`."""

    version: int
    name: str
    script: str


@dataclass(frozen=True, slots=True)
class SchemaSource:
    """schema.sql of one version, and the upgrades that lead to the same version from older ones, in order."""

    version: int
    script: str
    upgrades: tuple[Upgrade, ...]

    def upgrades_after(self, version: int) -> tuple[Upgrade, ...]:
        """What is left to apply to a database of that version."""
        return tuple(upgrade for upgrade in self.upgrades if upgrade.version > version)


def read_schema() -> str:
    """The text of schema.sql.

    Raises:
        ConfigurationError: it is neither in the package nor at the root of the checkout.
    """
    packaged = files("memdb") / "schema.sql"
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    # An editable install: the file keeps its place at the root, beside the packages.
    beside = Path(__file__).resolve().parents[2] / "schema.sql"
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    raise ConfigurationError("schema.sql is missing from the installation; install memdb-server again")


def load_source() -> SchemaSource:
    """What this release applies."""
    scripts = {
        entry.name: entry.read_text(encoding="utf-8")
        for entry in files("memdb.storage.migrations").iterdir()
        if entry.name.endswith(".sql")
    }
    return make_source(SCHEMA_VERSION, read_schema(), scripts)


def make_source(version: int, script: str, upgrades: Mapping[str, str]) -> SchemaSource:
    """Order upgrades by number and refuse gaps.

    Args:
        version: what `script` makes from an empty database.
        script: schema.sql.
        upgrades: file name (`NNNN_<what>.sql`) -> text.

    Raises:
        ConfigurationError: a name without a number, a gap, a number given twice, or a last number other than `version`.
    """
    found: list[Upgrade] = []
    for name, text in sorted(upgrades.items()):
        match = _UPGRADE.fullmatch(name)
        if match is None:
            raise ConfigurationError(f"{name}: an upgrade is called NNNN_<what>.sql")
        found.append(Upgrade(int(match[1]), name, text))
    for earlier, later in pairwise(found):
        if later.version != earlier.version + 1:
            raise ConfigurationError(f"{later.name} must follow {earlier.name} by one")
    if found and found[-1].version != version:
        raise ConfigurationError(f"{found[-1].name} is the last upgrade, but schema.sql is version {version}")
    return SchemaSource(version, script, tuple(found))
