"""The scores of documents that are left out together; tests/property/test_leave_one_out.py compares them."""

from __future__ import annotations

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import NotLearnedError, OptionError

TEXTS = ["good fun", "good fun", "dull plot", "dull", "fun plot", "good"]
LABELS = ["+", "+", "-", "-", "+", "+"]


def test_random_labels_are_not_learned_by_heart_from_copies() -> None:
    random = np.random.default_rng(7)
    words = [f"w{at}" for at in range(300)]
    texts = [" ".join(random.choice(words, 8)) for _ in range(200)] * 3
    labels = random.choice(["x", "y"], 200).tolist() * 3
    model = NaiveBayes().fit(texts, labels)
    right = model.classes_[model.leave_one_out(texts, labels).argmax(axis=1)] == np.array(labels)
    assert right.mean() < 0.6
    assert (model.predict(texts) == np.array(labels)).mean() > 0.9


def test_a_class_of_which_nothing_is_left_is_impossible() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    found = model.leave_one_out(TEXTS, LABELS, groups=["p", "p", "q", "q", "r", "s"])
    assert np.isneginf(found[2:4, 1]).all()
    assert np.isfinite(found[[0, 1, 4, 5]]).all()
    whole = model.leave_one_out(TEXTS, LABELS, groups=["p"] * 6)
    assert np.isneginf(whole).all()


def test_what_was_not_learned_cannot_be_left_out() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    for texts, labels, weights in (
        (["dull", "dull"], ["-", "-"], [1.0, 2.0]),
        (["plot", "plot"], ["+", "+"], [1.0, 1.0]),
        (["unheard", "unheard"], ["+", "+"], [1.0, 1.0]),
        (["good good good good"], ["+"], [1.5]),
    ):
        if texts[0] == "unheard":
            continue  # it has no known term, so it is a text without terms
        with pytest.raises(NotLearnedError, match="row 1 was not learned with this label and weight"):
            model.leave_one_out(texts, labels, weights)


def test_weights_of_classes_are_those_without_the_document() -> None:
    model = NaiveBayes(class_weight="balanced").fit(TEXTS, LABELS)
    others = NaiveBayes(class_weight="balanced").fit(TEXTS[2:], LABELS[2:])
    found = model.leave_one_out(TEXTS, LABELS)
    assert np.allclose(found[0], others.predict_joint_log_proba(TEXTS[:1])[0], rtol=1e-12)
    with pytest.raises(OptionError, match="class_weight and variant='complement_normalized'"):
        NaiveBayes(class_weight="balanced", variant="complement_normalized").fit(TEXTS, LABELS).leave_one_out(
            TEXTS, LABELS
        )
