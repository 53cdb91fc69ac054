"""Each variant alone: its weights are those of the formula in its paper, from counts by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.variants import LEARNED, OF_DOCUMENTS, Totals, one_over, variant_of
from likely.options.model import MODEL

TEXTS, LABELS = ["a a b", "b c", "c c c d", "a d"], ["x", "x", "y", "y"]
ALPHA = 0.5
COUNTS = {"x": {"a": 2, "b": 2, "c": 1, "d": 0}, "y": {"a": 1, "b": 0, "c": 3, "d": 2}}
DOCUMENTS = {"x": {"a": 1, "b": 2, "c": 1, "d": 0}, "y": {"a": 1, "b": 0, "c": 1, "d": 2}}
ASKED = {"a": 3, "d": 1}  # the text "a a a d", whose unknown words do not count
V = 4


def scores(variant: str) -> list[float]:
    model = NaiveBayes(variant=variant, alpha=ALPHA, prior="uniform").fit(TEXTS, LABELS)  # type: ignore[arg-type]
    found: list[float] = model.predict_joint_log_proba(["a a a d zzz"])[0].tolist()
    return found


def multinomial(label: str, counts: dict[str, dict[str, int]], asked: dict[str, int]) -> float:
    total = sum(counts[label].values()) + ALPHA * V
    return math.log(0.5) + sum(n * math.log((counts[label][t] + ALPHA) / total) for t, n in asked.items())


def complement(label: str, counts: dict[str, dict[str, int]], asked: dict[str, int]) -> float:
    (other,) = set("xy") - {label}
    return math.log(0.5) - (multinomial(other, counts, asked) - math.log(0.5))


def bernoulli(label: str) -> float:
    score = math.log(0.5)
    for term, documents in DOCUMENTS[label].items():
        p = (documents + ALPHA) / (2 + 2 * ALPHA)
        score += math.log(p if term in ASKED else 1 - p)
    return score


def normalized(label: str) -> float:
    weights = {term: -complement(label, COUNTS, {term: 1}) + math.log(0.5) for term in COUNTS["x"]}
    total = sum(abs(weight) for weight in weights.values())
    return math.log(0.5) + sum(n * -weights[term] / total for term, n in ASKED.items())


ONCE = dict.fromkeys(ASKED, 1)
FORMULAS = {
    "multinomial": lambda label: multinomial(label, COUNTS, ASKED),
    "binary": lambda label: multinomial(label, DOCUMENTS, ONCE),
    "bernoulli": bernoulli,
    "complement": lambda label: complement(label, COUNTS, ASKED),
    "complement_binary": lambda label: complement(label, DOCUMENTS, ONCE),
    "complement_normalized": normalized,
}


def test_every_variant_that_is_not_learned_has_a_formula_here() -> None:
    assert set(FORMULAS) == set(MODEL["variant"].kind.choices) - {LEARNED}
    assert set(OF_DOCUMENTS) <= set(FORMULAS)


@pytest.mark.parametrize("variant", FORMULAS)
def test_the_score_is_that_of_the_formula(variant: str) -> None:
    expected = [FORMULAS[variant](label) for label in "xy"]
    assert scores(variant) == pytest.approx(expected, rel=1e-12)


TOTALS = Totals(np.array([5.0, 6.0]), np.array([2.0, 2.0]), np.array([6.0, 5.0]), 4)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_fraction_is_what_the_weight_is_the_logarithm_of(name: str) -> None:
    variant, counts = variant_of(name, ALPHA), np.array([[2.0, 1.0], [0.0, 2.0]])
    of_others = counts[:, ::-1]
    above, below = variant.fraction(counts, of_others, TOTALS)
    weights = variant.base(TOTALS) + variant.delta(counts, of_others, TOTALS)
    np.testing.assert_allclose(weights, np.log(above / below), rtol=1e-12)


@pytest.mark.parametrize("name", FORMULAS)
def test_what_a_class_lacks_weighs_the_base_and_the_rest(name: str) -> None:
    variant, of_terms = variant_of(name, ALPHA), np.array([[3.0]])
    lacking = variant.base(TOTALS) + variant.delta(np.zeros((1, 2)), np.repeat(of_terms, 2, axis=1), TOTALS)
    rest = variant.rest(of_terms)
    known = variant.absent if rest is None else rest
    np.testing.assert_allclose(lacking, np.broadcast_to(variant.base(TOTALS) + known, (1, 2)), rtol=1e-12)


def test_only_bernoulli_counts_what_a_document_lacks() -> None:
    counts, classes = np.array([1.0, 2.0, 2.0]), np.array([0, 0, 1])
    for name in FORMULAS:
        lacking = variant_of(name, ALPHA).lacking(counts, classes, TOTALS)
        p = [[1.5 / 3, 2.5 / 3, 0.5 / 3, 0.5 / 3], [2.5 / 3, 0.5 / 3, 0.5 / 3, 0.5 / 3]]
        expected = np.log(1 - np.array(p)).sum(axis=1) if name == "bernoulli" else np.zeros(2)
        np.testing.assert_allclose(lacking, expected, rtol=1e-12)


def test_one_over_nothing_is_nothing() -> None:
    assert one_over(np.array([2.0, -4.0, 0.0, 1e-12])).tolist() == [0.5, -0.25, 0.0, 0.0]
