"""Pruning of sorted rows, in batches that cut through the rows of a term."""

from __future__ import annotations

import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.distributed import count
from likely.distributed.building import Summing
from likely.distributed.pruning import prune_rows
from likely.sample import load_sample
from likely.storage.model_file import to_bytes


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
