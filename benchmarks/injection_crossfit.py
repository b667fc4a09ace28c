"""The learned screen on texts that it was not trained on: by families in folds, and with one set left out. The rules stay as they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

from benchmarks.injection_sets import Sample, families
from benchmarks.injection_training import Read, load_labelled, load_material, train
from governance.inspection.learned import Model

FOLDS: Final = 4


def fold_models(root: Path, *, by_set: bool) -> Iterator[tuple[list[Sample], Model]]:
    """Yield the samples of each test side and the model of its training side.

    Nothing of a test side's families is in the training side: no text, no pair, no template. Sets that are in no training (the ordinary
    memories, conversations) are to be judged by every model.

    Args:
        root: the folder of the data sets.
        by_set: leave one set out, rather than families in `FOLDS` folds.
    """
    material, labelled = load_material(root), load_labelled(root)
    samples = [sample for sample, _ in labelled]
    family = families(samples)
    sides = [sample.dataset if by_set else str(_fold(number)) for sample, number in zip(samples, family, strict=True)]
    for side in sorted(set(sides)):
        tested = [at for at, name in enumerate(sides) if name == side]
        yield [samples[at] for at in tested], train(material, _rest(labelled, family, tested))


def _fold(family: int) -> int:
    return int.from_bytes(sha256(str(family).encode()).digest()[:4], "big") % FOLDS


def _rest(labelled: Sequence[tuple[Sample, Read]], family: Sequence[int], tested: Sequence[int]) -> list[tuple[Sample, Read]]:
    taken = {family[at] for at in tested}
    return [one for at, one in enumerate(labelled) if family[at] not in taken]
