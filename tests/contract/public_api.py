"""Ordinary code of a user, with the types that a user expects. `test_types.py` gives it to mypy, and runs it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, assert_type

import likely
import numpy as np
import numpy.typing as npt
from likely import Evaluation, Explanation, NaiveBayes
from likely.vectorize import CountMatrix, CountVectorizer, HashingVectorizer, TfidfVectorizer, vectorize

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXTS = ["good fun", "a dull film", "so good", "dull, dull"]
LABELS = ["+", "-", "+", "-"]


def lazily() -> Iterator[str]:
    yield from TEXTS


def model_with_options() -> NaiveBayes:
    return NaiveBayes(
        variant="complement",
        alpha=0.5,
        prior={"+": 0.5, "-": 0.5},
        ngrams=(1, 2),
        stop_words=["a", "so"],
        tokenizer=str.split,
        abstain={"margin": 0.1},
        threads=1,
    )


def training() -> None:
    model = assert_type(likely.train(TEXTS, LABELS, plain=True), NaiveBayes)
    assert_type(model_with_options(), NaiveBayes)
    assert_type(NaiveBayes().fit(TEXTS, LABELS), NaiveBayes)
    assert_type(model.fit(tuple(TEXTS), tuple(LABELS)), NaiveBayes)
    assert_type(model.fit(np.array(TEXTS), np.array([1, 0, 1, 0]), sample_weight=[1, 1.5, 2, 1]), NaiveBayes)
    assert_type(model.fit(lazily(), (label == "+" for label in LABELS)), NaiveBayes)
    assert_type(model.fit(TEXTS, LABELS).learn(["great"], ["+"]), NaiveBayes)
    assert_type(model.forget(("great",), ("+",)), NaiveBayes)
    assert_type(model.partial_fit(np.array(["great"]), np.array(["+"]), classes=["+", "-"]), NaiveBayes)
    assert_type(model + model, NaiveBayes)


def predicting() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    labels: npt.NDArray[np.generic] = model.predict(lazily())
    classes: npt.NDArray[np.generic] = model.classes_
    assert set(labels.tolist()) <= set(classes.tolist())
    assert_type(model.predict_proba(TEXTS, prior="uniform"), npt.NDArray[np.float64])
    assert_type(model.predict_log_proba(np.array(TEXTS)), npt.NDArray[np.float64])
    best, probabilities = model.predict_top(TEXTS, n=2)
    ranked: npt.NDArray[np.generic] = best
    assert ranked.shape == assert_type(probabilities, npt.NDArray[np.float64]).shape
    assert_type(model.score(TEXTS, LABELS), float)
    assert_type(model.vocabulary_, list[str])
    assert_type(model.top_words("+", n=3), list[tuple[str, float]])


def explaining() -> None:
    explanation = assert_type(NaiveBayes().fit(TEXTS, LABELS).explain("good film"), Explanation)
    assert_type(explanation.label, str | int | bool)
    assert_type(explanation.posterior["+"], float)
    assert_type(explanation.log_odds, float | None)
    assert_type([each.term for each in explanation.terms], list[str])


def comparing() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    found = likely.compare(model, ["+", None, "+", "-"], TEXTS, LABELS)
    assert_type(found.mcnemar.p_value, float)
    assert_type(found.intervals["accuracy"].high, float)
    assert_type(found.a, Evaluation)
    assert_type(model.drift(TEXTS).is_drifted, bool)
    assert_type(model.drift(TEXTS, LABELS).checks[0].bound, float | None)
    curve = likely.learning_curve(TEXTS, LABELS, plain=True)
    assert_type(curve.points[0].accuracy, float)
    assert_type(curve.advice, str)


def evaluating() -> None:
    assert_type(NaiveBayes().fit(TEXTS, LABELS).evaluate(TEXTS, LABELS), Evaluation)
    result = assert_type(likely.evaluate(np.array(LABELS), LABELS, beta=2), Evaluation)
    assert_type(result.accuracy, float)
    assert_type(result.macro.f, float | None)
    assert_type(result.intervals["accuracy"].low, float)
    assert_type(result.majority, tuple[str | int | bool, float])
    assert_type(result.per_class["+"].f1, float | None)
    assert_type([each.words for each in result.mistakes], list[list[tuple[str, float]]])
    scored = likely.evaluate(LABELS, ["+", None, "+", "-"], probabilities=np.full((4, 2), 0.5), classes=["+", "-"])
    assert scored.ranking is not None
    assert_type(scored.ranking.roc_auc["+"], float | None)
    assert_type(scored.ranking.roc_curve("+").thresholds, npt.NDArray[np.float64])
    assert_type(result.per_class["+"].precision, float | None)
    assert_type(result.confusion, npt.NDArray[np.int64])


def measuring() -> None:
    rows = [
        {"text": text, "label": label, "author": author}
        for text, label, author in zip(TEXTS, LABELS, "aabb", strict=True)
    ]
    assert_type(likely.cross_validate(TEXTS, LABELS, folds=2, plain=True), Evaluation)
    assert_type(likely.hold_out(rows, share=0.5, alpha=0.5, group="author").folds, list[float])
    assert_type(likely.leave_one_out(np.array(TEXTS), LABELS, plain=True).notes, list[str])
    found = likely.check(rows, text="text")
    assert_type(found.classes, dict[str | int | bool, int])
    assert_type([finding.says for finding in found.findings], list[str])


def analyzing() -> None:
    terms = likely.analyze("So good!", ngrams=(1, 2), stem="english")
    assert_type([(term.term, term.start) for term in terms], list[tuple[str, int]])


def keeping(folder: Path) -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    saved = model.save(folder / "reviews.likely")
    assert_type(saved.size, int)
    assert_type(likely.load(str(folder / "reviews.likely")), NaiveBayes)
    assert_type(likely.load(folder / "reviews.likely", tokenizer=None), NaiveBayes)


def vectorizing() -> None:
    matrix = assert_type(vectorize(lazily(), ngrams=(1, 2), threads=1), CountMatrix)
    assert_type(matrix.shape, tuple[int, int])
    assert_type(matrix.terms, list[str])
    counting = CountVectorizer(ngram_range=(1, 2), stop_words=["a"], min_df=0.25, max_df=3, dtype=np.int32)
    assert counting.fit_transform(TEXTS).shape == counting.transform(np.array(TEXTS)).shape
    assert_type(counting.fit(lazily()), CountVectorizer)
    assert_type(counting.vocabulary_, dict[str, int])
    assert_type(counting.get_feature_names_out(), npt.NDArray[np.object_])
    weighing = TfidfVectorizer(analyzer="char_wb", sublinear_tf=True, norm=None)
    assert_type(weighing.fit(TEXTS), TfidfVectorizer)
    assert_type(weighing.idf_, npt.NDArray[np.float64])
    hashing = HashingVectorizer(n_features=2**10, tokenizer=str.split, token_pattern=None)
    assert_type(hashing.fit(TEXTS), HashingVectorizer)
    assert_type(hashing.get_params(), dict[str, object])
