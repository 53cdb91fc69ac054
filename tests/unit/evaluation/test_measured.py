"""A model is measured on rows that it has not learned, and then it learns them."""

from __future__ import annotations

from typing import Any

import pytest
from likely import NaiveBayes
from likely.evaluation.cross_validation import Measured, measured
from likely.model.measuring import train_again
from likely.model.train import train_corpus
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus, Split

WORDS = ["good fun", "dull plot", "so so"]
ROWS: list[dict[str, Any]] = [
    {"text": f"{WORDS[at % 3]} {at % 17} {at}", "label": "abc"[at % 3], "author": f"{at % 11}", "w": 1 + at % 3}
    for at in range(120)
]


def measure(rows: list[dict[str, Any]] = ROWS, **options: Any) -> Measured:
    reading = {name: options.pop(name) for name in ("weight", "group") if name in options}
    made = ReadingOptions(text="text", label="label", **reading)

    def opened(split: Split | None) -> Corpus:
        return Corpus(rows, made, split=split)

    return measured(opened, 0.2, lambda corpus: train_corpus(corpus, options), train_again, lambda model: model)


def bare(model: NaiveBayes) -> tuple[Any, Any]:
    """The options and the counts, without calibration, tuning and columns."""
    return model.get_params(), model.counts_table().to_pylist()


@pytest.mark.parametrize("options", [{"alpha": 1.0}, {"ngrams": (1, 2)}, {"variant": "complement"}, {}], ids=str)
def test_the_written_model_is_that_of_all_rows(options: dict[str, Any]) -> None:
    found = measure(**options)
    same = NaiveBayes(**found.model.get_params()).set_params(calibrate=False, tune=None)
    same.fit([row["text"] for row in ROWS], [row["label"] for row in ROWS])
    assert bare(found.model)[1] == bare(same)[1]
    assert (found.evaluation.documents, found.plan.rows, found.end) == (found.plan.judged, 120, "learned")
    assert found.lines() == ["Measured on a model of 80% of the rows; the written model has learned all rows."]
    assert found.model.calibration_ is not None
    assert (found.model.tuning_ is None) == bool(options)


def test_weights_and_groups_are_those_of_all_rows() -> None:
    found = measure(alpha=1.0, calibrate=False, weight="w", group="author")
    texts, labels, weights = ([row[name] for row in ROWS] for name in ("text", "label", "w"))
    assert bare(found.model) == bare(NaiveBayes(alpha=1.0, calibrate=False).fit(texts, labels, weights))
    assert found.plan.untested == []


@pytest.mark.parametrize("options", [{"variant": "nbsvm"}, {"weighting": "tfidf", "norm": "l2"}], ids=str)
def test_a_model_whose_counts_do_not_add_is_trained_again(options: dict[str, Any]) -> None:
    found = measure(**options)
    assert found.end == "trained again"
    assert "was trained again on all rows, with the same options" in found.lines()[0]
    texts, labels = [row["text"] for row in ROWS], [row["label"] for row in ROWS]
    same = NaiveBayes(**options).fit(texts, labels)
    assert found.model.class_documents_.sum() == 120
    assert (found.model.predict_joint_log_proba(texts) == same.predict_joint_log_proba(texts)).all()
    assert found.model.columns_ is not None


def test_what_is_not_tested_is_said() -> None:
    alone = [{"text": "the only one", "label": "single", "author": "0", "w": 1}]
    copies = [{"text": "the same everywhere", "label": "a", "author": f"{at}", "w": 1} for at in range(11)]
    found = measure([*ROWS, *alone, *copies], alpha=1.0, group="author")
    first, second, third = found.lines()
    assert first.startswith("Measured on a model of ")
    assert second.endswith(" not judged, because the model has learned a copy in another group.")
    assert third == "No row of the class 'single' could be held out and judged: it is learned, but not tested."
    assert found.to_dict() == {
        "rows": 132,
        "learned": found.plan.learned,
        "judged": found.plan.judged,
        "copies": found.plan.copies,
        "untested": ["single"],
        "end": "learned",
    }
