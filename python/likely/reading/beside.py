"""The columns beside text and label: the weights and the groups of rows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.errors import SourceError
from likely.reading.files.formats import NAMES
from likely.reading.remembered import has_names
from likely.terminal import counted, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.reading.batch import Batch, Reader
    from likely.reading.options import Reading
    from likely.types import Array

_LARGEST = 2.0**64
_SHOWN = 40
"""At most this many characters of a value are repeated in a message."""


def check_has_columns(reader: Reader, reading: Reading) -> None:
    """Raise ``SourceError`` if weights or groups are wanted of a source that has no columns of its own."""
    for option in ("weight", "group"):
        if getattr(reading, option) is not None and not has_names(reader):
            raise SourceError(
                f"{reader.where} is read as {NAMES[reader.format]}, which has no columns: leave out {option}=... "
                f"(--{option}), or give a table"
            )


@dataclass
class Tally:
    """How much the rows that were read weigh together, and in how many groups they are.

    Examples
    --------
    >>> str(Tally(2.5, {"ann", "bob"})), str(Tally())
    (' of weight 2.5 in 2 groups', '')
    """

    weight: float | None = None
    groups: set[str] | None = None

    def add(self, batch: Batch) -> None:
        """Count more rows."""
        if batch.weights is not None:
            self.weight = (self.weight or 0.0) + float(batch.weights.sum())
        if batch.groups is not None:
            self.groups = self.groups or set()
            self.groups.update(batch.groups)

    def __str__(self) -> str:
        weight = "" if self.weight is None else f" of weight {self.weight:,.6g}"
        return weight + ("" if self.groups is None else f" in {counted(len(self.groups), 'group')}")


def read_weights(values: Sequence[object] | Array) -> tuple[Array, dict[int, str]]:
    """The weight of each row, and, by its place, the problem of each row whose weight cannot be read.

    Examples
    --------
    >>> read_weights(["1", "0.5", "", "-1"])
    (array([1. , 0.5, 0. , 0. ]), {2: 'no weight', 3: "the weight '-1' is not a number >= 0"})
    """
    numbers = values if isinstance(values, np.ndarray) else np.array([_number(value) for value in values], np.float64)
    good = (numbers == 0) | ((numbers >= _native.LEAST_WEIGHT) & (numbers < _LARGEST))
    if good.all():
        return numbers, {}
    bad = np.flatnonzero(~good).tolist()
    return np.where(good, numbers, 0.0), {at: _problem(values[at], float(numbers[at])) for at in bad}


def _number(value: object) -> float:
    """A value as a number; NaN if it is not one."""
    if value is None or isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        return math.nan
    try:
        return float(value)  # type: ignore[arg-type] # anything else is a TypeError
    except OverflowError:
        return math.inf
    except (TypeError, ValueError):
        return math.nan


def _problem(value: object, number: float) -> str:
    shown = str(value).strip()
    if value is None or shown.lower() in ("", "nan"):
        return "no weight"
    written = repr(printable(shown[:_SHOWN] + ("..." if len(shown) > _SHOWN else "")))
    if number > 0:
        return f"the weight {written} is neither 0 nor from 2^-64 to below 2^64"
    return f"the weight {written} is not a number >= 0"


def read_groups(values: Sequence[object], texts: _native.Strings) -> list[str]:
    """The group of each row, as text. A row without one is in a group of its own, with the copies of its text.

    Examples
    --------
    >>> read_groups(["ann", 1.0, True], _native.Strings(["a", "b", "c"]))
    ['ann', '1', 'true']
    """
    groups = [value if isinstance(value, str) else _as_text(value) for value in values]
    if "" in groups:
        numbers = _native.copy_numbers(texts).tolist()
        groups = [group or f"\0{number}" for group, number in zip(groups, numbers, strict=True)]
    return groups


def _as_text(value: object) -> str:
    """A value as the kernel writes it for JSON: whole numbers without a point, nothing for lists and objects."""
    if value is None or isinstance(value, list | dict) or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else str(value)
