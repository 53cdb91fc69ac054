"""Documents that are probably mislabelled, as findings."""

from __future__ import annotations

from likely import NaiveBayes
from likely.evaluation.check import mislabelled_findings
from likely.reading.rows import Whole
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


def test_wrong_labels_are_found() -> None:
    labels: list[str | int | bool] = [*LABELS]
    labels[7] = "positive"
    model = NaiveBayes().fit(TEXTS, labels)
    (finding,) = mislabelled_findings(Whole(TEXTS, labels), model, 3)
    assert finding.examples[0].row == 7
    assert finding.examples[0].note.startswith("rather negative (")
    assert not finding.serious
    assert "--top" in finding.fix


def test_rows_of_tiny_classes_are_not_suspected() -> None:
    labels: list[str | int | bool] = [*LABELS, *["rare"] * 5]
    texts = [*TEXTS, *TEXTS[:5]]
    model = NaiveBayes().fit(texts, labels)
    findings = list(mislabelled_findings(Whole(texts, labels), model, 1000))
    assert not any(each.label == "rare" for finding in findings for each in finding.examples)
