"""Documents to learn, with weights and groups if they have some."""

from __future__ import annotations

from likely import NaiveBayes
from likely.core.analyzer import Analyzer
from likely.core.counts import Counts
from likely.options.model import with_defaults
from likely.reading.rows import Labelled


def test_weights_count_in_batches_as_they_do_in_a_list() -> None:
    texts, labels, weights = ["good fun", "dull", "good"], ["+", "-", "+"], [2.0, 0.5, 3.0]
    parts = [Labelled(texts[:2], labels[:2], weights[:2]), Labelled(texts[2:], labels[2:], weights[2:])]
    counts = Counts.count_batches(Analyzer.of(with_defaults({})), parts, 1)
    assert counts.table() == NaiveBayes().fit(texts, labels, weights).counts_table()
