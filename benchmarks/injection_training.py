"""Trains the learned screen and writes its file.

    python -m benchmarks.injection_training --data DIR [--out FILE] [--check]

DIR holds the data sets as folders. `--check` writes nothing and fails unless the file has the same bytes. One thread, a fixed seed, int8
weights: the same data and versions give the same file. What is learned from is said in `benchmarks/injection_sets.py`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

import governance.inspection
from benchmarks.injection_sets import TEXT_CHARACTERS_MAX, Sample, attack_texts, load_samples, ordinary_texts
from governance.inspection.concealed import comments
from governance.inspection.decoding import decodings
from governance.inspection.features import BUCKETS, features, stretches, words_of
from governance.inspection.folding import fold
from governance.inspection.learned import FILE, Model

STRENGTH: Final = 25.0  # inverse of the regularisation
ATTACK_WEIGHT: Final = 2.0  # an attack missed costs as much as two false alarms
BENIGN_COPIES: Final = 3  # labelled benign texts are the nearest to attacks, and few
ROUNDS: Final = 2  # in the second a long attack is its most suspicious stretch alone
MARGIN: Final = 1.3  # log odds at which a stretch is reported; chosen for at most 2 % of the four hundred ordinary memories
_CLIP: Final = 8.0

Row: TypeAlias = "tuple[NDArray[np.int64], NDArray[np.float64]]"


@dataclass(frozen=True, slots=True)
class Read:
    """A text as the model sees it: a row for each of its stretches."""

    stretches: list[Row]


def read(text: str) -> Read:
    """Rows of a text and of what is concealed in it."""
    texts = [text, *(content for _, _, content in decodings(text)), *(content for _, _, content in comments(text))]
    return Read([row for one in texts for row in _rows(fold(one[:TEXT_CHARACTERS_MAX]).text)])


def _rows(text: str) -> list[Row]:
    words = words_of(text)
    found = features(text, words)
    order = np.argsort(found.places, kind="stable")
    places, buckets, values = found.places[order], found.buckets[order], found.values[order]
    bounds = [tuple(np.searchsorted(places, span)) for span in stretches(text, words)]
    return [(buckets[start:end], values[start:end]) for start, end in bounds if end > start]


def fit(attacks: Sequence[Read], benign: Sequence[Read]) -> Model:
    """Train on texts; of an attack one stretch is enough, of a benign text all are benign."""
    quiet = _matrix([row for text in benign for row in text.stretches])
    chosen = [max(text.stretches, key=lambda row: len(row[0])) for text in attacks if text.stretches]
    weights, bias = np.zeros(BUCKETS), 0.0
    for turn in range(ROUNDS):
        if turn:
            chosen = [max(text.stretches, key=lambda row: _margin(row, weights)) for text in attacks if text.stretches]
        loud = _matrix(chosen)
        labels = np.concatenate([np.ones(len(chosen)), np.zeros(quiet.shape[0])])
        model = LogisticRegression(C=STRENGTH, class_weight={1: ATTACK_WEIGHT, 0: 1.0}, max_iter=200)
        model.fit(sp.vstack([loud, quiet]), labels)
        weights, bias = model.coef_[0], float(model.intercept_[0])
    scale = _CLIP / 127
    return Model(np.clip(np.rint(weights / scale), -127, 127).astype(np.int8), scale, round(bias - MARGIN, 4))


def _margin(row: Row, weights: NDArray[np.float64]) -> float:
    return float(weights[row[0]] @ row[1] / np.sqrt(row[1].sum()))


def _matrix(rows: Sequence[Row]) -> Any:  # noqa: ANN401 - scipy's matrices have no types
    bounds = np.cumsum([0, *(len(buckets) for buckets, _ in rows)])
    values = np.concatenate([values / np.sqrt(values.sum()) for _, values in rows])
    matrix = sp.csr_matrix((values, np.concatenate([buckets for buckets, _ in rows]), bounds), shape=(len(rows), BUCKETS))
    matrix.sum_duplicates()
    return matrix


@dataclass(frozen=True, slots=True)
class Material:
    """What is in every training: texts of other purposes and sentences written for it."""

    attacks: list[Read]
    benign: list[Read]


def load_material(root: Path) -> Material:
    """Read it from the folders of the data sets."""
    return Material([read(text) for text in attack_texts()], [read(text) for text in ordinary_texts(root)])


def train(material: Material, samples: Sequence[tuple[Sample, Read]]) -> Model:
    """Fit on the material and on those of the samples whose label can be learned."""
    learnable = [(sample, text) for sample, text in samples if sample.learnable]
    attacks = [text for sample, text in learnable if sample.malicious]
    benign = [text for sample, text in learnable if not sample.malicious]
    with threadpool_limits(limits=1):
        return fit([*material.attacks, *attacks], [*material.benign, *benign * BENIGN_COPIES])


def load_labelled(root: Path) -> list[tuple[Sample, Read]]:
    """All labelled samples, in order of their folders."""
    return [(sample, read(sample.text)) for folder in sorted(root.glob("inj_*")) for sample in load_samples(folder)]


def main() -> None:
    """Command line."""
    packaged = Path(governance.inspection.__path__[0]) / FILE
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=packaged)
    parser.add_argument("--check", action="store_true", help="compare with the file instead of writing it")
    arguments = parser.parse_args()
    content = train(load_material(arguments.data), load_labelled(arguments.data)).to_bytes()
    if arguments.check:
        same = arguments.out.read_bytes() == content
        print("the same bytes" if same else "other bytes than the file's")
        sys.exit(not same)
    arguments.out.write_bytes(content)
    print(f"{arguments.out}: {len(content)} bytes")


if __name__ == "__main__":
    main()
