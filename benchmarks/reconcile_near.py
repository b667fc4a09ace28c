"""Which statements are linked as similar, at which cosine: what people call the same should be, what they call different should not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from rich.table import Table

from memdb.formation.neighbours import SIMILARITY_MIN
from memdb.providers.embedding.registry import open_embedder
from memdb.providers.embedding.settings import EmbeddingSettings

if TYPE_CHECKING:
    from rich.console import Console

    from benchmarks.reconcile import Pair
    from memdb.providers.embedding.base import Vector

STEPS: Final = (0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
DIFFERENT_LINKED_MOST: Final = 0.05
"""The rule by which the bound was taken from the table: of the pairs that people call different at most one in twenty is linked."""
_BATCH: Final = 64


async def similarities(pairs: Sequence[Pair]) -> list[float]:
    """The cosine of each pair, with the embedding that the product brings along."""
    embedder = await open_embedder(EmbeddingSettings())
    try:
        texts = sorted({text for pair in pairs for text in (pair.one, pair.other)})
        vectors: dict[str, Vector] = {}
        for start in range(0, len(texts), _BATCH):
            some = texts[start : start + _BATCH]
            vectors |= {text: one.vector for text, one in zip(some, await embedder.embed_documents(some), strict=True)}
    finally:
        await embedder.aclose()
    return [float(vectors[pair.one] @ vectors[pair.other]) for pair in pairs]


Shares = dict[str, dict[str, dict[str, float]]]


def shares(pairs: Sequence[Pair], found: Sequence[float]) -> Shares:
    """Group -> expected -> bound -> share of the pairs at or above it, 0..1, four places."""
    alike: dict[tuple[str, str], list[float]] = {}
    for pair, similarity in zip(pairs, found, strict=True):
        alike.setdefault((pair.group, pair.expected), []).append(similarity)
    result: Shares = {}
    for (group, expected), values in alike.items():
        result.setdefault(group, {})[expected] = {str(bound): share_linked(values, bound) for bound in sorted({*STEPS, SIMILARITY_MIN})}
    return result


def share_linked(found: Sequence[float], bound: float) -> float:
    """Share at or above a bound; 0 of none."""
    return round(sum(one >= bound for one in found) / len(found), 4) if found else 0.0


def least_bound(pairs: Sequence[Pair], found: Sequence[float]) -> float | None:
    """The least of STEPS at which no more of the pairs that should stay two are linked than was wanted; None if there is none."""
    different = [one for pair, one in zip(pairs, found, strict=True) if pair.expected == "ADD"]
    return next((bound for bound in STEPS if share_linked(different, bound) <= DIFFERENT_LINKED_MOST), None)


def measure_near(sets: Mapping[str, Sequence[Pair]], found: Mapping[str, Sequence[float]]) -> dict[str, object]:
    """The shares that are linked at the product's bound, by set and expectation."""
    headline: dict[str, object] = {}
    for name, pairs in sets.items():
        for expected in sorted({pair.expected for pair in pairs}):
            of_kind = [one for pair, one in zip(pairs, found[name], strict=True) if pair.expected == expected]
            headline[f"similar_{name}_{expected.lower()}"] = share_linked(of_kind, SIMILARITY_MIN)
    return headline


def show_near(table: Shares, console: Console) -> None:
    """A table for a person."""
    shown = Table(title="share linked as similar, by the least cosine", title_justify="left", header_style="bold")
    for column in ("set", "expected", *map(str, STEPS)):
        shown.add_column(column, justify="left" if column in {"set", "expected"} else "right", no_wrap=True)
    for group, rows in table.items():
        for expected, linked in sorted(rows.items()):
            shown.add_row(group, expected, *(f"{linked[str(bound)]:.3f}" for bound in STEPS))
    console.print(shown)
