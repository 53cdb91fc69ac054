"""What is certain about an expression whose numbers are only known to lie between bounds."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.types import Array, Mask


class Bounds(NamedTuple):
    """The least and the largest values that numbers may have: one element per text, or one for all."""

    low: Array | float
    high: Array | float


class Certain(NamedTuple):
    """Whether something is certainly true, and whether it is certainly false: one element per text.

    Examples
    --------
    >>> import numpy as np
    >>> some = Certain(np.array([True, False, False]), np.array([False, True, False]))
    >>> some.is_open()
    array([False, False,  True])
    """

    yes: Mask
    no: Mask

    def is_open(self) -> Mask:
        """Whether it may be true or false."""
        found: Mask = ~(self.yes | self.no)
        return found


def opposite(part: Certain) -> Certain:
    """What is certain about the opposite."""
    return Certain(part.no, part.yes)


def all_of(parts: Iterable[Certain]) -> Certain:
    """What is certain about parts of which all must be true."""
    return reduce(lambda one, other: Certain(one.yes & other.yes, one.no | other.no), parts)


def any_of(parts: Iterable[Certain]) -> Certain:
    """What is certain about parts of which one must be true."""
    return reduce(lambda one, other: Certain(one.yes | other.yes, one.no & other.no), parts)


def _is_less(left: Bounds, right: Bounds) -> Certain:
    return Certain(np.less(left.high, right.low), np.greater_equal(left.low, right.high))


def _is_equal(left: Bounds, right: Bounds) -> Certain:
    apart = np.less(left.high, right.low) | np.greater(left.low, right.high)
    is_known = np.equal(left.low, left.high) & np.equal(right.low, right.high)
    return Certain(is_known & np.equal(left.low, right.low), apart)


COMPARED: dict[str, Callable[[Bounds, Bounds], Certain]] = {
    "<": _is_less,
    ">": lambda left, right: _is_less(right, left),
    "<=": lambda left, right: opposite(_is_less(right, left)),
    ">=": lambda left, right: opposite(_is_less(left, right)),
    "==": _is_equal,
    "!=": lambda left, right: opposite(_is_equal(left, right)),
}
"""What is certain about a comparison, by its sign.

Examples
--------
>>> COMPARED[">="](Bounds(np.array([0.7, 0.9]), np.array([0.9, 1.0])), Bounds(0.8, 0.8))
Certain(yes=array([False,  True]), no=array([False, False]))
"""
