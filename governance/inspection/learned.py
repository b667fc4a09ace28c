"""The learned screen: a linear model over hashed features, trained by `python -m benchmarks.injection_training`, scored with numpy.

It reads what no list of phrases foresees. It is a guess, so its score stays below what policy takes for a plain attack.
"""

from __future__ import annotations

import io
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

import numpy as np

from governance.inspection.features import BUCKETS, features, stretches, words_of
from governance.inspection.signals import Signal, SignalCode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from governance.inspection.folding import Folded

FILE: Final = "learned.npz"
SCORE_MIN: Final = 0.5  # below it nothing is reported; where that lies on the model's scale is part of its file
SCORE_MAX: Final = 0.79  # a guess alone holds nobody's memory who is trusted: see HIGH in governance/policy/rules.py


@dataclass(frozen=True, slots=True)
class Model:
    """`weights` is int8, one for each bucket, in units of `scale`; a stretch is suspect when its sum plus `bias` is above 0."""

    weights: NDArray[np.int8]
    scale: float
    bias: float

    def judge(self, text: str) -> list[tuple[int, int, float]]:
        """Return start, end and margin of every stretch of a folded text; above 0 is suspect, the scale that of log odds."""
        words = words_of(text)
        found = features(text, words)
        size = len(text) + 1
        gains = np.cumsum(np.bincount(found.places + 1, self.weights[found.buckets] * (self.scale * found.values), size))
        masses = np.cumsum(np.bincount(found.places + 1, found.values, size))
        return [
            (start, end, float(gains[end] - gains[start]) / math.sqrt(masses[end] - masses[start]) + self.bias)
            for start, end in stretches(text, words)
        ]

    def to_bytes(self) -> bytes:
        """The file, the same bytes for the same model."""
        file = io.BytesIO()
        np.savez(file, weights=self.weights, scale=np.float64(self.scale), bias=np.float64(self.bias))
        return file.getvalue()


@cache
def packaged_model() -> Model:
    """The model of this release; read once."""
    with np.load(io.BytesIO((files("governance.inspection") / FILE).read_bytes()), allow_pickle=False) as file:
        model = Model(file["weights"], float(file["scale"]), float(file["bias"]))
    assert model.weights.shape == (BUCKETS,), "the model file belongs to other features"
    return model


def find_learned(folded: Folded, model: Model | None = None) -> Iterator[Signal]:
    """Yield a signal for each stretch that reads like an order to an agent; `score` 0.5 to 0.79."""
    for start, end, margin in (model or packaged_model()).judge(folded.text):
        if margin > 0:
            score = SCORE_MIN + (SCORE_MAX - SCORE_MIN) * math.tanh(margin / 2)
            yield Signal(SignalCode.LEARNED, score, *folded.original_span(start, end))
