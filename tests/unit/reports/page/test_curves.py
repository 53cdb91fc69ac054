"""The slider and the charts: their data are bounded, and agree with the evaluation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from likely.evaluation.ranking import GRID
from likely.reports.page.curves import MOST_POINTS, curves, curves_data

if TYPE_CHECKING:
    from likely.reports.page import Material


def sweeps(material: Material) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", curves_data(material)["sweeps"])


def test_all_classes_first_then_each_class_that_has_documents(material: Material) -> None:
    found = sweeps(material)
    assert len(found) == 1 + len(material.sweeps)
    assert curves(material).count("<option") == len(found)
    evaluation = material.evaluation
    assert found[0]["found"][0] == round(evaluation.accuracy * evaluation.documents)
    assert found[0]["reached"][0] == found[0]["wanted"] == evaluation.documents


def test_curves_have_a_bounded_number_of_points(material: Material) -> None:
    for each in sweeps(material):
        assert len(each["roc"]) <= 2 * MOST_POINTS
        assert len(each["reached"]) == len(each["found"]) == len(GRID)


def test_without_probabilities_there_are_none(material: Material) -> None:
    bare = replace(material, overall=None, sweeps={})
    assert "no probabilities" in curves(bare)
    assert sweeps(bare) == []
