"""The value of a term in a document: v_t of the linear form, before it is multiplied by idf."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.formulas import term_frequency

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array


def term_values(occurrences: npt.NDArray[np.generic], value: str) -> Array:
    """The value of each term, from how often it occurs in its document.

    Examples
    --------
    >>> occurrences = np.array([1, 3])
    >>> [term_values(occurrences, value) for value in ("count", "presence", "damped")]
    [array([1., 3.]), array([1., 1.]), array([1.        , 2.09861229])]
    """
    if value == "presence":
        return np.ones(len(occurrences))
    return term_frequency(occurrences.astype(np.float64), sublinear=value == "damped")
