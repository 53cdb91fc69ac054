"""What the chosen documents should resemble: `Target`, and how many documents each target gets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from likely.errors import OptionError
from likely.reading.corpus import are_places
from likely.reading.stream import name_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from likely.types import Source

TargetSource: TypeAlias = "Source | Mapping[str, float] | Mapping[Path, float]"
"""One source, or several files with their shares."""


@dataclass(frozen=True)
class Target:
    """Documents that the chosen ones should resemble.

    Attributes
    ----------
    source : source
        Where the documents are.
    name : str
        The name for messages and reports.
    share : float
        The share of the chosen documents that resemble this target.
    """

    source: Source
    name: str
    share: float = 1.0


def targets_of(source: TargetSource) -> list[Target]:
    """The targets that a source names. The files of a list or a glob are one target.

    Examples
    --------
    >>> [(each.name, each.share) for each in targets_of({"wiki.jsonl": 3, "books.jsonl": 1})]
    [('wiki.jsonl', 0.75), ('books.jsonl', 0.25)]
    """
    if not isinstance(source, Mapping):
        return [Target(source, _name_of(source))]
    total = 0.0
    for path, share in source.items():
        if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share < math.inf:
            raise OptionError(f"the share of the target {name_of(path)} must be a number > 0, but is {share!r}")
        total += share
    if not source:
        raise OptionError("there is no target: give a file of documents that the chosen ones should resemble")
    return [Target(path, name_of(path), share / total) for path, share in source.items()]


def _name_of(source: Source) -> str:
    if not are_places(source):
        return "a frame"
    places = source if isinstance(source, list | tuple) else [source]
    return ", ".join(map(name_of, places))


def numbers_of(number: int, shares: Sequence[float]) -> list[int]:
    """How many of ``number`` documents each target gets: the largest remainders are rounded up.

    Examples
    --------
    >>> numbers_of(10, [0.7, 0.3]), numbers_of(10, [1 / 3, 1 / 3, 1 / 3])
    ([7, 3], [4, 3, 3])
    """
    exact = [number * share for share in shares]
    numbers = [math.floor(each) for each in exact]
    by_remainder = sorted(range(len(shares)), key=lambda at: (numbers[at] - exact[at], at))
    for at in by_remainder[: number - sum(numbers)]:
        numbers[at] += 1
    return numbers
