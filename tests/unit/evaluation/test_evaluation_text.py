"""Evaluations for people: plain names, intervals beside figures, and everything fits 80 columns."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from likely import Evaluation, NaiveBayes, evaluate
from likely.evaluation.evaluation import MOST_ROWS, from_confusion, headline
from likely.sample import load_sample
from likely.terminal import WIDTH, display_width

MEASURES = ["precision", "recall", "F1", "support"]


def lines_of(evaluation: Evaluation) -> list[list[str]]:
    return [line.split() for line in evaluation.describe(details=True).splitlines()]


def test_the_headline_has_an_interval_and_a_baseline() -> None:
    found = from_confusion(["neg", "pos"], [[11_125, 1_375], [1_375, 11_125]])
    assert headline(found) == 'accuracy 89.0% (95% CI 88.6-89.4), majority class "neg" 50.0%, 25,000 documents'


def test_a_million_tweets_are_not_rounded_to_a_perfect_figure() -> None:
    text = from_confusion(["about pie", "not about pie"], [[0, 100], [0, 999_900]]).describe(details=True)
    assert text.startswith(
        'accuracy 99.990% (95% CI 99.988-99.992), majority class "not about pie" 99.99%,\n1,000,000'
    )
    assert '\nWarning: accuracy (99.99%) is misleading: always answering "not' in text
    assert 'Precision is undefined for "about pie": never predicted.' in text


def of_two_classes(documents: int) -> Evaluation:
    texts, labels = load_sample()
    model = NaiveBayes(calibrate=True).fit(texts[120:], labels[120:])
    return model.evaluate(texts[:documents], labels[:documents])


def test_what_matters_comes_first_and_everything_else_with_details() -> None:
    found = of_two_classes(120)
    short, long = str(found), found.describe(details=True)
    assert short == found.describe()
    assert len(short.splitlines()) <= 14
    assert ["gold", "\\", "predicted", "negative", "positive", *MEASURES] in map(str.split, short.splitlines())
    assert len(re.findall(r"^row \d+: \w+ -> \w+ ", short, re.M)) == 3
    assert len(re.findall(r"^row \d+: \w+ -> \w+ ", long, re.M)) == 10
    for each in ("kappa", "Brier", "threshold", "bootstrap", "would be usual"):
        assert each not in short
        assert each in long


def test_few_documents_have_no_measures_of_probabilities() -> None:
    text = of_two_classes(49).describe(details=True)
    for each in ("kappa", "Brier", "alibration", "confidence it is", "would be usual", "threshold"):
        assert each not in text
        assert each in of_two_classes(50).describe(details=True)


def test_a_handful_of_documents_gives_counts_and_no_estimate() -> None:
    text = str(of_two_classes(29))
    assert text.startswith("23 of 29 documents are right: too few yet to estimate an accuracy (at least 30)\n")
    assert "%" not in text.split("The worst", maxsplit=1)[0]
    assert str(of_two_classes(30)).startswith("accuracy ")


def test_errors_are_cut_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    found = of_two_classes(120)
    for columns in (60, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        lines = [line for line in str(found).splitlines() if line.startswith("row ")]
        assert max(map(display_width, lines)) <= columns
        assert any(line.endswith("…") for line in lines) == (columns == 60)


def test_new_texts_that_share_words_with_a_few_learned_ones_are_new() -> None:
    model = NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"])
    assert not any("look like" in each for each in model.evaluate(["good", "dull"], ["+", "-"]).warnings)


def test_texts_that_were_learned_are_recognised() -> None:
    texts, labels = load_sample()
    for options in ({}, {"min_documents": 2, "calibrate": True}):
        model = NaiveBayes(**options).fit(texts[120:], labels[120:])  # type: ignore[arg-type]
        told = "these texts look like the training data: only"
        found = model.evaluate(texts[120:], labels[120:])
        assert found.warnings[0].startswith(told)
        assert "Warning: these texts look like the training data" in str(found)
        assert found.warnings == found.to_dict()["warnings"]
        assert told not in str(model.evaluate(texts[:120], labels[:120]))


def test_the_tables_hold_the_figures() -> None:
    lines = lines_of(evaluate(["a", "a", "b"], ["a", "b", "b"]))
    assert ["gold", "\\", "predicted", "a", "b", *MEASURES] in lines
    assert ["a", "1", "1", "100%", "50.0%", "66.7%", "2"] in lines
    assert ["b", "0", "1", "50.0%", "100%", "66.7%", "1"] in lines
    assert ["macro", "average", "75.0%", "75.0%", "66.7%", "3"] in lines
    assert ["weighted", "average", "83.3%", "66.7%", "66.7%", "3"] in lines
    assert ["micro", "average", "66.7%", "66.7%", "66.7%", "3"] in lines
    assert ["balanced", "accuracy", "0.7500"] in [line[:3] for line in lines]


def test_intervals_are_stated() -> None:
    assert (
        evaluate(["a", "b"], ["a", "b"])
        .describe(details=True)
        .endswith("Intervals: 95%, 1,000 bootstrap samples of the documents, seed 15.")
    )


def test_probabilities_add_what_they_mean() -> None:
    rng = np.random.default_rng(3)
    sure = rng.uniform(0.5, 1, 2_000)
    gold = np.where(rng.random(2_000) < sure, "a", "b")
    found = evaluate(gold, ["a"] * 2_000, probabilities=np.stack([sure, 1 - sure], axis=1))
    text = found.describe(details=True)
    assert "\nAt 90% confidence it is right 8" in text
    assert "\nthreshold  answered  accuracy of answered\n" in text
    for name in ("area under the ROC curve", "log-loss", "Brier score", "calibration error"):
        assert f"\n{name} " in text


def test_abstentions_are_told() -> None:
    text = str(evaluate(["a", "a", "b", "b"] * 10, ["a", "a", "b", None] * 10))
    told = "There is no answer for 10 documents (25.0%); 100% (95% CI 88.6-100) of the answers are right"
    assert told in text.replace("\n", " ")
    assert "  a   b  no answer  precision" in text
    assert "There is no answer for any of 30 documents" in str(evaluate(["a", "b"] * 15, [None] * 30))


def test_many_classes_have_their_most_confused_pairs_instead_of_a_matrix() -> None:
    gold = [f"class {at}" for at in range(12)] * 3
    text = str(evaluate(gold, gold[1:] + gold[:1]))
    assert "Most confused (2 more pairs):\ngold label  predicted  documents  of gold\n" in text
    assert "class 0       class 1          3     100%" in text
    assert "Gold labels (rows)" not in text


def test_only_the_largest_of_many_classes_are_listed() -> None:
    gold = [f"c{at:03}" for at in range(MOST_ROWS + 20)] + ["c069"] * 5
    assert "50 smaller" in str(evaluate(gold, gold))
    text = evaluate(gold, gold).describe(details=True)
    assert "20 smaller classes are not listed, but count in the averages." in text
    assert "\nc069 " in text


def test_classes_that_do_not_occur_are_not_listed() -> None:
    lines = lines_of(evaluate(["a", "b"], ["a", "b"], classes=["a", "b", "c"]))
    assert "c" not in [line[0] for line in lines if line]


def test_how_it_was_measured_is_told() -> None:
    found = replace(evaluate(["a", "b"] * 20, ["a", "b"] * 20), source="10-fold cross-validation")
    assert "40 documents by\n10-fold cross-validation" in str(found)


def test_labels_do_not_steer_the_terminal() -> None:
    found = evaluate(["<b>\x1b[31m", "x"], ["x", "x"], probabilities=[[0.1, 0.9], [0.2, 0.8]])
    assert "\x1b" not in str(found)


def long_labels() -> Evaluation:
    gold = [f"{name} {'漢字' * 30}" for name in ("one", "two", "three", "four") for _ in range(5)]
    return evaluate(gold, gold[3:] + gold[:3])


def many_long_labels() -> Evaluation:
    gold = [f"{'a label that is long ' * 3}{at:02}" for at in range(20)] * 60
    return evaluate(gold, gold[1:] + gold[:1])


def of_a_model() -> Evaluation:
    texts, labels = load_sample()
    return NaiveBayes(calibrate=True).fit(texts[:200], labels[:200]).evaluate(texts, labels[1:] + labels[:1])


@pytest.mark.parametrize("made", [long_labels, many_long_labels, of_a_model])
def test_everything_fits(made: object) -> None:
    for details in (False, True):
        text = made().describe(details=details)  # type: ignore[operator]
        assert max(map(display_width, text.splitlines())) <= WIDTH
