"""`count`: the counts of labelled texts with some options."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from likely.core.analyzer import Analyzer, thread_count
from likely.core.counts import Counts
from likely.options.table import with_defaults
from likely.reading.labelled import Labelled

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.reading.labelled import Batches
    from likely.reading.sampling import Sample


def count(options: Mapping[str, object], batches: Batches) -> Counts:
    """The counts of labelled texts with these options.

    Examples
    --------
    >>> count({"ngrams": (1, 2)}, [Labelled(["so good", "so bad"], [1, 0])]).native.terms
    5
    """
    values = with_defaults(options)
    return Counts.count_batches(Analyzer.of(values), batches, thread_count(cast("int | None", values["threads"])))


def count_sample(options: Mapping[str, object], sample: Sample) -> Counts:
    """The counts of the documents of a sample with these options."""
    return count(options, [Labelled(sample.texts, sample.labels, sample.times)])
