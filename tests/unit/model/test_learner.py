"""Learning and forgetting: exact, at any time, and nothing changes on an error."""

from __future__ import annotations

import math
from typing import Any

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import (
    ArgumentError,
    LabelError,
    NotAdditiveError,
    NotFittedError,
    NotLearnedError,
    OptionError,
)

Reviews = tuple[list[str], list[str]]


@pytest.mark.parametrize(
    "weights", [[1], [1, 2, 3], [[1, 1]], [-1, 1], [math.nan, 1], [math.inf, 1], [1e300, 1], [0, 0]]
)
def test_weights_that_are_not_allowed(weights: Any, reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    before = to_bytes(model._snapshot())
    with pytest.raises(ArgumentError):
        model.learn(["a", "b"], ["+", "-"], sample_weight=weights)
    assert to_bytes(model._snapshot()) == before


def test_a_document_of_weight_0_is_not_there(reviews: Reviews) -> None:
    texts, labels = reviews
    model = NaiveBayes().fit([*texts, "never seen"], [*labels, "new"], sample_weight=[1] * len(texts) + [0])
    assert to_bytes(model._snapshot()) == to_bytes(NaiveBayes().fit(texts, labels)._snapshot())


def test_weights_below_one_and_far_apart_add_exactly() -> None:
    model = NaiveBayes()
    for _ in range(10):
        model.learn(["a"], ["x"], sample_weight=[0.1])
    once = NaiveBayes().fit(["a"] * 10, ["x"] * 10, sample_weight=[0.1] * 10)
    assert to_bytes(model._snapshot()) == to_bytes(once._snapshot())
    model.learn(["a"], ["x"], sample_weight=[2.0**60]).forget(["a"], ["x"], sample_weight=[2.0**60])
    assert to_bytes(model._snapshot()) == to_bytes(once._snapshot())
    assert model.counts("a")["x"].count == pytest.approx(1, abs=1e-15)


def test_a_given_prior_must_cover_every_class(reviews: Reviews) -> None:
    model = NaiveBayes(prior={"+": 1.0})
    with pytest.raises(OptionError, match="no share for class '-'"):
        model.fit(*reviews)
    assert not model.__sklearn_is_fitted__()


def test_new_words_and_classes_at_any_time() -> None:
    model = NaiveBayes().fit(["a"], ["c00"])
    model.predict(["a"])
    for number in range(1, 50):  # beyond every size at which the weights change their form
        model.learn([f"w{number} a"], [f"c{number:02}"])
        assert model.predict([f"w{number}"])[0] == f"c{number:02}"
        assert len(model.classes_) == number + 1
    for number in range(49, 0, -1):
        model.forget([f"w{number} a"], [f"c{number:02}"])
        assert len(model.classes_) == number
    assert to_bytes(model._snapshot()) == to_bytes(NaiveBayes().fit(["a"], ["c00"])._snapshot())
    assert model.predict(["w1"]).tolist() == ["c00"]


def test_forgetting_much_leaves_no_trace() -> None:
    model = NaiveBayes().fit(["stay"], ["x"])
    texts = [" ".join(f"w{number}" for number in range(at, at + 100)) for at in range(0, 10_000, 100)]
    for _ in range(3):
        model.learn(texts, ["x"] * len(texts))
        assert model.predict(["w5"]).tolist() == ["x"]
        model.forget(texts, ["x"] * len(texts))
    assert not model._snapshot().counts.native.worn
    assert model.vocabulary_ == ["stay"]


def test_forgetting_what_was_not_learned_says_what(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    before = to_bytes(model._snapshot())
    for text, label, message in [
        ("unheard", "+", "unheard"),
        ("boring", "+", "boring"),
        ("powerful powerful", "+", "powerful"),
        ("powerful", "?", "never learned"),
    ]:
        with pytest.raises(NotLearnedError, match=message):
            model.forget([text], [label])
        with pytest.raises(NotLearnedError):
            model.forget(["very powerful", text], ["+", label])
    with pytest.raises(NotLearnedError):
        model.forget([""] * 3, ["+"] * 3)
    with pytest.raises(NotLearnedError):  # all documents of the class, but not all of its words
        model.forget(["very powerful", "the most fun film"], ["+", "+"])
    assert to_bytes(model._snapshot()) == before


def test_a_model_less_itself_has_learned_nothing(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    nothing = model - model
    assert not nothing.__sklearn_is_fitted__()
    assert to_bytes(nothing.learn(*reviews)._snapshot()) == to_bytes(model._snapshot())
    assert to_bytes((model + model)._snapshot()) == to_bytes(
        NaiveBayes().fit(reviews[0] * 2, reviews[1] * 2)._snapshot()
    )


def test_merging_leaves_both_as_they_were(reviews: Reviews) -> None:
    a, b = NaiveBayes().fit(*reviews), NaiveBayes().fit(["new word"], ["?"])
    before = to_bytes(a._snapshot()), to_bytes(b._snapshot())
    both = a + b
    both.learn(["more"], ["+"])
    assert (to_bytes(a._snapshot()), to_bytes(b._snapshot())) == before
    with pytest.raises(TypeError):
        a + 1  # type: ignore[operator]


def test_a_weight_too_small_to_count_is_refused() -> None:
    for weight in (1e-25, 5e-324, -1e-300):
        with pytest.raises(ArgumentError, match="row 2"):
            NaiveBayes().fit(["a", "b"], ["x", "y"], sample_weight=[1, weight])
    assert NaiveBayes().fit(["a"], ["x"], sample_weight=[2.0**-64]).predict(["a"]).tolist() == ["x"]


@pytest.mark.parametrize("weights", [["1", "2"], {1: 1, 2: 2}, {1, 2}, [10**400, 1], [1j, 1], 7, "12", [None, 1]])
def test_weights_that_are_no_numbers(weights: Any) -> None:
    with pytest.raises(ArgumentError):
        NaiveBayes().fit(["a", "b"], ["x", "y"], sample_weight=weights)


def test_weights_may_come_from_a_generator() -> None:
    model = NaiveBayes().fit(["a", "b"], ["x", "y"], sample_weight=(w for w in (1, 2)))
    assert model.class_documents_.tolist() == [1, 2]


def test_learning_and_forgetting_for_ever_takes_no_more_memory() -> None:
    words = " ".join(f"w{number}" for number in range(200))
    model = NaiveBayes().fit([words], ["c0"])
    texts, labels = [words] * 31, [f"c{number}" for number in range(1, 32)]
    for _ in range(40):  # that the kernel's memory does not grow is tested there, in cells.rs
        model.learn(texts, labels)
        model.forget(texts, labels)
    for number in range(300):
        model.learn(["w0"], [f"passing{number}"]).forget(["w0"], [f"passing{number}"])
    assert len(model._snapshot().counts.index.labels) < 100
    assert to_bytes(model._snapshot()) == to_bytes(NaiveBayes().fit([words], ["c0"])._snapshot())


def test_after_forgetting_everything_all_is_open() -> None:
    model = NaiveBayes().fit(["a"], ["x"]).forget(["a"], ["x"])
    model.set_params(ngrams=(1, 2))
    assert model.learn(["a b"], [1]).vocabulary_ == ["a", "a b", "b"]


def test_what_has_forgotten_everything_cannot_predict() -> None:
    model = NaiveBayes().fit(["a"], ["x"])
    model.predict(["a"])
    model.forget(["a"], ["x"])
    for ask in (model.predict, model.predict_proba):
        with pytest.raises(NotFittedError):
            ask(["a"])
    with pytest.raises(NotFittedError):
        model.explain("a")


def test_models_can_be_summed() -> None:
    parts = [NaiveBayes().fit([text], [label]) for text, label in (("a", "x"), ("b", "y"), ("a b", "x"))]
    total, expected = sum(parts), NaiveBayes().fit(["a", "b", "a b"], ["x", "y", "x"])
    assert isinstance(total, NaiveBayes)
    assert to_bytes(total._snapshot()) == to_bytes(expected._snapshot())


def test_partial_fit_with_classes() -> None:
    model = NaiveBayes().partial_fit(["a"], ["x"], classes=["x", "y"])
    with pytest.raises(LabelError, match="'z' in row 2"):
        model.partial_fit(["a", "b"], ["x", "z"], classes=["x", "y"])
    assert model.classes_.tolist() == ["x"]


def test_fit_and_train_refuse_weights_of_classes_that_there_are_not(reviews: Reviews) -> None:
    message = "class_weight names the class 'spam', which the model does not have"
    with pytest.raises(OptionError, match=message):
        NaiveBayes(class_weight={"spam": 5}).fit(*reviews)
    with pytest.raises(OptionError, match=message):
        likely.train(*reviews, class_weight={"spam": 5}, alpha=1.0, calibrate=False)


def test_classes_that_class_weight_names_may_come_later() -> None:
    model = NaiveBayes(class_weight={"spam": 5.0, "ham": 1.0}).learn(["hi all"], ["ham"])
    with pytest.raises(OptionError, match="names the class 'spam'"):
        model.predict(["hi"])
    model.learn(["buy now"], ["spam"])
    assert np.exp(model.log_prior_) == pytest.approx([1 / 6, 5 / 6])
    model.predict(["hi"])
    model.forget(["buy now"], ["spam"])
    with pytest.raises(OptionError, match="names the class 'spam'"):
        model.predict(["hi"])


def test_class_weight_can_change_after_learning(reviews: Reviews) -> None:
    weights = {"+": 2.0}
    model = NaiveBayes(class_weight=weights).fit(*reviews)
    first = model.predict_joint_log_proba(["fun"])
    weights["+"] = 4.0  # the mapping is the caller's
    changed = NaiveBayes(class_weight={"+": 4.0}).fit(*reviews).predict_joint_log_proba(["fun"])
    assert not np.array_equal(first, changed)
    assert np.array_equal(model.predict_joint_log_proba(["fun"]), changed)
    plain = model.set_params(class_weight=None).predict_joint_log_proba(["fun"])
    assert np.array_equal(plain, NaiveBayes().fit(*reviews).predict_joint_log_proba(["fun"]))


def test_a_correction_that_is_taken_back_leaves_no_trace(reviews: Reviews) -> None:
    model = NaiveBayes(calibrate=True).fit(*reviews)
    before, probes = to_bytes(model._snapshot()), ["fun and boring", "zap"]
    scores = model.predict_joint_log_proba(probes)
    wrong, right, other = (
        model._count_one("zap zap", "-"),
        model._count_one("zap zap", "+"),
        model._count_one("zip", "?"),
    )
    model._correct(wrong, None)
    model.predict_joint_log_proba(probes)
    model._correct(right, wrong)
    reference = NaiveBayes(calibrate=True).fit(*reviews).learn(["zap zap"], ["+"])
    assert to_bytes(model._snapshot()) == to_bytes(reference._snapshot())
    assert np.array_equal(model.predict_joint_log_proba(probes), reference.predict_joint_log_proba(probes))
    model._correct(other, right)
    model._correct(None, other)
    model._correct(None, None)
    assert to_bytes(model._snapshot()) == before
    assert np.array_equal(model.predict_joint_log_proba(probes), scores)


def test_a_correction_that_does_not_fit_changes_nothing(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    before = to_bytes(model._snapshot())
    with pytest.raises(NotLearnedError):
        model._correct(model._count_one("good", "+"), model._count_one("never learned", "+"))
    assert to_bytes(model._snapshot()) == before


def test_a_label_of_another_type_or_without_a_prior_does_not_fit(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    model._check_label("a new class")
    with pytest.raises(LabelError, match="the label 1 is of type int"):
        model._check_label(1)
    NaiveBayes()._check_label(1)
    with pytest.raises(OptionError):
        NaiveBayes(prior={"+": 0.5, "-": 0.5}).fit(*reviews)._check_label("?")


def test_which_models_can_be_corrected(reviews: Reviews) -> None:
    NaiveBayes()._check_correctable()
    model = NaiveBayes().fit(*reviews)
    model._check_correctable()
    model.pruned(min_documents=2)._check_correctable()
    for other in (NaiveBayes(variant="nbsvm"), NaiveBayes(weighting="tfidf", norm="l2")):
        with pytest.raises(NotAdditiveError):
            other.fit(*reviews)._check_correctable()
    assert model._state.is_fitted
    assert not NaiveBayes()._state.is_fitted
