"""Labelled texts to what options are chosen by: read once, counted and sampled on the way, and kept if few."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

from likely.analysis.analyzer import Analyzer, thread_count
from likely.counting.counts import Counts
from likely.errors import OptionError
from likely.options.kinds import is_finite
from likely.options.table import with_defaults
from likely.reading.sampling import Sample, Sampler, bytes_of

Batches: TypeAlias = Iterable[tuple[Any, Any]]

HELD = 256 << 20
"""So many bytes of text are kept, to be counted in several ways; of more only single words are counted at first."""
SAMPLED = 20_000
"""Settings are judged on at most so many documents."""
FEWEST = 30
"""With fewer documents there is nothing to choose or calibrate by."""
PER_SECOND = 200_000
"""So many terms of documents are judged by all settings in a second, about: what a budget is reckoned with."""
LEAST_SAMPLED = 2_000
BYTES_PER_SECOND = 50e6
"""So many bytes are read and counted in a second, about."""
NGRAMS = (1, 2)
"""What is counted first, if there is memory for it."""


@dataclass(frozen=True)
class Budget:
    """About how long choosing may take: reckoned, not by a clock, so that the same data give the same model.

    Examples
    --------
    >>> Budget.of("30s"), Budget.of("2m"), Budget.of(5)
    (Budget(seconds=30.0), Budget(seconds=120.0), Budget(seconds=5.0))
    """

    seconds: float = 10.0

    @classmethod
    def of(cls, value: Any) -> Budget:
        """The budget that a number of seconds, or a text such as '30s' or '2m', stands for."""
        found = re.fullmatch(r"([0-9]{1,9}(?:\.[0-9]{1,9})?) ?(s|m|h|)", str(value).strip())
        seconds = float(found[1]) * {"s": 1, "": 1, "m": 60, "h": 3600}[found[2]] if found else math.nan
        if not (is_finite(seconds) and seconds > 0):
            raise OptionError(f"budget={value!r} is not allowed: it must be a time above 0 such as 30s or 2m")
        return cls(seconds)

    def documents(self, terms: float, classes: int) -> int:
        """How many documents can be judged, with so many terms each and so many classes."""
        work = self.seconds * PER_SECOND / max(terms, 1.0) / (1 + classes / 40)
        return max(LEAST_SAMPLED, int(work))


@dataclass(frozen=True)
class Material:
    """What options are chosen by: the counts of all documents, a sample of them, and how to count them anew."""

    counts: Counts
    sample: Sample
    read: Callable[[], Batches] | None = None
    """Reads all documents again; None if that cannot be done, or not in time."""

    def count(self, options: Mapping[str, Any]) -> Counts:
        """Count all documents by other options, where they can be read again."""
        return count(options, [] if self.read is None else self.read())


def gather(
    batches: Batches, again: Callable[[], Batches] | None, given: Mapping[str, Any], budget: Budget
) -> Material:
    """Read labelled texts, count and sample them; ``again`` reads them once more, if that can be done."""
    stream, held, size = iter(batches), [], 0
    for texts, labels in stream:
        held.append((texts, labels))
        size += bytes_of(texts)
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


def count(options: Mapping[str, Any], batches: Batches) -> Counts:
    """The counts of labelled texts by some options."""
    values = with_defaults(options)
    return Counts.count_batches(Analyzer.of(values), batches, thread_count(values["threads"]))


def _has_words(given: Mapping[str, Any]) -> bool:
    return bool(given.get("analyzer", "word") == "word")
