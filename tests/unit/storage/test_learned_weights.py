"""Learned weights in a model file: refused unless they are sound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from likely.core.file import to_bytes
from likely.errors import ModelFileError

from .conftest import Change, forged, plus, read, restored, with_class, without


def row(table: pa.Table, **values: Any) -> pa.Table:
    """The table with one more row at its end."""
    last = table.slice(len(table) - 1).to_pylist()[0] | values
    return pa.concat_tables([table, pa.Table.from_pylist([last], schema=table.schema)])


def weights(table: pa.Table, first: float) -> Any:
    return pa.array([first, *table["weight"].to_pylist()[1:]], pa.float32())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda t: plus(t, "weight", weights(t, np.nan)), "a weight is not a finite number"),
        (lambda t: plus(t, "weight", weights(t, -np.inf)), "a weight is not a finite number"),
        (
            lambda t: plus(t, "weight", t["weight"].cast(pa.float64())),
            "its column 'weight' is of a type that no model has",
        ),
        (lambda t: plus(t, "weight", np.ones(len(t), np.int64)), "its column 'weight' is of another type"),
        (lambda t: plus(t, "weight", weights(t, 3e38)), "a weight is not a finite number, or is larger"),
        (lambda t: t.select(["term", "class", "count", "documents"]), "columns"),
        (lambda t: row(t, term="zz", count=0, documents=0), "a count is 0"),
        (lambda t: row(row(t, term="zz", count=0, documents=0), term="zzz"), "a count is 0"),
        (lambda t: plus(t, "weight", np.zeros(len(t), np.float32)), "a count is 0"),
        (lambda t: plus(t, "documents", np.zeros(len(t), np.int64)), "a count is 0"),
        (row, "not sorted"),
        (lambda t: t.take(pa.array([1, 0, *range(2, len(t))])), "not sorted"),
        (lambda t: t.slice(2), "tokens of its classes"),
    ],
)
def test_learned_weights_that_are_not_sound_are_refused(
    learned: bytes, change: Callable[[pa.Table], pa.Table], message: str
) -> None:
    table, document = read(learned)
    with pytest.raises(ModelFileError, match=message):
        restored(forged(change(table), document))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda m: with_class(m, bias=1), "bias"),
        (lambda m: with_class(m, bias=None), "bias"),
        (lambda m: with_class(m, bias=1e200), "bias"),
        (lambda m: with_class(m, bias=-1e10), "bias"),
        (lambda m: m | {"classes": [{"bias": 0.5, **m["classes"][0]}, without(m["classes"][1], "bias")]}, "bias"),
        (lambda m: m | {"classes": [without(each, "bias") for each in m["classes"]]}, "columns"),
        (lambda m: m | {"options": m["options"] | {"variant": "binary"}}, "bias"),
        (lambda m: m | {"options": m["options"] | {"nbsvm": {"cost": 0.0}}}, "cost"),
    ],
)
def test_a_document_of_learned_weights_that_is_not_sound_is_refused(
    learned: bytes, change: Change, message: str
) -> None:
    table, document = read(learned)
    with pytest.raises(ModelFileError, match=message):
        restored(forged(table, change(document)))


@pytest.mark.parametrize("bias", [[1e9, -1e9], [1e9, 1e9], [0.0, 1e9]])
def test_the_largest_numbers_that_are_read_give_probabilities(learned: bytes, bias: list[float]) -> None:
    table, document = read(learned)
    for entry, each in zip(document["classes"], bias, strict=True):
        entry["bias"] = each
    model = restored(forged(plus(table, "weight", weights(table, 1e9)), document))
    found = model.predict_proba(["good fun", "", "dull " * 10_000, table["term"][0].as_py()])
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found.sum(axis=1), 1.0)


def test_no_bit_of_a_file_of_learned_weights_may_change(learned: bytes) -> None:
    table, document = read(learned)
    assert to_bytes(restored(forged(table, document))._snapshot()) == learned
    for at in range(0, len(learned), 7):
        with pytest.raises(ModelFileError):
            restored(learned[:at] + bytes([learned[at] ^ (1 << at % 8)]) + learned[at + 1 :])
