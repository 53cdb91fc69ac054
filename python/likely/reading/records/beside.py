"""`Beside`: the weights and groups of rows that the kernel parsed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.reading.beside import read_groups, read_weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from likely import _native
    from likely.reading.batch import Chosen
    from likely.types import Array


class Unweighted(NamedTuple):
    """A row whose weight cannot be read, described as the kernel describes the others (`_native.BadRow`)."""

    row: int
    line: int
    problem: str
    label: str | None


@dataclass(frozen=True)
class Beside:
    """The weights and groups of rows, None for what is not read.

    Attributes
    ----------
    weights : array or None
        The weight of each row, 0 where it cannot be read.
    groups : list of str or None
        The group of each row.
    problems : mapping
        Why the weight of a row cannot be read, by the place of the row.
    """

    weights: Array | None = None
    groups: list[str] | None = None
    problems: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, records: _native.Records, chosen: Chosen) -> Beside:
        """The weights and groups of the rows of a chunk."""
        if chosen.weight is None and chosen.group is None:
            return cls()
        texts, *others = records.columns
        weights, problems = (None, {}) if chosen.weight is None else read_weights(others[0].to_pylist())
        groups = None if chosen.group is None else read_groups(others[-1].to_pylist(), texts)
        if chosen.label is None:  # rows that the kernel cannot read are among the others, and are named already
            named = {bad.row for bad in records.bad}
            problems = {at: problem for at, problem in problems.items() if at not in named}
        return cls(weights, groups, problems)

    def bad(self, chunk: bytes, records: _native.Records) -> Iterator[Unweighted]:
        """The rows whose weight cannot be read, in order."""
        numbers = np.arange(records.rows)
        if len(records.starts) < records.rows:  # the others are left out
            numbers = np.delete(numbers, [bad.row for bad in records.bad])
        labels, codes = records.labels
        lines = before = 0
        for at, problem in self.problems.items():
            start = int(records.starts[at])
            lines += chunk.count(b"\n", before, start)
            before = start
            yield Unweighted(int(numbers[at]), lines, problem, labels[codes[at]] if len(codes) else None)
