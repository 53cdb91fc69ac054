"""The weights of documents (``sample_weight``), checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.errors import LengthError, WeightError

if TYPE_CHECKING:
    from likely.types import Array, Mask

LEAST_WEIGHT = _native.LEAST_WEIGHT
"""The smallest weight of a document above 0: weights are summed as multiples of it."""
LEAST_DIVIDED = 2.0**-32
"""The smallest weight above 0 if it is divided between the terms of a document: each gets at least `LEAST_WEIGHT`."""


def check_weights(weights: object, documents: int | None = None, *, divided: bool = False) -> Array:
    """The weights of documents as an array; ``WeightError`` names the first one that is not allowed.

    ``divided`` says that the weight of a document is divided between its terms (``document_weight='equal'``).
    """
    plain = weights if hasattr(weights, "__array__") else list(weights) if isinstance(weights, Iterable) else weights
    try:
        array = np.asarray(plain)
        numbers = array.astype(np.float64) if array.dtype.kind in "biufO" else None
    except (TypeError, ValueError, OverflowError):
        numbers = None
    if numbers is None or isinstance(weights, Mapping | Set):
        raise WeightError(
            f"sample_weight is of type {type(weights).__name__}, not a sequence of numbers: give one per document"
        )
    if documents is not None and numbers.shape != (documents,):
        raise LengthError(
            f"sample_weight has the shape {numbers.shape}, but there are {documents} documents: give one per document"
        )
    bad = ~are_allowed(numbers, divided=divided)
    if bad.any():
        shown = "2^-32" if divided else "2^-64"
        row = int(bad.argmax())
        where = " with document_weight='equal'" if divided else ""
        raise WeightError(
            f"the weight {numbers[row]} in row {row + 1} is not allowed{where}: a weight must be 0, or from {shown} "
            "to below 2^64"
        )
    return np.ascontiguousarray(numbers)


def are_allowed(numbers: Array, *, divided: bool) -> Mask:
    """Whether each of these weights of documents is allowed.

    Examples
    --------
    >>> are_allowed(np.array([0.0, 2.0, -1.0, np.nan]), divided=False)
    array([ True,  True, False, False])
    """
    least = LEAST_DIVIDED if divided else LEAST_WEIGHT
    allowed: Mask = (numbers == 0) | ((numbers >= least) & (numbers < 2.0**64))
    return allowed
