"""Evaluations as HTML."""

from __future__ import annotations

from likely import evaluate
from likely.reports.html.evaluation import evaluation_html


def test_labels_do_not_steer_the_page() -> None:
    page = evaluation_html(evaluate(["<b>\x1b[31m", "x"], ["<b>\x1b[31m", "x"]))
    assert page.startswith("<pre>")
    assert "<b>" not in page
