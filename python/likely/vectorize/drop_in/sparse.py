"""Sparse matrices in parts, as the kernel makes them, to those of scipy; and the weighting of their rows."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.core.analyzer import thread_count

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from likely.types import Array, Indices
    from likely.vectorize.drop_in.parameters import Norm

Values: TypeAlias = npt.NDArray[np.int64] | npt.NDArray[np.float64]
Parts: TypeAlias = "tuple[Values, Indices, Indices]"
"""The values, the column of each value, and where each row starts, in scipy's order."""

PARTS = ("data", "indices", "indptr")
"""The names that scipy gives to these parts."""


def scipy_matrix(parts: Parts, columns: int, dtype: np.dtype[np.generic]) -> csr_matrix:
    """A ``scipy.sparse.csr_matrix`` of these parts; the columns of each row must be sorted."""
    found, indices, starts = parts
    values = found if found.dtype == dtype else found.astype(dtype)
    if len(starts) == 2:
        return _one_row(values, indices, starts, columns)
    from scipy import sparse

    made = sparse.csr_matrix((values, indices, starts), shape=(len(starts) - 1, columns))
    made.has_canonical_format = True
    return made


def _one_row(values: npt.NDArray[np.generic], indices: Indices, starts: Indices, columns: int) -> csr_matrix:
    """A matrix of one row, made without scipy's checks: these take longer than the counting of one text."""
    kind, others = empty_row(columns)
    made = object.__new__(kind)
    for name, value in others:
        setattr(made, name, value)
    made.data, made.indices, made.indptr = values, indices, starts
    return made


@lru_cache(maxsize=16)
def empty_row(columns: int) -> tuple[type[csr_matrix], list[tuple[str, object]]]:
    """The type of a matrix of one row, and its attributes besides the parts, as scipy makes them."""
    from scipy import sparse

    made = sparse.csr_matrix((1, columns))
    made.has_canonical_format = True
    return type(made), [(name, value) for name, value in vars(made).items() if name not in PARTS]


def weigh_rows(parts: Parts, factors: Array | None, sublinear: bool, norm: Norm, threads: int | None) -> None:
    """Weigh counts of float64 in place: take logarithms, multiply columns by factors, scale rows to length 1."""
    if factors is not None or sublinear or norm is not None:
        _native.weigh_rows(parts, factors, sublinear, norm, thread_count(threads))
