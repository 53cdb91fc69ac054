"""Parts of a matrix to scipy's, and rows weighed."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

from likely import _native
from likely.analysis.analyzer import thread_count

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Parts: TypeAlias = "tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]"
"""Values, columns and row starts, in scipy's order."""

PARTS = ("data", "indices", "indptr")
"""What scipy calls them."""


def csr_matrix(parts: Parts, columns: int, dtype: np.dtype[Any]) -> Any:
    """A ``scipy.sparse.csr_matrix`` of these parts, whose rows must be sorted."""
    values, indices, starts = parts
    if values.dtype != dtype:
        values = values.astype(dtype)
    if len(starts) == 2:
        return _one_row(values, indices, starts, columns)
    from scipy import sparse

    made = sparse.csr_matrix((values, indices, starts), shape=(len(starts) - 1, columns))
    made.has_canonical_format = True
    return made


def _one_row(values: npt.NDArray[Any], indices: npt.NDArray[Any], starts: npt.NDArray[Any], columns: int) -> Any:
    """As scipy would make it, after a row that it made: its checks take longer than counting a text."""
    kind, others = empty_row(columns)
    made = object.__new__(kind)
    for name, value in others:
        setattr(made, name, value)
    made.data, made.indices, made.indptr = values, indices, starts
    return made


@lru_cache(maxsize=16)
def empty_row(columns: int) -> tuple[type[Any], list[tuple[str, Any]]]:
    """The type of a matrix of one row, and all it knows besides its parts."""
    from scipy import sparse

    made = sparse.csr_matrix((1, columns))
    made.has_canonical_format = True
    return type(made), [(name, value) for name, value in vars(made).items() if name not in PARTS]


def weigh_rows(
    parts: Parts, factors: npt.NDArray[np.float64] | None, sublinear: bool, norm: str | None, threads: int | None
) -> None:
    """Weigh counts of float64 in place: logarithms, a factor a column, one length for all rows."""
    values, columns, starts = parts
    if factors is not None or sublinear or norm is not None:
        _native.weigh_rows(values, columns, starts, factors, sublinear, norm, thread_count(threads))
