"""`likely.learning_curve`: the same whatever the order, exact, with copies and groups left out."""

from __future__ import annotations

import json
from pathlib import Path

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import ArgumentError, NotAdditiveError, OptionError
from likely.evaluation.curve import curve_of_batches
from likely.reading.rows import Labelled
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


def test_the_order_of_the_documents_does_not_matter() -> None:
    once = likely.learning_curve(TEXTS, LABELS, plain=True)
    turned = likely.learning_curve(TEXTS[::-1], LABELS[::-1], plain=True)
    assert once.to_dict() == turned.to_dict()


def test_the_last_point_is_the_leave_one_out_accuracy() -> None:
    curve = likely.learning_curve(TEXTS, LABELS, alpha=0.5)
    model = NaiveBayes(alpha=0.5).fit(TEXTS, LABELS)
    right = model.classes_[model.leave_one_out(TEXTS, LABELS).argmax(axis=1)] == np.array(LABELS)
    assert curve.points[-1].accuracy == pytest.approx(right.mean())
    assert curve.options == {"alpha": 0.5}


def test_models_that_grow_are_those_of_their_documents() -> None:
    batches = [Labelled(TEXTS[:100], LABELS[:100]), Labelled(TEXTS[100:], LABELS[100:])]
    grown = curve_of_batches(batches, NaiveBayes(ngrams=(1, 2)), {"ngrams": (1, 2)}, most_judged=130)
    assert grown.judged == 120
    assert [point.documents for point in grown.points] == [60, 120, 240, 480]
    whole = likely.learning_curve(TEXTS, LABELS, ngrams=(1, 2))
    assert (grown.right[-1] == whole.right[-1][:120]).all(), "they learned the same documents, in parts or at once"


def test_options_are_chosen_once() -> None:
    curve = likely.learning_curve(TEXTS, LABELS)
    assert curve.is_tuned
    assert curve.options == likely.train(TEXTS, LABELS).tuning_.options  # type: ignore[union-attr]


@pytest.mark.parametrize("options", [{"variant": "nbsvm"}, {"max_terms": 200}, {"weighting": "tfidf", "norm": "l2"}])
def test_what_cannot_be_left_out_is_refused(options: dict[str, object]) -> None:
    with pytest.raises((NotAdditiveError, OptionError), match=r"left out|leave_one_out"):
        likely.learning_curve(TEXTS[:240], LABELS[:240], **options)


def test_copies_teach_nothing_about_themselves() -> None:
    generator = np.random.default_rng(1)
    texts = [" ".join(generator.choice(list("abcdefghij"), 6)) for _ in range(200)]
    labels = generator.choice(["x", "y"], 200).tolist()
    curve = likely.learning_curve(texts * 3, labels * 3, plain=True)
    assert curve.of == 600
    assert curve.points[-1].accuracy < 0.65, "labels are random, so that only a copy could tell"


def test_groups_are_left_out_together(tmp_path: Path) -> None:
    generator = np.random.default_rng(2)
    labels = generator.choice(["x", "y"], 60).tolist()
    rows = [
        {"text": f"author{author} {' '.join(generator.choice(list('abcdef'), 4))}", "label": label, "author": author}
        for author, label in enumerate(labels)
        for _ in range(8)
    ]
    path = tmp_path / "authors.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    alone = likely.learning_curve(path, text="text", label="label", plain=True)
    grouped = likely.learning_curve(path, text="text", label="label", group="author", plain=True)
    assert alone.points[-1].accuracy > 0.9, "other texts of the author tell the label"
    assert grouped.points[-1].accuracy < 0.75


def test_too_little_data() -> None:
    curve = likely.learning_curve(["good", "fun", "dull", "bad"], ["+", "+", "-", "-"], plain=True)
    assert curve.gain is None
    assert "too few documents" in curve.advice
    with pytest.raises(ArgumentError, match="no documents"):
        likely.learning_curve([], [], plain=True)
    with pytest.raises(OptionError):
        likely.learning_curve(TEXTS, LABELS, alpha=-1)
