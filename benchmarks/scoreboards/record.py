"""What each board prints of what it measured, and its gates."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.harness import environment
from benchmarks.scoreboards.product import ROOT, Org, Product


@dataclass(slots=True)
class Board:
    """Figures of a board, and what is asked of them: gate -> why it is missed, None where it is met."""

    name: str
    about: dict[str, object]
    figures: dict[str, Any] = field(default_factory=dict)
    gates: dict[str, str | None] = field(default_factory=dict)

    def gate(self, name: str, *, met: bool, missed: object = "") -> None:
        """Ask for something; `missed` says what was found instead."""
        self.gates[name] = None if met else str(missed) or "missed"

    @property
    def passed(self) -> bool:
        """Whether every gate is met."""
        return all(why is None for why in self.gates.values())

    def write(self, folder: Path) -> Path:
        """The whole as JSON, in a file named after the board."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.name}.json"
        whole = {"passed": self.passed, "gates": self.gates, "about": self.about, **self.figures, "environment": environment()}
        path.write_text(json.dumps(whole, indent=2, default=str) + "\n", encoding="utf-8")
        return path

    def show(self) -> None:
        """Gates for a person; the lines of the board stand before them."""
        for name, why in self.gates.items():
            print(f"  {'met   ' if why is None else 'MISSED'}  {name}" + ("" if why is None else f": {why}"))


def describe(product: Product, org: Org, suite: Mapping[str, object]) -> dict[str, object]:
    """What was measured: suite, product and its policy in force."""
    effective = product.run_as(org.admin_key, "policy", "show", "--effective")
    if effective.code != 0:
        raise RuntimeError("memdb policy show failed")
    details = org.admin.get("/readyz")["details"]
    return {
        "suite": dict(suite),
        "commit": commit(),
        "policy": {"version": org.admin.get("/v1/admin/policy")["version"], "sha256": hashlib.sha256(effective.text.encode()).hexdigest()},
        "embedder": details["space"],
        "postgres": details["postgres"],
    }


def commit() -> str:
    """The commit of the product, with `+` where files differ from it."""

    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603, S607 - git of this machine
        return done.stdout.strip()

    return (git("rev-parse", "--short=12", "HEAD") or "unknown") + ("+" if git("status", "--porcelain") else "")
