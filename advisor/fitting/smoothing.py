"""Means of cells made smooth: penalised least squares (Whittaker, 1923), then monotone."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def smooth(mean: Floats, weight: Floats, bend: float, apart: tuple[float, ...] = ()) -> Floats:
    """Smooth a table of means.

    Parameters
    ----------
    mean : float64 (..., k)
        Nan or anything where the weight is 0.
    weight : float64 (..., k)
        Observations in each cell.
    bend : float
        Penalty of squared second differences along the last axis, in observations: a run without
        observations is continued in a straight line.
    apart : tuple of float
        Penalties of squared differences of neighbours along each of the other axes.

    Returns
    -------
    float64 (..., k)
    """
    from scipy.sparse import diags_array
    from scipy.sparse.linalg import spsolve

    penalties = ((len(mean.shape) - 1, 2, bend), *((i, 1, p) for i, p in enumerate(apart)))
    matrix = diags_array(weight.ravel() + 1e-9)
    for axis, order, penalty in penalties:
        matrix = matrix + penalty * _roughness(mean.shape, axis, order)
    target = np.where(weight > 0, weight * np.nan_to_num(mean), 0.0).ravel()
    solved: Floats = spsolve(matrix.tocsc(), target).reshape(mean.shape)
    return solved


@cache
def _roughness(shape: tuple[int, ...], axis: int, order: int) -> Any:
    """The sparse matrix of the sum of squared differences of a raveled table along one axis."""
    from scipy.sparse import csr_array

    size = int(np.prod(shape))
    steps = np.diff(np.eye(size).reshape(*shape, size), n=order, axis=axis).reshape(-1, size)
    rows = csr_array(steps)
    return rows.T @ rows


def rising(table: Floats) -> Floats:
    """Monotone along the last axis: the mean of the least table above and the greatest below."""
    above = np.maximum.accumulate(table, axis=-1)
    below = np.minimum.accumulate(table[..., ::-1], axis=-1)[..., ::-1]
    return (above + below) / 2
