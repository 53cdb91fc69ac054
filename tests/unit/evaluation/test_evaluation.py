"""Evaluation against a plain-Python reference; undefined values stay undefined."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import evaluate
from likely.errors import ArgumentError, LabelError, OptionError
from likely.evaluation.evaluation import from_confusion

pairs = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


def ratio(part: int, whole: int) -> float | None:
    return float(Fraction(part, whole)) if whole else None


@given(pairs, st.sampled_from([0.5, 1.0, 2.0]))
def test_equals_a_plain_reference(some: list[tuple[str, str]], beta: float) -> None:
    gold, predicted = zip(*some, strict=True)
    result = evaluate(gold, predicted, beta=beta)
    assert result.labels == sorted({*gold, *predicted})
    assert result.accuracy == ratio(sum(g == p for g, p in some), len(some))
    for label, table in result.per_class.items():
        tp = sum(g == p == label for g, p in some)
        fp = sum(p == label != g for g, p in some)
        fn = sum(g == label != p for g, p in some)
        assert (table.tp, table.fp, table.fn, table.tn) == (tp, fp, fn, len(some) - tp - fp - fn)
        assert (table.precision, table.recall) == (ratio(tp, tp + fp), ratio(tp, tp + fn))
        f = (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp)
        assert table.f(beta) == pytest.approx(f, rel=1e-15)
    for at, g in enumerate(result.labels):
        for to, p in enumerate(result.labels):
            assert result.confusion[at, to] == some.count((str(g), str(p)))
    assert result.micro.precision == pytest.approx(result.accuracy, rel=1e-15)
    json.dumps(result.to_dict())


@pytest.mark.slow
def test_undefined_values_are_reported_as_undefined() -> None:
    result = evaluate(["a", "a", "b"], ["a", "a", "a"])
    assert result.per_class["b"].precision is None
    assert result.per_class["b"].recall == 0.0
    assert result.per_class["b"].f() == 0.0
    assert (result.macro.precision, result.macro.defined_precision, result.macro.classes) == (2 / 3, 1, 2)
    assert result.undefined[0] == 'precision is undefined for "b": never predicted'
    assert result.macro.recall == 0.5
    printed = result.describe(details=True)
    assert "undefined" in printed
    assert "nan" not in printed
    assert result.to_dict()["per_class"][1]["precision"] is None


@pytest.mark.slow
def test_many_classes_cost_little_and_print_little() -> None:
    gold = [number % 20_000 for number in range(40_000)]
    result = evaluate(gold, gold[1:] + gold[:1])
    assert result.accuracy == 0
    assert len(result.per_class) == 20_000
    assert len(str(result).splitlines()) < 90


@pytest.mark.parametrize("gold", [[1, 0], [True, False], np.array([1, 0])])
def test_labels_of_any_kind(gold: Any) -> None:
    assert evaluate(gold, gold).accuracy == 1.0


def test_bad_input_is_named() -> None:
    with pytest.raises(ArgumentError, match="1 gold labels but 2"):
        evaluate(["a"], ["a", "b"])
    with pytest.raises(ArgumentError, match="no documents"):
        evaluate([], [])
    with pytest.raises(LabelError, match="of type"):
        evaluate(["a"], [1])
    with pytest.raises(LabelError, match="single str"):
        evaluate("ab", "ab")
    assert evaluate(["a"], ["a"], beta=np.float32(2)).beta == 2.0  # type: ignore[arg-type]
    for beta in (0, -1, float("nan"), "1", 10**400, 1e200):
        with pytest.raises(OptionError, match="beta"):
            evaluate(["a"], ["a"], beta=beta)  # type: ignore[arg-type]
    with pytest.raises(LabelError, match="2 x 2"):
        from_confusion(["a", "b"], [[1, 2, 3]])
