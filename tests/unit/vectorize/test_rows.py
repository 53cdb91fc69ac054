"""Documents as rows of numbers."""

from __future__ import annotations

import numpy as np
import pytest
from likely.analysis.analyzer import Analyzer
from likely.counting.counts import Counts
from likely.options.table import with_defaults
from likely.vectorize.rows import Columns, Documents, Rows, rows_of, single_words

TEXTS, LABELS = ["so so good", "bad", "", "good bad unheard"], ["+", "-", "+", "-"]


def counts() -> Counts:
    return Counts.count(Analyzer.of(with_defaults({"ngrams": (1, 2)})), TEXTS[:3], LABELS[:3], None, 1)


def spelled(found: Counts, rows: Rows) -> list[dict[str, int]]:
    terms = found.native.spell(rows.ids)
    pairs = list(zip(terms, rows.occurrences.tolist(), strict=True))
    return [dict(pairs[start:end]) for start, end in zip(rows.starts[:-1], rows.starts[1:], strict=True)]


def test_rows_hold_the_terms_that_are_counted_and_how_often_each_occurs() -> None:
    found = counts()
    assert spelled(found, rows_of(found, TEXTS)) == [
        {"so": 2, "good": 1, "so so": 1, "so good": 1},
        {"bad": 1},
        {},
        {"good": 1, "bad": 1},
    ]
    assert len(rows_of(found, [])) == 0


def test_parts_and_masks() -> None:
    found = counts()
    rows = rows_of(found, TEXTS)
    parts = Rows.joined([rows_of(found, TEXTS[:1]), rows_of(found, []), rows_of(found, TEXTS[1:])])
    assert spelled(found, parts) == spelled(found, rows)
    assert len(Rows.joined([])) == 0
    assert spelled(found, rows.only(single_words(found))) == [
        {"so": 2, "good": 1},
        {"bad": 1},
        {},
        {"good": 1, "bad": 1},
    ]
    assert spelled(found, rows.of_documents(np.array([False, True, False, True]))) == [
        {"bad": 1},
        {"good": 1, "bad": 1},
    ]


def documents(order: list[int]) -> tuple[Documents, list[str]]:
    found = counts()
    ids = found.sorted_ids()
    scales = np.where([" " in term for term in found.native.spell(ids)], 0.0, 2.0)
    columns = Columns.of(ids, np.arange(len(ids), dtype=float), scales)
    names = [found.native.spell(ids)[place] for place in columns.numbers]
    own = np.array([["+", "-"].index(LABELS[at]) for at in order], np.uint32)
    rows = rows_of(found, [TEXTS[at] for at in order])
    return Documents.of(rows, columns, own, np.array([float(at + 1) for at in order])), names


def test_the_order_of_documents_does_not_depend_on_how_they_came() -> None:
    one, names = documents([0, 1, 2, 3])
    other, _ = documents([3, 1, 0, 2])
    assert set(names) == {"bad", "good", "so"}, "what counts for nothing has no column"
    assert one.own.tolist() == other.own.tolist() == [0, 0, 1, 1]
    assert one.columns.tolist() == other.columns.tolist()
    assert one.weights.tolist() == other.weights.tolist()


def test_values_and_the_documents_of_a_term() -> None:
    made, names = documents([0, 1, 2, 3])
    weighed = dict(zip(names, made.documents_with().tolist(), strict=True))
    assert weighed == {"so": 1.0, "good": 1.0 + 4.0, "bad": 2.0 + 4.0}
    assert dict(zip(names, made.documents_with(1).tolist(), strict=True)) == {"so": 0.0, "good": 4.0, "bad": 6.0}
    scales = np.full(made.width, 2.0)
    assert sorted(made.values("count", scales, normalized=False).tolist()) == [2, 2, 2, 2, 4]
    assert set(made.values("presence", scales, normalized=False).tolist()) == {2.0}
    damped = made.values("damped", scales, normalized=False).max()
    assert damped == pytest.approx(2 * (1 + np.log(2)))
    squares = np.bincount(made.rows(), weights=made.values("count", scales, normalized=True) ** 2, minlength=4)
    assert sorted(squares.tolist()) == pytest.approx([0, 1, 1, 1])
