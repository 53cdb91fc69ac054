"""Expressions say of each text whether it matches."""

from __future__ import annotations

import numpy as np
import pytest
from likely import NaiveBayes
from likely.batch.where import Where
from likely.errors import UnknownClassError

MODEL = NaiveBayes().fit(["good fun", "good plot", "dull plot"], ["good", "good", "so bad"])
TEXTS = ["good", "dull dull", "unheard of", "", "good plot, good fun", "ünheard"]


@pytest.mark.parametrize(
    "text",
    [
        "p(good) > 0.6",
        "p('good')>=.6 and known > 0.3",
        'p("so bad") > 0.5 or length == 0',
        "not (p(good) > 0.6 or known == 0)",
        "not not known > 0",
        "0.1 < known < 1",
        "probability >= 0.75 and terms != 0",
        "label == good",
        "label != 'so bad'",
        "prediction in (good, 'so bad')",
        "label not in ('so bad')",
        "p(good) > p('so bad')",
        "1 < 2",
    ],
)
def test_it_means_what_python_means(text: str) -> None:
    found = Where.parse(text).matches(MODEL, TEXTS)
    probabilities, known, labels = MODEL.predict_proba(TEXTS), MODEL.known(TEXTS), MODEL.predict(TEXTS).tolist()
    terms = MODEL._predict_all(TEXTS).terms
    expected = []
    for at, each in enumerate(TEXTS):
        names = {"known": known[at], "label": labels[at], "prediction": labels[at], "length": len(each)}
        names |= {"good": "good", "terms": terms[at], "probability": probabilities[at].max()}
        names["p"] = lambda label, at=at: probabilities[at][MODEL.classes_.tolist().index(label)]
        expected.append(bool(eval(text.replace("in ('so bad')", "in ('so bad',)"), names)))  # noqa: S307
    assert found.tolist() == expected
    assert Where.parse(str(Where.parse(text))).matches(MODEL, TEXTS).tolist() == expected


def test_a_label_is_no_class_if_the_model_abstains() -> None:
    model = NaiveBayes(abstain=0.99).fit(["good", "bad"], ["good", "bad"])
    assert Where.parse("label in (good, bad)").matches(model, ["so", "good"]).tolist() == [False, False]
    assert Where.parse("label != good").matches(model, ["so"]).tolist() == [True]


def test_labels_of_other_types() -> None:
    numbers = NaiveBayes().fit(["one", "two"], [1, 2])
    assert Where.parse("p(2) > 0.5 and label == 2").matches(numbers, ["one", "two"]).tolist() == [False, True]
    truths = NaiveBayes().fit(["yes", "no"], [True, False])
    assert Where.parse("p(true) > 0.5 and label == true").matches(truths, ["yes", "no"]).tolist() == [True, False]


def test_a_class_that_the_model_lacks_is_named() -> None:
    with pytest.raises(UnknownClassError, match="'god', which the model does not have: it has good, so bad"):
        Where.parse("known > 1 and not (p(god) > 0.5)").matches(MODEL, TEXTS)


def test_no_texts() -> None:
    assert Where.parse("p(good) > 0 and label == good").matches(MODEL, []).tolist() == np.zeros(0, bool).tolist()
