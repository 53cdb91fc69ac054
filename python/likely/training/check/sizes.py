"""Class sizes: data of one class, classes of too few rows, and classes of very different sizes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from likely.evaluation.data_check import Example, Finding
from likely.terminal import counted, named, printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reading.rows import Whole
    from likely.training.check.finding import Place
    from likely.types import Label

FEW = 10
"""A class of fewer rows than this has too few to be learned and tested."""
UNEQUAL = 100
"""Classes are very unequal if the largest has this many times more rows than the smallest."""
_NAMED = 5


def class_sizes(whole: Whole) -> dict[Label, int]:
    """The number of rows of each class, the largest first.

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> class_sizes(Whole(["a", "b", "c"], ["x", "y", "y"]))
    {'y': 2, 'x': 1}
    """
    return dict(sorted(Counter(whole.labels).items(), key=lambda pair: (-pair[1], str(pair[0]))))


def size_findings(whole: Whole, place: Place, most: int) -> Iterator[Finding]:
    """What is wrong with the sizes of the classes."""
    sizes = class_sizes(whole)
    if len(sizes) == 1:
        only = printable(next(iter(sizes)))
        fix = "add rows of another class, or read another column: --label COLUMN"
        yield Finding("classes", True, len(whole), f"All rows have the label {only}: nothing can be learned.", fix)
        return
    few = {label: rows for label, rows in sizes.items() if rows < FEW}
    if few:
        first = {label: row for row, label in reversed(list(enumerate(whole.labels))) if label in few}
        says = (
            f"{counted(len(few), 'class has', 'classes have')} fewer than {FEW} rows: "
            f"{named(list(few.items()), _NAMED, lambda pair: f'{printable(pair[0])} {pair[1]}')}."
        )
        fix = "add rows, or leave these classes out: " + place.query(
            "SELECT * FROM {data} WHERE {label} IN "
            f"(SELECT {{label}} FROM {{data}} GROUP BY {{label}} HAVING count(*) >= {FEW})"
        )
        examples = [Example.of(whole, first[label]) for label in list(few)[:most]]
        yield Finding("classes", False, sum(few.values()), says, fix, examples)
    (largest, many), (smallest, fewest) = next(iter(sizes.items())), list(sizes.items())[-1]
    if many >= UNEQUAL * fewest:
        says = (
            f"The largest class, {printable(largest)}, has {many // fewest:,} times as many rows as the smallest, "
            f"{printable(smallest)}: accuracy says little, look at the recall of each class."
        )
        fix = place.train("--class-weight", "balanced")
        yield Finding("balance", False, len(whole), says, fix)
