"""Evaluations for people: plain names, intervals beside figures, and everything fits 80 columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from likely import Evaluation, NaiveBayes, evaluate
from likely.evaluation.evaluation import MOST_ROWS, from_confusion, headline
from likely.sample import load_sample
from likely.terminal import WIDTH, display_width


def lines_of(evaluation: Evaluation) -> list[list[str]]:
    return [line.split() for line in str(evaluation).splitlines()]


def test_the_headline_has_an_interval_and_a_baseline() -> None:
    found = from_confusion(["neg", "pos"], [[11_125, 1_375], [1_375, 11_125]])
    assert headline(found) == (
        'accuracy 89.0% (88.6 to 89.4) on 25,000 documents; always answering "neg" would\ngive 50.0%'
    )


def test_a_million_tweets_are_not_rounded_to_a_perfect_figure() -> None:
    text = str(from_confusion(["about pie", "not about pie"], [[0, 100], [0, 999_900]]))
    assert text.startswith("accuracy 99.990% (99.988 to 99.992) on 1,000,000 documents;")
    assert '"not about pie" would give 99.99%\n\nWarning: accuracy (99.99%) flatters: always answering "not' in text
    assert 'Precision of "about pie" is undefined: it is never predicted.' in text
    assert "Averages are over the classes where a value is defined: precision over 1 of 2." in text


def test_the_tables_hold_the_figures() -> None:
    lines = lines_of(evaluate(["a", "a", "b"], ["a", "b", "b"]))
    assert ["precision", "recall", "F1", "support"] in lines
    assert ["a", "1.0000", "0.5000", "0.6667", "2"] in lines
    assert ["macro", "average", "0.7500", "0.7500", "0.6667", "3"] in lines
    assert ["weighted", "average", "0.8333", "0.6667", "0.6667", "3"] in lines
    assert ["micro", "average", "0.6667", "0.6667", "0.6667", "3"] in lines
    assert ["balanced", "accuracy", "0.7500"] in [line[:3] for line in lines]
    assert lines[-5:-2] == [["a", "b"], ["a", "1", "1"], ["b", "0", "1"]]


def test_intervals_are_stated() -> None:
    assert str(evaluate(["a", "b"], ["a", "b"])).endswith(
        "Intervals: 95%, 1,000 bootstrap samples of the documents, seed 15."
    )


def test_probabilities_add_what_they_mean() -> None:
    rng = np.random.default_rng(3)
    sure = rng.uniform(0.5, 1, 2_000)
    gold = np.where(rng.random(2_000) < sure, "a", "b")
    text = str(evaluate(gold, ["a"] * 2_000, probabilities=np.stack([sure, 1 - sure], axis=1)))
    assert "\nWhen it says 90%, it is right 8" in text
    assert "\nthreshold  answered  accuracy of answered\n" in text
    for name in ("area under the ROC curve", "log-loss", "Brier score", "calibration error"):
        assert f"\n{name} " in text


def test_abstentions_are_told() -> None:
    text = str(evaluate(["a", "a", "b", "b"], ["a", "a", "b", None]))
    told = "There is no answer for 1 document (25.0%); 100% (43.9 to 100) of the answers are right"
    assert told in text.replace("\n", " ")
    assert "a  b  no answer" in text
    assert "There is no answer for any of 2 documents" in str(evaluate(["a", "b"], [None, None]))


def test_many_classes_have_their_most_confused_pairs_instead_of_a_matrix() -> None:
    gold = [f"class {at}" for at in range(12)] * 3
    text = str(evaluate(gold, gold[1:] + gold[:1]))
    assert "Most confused (2 more pairs):\ngold label  predicted  documents  of gold\n" in text
    assert "class 0       class 1          3     100%" in text
    assert "Gold labels (rows)" not in text


def test_only_the_largest_of_many_classes_are_listed() -> None:
    gold = [f"c{at:03}" for at in range(MOST_ROWS + 20)] + ["c069"] * 5
    text = str(evaluate(gold, gold))
    assert "20 smaller classes are not listed, but they are part of the averages." in text
    assert "\nc069 " in text


def test_classes_that_do_not_occur_are_not_listed() -> None:
    lines = lines_of(evaluate(["a", "b"], ["a", "b"], classes=["a", "b", "c"]))
    assert ["c"] not in [line[:1] for line in lines[: lines.index([], 4)]]


def test_how_it_was_measured_is_told() -> None:
    found = replace(evaluate(["a", "b"], ["a", "b"]), source="10-fold cross-validation")
    assert "\nMeasured by 10-fold cross-validation. Intervals" in str(found)


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
    text = str(made())  # type: ignore[operator]
    assert max(map(display_width, text.splitlines())) <= WIDTH
