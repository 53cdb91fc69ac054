"""Pictures of evaluations: what is drawn is what was measured."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import pytest
from likely import NaiveBayes, evaluate
from likely.errors import OptionError, ProbabilityError
from likely.report.plots import KINDS, MOST_CLASSES, MOST_CURVES, MOST_POINTS, new_figure, plot_evaluation
from likely.sample import load_sample

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation

TEXTS, LABELS = load_sample()


@pytest.fixture(scope="module")
def two() -> Evaluation:
    return NaiveBayes(calibrate=True).fit(TEXTS[:300], LABELS[:300]).evaluate(TEXTS[300:], LABELS[300:])


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_saved_and_drawn_on_given_axes(two: Evaluation, kind: str) -> None:
    file = io.BytesIO()
    two.plot(kind).savefig(file, format="png", dpi=40)
    assert file.getvalue().startswith(b"\x89PNG")
    figure = new_figure(8, 4)
    left, _ = figure.subplots(1, 2)
    assert two.plot(kind, axes=left) is figure
    assert left.get_xlabel()


def test_the_matrix_has_the_numbers_and_the_shares(two: Evaluation) -> None:
    axes = two.plot("confusion").axes[0]
    assert [text.get_text() for text in axes.texts] == [f"{n}" for n in two.confusion.ravel()]
    shares = two.confusion / two.confusion.sum(axis=1, keepdims=True)
    assert np.allclose(np.asarray(axes.images[0].get_array()), shares)


def test_the_curves_are_those_of_the_ranking(two: Evaluation) -> None:
    assert two.ranking is not None
    line = two.plot("roc").axes[0].lines[0]
    curve = two.ranking.roc_curve("positive")
    assert np.array_equal(line.get_xdata(), curve.false_positive_rate)
    assert np.array_equal(line.get_ydata(), curve.true_positive_rate)
    assert str(line.get_label()).startswith(f"{two.ranking.roc_auc['positive']:.3f}  positive")
    drawn = two.plot("precision-recall").axes[0].lines[0]
    assert np.array_equal(drawn.get_ydata(), two.ranking.precision_recall_curve("positive").precision)


def test_reliability_shows_every_band(two: Evaluation) -> None:
    assert two.reliability is not None
    points = two.plot("reliability").axes[0].lines[1]
    assert len(points.get_xdata()) == np.count_nonzero(two.reliability.sizes)  # type: ignore[arg-type]


def test_many_classes_hostile_labels_and_many_points_are_bounded() -> None:
    classes = ["$\\frac{", "_hidden", "<b>\x1b", *(f"c{at:02}" for at in range(40))]
    generator = np.random.default_rng(0)
    gold = generator.integers(0, len(classes), 5_000)
    raw = generator.random((5_000, len(classes))) + 3 * np.eye(len(classes))[gold]
    probabilities = raw / raw.sum(axis=1, keepdims=True)
    names = [classes[at] for at in gold]
    found = evaluate(names, [classes[at] for at in raw.argmax(axis=1)], probabilities=probabilities, classes=classes)
    for kind in KINDS:
        found.plot(kind).savefig(io.BytesIO(), format="png", dpi=20)
    curves = found.plot("roc").axes[0].lines[:-1]
    assert len(curves) == MOST_CURVES
    assert max(len(line.get_xdata()) for line in curves) <= MOST_POINTS  # type: ignore[arg-type]
    assert len(found.plot("confusion").axes[0].get_xticks()) <= MOST_CLASSES


def test_what_cannot_be_drawn_is_refused() -> None:
    found = evaluate(["a", "b"], ["a", "a"])
    for kind in ("roc", "precision-recall", "reliability"):
        with pytest.raises(ProbabilityError, match=r"needs probabilities"):
            found.plot(kind)
    with pytest.raises(OptionError, match="kind must be 'confusion', 'roc'"):
        plot_evaluation(found, "pie")
