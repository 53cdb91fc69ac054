"""What is gathered for a report, also of unusual models and documents."""

from __future__ import annotations

import random

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import LikelyError
from likely.report.material import MOST_SUSPECTS, About, gathered
from likely.report.pages import report_page

TEXTS, LABELS = ["good fun", "so good", "dull plot", "a dull film"], ["+", "+", "-", "-"]


@pytest.mark.parametrize(
    "options",
    [
        {"hash_bits": 10},
        {"variant": "nbsvm"},
        {"variant": "bernoulli"},
        {"variant": "complement_normalized"},
        {"alpha": 0},
        {"weighting": "tfidf", "norm": "l2"},
        {"spelling": "on"},
        {"tokenizer": str.split},
        {"thresholds": {"+": 0.2}},
        {"analyzer": "char", "ngrams": (1, 3)},
    ],
)
@pytest.mark.filterwarnings("ignore::likely.errors.ImpossibleWarning")
def test_every_kind_of_model_has_a_report(options: dict[str, object]) -> None:
    model = NaiveBayes(**options).fit(TEXTS, LABELS)  # type: ignore[arg-type]
    evaluation = model.evaluate(["good", "dull", "", "fun plot"], ["+", "-", "+", "-"], keep=True)
    page = report_page(gathered(model, evaluation, About()))
    assert "0x" not in page, "an address would be another one in the next process"


@pytest.mark.parametrize(
    ("texts", "labels"),
    [
        ([""], ["+"]),
        (["good"], ["-"]),
        (["x"], ["new"]),
        (["\ud800 good \udfff"], ["+"]),
        (["good"] * 50, ["-"] * 50),
    ],
)
def test_unusual_documents(texts: list[str], labels: list[str]) -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS, LABELS)
    report_page(gathered(model, model.evaluate(texts, labels, keep=True), About())).encode()


def test_one_class() -> None:
    model = NaiveBayes().fit(["a", "b"], ["x", "x"])
    found = gathered(model, model.evaluate(["a"], ["x"], keep=True), About())
    assert found.suspects is None
    report_page(found)


def test_labels_of_other_types() -> None:
    model = NaiveBayes().fit(TEXTS, [True, True, False, False])
    found = gathered(model, model.evaluate(["good", "dull"], [True, True], keep=True), About())
    assert set(found.cells) == {(True, True), (True, False)}


def test_wrong_labels_are_found() -> None:
    draw = random.Random(1)
    labels = [draw.choice("ab") for _ in range(600)]
    texts = [" ".join(f"{label}{draw.randrange(50)} x{draw.randrange(50)}" for _ in range(8)) for label in labels]
    test = labels[300:]
    wrong = set(range(0, 300, 25))
    for at in wrong:
        test[at] = "b" if test[at] == "a" else "a"
    model = NaiveBayes(calibrate=True).fit(texts[:300], labels[:300])
    found = gathered(model, model.evaluate(texts[300:], test, keep=True), About())
    assert found.suspects
    rows = {each.example.row for each in found.suspects}
    assert rows == wrong
    assert len(rows) <= MOST_SUSPECTS


def test_the_curves_of_all_classes_have_the_areas_that_stand_in_the_summary() -> None:
    draw = random.Random(2)
    labels = [draw.choice("abc") for _ in range(900)]
    texts = [" ".join(f"{draw.choice(f'{label}abc')}{draw.randrange(9)}" for _ in range(4)) for label in labels]
    model = NaiveBayes().fit(texts[:500], labels[:500])
    evaluation = model.evaluate(texts[500:], labels[500:], keep=True)
    found = gathered(model, evaluation, About())
    assert found.overall is not None
    area = np.trapezoid(found.overall.roc[:, 1], found.overall.roc[:, 0])
    assert area == pytest.approx(evaluation.measures["roc_auc"], abs=2e-3)
    precision_recall = found.overall.precision_recall
    area = np.trapezoid(precision_recall[:, 1], precision_recall[:, 0])
    assert area == pytest.approx(evaluation.measures["average_precision"], abs=2e-3)
    assert found.suspects is not None
    assert all(each.probability >= 0.5 for each in found.suspects)


def test_the_command_has_the_options() -> None:
    model = NaiveBayes(alpha=0.5, ngrams=(1, 2)).fit(TEXTS, LABELS)
    found = gathered(model, model.evaluate(TEXTS, LABELS, keep=True), About())
    assert found.about.command == "likely train DATA -o MODEL --alpha 0.5 --ngrams 1,2"
    assert found.about.changed == {"alpha": "0.5", "ngrams": "1,2"}


def test_answers_must_be_kept() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    with pytest.raises(LikelyError, match="keep"):
        gathered(model, model.evaluate(TEXTS, LABELS), About())


def test_documents_without_an_answer_have_a_column() -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS, LABELS)
    evaluation = model.evaluate(["good", "unheard", "dull"], ["+", "-", "-"], abstain=0.6, keep=True)
    found = gathered(model, evaluation, About())
    assert [each.row for each in found.cells["-", None]] == [1]
    assert found.overall is not None
    assert found.overall.reached[0] == 3
    page = report_page(found)
    assert "<i>no answer</i>" in page
    assert 'data-cell="1,-1"' in page
    assert '"1,-1":[[2,' in page
