"""The summary: the result in words, the baseline, warnings and intervals."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from likely.evaluation.evaluation import from_confusion
from likely.reports.page.headline import headline, measures_of

if TYPE_CHECKING:
    from likely.reports.page import Material


def test_the_result_and_its_baseline_in_words(material: Material) -> None:
    html = headline(material).replace("\u00a0", " ")
    assert "<b>5 of 7 documents: 71.4 %</b> (95 % interval" in html
    assert "To answer <bdi>&quot;bad&quot;</bdi> every time" in html
    assert "would be right for 42.9 %" in html


def test_every_measure_has_a_row(material: Material) -> None:
    html = headline(material)
    assert html.count('<th scope="row">') == len(measures_of(material.evaluation))
    assert "Macro F<sub>1</sub>" in html


def test_warnings_are_escaped(material: Material) -> None:
    labels = ["<good>", "b"]
    flattering = from_confusion(labels, [[99, 1], [9, 1]])
    html = headline(replace(material, evaluation=flattering))
    assert html.count('class="warning"') == len(flattering.warnings) == 1
    assert "<good>" not in html
