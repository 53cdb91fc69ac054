"""Documents among some rows that weights are learned from."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely.core.analyzer import Analyzer
from likely.core.counts import Counts, rows_of
from likely.core.nbsvm import Columns, TrainingRows, TrainingSet
from likely.core.rules import Rules
from likely.options.model import with_defaults
from likely.reading.rows import Labelled

TEXTS, LABELS = ["so so good", "bad", "good end", "bad end"], ["+", "-", "+", "-"]


def made(weights: list[float], **options: Any) -> tuple[TrainingSet, list[str]]:
    """The set of the texts with these weights, without the term "end", and the terms by column."""
    counts = Counts.count_batches(Analyzer.of(with_defaults({})), [Labelled(TEXTS, LABELS)], 1)
    ids = counts.sorted_ids()
    columns = Columns.of(ids, counts.document_frequencies(ids), np.ones(len(ids)))
    names = [counts.native.spell(ids)[place] for place in columns.numbers]
    gold = np.array([0, 1, 0, 1], np.uint32)
    rows = TrainingRows.of(rows_of(counts, TEXTS), columns, gold, np.ones(4))
    scales = np.array([0.0 if name == "end" else 2.0 for name in names])
    rules = Rules.of(with_defaults({"variant": "nbsvm", **options}))
    values = rows.values("count")
    return TrainingSet.of(rows, values, np.array(weights)[rows.order], scales, ["+", "-"], rules), names


def test_frequencies_are_those_in_the_set() -> None:
    found, names = made([1, 1, 0, 3])
    assert dict(zip(names, found.everywhere.tolist(), strict=True)) == {"so": 1, "good": 1, "bad": 4, "end": 3}
    assert dict(zip(names, found.inside(1).tolist(), strict=True)) == {"so": 0, "good": 0, "bad": 4, "end": 3}
    assert [name for name, kept in zip(names, found.scales > 0, strict=True) if not kept] == ["end"]
    assert sorted(found.costs(1).tolist()) == [-1, 0, 1, 3]
    assert found.lengths.tolist() == [1, 1, 1, 1]


def test_classes_weigh_as_much_as_each_other_in_the_set() -> None:
    found, _ = made([1, 1, 0, 3], class_weight="balanced")
    assert sorted(found.costs(1).tolist()) == pytest.approx([-2.5, 0, 0.625, 1.875])


def test_documents_have_unit_length_without_the_terms_that_are_not_kept() -> None:
    found, _ = made([1, 1, 1, 1], weighting="tfidf", norm="l2")
    assert sorted(found.lengths.tolist()) == pytest.approx([1 / np.sqrt(20), 0.5, 0.5, 0.5])
