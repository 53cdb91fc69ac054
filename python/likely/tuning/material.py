"""`Material`: what the choice of options needs: the counts of all texts, a sample, and the texts if they are few."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from likely.analysis.analyzer import Analyzer, thread_count
from likely.counting.counts import Counts
from likely.errors import OptionError
from likely.options.kinds import is_finite
from likely.options.table import with_defaults
from likely.reading.sampling import Sample, Sampler, bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from likely.reading.labelled import Batches

HELD = 256 << 20
"""Texts of at most this many bytes are kept in memory, to be counted with several options. If there are more, only
single words are counted at first."""
SAMPLED = 20_000
"""The largest number of documents that settings are tested on."""
FEWEST = 30
"""With fewer documents, options are not chosen and probabilities are not calibrated."""
PER_SECOND = 200_000
"""About the number of terms of documents that are tested with all settings in a second, to convert a budget."""
LEAST_SAMPLED = 2_000
BYTES_PER_SECOND = 50e6
"""About the number of bytes that are read and counted in a second."""
NGRAMS = (1, 2)
"""The n-grams that are counted first, if there is enough memory."""


@dataclass(frozen=True)
class Budget:
    """About how long the choice of options may take.

    The time is estimated from the amount of work, not measured, so that the same data give the same model.

    Examples
    --------
    >>> Budget.of("30s"), Budget.of("2m"), Budget.of(5)
    (Budget(seconds=30.0), Budget(seconds=120.0), Budget(seconds=5.0))
    """

    seconds: float = 10.0

    @classmethod
    def of(cls, value: str | float) -> Budget:
        """The budget from a number of seconds, or from a text such as '30s' or '2m'."""
        found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(s|m|h|)", str(value).strip())
        seconds = float(found[1]) * {"s": 1, "": 1, "m": 60, "h": 3600}[found[2]] if found else math.nan
        if not (is_finite(seconds) and seconds > 0):
            raise OptionError(f"budget={value!r} is not allowed: it must be a time above 0 such as 30s or 2m")
        return cls(seconds)

    def documents(self, terms: float, classes: int) -> int:
        """The number of documents that settings can be tested on, from their average number of terms and classes."""
        work = self.seconds * PER_SECOND / max(terms, 1.0) / (1 + classes / 40)
        return max(LEAST_SAMPLED, int(work))


@dataclass(frozen=True)
class Material:
    """The counts of all documents, a sample of the documents, and how to count them again."""

    counts: Counts
    sample: Sample
    read: Callable[[], Batches] | None = None
    """Reads all documents again; None if that is not possible, or not within the budget."""

    def count(self, options: Mapping[str, object]) -> Counts:
        """The counts of all documents with other options, if they can be read again."""
        return count(options, [] if self.read is None else self.read())


def gather(
    batches: Batches, again: Callable[[], Batches] | None, given: Mapping[str, object], budget: Budget
) -> Material:
    """The material of labelled texts. ``again`` reads them once more; None if that is not possible."""
    stream, held, size = iter(batches), [], 0
    for batch in stream:
        held.append(batch)
        size += bytes_of(batch.texts)
        if size > HELD:
            break
    small = size <= HELD
    sampler = Sampler(SAMPLED)
    first = {"ngrams": NGRAMS if small and _has_words(given) else (1, 1), **given}
    counts = count(first, sampler.watch(chain(held, stream)))
    if small:
        return Material(counts, sampler.sample(), lambda: held)
    held = []
    if again is None or sampler.bytes > budget.seconds * BYTES_PER_SECOND:
        return Material(counts, sampler.sample())
    return Material(counts, sampler.sample(), again)


def count(options: Mapping[str, object], batches: Batches) -> Counts:
    """The counts of labelled texts with these options."""
    values = with_defaults(options)
    return Counts.count_batches(Analyzer.of(values), batches, thread_count(values["threads"]))


def _has_words(given: Mapping[str, object]) -> bool:
    return given.get("analyzer", "word") == "word"
