"""An answer's reasons as a tree that a person can read: what each branch found, and where the memory comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.text import Text
from rich.tree import Tree

from api.cli.output import plain

TEXT_MAX: Final = 200
FOUND: Final = {"terms": "words", "entities": "names", "path": "way", "by": "by"}
"""Field of a branch -> what it is called."""


def explain(number: int, evidence: Mapping[str, Any]) -> Tree:
    """One piece of evidence of a search reply.

    Args:
        number: its place, from 1.
        evidence: as the reply has it, with `branches`.
    """
    memory = evidence["memory"]
    tree = Tree(Text(f"{number}. {_cut(memory['content'])}"))
    score = tree.add(Text(f"score {evidence['score']:.3f}" + ("" if evidence["current"] else ", an older version")))
    branches: Mapping[str, Mapping[str, Any]] = evidence["branches"] or {}
    for name, branch in sorted(branches.items(), key=lambda pair: -pair[1]["share"]):
        part = score.add(Text(f"{name} {branch['share']:.0%}, rank {branch['rank']}, {branch['raw']:.3f} by its own measure"))
        for field, label in FOUND.items():
            if branch.get(field):
                part.add(Text(f"{label}: {', '.join(plain(str(word)) for word in branch[field])}"))
    for modifier in evidence["modifiers"]:
        score.add(Text(f"{modifier['name'].replace('_', ' ')} times {modifier['factor']:.2f}"))
    if evidence["outcomes"]:
        tree.add(
            Text(
                "feedback: " + ", ".join(f"{count} times {name.replace('_', ' ')}" for name, count in sorted(evidence["outcomes"].items()))
            )
        )
    for source in evidence["sources"]:
        tree.add(Text(_source(source)))
    tree.add(Text(f"{memory['kind']} {memory['id']}, version {memory['version']}, {evidence['freshness']}, trust {memory['trust']}"))
    return tree


def explain_all(evidence: Sequence[Mapping[str, Any]]) -> list[Tree]:
    """Every piece, best first."""
    return [explain(number, each) for number, each in enumerate(evidence, 1)]


def _source(source: Mapping[str, Any]) -> str:
    where = plain(str(source["episode"])) if source["episode"] else "an unnamed episode"
    who = f"{plain(str(source['speaker']))} in " if source["speaker"] else ""
    when = f", {source['said_at']}" if source["said_at"] else ""
    return f"from {who}{where}, place {source['position']}{when}: {_cut(source['fragment'])}"


def _cut(text: str) -> str:
    shown = plain(text)
    return shown if len(shown) <= TEXT_MAX else shown[: TEXT_MAX - 1] + "…"
