"""The algebra of counts, and weights of documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely.core.analyzer import Analyzer
from likely.core.counts import FEW_CLASSES, UNKNOWN, Counts
from likely.errors import ArgumentError, MismatchError, NotAdditiveError, NotLearnedError
from likely.options.model import with_defaults
from likely.reading.rows import Labelled

TEXTS, LABELS = ["good good fun", "bad", "good bad"], ["+", "-", "+"]


def counted(texts: list[str], labels: list[Any], **options: Any) -> Counts:
    return Counts.count_batches(Analyzer.of(with_defaults(options)), [Labelled(texts, labels)], 1)


def rows(counts: Counts) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = counts.table().to_pylist()
    return found


def test_counts_and_documents_of_each_term_and_class() -> None:
    assert rows(counted(TEXTS, LABELS)) == [
        {"term": "bad", "class": "+", "count": 1, "documents": 1},
        {"term": "bad", "class": "-", "count": 1, "documents": 1},
        {"term": "fun", "class": "+", "count": 1, "documents": 1},
        {"term": "good", "class": "+", "count": 3, "documents": 2},
    ]


def test_totals_are_by_number_and_live_classes_by_label() -> None:
    counts = counted(TEXTS, LABELS)
    live = counts.live()
    assert live.labels == [counts.index.labels[number] for number in live.numbers] == ["+", "-"]
    assert live.places.of_all(["-", "+", "-"]).tolist() == [1, 0, 1]
    totals, order = counts.totals(), live.numbers
    assert totals.documents[order].tolist() == [2, 1]
    assert totals.tokens[order].tolist() == [5, 1]
    assert totals.presences[order].tolist() == [4, 1]


def test_adding_and_subtracting_are_each_others_inverse() -> None:
    whole, part = counted(TEXTS, LABELS), counted(TEXTS[1:], LABELS[1:])
    before = rows(whole)
    whole.subtract(part)
    assert rows(whole) == rows(counted(TEXTS[:1], LABELS[:1]))
    changed = whole.add(part)
    assert rows(whole) == before
    assert set(whole.native.spell(changed)) == {"bad", "good"}


def test_what_was_never_learned_is_not_taken_away_and_nothing_changes() -> None:
    counts = counted(TEXTS, LABELS)
    before = rows(counts)
    for other, message in (
        (counted(["fun"], ["-"]), "in class '-'"),
        (counted(["fun"], ["?"]), "class '\\?' was never"),
    ):
        with pytest.raises(NotLearnedError, match=message):
            counts.subtract(other)
        assert rows(counts) == before
    pruned = counts.select(counts.find(["good"]))
    assert (pruned.dropped, rows(pruned)[0]["term"]) == (2, "good")
    with pytest.raises(NotAdditiveError, match="it cannot be subtracted from another"):
        counts.subtract(pruned)


def test_counts_of_other_terms_are_not_combined() -> None:
    with pytest.raises(MismatchError, match="in the same way"):
        counted(TEXTS, LABELS).add(counted(TEXTS, LABELS, ngrams=(1, 2)))


def test_a_copy_goes_its_own_way() -> None:
    counts = counted(TEXTS, LABELS)
    other = counts.copy()
    other.add(counted(["new"], ["?"]))
    assert rows(counts) == rows(counted(TEXTS, LABELS))
    assert counts.find(["new"]).tolist() == [UNKNOWN]


def test_single_words_are_as_if_nothing_else_had_been_counted() -> None:
    assert rows(counted(TEXTS, LABELS, ngrams=(1, 2)).single_words()) == rows(counted(TEXTS, LABELS))


def test_a_matrix_of_some_terms_and_classes_in_any_order() -> None:
    counts = counted(TEXTS, LABELS)
    ids = counts.find(["good", "bad"])
    plus, minus = (counts.index.labels.index(label) for label in "+-")
    columns = np.array([minus, plus, minus], np.uint32)
    assert counts.rows(ids, columns, documents=False).tolist() == [[0, 3, 0], [1, 1, 1]]
    assert counts.rows(ids, columns, documents=True).tolist() == [[0, 2, 0], [1, 1, 1]]


def test_classes_that_were_forgotten_leave_no_trace_once_they_are_many() -> None:
    counts = counted(TEXTS, LABELS)
    for number in range(2 * FEW_CLASSES):
        passing = counted(["x"], [f"class {number}"])
        counts.add(passing)
        counts.subtract(passing)
    assert len(counts.index.labels) > FEW_CLASSES
    compact = counts.compacted()
    assert compact.index.labels == ["+", "-"]
    assert rows(compact) == rows(counted(TEXTS, LABELS))


def test_numbers_of_texts_and_labels_must_agree() -> None:
    with pytest.raises(ArgumentError, match=r"^there are 2 labels, but only 1 texts: give"):
        counted(["a"], ["x", "y"])
    with pytest.raises(ArgumentError, match="no documents"):
        counted([], [])


def test_sums_over_classes_are_those_of_the_exact_numbers_in_any_order() -> None:
    words = ["a b", "a", "a c c", "b c"]
    one, other = (counted(words[::step], list("wxyz")[::step], document_weight="equal") for step in (1, -1))
    terms = ["a", "b", "c"]
    for documents in (False, True):
        sums = [each.native.class_sums(each.find(terms), documents) for each in (one, other)]
        assert np.array_equal(sums[0], sums[1])
        ids, numbers = one.find(terms), one.live().numbers
        others = one.rows_of_others(ids, numbers, documents=documents)
        np.testing.assert_allclose(
            others + one.rows(ids, numbers, documents=documents), sums[0][:, None].repeat(4, 1)
        )
    only = one.rows_of_others(one.find(["b"]), one.live().numbers, documents=False)[0]
    assert only[0] == one.native.cells(one.find(["b"]), False)[1]


@pytest.mark.parametrize("options", [{"ngrams": (1, 3), "document_weight": "equal"}, {"ngrams": (2, 2)}, {}])
def test_threads_do_not_matter_to_large_counts(options: dict[str, Any]) -> None:
    texts = [f"word{i % 997} is here {i % 89} and there {i % 31}, wörter too" for i in range(40_000)]
    labels = [f"class {i % 3}" for i in range(len(texts))]
    analyzer = Analyzer.of(with_defaults(options))
    alone, *others = (
        Counts.count_batches(analyzer, [Labelled(texts, labels)], threads).table() for threads in (1, 2, 3, 5)
    )
    assert all(other.equals(alone) for other in others)


class Watched:
    """Counts of the kernel that another thread reads just before and just after they change."""

    def __init__(self, native: Any) -> None:
        self.native, self.counts = native, None

    def __getattr__(self, name: str) -> Any:
        return getattr(self.native, name)

    def derive(self) -> None:
        assert self.counts is not None
        self.counts.sorted_ids(), self.counts.totals(), self.counts.live()

    def merge(self, *args: Any) -> Any:
        return self.watch(self.native.merge, *args)

    def subtract(self, *args: Any) -> Any:
        return self.watch(self.native.subtract, *args)

    def watch(self, change: Any, *args: Any) -> Any:
        self.derive()
        changed = change(*args)
        self.derive()
        return changed


def test_what_a_reader_derives_during_a_change_is_not_kept() -> None:
    counts, more = counted(TEXTS, LABELS), counted(["new words"], ["?"])
    watched: Any = Watched(counts.native)
    counts.native, watched.counts = watched, counts
    before = rows(counts)
    counts.add(more)
    assert rows(counts) == rows(counted([*TEXTS, "new words"], [*LABELS, "?"]))
    assert counts.totals().documents.sum() == 4
    counts.subtract(more)
    assert rows(counts) == before


def test_frozen_counts_stay_as_they_are() -> None:
    counts = counted(TEXTS, LABELS)
    frozen, before = counts.frozen(), rows(counts)
    counts.add(counted(["new words"], ["?"]))
    assert rows(frozen) == before
    assert frozen.live().labels == ["+", "-"]
    frozen.add(counted(["other words"], ["!"]))
    assert counts.live().labels == ["+", "-", "?"]
