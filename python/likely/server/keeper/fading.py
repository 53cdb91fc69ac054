"""`Fading`: evidence that loses weight with its age. Forgetting stays exact.

The model is the base plus the counts of every correction, each times a weight that depends on its age: one half
after the half-life, a quarter after two of them. The base does not fade. That is an approximation in one way only:
the age is measured in steps of an eighth of the half-life, so that weights change together, and seldom.
Within a step nothing changes but by corrections. A weight is a multiple of 2^-16, and products are fixed-point
numbers, so that what a correction has added is subtracted again to the last bit, whenever it is forgotten.
"""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from likely.errors import OptionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.core.counts import Counts
    from likely.server.store.entry import Entry
    from likely.server.store.ledger import Ledger

STEPS = 8
"""The number of steps per half-life: a weight differs from that of the exact age by at most 9 %."""
SHARES = 2**16
"""A weight is a multiple of 1 / SHARES; one that is nearest to 0 is 0, after about 17 half-lives."""
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}
"""The units of a half-life, in seconds."""
SHORTEST = 60.0
"""The shortest half-life, in seconds."""


class Parts(NamedTuple):
    """What counts of a document, and what has faded; None is nothing."""

    kept: Counts | None
    faded: Counts | None


@dataclass
class Fading:
    """The weights of corrections at a step of the clock.

    Parameters
    ----------
    half_life : float
        After this many seconds a correction has half its weight.
    clock : callable
        The time in seconds since 1970. All processes that share a store need the same time.

    Examples
    --------
    >>> fading = Fading(3600.0, clock=lambda: 7200.0)
    >>> [round(fading.weight(age), 4) for age in (0, 8, 16, 4)]
    [1.0, 0.5, 0.25, 0.7071]
    """

    half_life: float
    clock: Callable[[], float] = time.time
    step: int = field(init=False)
    """The step that the weights of the model are those of."""
    faded: Counts | None = field(default=None, init=False)
    """What has faded of all corrections that are learned now; with the model, it is what does not fade."""

    def __post_init__(self) -> None:
        if not self.half_life >= SHORTEST:
            raise OptionError(f"the half-life is {self.half_life:g} seconds: give at least {SHORTEST:g}")
        self.step = self.now()

    def begun(self) -> Fading:
        """The same half-life at the step of this moment, before any correction."""
        return Fading(self.half_life, self.clock)

    def now(self) -> int:
        """The step of this moment."""
        return self.step_of(self.clock())

    def step_of(self, seconds: float) -> int:
        """The step of a time."""
        return int(seconds * STEPS // self.half_life)

    @property
    def is_due(self) -> bool:
        """Whether a new step has begun. A clock that goes back does not make evidence younger."""
        return self.now() > self.step

    @staticmethod
    def weight(age: int) -> float:
        """The weight of a document whose age has this many steps: 2 to the power of -age / STEPS, in shares."""
        return round(SHARES * math.exp2(-max(age, 0) / STEPS)) / SHARES

    def sums(self, ledger: Ledger, documents: Iterable[tuple[Entry, Counts]]) -> Parts:
        """The sums of what counts of some documents, and of what has faded."""
        kept = faded = None
        for entry, counts in documents:
            parts = self._parts(ledger, entry, counts)
            kept, faded = total(kept, parts.kept), total(faded, parts.faded)
        return Parts(kept, faded)

    def change(self, more: Counts | None, less: Counts | None) -> None:
        """Note what has faded of documents that are learned, and of those that are forgotten."""
        self.faded = total(self.faded, more)
        if less is not None and self.faded is not None:
            self.faded.subtract(less)

    def _parts(self, ledger: Ledger, entry: Entry, counts: Counts) -> Parts:
        """The counts of the document of an entry, divided by its weight at this step."""
        learned = datetime.fromisoformat(origin(ledger, entry).time).timestamp()
        weight = self.weight(self.step - self.step_of(learned))
        if weight == 1.0:
            return Parts(counts, None)
        if weight == 0.0:
            return Parts(None, counts)
        kept, faded = counts.scaled(weight), counts.copy()
        faded.subtract(kept)
        return Parts(kept, faded)


def total(sum_so_far: Counts | None, more: Counts | None) -> Counts | None:
    """A sum of counts, to which others are added in place; None is nothing."""
    if sum_so_far is None or more is None:
        return sum_so_far if more is None else more.copy()
    sum_so_far.add(more)
    return sum_so_far


def origin(ledger: Ledger, entry: Entry) -> Entry:
    """The entry that an entry has put back by undoing what came after it; the entry itself if it is a new one.

    What an undo puts back is as old as it was.
    """
    undone = None if entry.undoes is None else ledger.entry(entry.undoes)
    if undone is None or undone.of is None:
        return entry
    forgotten = ledger.entry(undone.of) if undone.kind == "learn" else undone
    learned = None if forgotten is None or forgotten.of is None else ledger.entry(forgotten.of)
    return entry if learned is None else origin(ledger, learned)


def seconds_of(text: str) -> float:
    """A time such as ``30d`` in seconds.

    Examples
    --------
    >>> [seconds_of(text) for text in ("90s", "15min", "12h", "30d", "1.5w")]
    [90.0, 900.0, 43200.0, 2592000.0, 907200.0]
    """
    found = re.fullmatch(rf"(\d+(?:\.\d+)?)\s*({'|'.join(UNITS)})", text.strip())
    if found is None:
        raise OptionError(f"{text!r} is not a time: write a number and a unit, such as 12h, 30d or 8w")
    return float(found[1]) * UNITS[found[2]]
