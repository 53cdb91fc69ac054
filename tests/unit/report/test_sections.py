"""The sections of a report: what they say, what is escaped, and the data that buttons and charts use."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest
from likely import evaluate
from likely.evaluation.evaluation import from_confusion
from likely.report.charts import GRID, MOST_POINTS, SIZE, curves_data, path_of
from likely.report.examples import ShownDocument
from likely.report.material import About, Contradicted
from likely.report.pages import MOST_IN_MATRIX, cells_data, matrix, matrix_places, report_page

from .conftest import material_of

if TYPE_CHECKING:
    from likely.report.material import ReportMaterial


PRINTED = {
    *("accuracy", "accuracy_of_answered", "balanced_accuracy", "macro_f", "weighted_f", "roc_auc", "matthews"),
    *("average_precision", "kappa", "log_loss", "brier", "expected_calibration_error"),
}


def section(anchor: str, material: ReportMaterial) -> str:
    """One section of the page."""
    page = report_page(material)
    start = page.index(f'<section id="{anchor}"')
    return page[start : page.index("</section>", start)]


@pytest.fixture(scope="module")
def larger() -> ReportMaterial:
    """Of 56 documents, eight are predicted wrongly and eight have a label that the model does not have."""
    texts = ["good fun", "so fine", "dull", "dull film", "good film, so good", "tag", "good new"] * 8
    return material_of(texts, ["<good>", "<good>", '"bad"', '"bad"', '"bad"', "c & d", "unknown"] * 8)


def test_the_result_and_its_baseline_in_words(larger: ReportMaterial) -> None:
    html = section("summary", larger).replace("\u00a0", " ")
    assert "<b>40 of 56 documents: 71.4%</b> (95% interval" in html
    assert "Always answering <bdi>&#34;bad&#34;</bdi>" in html
    assert "would be right for 42.9%" in html


def test_a_handful_of_documents_has_no_measures(material: ReportMaterial) -> None:
    html = section("summary", material)
    assert "<b>5 of 7 documents</b> are right: too few yet" in html
    assert "<table" not in html


def test_few_documents_have_no_measures_of_probabilities(larger: ReportMaterial) -> None:
    few = replace(larger, evaluation=from_confusion(["a", "b"], [[20, 5], [5, 19]]), cells={})
    for name in ("kappa", "Matthews"):
        assert (name in section("summary", few)) == (name == "Matthews")
        assert name in section("summary", larger)


def test_every_measure_has_a_row(larger: ReportMaterial) -> None:
    html = section("summary", larger)
    shown = larger.evaluation.measures.keys() & PRINTED
    assert html.count('<th scope="row">') == len(shown) == len(PRINTED) - 1  # the model answers everything
    assert "Macro F<sub>1</sub>" in html


def test_warnings_are_escaped(material: ReportMaterial) -> None:
    labels = ["<good>", "b"]
    flattering = from_confusion(labels, [[99, 1], [9, 1]])
    html = section("summary", replace(material, evaluation=flattering, cells={}))
    assert html.count('class="warning"') == len(flattering.warnings) == 1
    assert "<good>" not in html


def test_one_row_per_class_and_three_averages(material: ReportMaterial) -> None:
    html = section("classes", material)
    body, foot = html.split("<tfoot>")
    assert body.count('<th scope="row"') == len(material.evaluation.labels)
    assert foot.count('<th scope="row"') == 3
    assert html.count("aria-sort") == 7


def test_values_to_sort_by_are_exact(material: ReportMaterial) -> None:
    html = section("classes", material)
    tables = list(material.evaluation.per_class.values())
    found = re.findall(r'<td data-value="([^"]*)">', html)
    assert len(found) == 6 * len(tables)
    recalls = ["" if table.recall is None else str(table.recall) for table in tables]
    assert found[1::6] == recalls


def test_undefined_is_said(material: ReportMaterial) -> None:
    assert 'data-value="">undefined</td>' in section("classes", material)


def test_one_button_per_cell_with_documents(material: ReportMaterial) -> None:
    html = section("confusion", material)
    matrix = html[html.index("<table") : html.index("</table>")]
    assert matrix.count("<button") == len(material.evaluation.counts)
    assert "<good>" not in html
    assert "style=" not in html


def test_every_button_opens_documents(material: ReportMaterial) -> None:
    cells = cells_data(material)["cells"]
    assert isinstance(cells, dict)
    buttons = set(re.findall(r'data-cell="([^"]+)"', section("confusion", material)))
    assert buttons == set(cells)
    assert all(cells.values())


def test_totals_are_the_counts(material: ReportMaterial) -> None:
    totals = cells_data(material)["totals"]
    assert isinstance(totals, dict)
    assert sum(totals.values()) == material.evaluation.documents


def test_of_many_classes_those_with_errors_are_shown() -> None:
    size = MOST_IN_MATRIX + 20
    matrix = np.diag(np.full(size, 5))
    matrix[70, 75] = 1
    matrix[3, 3] = 0
    shown = matrix_places(from_confusion([f"c{at:03}" for at in range(size)], matrix), MOST_IN_MATRIX)
    assert len(shown) == MOST_IN_MATRIX
    assert {70, 75} <= set(shown)
    assert 3 not in shown
    assert shown == sorted(shown)


def sweeps(material: ReportMaterial) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", curves_data(material)["sweeps"])


def test_all_classes_first_then_each_class_that_has_documents(material: ReportMaterial) -> None:
    found = sweeps(material)
    assert len(found) == 1 + len(material.sweeps)
    assert section("thresholds", material).count("<option") == len(found)
    evaluation = material.evaluation
    assert found[0]["found"][0] == round(evaluation.accuracy * evaluation.documents)
    assert found[0]["reached"][0] == found[0]["wanted"] == evaluation.documents


def test_curves_have_a_bounded_number_of_points(material: ReportMaterial) -> None:
    for each in sweeps(material):
        assert len(each["roc"]) <= 2 * MOST_POINTS
        assert len(each["reached"]) == len(each["found"]) == len(GRID)


def test_without_probabilities_there_are_none(material: ReportMaterial) -> None:
    bare = replace(material, overall=None, sweeps={})
    assert "no probabilities" in section("thresholds", bare)
    assert sweeps(bare) == []


def test_every_mistake_is_listed_with_its_words(material: ReportMaterial) -> None:
    html = section("errors", material)
    assert html.count('<li class="document">') == 1
    assert "<mark" in html
    assert "<good>" not in html


def test_nothing_wrong_is_said(flawless: ReportMaterial) -> None:
    assert "every prediction is right" in section("errors", flawless)


def test_doubtful_labels(material: ReportMaterial) -> None:
    doubted = replace(material, suspects=[Contradicted(material.mistakes[0], 0.875)])
    assert "wrong with probability 87.5%" in section("labels", doubted)
    assert "No label is contradicted" in section("labels", replace(material, suspects=[]))
    assert "not judged" in section("labels", replace(material, suspects=None))


def test_the_strongest_word_has_the_longest_bar(material: ReportMaterial) -> None:
    html = section("words", material)
    assert 'width="100.0%"' in html
    assert html.count("<details open>") == len(material.words)
    assert "<bdi>script</bdi>" in html


def test_the_share_of_unknown_terms(material: ReportMaterial) -> None:
    assert "The model does not know <b>" in section("words", material)


def test_hashed_terms_have_no_names(material: ReportMaterial) -> None:
    assert "hashed" in section("words", replace(material, words={}))


def test_what_is_known_is_shown(material: ReportMaterial) -> None:
    about = replace(material.about, model="<m>.likely", data="test.csv", reading=["read as <CSV>"])
    html = section("about", replace(material, about=about))
    for part in ("&lt;m&gt;.likely", "test.csv", "read as &lt;CSV&gt;", "8 documents of 3 classes"):
        assert part in html
    assert "likely train DATA -o MODEL --plain" in html


def test_what_is_not_known_is_left_out(material: ReportMaterial) -> None:
    html = section("about", replace(material, about=About()))
    assert "date" not in html
    assert "None" not in html
    assert "default values" in html


def test_texts_and_labels_of_documents_are_escaped(material: ReportMaterial) -> None:
    example = ShownDocument(4, "<i>", "</li>", 0.9, 0.1, "<i>", [("<b>", 0), ("</mark>", -2)])
    html = section("errors", replace(material, mistakes=[example]))
    assert "Row 5: predicted <bdi>&lt;/li&gt;</bdi>" in html
    assert "labelled <bdi>&lt;i&gt;</bdi>" in html
    assert '&lt;b&gt;<mark class="c2">&lt;/mark&gt;</mark>' in html
    right = ShownDocument(0, "a", "a", 0.9, 0.9, None, [])
    assert "labelled <bdi>" not in section("errors", replace(material, mistakes=[right]))


def test_the_origin_of_a_chart_is_at_the_bottom_left() -> None:
    assert path_of([0, 0, 1000, 1000]) == f"M0 {SIZE}L{SIZE} 0"


def test_bars_are_relative_to_the_largest(material: ReportMaterial) -> None:
    assert material.overall is not None
    sizes = material.overall.sizes
    shown = replace(
        material, overall=replace(material.overall, sizes=np.array([5.0, 10.0] + [0.0] * (len(sizes) - 2)))
    )
    heights = re.findall(r'class="size"[^>]* height="([^"]+)"', section("thresholds", shown))
    assert heights == [f"{SIZE / 10:.1f}", f"{SIZE / 5:.1f}", *["0.0"] * (len(sizes) - 2)]


def test_a_chart_has_names_for_people_who_do_not_see_it(material: ReportMaterial) -> None:
    html = section("thresholds", material)
    assert 'role="img" aria-label="ROC curve"' in html
    assert html.count('class="tick"') == 3 * 10


def test_headings() -> None:
    assert About(title="T", model="m", data="d").heading == "T"
    assert About(model="m", data="d").heading == "m on d"
    assert About(data="d").heading == "d"


def test_documents_without_an_answer_have_a_column_of_the_matrix() -> None:
    found = matrix(evaluate(["a", "a", "a", "b"], ["a", "b", None, "b"]), 5)
    assert found.labels == ["a", "b"]
    assert found.counts() == [[1, 1], [0, 1]]
    assert [row[-1] for row in found.rows] == [1, 0]


def test_of_many_classes_only_those_with_errors_are_shown() -> None:
    gold = [f"c{at:02}" for at in range(50)] + ["c30"] * 3 + ["c05"] * 2
    predicted = [f"c{at:02}" for at in range(50)] + ["c20"] * 3 + ["c30"] * 2
    found = matrix(evaluate(gold, predicted), 5, errors_only=True)
    assert found.labels == ["c05", "c20", "c30"]
    assert found.counts() == [[1, 0, 2], [0, 1, 0], [0, 3, 1]]


def test_without_errors_the_first_classes_are_shown() -> None:
    labels = [f"c{at:02}" for at in range(50)]
    assert matrix(evaluate(labels, labels), 3, errors_only=True).labels == ["c00", "c01", "c02"]
