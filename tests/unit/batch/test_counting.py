"""Counting in parts: any parts make the model of one process; bad rows are counted and left out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.batch import counting
from likely.batch.counting import (
    DocumentRows,
    Summing,
    build,
    check_column,
    class_type,
    count,
    joined,
    makes_fractions,
    prune_rows,
    schema_of,
    split,
)
from likely.batch.scoring import score, text_problems
from likely.core.analyzer import Analyzer
from likely.core.file import to_bytes
from likely.errors import LabelError, OptionError, SourceError
from likely.labels import python_labels
from likely.options.model import with_defaults
from likely.reading.batch import Chosen
from likely.sample import load_sample

VALUES: dict[str, tuple[object, ...]] = {
    "ngrams": ((1, 1), (1, 2), (2, 3)),
    "variant": ("multinomial", "binary", "bernoulli", "complement", "complement_binary"),
    "analyzer": ("word", "char", "char_wb", "both"),
    "lowercase": (True, False),
    "accents": ("keep", "strip"),
    "punctuation": ("drop", "keep"),
    "entities": (None, {"numbers": "mask"}),
    "stem": ("none", "english"),
    "negation": ("off", "on"),
    "stop_words": (None, "en"),
    "hash_bits": (0, 12),
    "weighting": ("counts", "tfidf", "tfidf_raw"),
    "document_weight": ("length", "equal"),
    "min_documents": (1, 2),
}
"""What the grid is sampled from."""


def sampled_grid(size: int) -> list[dict[str, Any]]:
    """Combinations of options that are allowed, always the same."""
    draw = random.Random(17)
    found: list[dict[str, Any]] = []
    while len(found) < size:
        names = draw.sample(sorted(VALUES), 4)
        options = {name: draw.choice(VALUES[name]) for name in names}
        try:
            NaiveBayes(**options)._settle()  # type: ignore[arg-type]
        except OptionError:
            continue
        found.append(options)
    return found


def corpus() -> tuple[list[str], list[str]]:
    texts, labels = load_sample()
    texts = [*texts[::4], "", "na\u00efve \u6f22\u5b57 \U0001f600 e\u0301", "caf\u00e9 caf\u00e9 CAF\u00c9 3.14 :-)"]
    return texts, [*labels[::4], "odd", "odd", "odd"]


def parts(columns: dict[str, list[Any]], number: int, seed: int = 3) -> list[pa.Table]:
    """The rows of a table in random order, in this many parts, some of which may be empty."""
    table = pa.table(columns)
    order = list(range(table.num_rows))
    draw = random.Random(seed)
    draw.shuffle(order)
    cuts = sorted(draw.randint(0, len(order)) for _ in range(number - 1))
    edges = zip([0, *cuts], [*cuts, len(order)], strict=True)
    return [table.take(pa.array(order[start:end], pa.int64())) for start, end in edges]


def counted(tables: list[pa.Table], **options: Any) -> Iterator[pa.RecordBatch]:
    """The rows of all parts, as if each had been counted by a worker of its own."""
    return (rows for table in tables for rows in count(table.to_batches(max_chunksize=50), **options))


def data(model: NaiveBayes) -> bytes:
    return to_bytes(model._snapshot())


@pytest.mark.parametrize("options", sampled_grid(24), ids=lambda o: "-".join(f"{k}={v}" for k, v in o.items()))
def test_any_parts_make_the_model_of_one_process(options: dict[str, Any]) -> None:
    texts, labels = corpus()
    expected = data(NaiveBayes(**options).fit(texts, labels))
    for number in (1, 7, 200):
        tables = parts({"text": texts, "label": labels}, number)
        assert data(build(counted(tables, **options), **options)) == expected, number


@pytest.mark.parametrize("options", [{}, {"weighting": "tfidf"}, {"document_weight": "equal", "variant": "binary"}])
@pytest.mark.parametrize("labels", ["int", "bool"])
def test_weights_and_other_labels_are_exact_too(options: dict[str, Any], labels: str) -> None:
    texts, names = corpus()
    draw = random.Random(5)
    weights = [draw.choice([0.0, 0.1, 1.0, 2.5, 1e-3]) for _ in texts]
    numbers = [len(name) % 2 == 0 if labels == "bool" else len(name) for name in names]
    expected = data(NaiveBayes(**options).fit(texts, numbers, weights))
    tables = parts({"text": texts, "label": numbers, "weight": weights}, 7)
    assert data(build(counted(tables, weight="weight", **options), **options)) == expected


def test_counts_that_grow_too_large_are_yielded_before_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    texts, labels = corpus()
    monkeypatch.setattr(counting, "CHUNK", 1000)
    monkeypatch.setattr(counting, "MOST_TERMS", 200)
    monkeypatch.setattr(counting, "SLICE", 64)
    rows = list(counted(parts({"text": texts, "label": labels}, 1)))
    terms = [term for batch in rows for term in batch["term"].to_pylist() if term is not None]
    assert len(terms) > len(set(terms)) > 200
    assert max(batch.num_rows for batch in rows) <= 64 + 2
    assert data(build(rows)) == data(NaiveBayes().fit(texts, labels))


def test_nothing_comes_of_nothing() -> None:
    assert list(count([])) == []


@pytest.mark.parametrize("options", [{"variant": "nbsvm"}, {"weighting": "tfidf", "norm": "l2"}])
def test_options_that_read_twice_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(OptionError, match=r"reads the texts twice.*`likely\.spark\.train`"):
        count([], **options)


def read(columns: Chosen, *batches: pa.RecordBatch) -> tuple[list[str], list[str | int], int, int]:
    documents = DocumentRows(columns)
    found = list(documents.of(batches))
    texts = [text for each in found for text in each.texts.to_pylist()]  # type: ignore[union-attr]
    labels = [label for each in found for label in python_labels(each.labels)]
    return texts, labels, documents.bad, documents.rows


def test_missing_texts_and_labels_are_bad_rows() -> None:
    batch = pa.record_batch({"text": ["a", None, "c", ""], "label": ["x", "y", None, "z"]})
    assert read(Chosen("text", "label"), batch) == (["a", ""], ["x", "z"], 2, 4)


def test_bytes_that_are_not_utf8_are_bad_rows() -> None:
    texts = pa.array([b"a\xff", "\u00e9".encode(), None]).view(pa.string())
    labels = pa.array([b"x", b"y", b"z"]).view(pa.string())
    batch = pa.record_batch({"text": texts, "label": labels})
    assert read(Chosen("text", "label"), batch) == (["\u00e9"], ["y"], 2, 3)
    assert read(Chosen("label", "text"), batch)[1:] == (["\u00e9"], 2, 3)


def test_labels_that_are_fractions_are_bad_rows() -> None:
    batch = pa.record_batch({"text": ["a", "b", "c", "d"], "label": [1.0, 0.5, np.nan, np.inf]})
    assert read(Chosen("text", "label"), batch) == (["a"], [1], 3, 4)
    large = pa.record_batch({"text": ["a", "b"], "label": pa.array([7, 2**64 - 1], pa.uint64())})
    assert read(Chosen("text", "label"), large) == (["a"], [7], 1, 2)


def test_weights_that_are_not_allowed_are_bad_rows_and_no_weight_is_not() -> None:
    batch = pa.record_batch({"text": list("abcd"), "label": list("xyxy"), "w": [1.5, -1.0, None, 0.0]})
    assert read(Chosen("text", "label", weight="w"), batch) == (["a"], ["x"], 2, 4)


def test_dictionaries_views_and_tables_are_read() -> None:
    table = pa.table(
        {
            "text": pa.array(["a", "b"]).dictionary_encode(),
            "label": pa.array(["x", "y"], pa.string_view()),
        }
    )
    assert read(Chosen("text", "label"), table) == (["a", "b"], ["x", "y"], 0, 2)


def test_a_wrong_column_is_named() -> None:
    batch = pa.record_batch({"text": ["a"], "n": [1], "label": ["x"]})
    with pytest.raises(SourceError, match="there is no column 'body', but 'text', 'n', 'label'"):
        read(Chosen("body", "label"), batch)
    with pytest.raises(SourceError, match="'n' is of type int64, not text"):
        read(Chosen("n", "label"), batch)
    twice = pa.RecordBatch.from_arrays([pa.array(["a"]), pa.array(["b"]), pa.array(["x"])], ["text", "text", "label"])
    with pytest.raises(SourceError, match="there are 2 columns named 'text'"):
        read(Chosen("text", "label"), twice)


def test_weights_may_be_text_as_in_csv_but_nothing_else() -> None:
    batch = pa.record_batch({"text": list("abcd"), "label": list("xyxy"), "w": ["1.5", "much", None, "0"]})
    assert read(Chosen("text", "label", weight="w"), batch) == (["a"], ["x"], 2, 4)
    batch = pa.record_batch({"text": ["a"], "label": ["x"], "w": [[1.0]]})
    assert read(Chosen("text", "label", weight="w"), batch) == ([], [], 1, 1)


def test_sums_of_parts_are_sums_of_numbers() -> None:
    draw = random.Random(1)
    numbers = [draw.getrandbits(100) for _ in range(1000)]
    exact = np.array([n >> 64 for n in numbers], np.uint64), np.array([n & (2**64 - 1) for n in numbers], np.uint64)
    whole, fraction = joined(*(np.array([part.sum()]) for part in split(exact)))
    assert (int(whole[0]) << 64) + int(fraction[0]) == sum(numbers)


@pytest.mark.parametrize(
    ("label_type", "expected"),
    [
        (pa.string(), pa.string()),
        (pa.large_string(), pa.string()),
        (pa.dictionary(pa.int32(), pa.string()), pa.string()),
        (pa.int8(), pa.int64()),
        (pa.float64(), pa.int64()),
        (pa.bool_(), pa.bool_()),
    ],
    ids=str,
)
def test_classes_have_one_of_three_types(label_type: pa.DataType, expected: pa.DataType) -> None:
    assert class_type(label_type) == expected


def test_other_labels_are_refused() -> None:
    with pytest.raises(LabelError, match="the labels are of type date32"):
        class_type(pa.date32())


@pytest.mark.parametrize(
    ("options", "weighted", "expected"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"variant": "binary"}, False, False),
        ({"weighting": "tfidf"}, False, True),
        ({"weighting": "tfidf_raw"}, False, False),
        ({"document_weight": "equal"}, False, True),
    ],
)
def test_fractions_travel_only_if_there_may_be_some(
    options: dict[str, object], weighted: bool, expected: bool
) -> None:
    found = makes_fractions(Analyzer.of(with_defaults(options)), weighted=weighted)
    assert found is expected
    assert len(schema_of(pa.string(), fractions=found)) == (8 if expected else 4)


@pytest.mark.parametrize("size", [1, 2, 7, 100_000])
@pytest.mark.parametrize("options", [{}, {"weighting": "tfidf"}], ids=["whole", "fractions"])
def test_the_model_is_the_pruned_one(size: int, options: dict[str, object]) -> None:
    texts, labels = load_sample()
    texts, labels = texts[:150], labels[:150]
    options = {"min_documents": 3, **options}
    batch = pa.record_batch({"text": texts, "label": labels})
    table = pa.Table.from_batches(count([batch], **options)).sort_by("term")  # type: ignore[arg-type]
    model = NaiveBayes(**options).fit(texts, labels)  # type: ignore[arg-type]
    summing = Summing(model._snapshot().counts.analyzer)
    for rows in prune_rows(table.to_batches(max_chunksize=size), 3):
        summing.add(rows)
    counts = summing.counts()
    assert summing.dropped + counts.terms == model._snapshot().counts.terms > counts.terms
    counts.dropped = summing.dropped
    found = NaiveBayes(**options)._fit_counts(counts)  # type: ignore[arg-type]
    assert to_bytes(found._snapshot()) == to_bytes(model.pruned(min_documents=3)._snapshot())


def test_nothing_is_pruned_of_nothing() -> None:
    assert list(prune_rows([], 2)) == []


def test_the_first_problem_of_a_text_is_named() -> None:
    assert text_problems(pa.array(["a", "", None])) == {2: "no text"}
    assert text_problems(pa.array([b"\xff", None]).view(pa.string())) == {0: "not valid UTF-8", 1: "no text"}
    numbers = text_problems(pa.array([1.5, None, float("nan")]))
    assert numbers == {0: "not a text, but double", 1: "no text", 2: "no text"}


def test_a_column_that_is_missing_is_named_with_those_there_are() -> None:
    check_column(["a", "b"], "b")
    many = [f"c{at}" for at in range(30)]
    with pytest.raises(SourceError, match=r"there is no column 'x', but 'c0', .* and 10 more"):
        check_column(many, "x")


def test_a_table_instead_of_a_list_of_batches_is_told() -> None:
    table = pa.table({"text": ["good"], "label": ["+"]})
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    for call in (count, partial(score, model=model)):
        with pytest.raises(SourceError, match="found a ChunkedArray: give a list of them"):
            list(call(table))
    with pytest.raises(SourceError, match="found a ChunkedArray: give a list of them"):
        build(table)
