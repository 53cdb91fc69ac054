"""Weights are written exactly."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.report.live.model_data import GRID, table, weight_tables

VARIANTS = ("multinomial", "binary", "bernoulli", "complement", "complement_binary", "complement_normalized")


READ: dict[str, Callable[[float], float]] = {
    "single": lambda value: float(np.float32(value)),
    "double": float,
    "grid": lambda value: value * GRID,
}


def read(found: dict[str, Any]) -> list[float]:
    values = [-np.inf if value is None else READ[found["kind"]](value) for value in found["values"]]
    return values if found["places"] is None else [values[place] for place in found["places"]]


@given(st.lists(st.one_of(st.floats(allow_nan=False), st.floats(width=32, allow_nan=False)), max_size=20))
def test_numbers_come_back_from_json(numbers: list[float]) -> None:
    numbers = [number for number in numbers if number != np.inf]
    written = json.dumps(table(np.array(numbers * 3, np.float64), on_grid=False), allow_nan=False)
    assert read(json.loads(written)) == numbers * 3


@given(st.lists(st.floats(-100, 100), max_size=20))
def test_weights_on_the_grid_are_close(numbers: list[float]) -> None:
    found = read(json.loads(json.dumps(table(np.array(numbers)), allow_nan=False)))
    np.testing.assert_allclose(found, numbers, rtol=0, atol=GRID / 2)


@pytest.mark.parametrize("variant", VARIANTS)
def test_rows_add_up_to_the_score(variant: str) -> None:
    model = NaiveBayes(variant=variant).fit(["a a b", "b c", "c d d"], ["x", "y", "z"])  # type: ignore[arg-type]
    found: dict[str, Any] = weight_tables(model._snapshot().moment.classes)
    terms = found["terms"].split("\n")
    starts = np.concatenate([[0], np.cumsum(found["lengths"])])
    deltas = read(found["deltas"])
    rests = read(found["rests"]) if found["rests"] else [0.0] * len(terms)
    row = dict.fromkeys(range(3), rests[terms.index("b")])
    at = terms.index("b")
    row.update({found["classes"][cell]: deltas[cell] for cell in range(starts[at], starts[at + 1])})
    scores = [found["bias"][c] + found["factor"][c] * (found["base"][c] + row[c]) for c in range(3)]
    np.testing.assert_allclose(scores, model.predict_joint_log_proba(["b"])[0], rtol=0, atol=1e-11)


def test_learned_weights_are_written_short() -> None:
    model = NaiveBayes(variant="nbsvm").fit(["good fun", "dull plot"] * 3, ["+", "-"] * 3)
    found: Any = weight_tables(model._snapshot().moment.classes)
    assert found["deltas"]["kind"] == "single"
    assert found["times_scale"]
