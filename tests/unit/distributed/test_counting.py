"""Counting in parts: the model of the rows is the model of one process, byte by byte."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.distributed import build, count, counting
from likely.errors import OptionError
from likely.sample import load_sample
from likely.storage.model_file import to_bytes

VALUES: dict[str, tuple[object, ...]] = {
    "ngrams": ((1, 1), (1, 2), (2, 3)),
    "variant": ("multinomial", "binary", "bernoulli", "complement", "complement_binary"),
    "analyzer": ("word", "char", "char_wb", "both"),
    "lowercase": (True, False),
    "accents": ("keep", "strip"),
    "punctuation": ("drop", "keep"),
    "numbers": ("keep", "mask"),
    "stem": ("none", "english"),
    "negation": ("off", "on"),
    "stop_words": (None, "en"),
    "hash_bits": (0, 12),
    "weighting": ("counts", "tfidf"),
    "tf": ("sublinear", "raw"),
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
