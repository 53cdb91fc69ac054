"""Documents as rows of numbers."""

from __future__ import annotations

import numpy as np
from likely.core.analyzer import Analyzer
from likely.core.counts import Counts, TermRows, rows_of, single_words
from likely.options.model import with_defaults
from likely.reading.rows import Labelled

TEXTS, LABELS = ["so so good", "bad", "", "good bad unheard"], ["+", "-", "+", "-"]


def counts() -> Counts:
    return Counts.count_batches(Analyzer.of(with_defaults({"ngrams": (1, 2)})), [Labelled(TEXTS[:3], LABELS[:3])], 1)


def spelled(found: Counts, rows: TermRows) -> list[dict[str, int]]:
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
    parts = TermRows.joined([rows_of(found, TEXTS[:1]), rows_of(found, []), rows_of(found, TEXTS[1:])])
    assert spelled(found, parts) == spelled(found, rows)
    assert len(TermRows.joined([])) == 0
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
