"""Figures without the global state of matplotlib."""

from __future__ import annotations

import subprocess
import sys

from likely.report.plots import COLOURS, canvas, label_text, new_figure


def test_a_figure_is_new_or_that_of_the_axes() -> None:
    figure, axes = canvas(None)
    assert figure.axes == [axes]
    assert canvas(axes) == (figure, axes)
    assert new_figure(3, 2).get_size_inches().tolist() == [3, 2]


def test_nothing_global_is_imported() -> None:
    code = "import sys; from likely.report.plots import canvas; canvas(None)"
    code = f"{code}; print('matplotlib.pyplot' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_labels_are_never_formulas_and_never_control_characters() -> None:
    assert label_text("$\\frac{$") == "\\$\\frac{\\$"
    assert label_text("a\x1b\u202e") == "a\\x1b\\u202e"
    assert len(set(COLOURS)) == 8
