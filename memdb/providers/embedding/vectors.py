"""Checks on what a model returned, and the average of pieces. Nothing that fails a check is ever returned or stored."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memdb.errors import DimensionMismatch, ProviderError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memdb.providers.embedding.base import Vector

Matrix = NDArray[np.float32]
"""Shape `(texts, dimension)`, float32."""


def require_unit_rows(raw: Matrix, count: int, dimension: int) -> Matrix:
    """Check a model's answer and scale each row to unit length.

    Returns:
        `(count, dimension)` float32, rows of unit length, order kept.

    Raises:
        ProviderError: another number of rows, a number that is not finite, or a row of zeros.
        DimensionMismatch: rows of another length.
    """
    if raw.ndim != 2 or raw.shape[0] != count:
        raise ProviderError(f"the embedding provider returned {raw.shape[0] if raw.ndim else 0} vectors for {count} texts")
    if raw.shape[1] != dimension:
        raise DimensionMismatch(
            f"the embedding provider returned vectors of dimension {raw.shape[1]}, this space has {dimension}; "
            "set the model back, or re-embed into a new space"
        )
    wide = raw.astype(np.float64)
    if not np.isfinite(wide).all():
        raise ProviderError("the embedding provider returned a vector with numbers that are not finite")
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    if not (norms > 0).all():
        raise ProviderError("the embedding provider returned a vector of zeros")
    rows: Matrix = (wide / norms).astype(np.float32)
    return rows


def average(rows: Matrix, weights: Sequence[int]) -> Vector:
    """Average unit rows `(pieces, dimension)` by weight and scale to unit length.

    Raises:
        ProviderError: the pieces cancel out.
    """
    if len(rows) == 1:
        only: Vector = rows[0].copy()
        return only
    mean = np.average(rows.astype(np.float64), axis=0, weights=np.asarray(weights, dtype=np.float64))
    scaled: Vector = require_unit_rows(mean[np.newaxis, :].astype(np.float32), 1, rows.shape[1])[0]
    return scaled
