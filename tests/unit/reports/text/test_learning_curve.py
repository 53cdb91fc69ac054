"""The text of a learning curve: table, chart and advice within 80 columns."""

from __future__ import annotations

import numpy as np
from likely.evaluation.learning_curve import LearningCurve
from likely.evaluation.power_law import PowerLaw
from likely.reports.text.learning_curve import HEIGHT, chart, learning_curve_text


def curve(law: PowerLaw, halvings: int = 8, **options: object) -> LearningCurve:
    sizes = 64_000.0 / 2 ** np.arange(halvings - 1, -1, -1)
    hardness = np.linspace(0, 1, 4000)
    right = np.array([hardness > law.error(size) for size in sizes])
    return LearningCurve(sizes, right, np.ones(4000), 64_000, "leave-one-out", dict(options), bool(options))


def test_what_it_says() -> None:
    shown = learning_curve_text(curve(PowerLaw(0.05, 2.0, 0.4), variant="binary", stem="\x1bx" * 60))
    assert "The options were chosen once, on all documents:" in shown
    assert "64,000   92.6" in shown
    assert "fitted: error = 0.0" in shown
    assert "Doubling to 128,000 documents would give about 9" in shown.replace("\n", " ")
    assert "One point more takes about" in shown.replace("\n", " ")
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_chart() -> None:
    lines = chart(curve(PowerLaw(0.05, 2.0, 0.4))).splitlines()
    assert len(lines) == HEIGHT + 2
    assert sum(line.count("o") for line in lines[:HEIGHT]) == 8
    assert max(map(len, lines)) <= 80
    assert lines[-1].split() == ["500", "128,000", "documents"]
    rows = [line.split("|")[1].find("o") for line in lines[:HEIGHT] if "o" in line]
    assert rows == sorted(rows, reverse=True), "higher points are further to the right"


def test_a_perfect_classifier_and_too_few_documents() -> None:
    perfect = curve(PowerLaw(-1.0, 0.0, 1.0))
    assert "100 %" in learning_curve_text(perfect)
    assert "The curve is flat" in learning_curve_text(perfect)
    shown = learning_curve_text(curve(PowerLaw(0.05, 2.0, 0.4), halvings=2))
    assert "too few documents" in shown.replace("\n", " ")
    assert "fitted" not in shown
