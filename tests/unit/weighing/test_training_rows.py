"""Documents as rows to learn weights from."""

from __future__ import annotations

import numpy as np
import pytest
from likely.core.analyzer import Analyzer
from likely.core.counts import Counts, rows_of
from likely.core.nbsvm import Columns, TrainingRows
from likely.options.model import with_defaults
from likely.reading.rows import Labelled

TEXTS, LABELS = ["so so good", "bad", "", "good bad unheard"], ["+", "-", "+", "-"]


def counts() -> Counts:
    return Counts.count_batches(Analyzer.of(with_defaults({"ngrams": (1, 2)})), [Labelled(TEXTS[:3], LABELS[:3])], 1)


def documents(order: list[int]) -> tuple[TrainingRows, list[str]]:
    found = counts()
    ids = found.sorted_ids()
    scales = np.where([" " in term for term in found.native.spell(ids)], 0.0, 2.0)
    columns = Columns.of(ids, np.arange(len(ids), dtype=float), scales)
    names = [found.native.spell(ids)[place] for place in columns.numbers]
    gold = np.array([["+", "-"].index(LABELS[at]) for at in order], np.uint32)
    rows = rows_of(found, [TEXTS[at] for at in order])
    return TrainingRows.of(rows, columns, gold, np.array([float(at + 1) for at in order])), names


def test_the_order_of_documents_does_not_depend_on_how_they_came() -> None:
    one, names = documents([0, 1, 2, 3])
    other, _ = documents([3, 1, 0, 2])
    assert set(names) == {"bad", "good", "so"}, "what counts for nothing has no column"
    assert one.gold.tolist() == other.gold.tolist() == [0, 0, 1, 1]
    assert one.columns.tolist() == other.columns.tolist()
    assert one.weights.tolist() == other.weights.tolist()


def test_values_and_the_documents_of_a_term() -> None:
    made, names = documents([0, 1, 2, 3])
    weighed = dict(zip(names, made.documents_with(made.weights).tolist(), strict=True))
    assert weighed == {"so": 1.0, "good": 1.0 + 4.0, "bad": 2.0 + 4.0}
    inside = dict(zip(names, made.documents_with(made.weights, 1).tolist(), strict=True))
    assert inside == {"so": 0.0, "good": 4.0, "bad": 6.0}
    assert sorted(made.values("count").tolist()) == [1, 1, 1, 1, 2]
    assert set(made.values("presence").tolist()) == {1.0}
    assert made.values("damped").max() == pytest.approx(1 + np.log(2))


def test_documents_of_unit_length_and_their_sums() -> None:
    made, _ = documents([0, 1, 2, 3])
    values, scales = made.values("count"), np.arange(1.0, made.width + 1)
    lengths = made.unit_length(values, scales)
    squares = made.sum((values * scales[made.columns] * made.repeat(lengths)) ** 2)
    assert sorted(squares.tolist()) == pytest.approx([0, 1, 1, 1])
