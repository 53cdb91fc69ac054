"""Cross-validation, hold-out and leave-one-out: the model of training, measured on what it has not learned."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import likely
import numpy as np
import pytest
from likely.errors import ArgumentError, NotAdditiveError, OptionError
from likely.reading.rows import Whole
from likely.sample import load_sample
from likely.training.sample import fold_rounds

TEXTS, LABELS = load_sample()
FEW = 60


def test_each_fold_is_judged_by_what_train_makes_of_the_others() -> None:
    texts, labels = TEXTS[:200], LABELS[:200]
    found = likely.cross_validate(texts, labels, folds=3, keep=True)
    assert found.answers is not None
    whole = Whole(texts, list(labels))
    for (learned, judged), accuracy in zip(fold_rounds(whole, 3), found.folds, strict=True):
        known, asked = whole.chosen(learned), whole.chosen(judged)
        model = likely.train(known.texts, known.labels)
        assert model.tuning_ is not None
        expected = model.evaluate(asked.texts, asked.labels, keep=True)
        assert expected.answers is not None
        assert expected.accuracy == accuracy
        assert expected.answers.log_probabilities is not None
        assert found.answers.log_probabilities is not None
        assert np.array_equal(expected.answers.log_probabilities, found.answers.log_probabilities[judged])
    assert found.documents == 200
    assert found.accuracy == pytest.approx(np.mean(found.answers.gold == found.answers.predicted))
    assert found.reliability is not None
    assert found.source == "3-fold cross-validation"


def test_it_is_the_same_in_every_run() -> None:
    first, second = (likely.cross_validate(TEXTS, LABELS, folds=4, plain=True) for _ in range(2))
    assert first.to_dict() == second.to_dict()


def test_mistakes_have_the_rows_of_the_data_and_words() -> None:
    found = likely.cross_validate(TEXTS, LABELS, folds=4, plain=True)
    assert found.mistakes
    for mistake in found.mistakes:
        assert TEXTS[mistake.row].startswith(str(mistake.text)[:50])
        assert LABELS[mistake.row] == mistake.gold != mistake.predicted
        assert mistake.words


def test_leave_one_out_is_exact() -> None:
    texts, labels = TEXTS[:FEW], LABELS[:FEW]
    found = likely.leave_one_out(texts, labels, alpha=0.5, calibrate=False, keep=True)
    assert found.answers is not None
    for at in range(FEW):
        others = [place for place in range(FEW) if place != at]
        model = likely.NaiveBayes(alpha=0.5).fit([texts[each] for each in others], [labels[each] for each in others])
        logs = model.predict_log_proba([texts[at]])[0]
        assert found.answers.log_probabilities is not None
        np.testing.assert_allclose(found.answers.log_probabilities[at], logs, atol=1e-9)
    assert (found.source, found.folds) == ("leave-one-out", [])


def test_leave_one_group_out() -> None:
    groups = [f"author {at % 7}" for at in range(FEW)]
    columns = zip(TEXTS, LABELS, groups, strict=False)
    rows = [{"text": text, "label": label, "author": author} for text, label, author in columns]
    found = likely.leave_one_out(rows, group="author", alpha=0.5, calibrate=False, keep=True)
    assert found.source == "leave-one-group-out"
    assert found.answers is not None
    others = [row for row in rows if row["author"] != "author 3"]
    model = likely.NaiveBayes(alpha=0.5).fit([row["text"] for row in others], [row["label"] for row in others])
    assert found.answers.log_probabilities is not None
    np.testing.assert_allclose(found.answers.log_probabilities[3], model.predict_log_proba([TEXTS[3]])[0], atol=1e-9)


def test_that_options_were_chosen_by_the_same_scores_is_said() -> None:
    assert "chosen by the same scores" in likely.leave_one_out(TEXTS, LABELS).notes[0]
    assert likely.leave_one_out(TEXTS, LABELS, plain=True).notes == []


def test_a_model_abstains_as_told() -> None:
    for found in (
        likely.cross_validate(TEXTS, LABELS, folds=3, plain=True, abstain=0.9),
        likely.hold_out(TEXTS, LABELS, plain=True, abstain=0.9),
        likely.leave_one_out(TEXTS, LABELS, plain=True, abstain=0.9),
    ):
        assert found.coverage[0].coverage == pytest.approx(found.answered)
        assert found.answered < 0.9
        assert found.accuracy_of_answered is not None
        assert found.accuracy < found.accuracy_of_answered
    assert likely.leave_one_out(TEXTS, LABELS, plain=True).abstained == 0


def test_learned_weights_cannot_be_left_out() -> None:
    with pytest.raises(NotAdditiveError, match="cross-validation"):
        likely.leave_one_out(TEXTS, LABELS, variant="nbsvm")


def test_held_out_rows() -> None:
    found = likely.hold_out(TEXTS, LABELS, share=0.25, plain=True)
    assert (found.documents, found.source) == (120, "a hold-out of 25%")
    assert found.folds == [found.accuracy]


def test_sources_are_read(tmp_path: Path) -> None:
    path = tmp_path / "reviews.jsonl"
    rows = ({"review": text, "sentiment": label} for text, label in zip(TEXTS, LABELS, strict=True))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    from_file = likely.cross_validate(path, folds=4, plain=True)
    assert from_file.to_dict() == likely.cross_validate(TEXTS, LABELS, folds=4, plain=True).to_dict()
    with pytest.raises(OptionError):
        likely.cross_validate(path, fold=4)


def test_a_class_of_one_row_is_learned_but_not_judged() -> None:
    for way in (likely.cross_validate, likely.hold_out, likely.leave_one_out):
        evaluate: Any = way
        found = evaluate([*TEXTS, "what is this"], [*LABELS, "odd"], plain=True)
        assert "'odd'" in found.notes[0]
        assert found.per_class["odd"].support == 0


def test_classes_that_a_fold_does_not_know_have_probability_0() -> None:
    labels = [*LABELS[:100], "odd", "odd"]
    found = likely.cross_validate(
        [*TEXTS[:100], "what is this", "what was that"], labels, folds=5, plain=True, keep=True
    )
    assert found.documents == 102
    assert found.answers is not None
    assert found.answers.log_probabilities is not None
    assert np.allclose(np.exp(found.answers.log_probabilities).sum(axis=1), 1)


def test_bad_input() -> None:
    with pytest.raises(OptionError, match="folds=1"):
        likely.cross_validate(TEXTS, LABELS, folds=1)
    with pytest.raises(ArgumentError):
        likely.cross_validate(TEXTS, LABELS[:3])
    with pytest.raises(ArgumentError, match="there are no documents"):
        likely.cross_validate([], [])
