"""The model: options, edges of the definition, what must not change on an error."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import (
    LengthError,
    MismatchError,
    NotFittedError,
    NotLearnedError,
    OptionError,
    UnknownClassError,
    UnknownOptionError,
    WeightError,
)
from likely.storage import to_bytes

Reviews = tuple[list[str], list[str]]


@pytest.mark.parametrize(
    "options",
    [
        {"variant": "gaussian"},
        {"variant": None},
        {"alpha": -1},
        {"alpha": math.nan},
        {"alpha": math.inf},
        {"alpha": "1"},
        {"alpha": True},
        {"prior": "flat"},
        {"prior": {"a": 0.5, "b": 0.6}},
        {"prior": {"a": 1.5, "b": -0.5}},
        {"prior": {"a": math.nan, "b": 1}},
        {"prior": {}},
        {"analyzer": "words"},
        {"ngrams": 2},
        {"ngrams": (0, 1)},
        {"ngrams": (2, 1)},
        {"ngrams": (1, 1.5)},
        {"ngrams": (1, 101)},
        {"lowercase": "yes"},
        {"lowercase": 1},
        {"threads": 0},
        {"threads": 1.5},
        {"threads": True},
        {"threads": 10**30},
        {"alpha": 10**400},
        {"prior": {"a": 10**400, "b": 1}},
    ],
)
def test_values_that_are_not_allowed(options: dict[str, Any]) -> None:
    (name,) = options
    with pytest.raises(OptionError, match=f"{name}=.*must be"):
        NaiveBayes(**options)
    model = NaiveBayes()
    with pytest.raises(OptionError, match=name):
        model.set_params(**options)
    assert model.get_params() == NaiveBayes().get_params()
    with pytest.raises(OptionError, match=name):
        setattr(model, name, options[name])
    assert model.get_params() == NaiveBayes().get_params()


def test_unknown_options() -> None:
    with pytest.raises(UnknownOptionError, match="did you mean 'alpha'"):
        NaiveBayes(alpah=1)
    with pytest.raises(UnknownOptionError, match="the options are task, variant"):
        NaiveBayes().set_params(zzz=1)
    with pytest.raises(TypeError):
        NaiveBayes(1.0)  # type: ignore[call-arg, arg-type]


def test_not_fitted() -> None:
    model = NaiveBayes()
    calls: list[Any] = [
        lambda: model.predict(["a"]),
        lambda: model.predict_proba(["a"]),
        lambda: model.explain("a"),
        lambda: model.classes_,
        lambda: model.class_documents_,
        lambda: model.vocabulary_,
        lambda: model.log_prior_,
        lambda: model.counts("a"),
        model.counts_table,
        lambda: model.ratio("a"),
        lambda: model.top_words("x"),
    ]
    for call in calls:
        with pytest.raises(NotFittedError, match="call fit or learn"):
            call()
    with pytest.raises(NotLearnedError, match="never learned"):
        model.forget(["a"], ["x"])
    assert not (model + model).__sklearn_is_fitted__()
    assert repr(NaiveBayes(alpha=0.5, ngrams=(1, 2))) == "NaiveBayes(alpha=0.5, ngrams=(1, 2))"


@pytest.mark.parametrize(
    "weights", [[1], [1, 2, 3], [[1, 1]], [-1, 1], [math.nan, 1], [math.inf, 1], [1e300, 1], [0, 0]]
)
def test_weights_that_are_not_allowed(weights: Any, reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    before = to_bytes(model)
    with pytest.raises((LengthError, WeightError)):
        model.learn(["a", "b"], ["+", "-"], sample_weight=weights)
    assert to_bytes(model) == before


def test_a_document_of_weight_0_is_not_there(reviews: Reviews) -> None:
    texts, labels = reviews
    model = NaiveBayes().fit([*texts, "never seen"], [*labels, "new"], sample_weight=[1] * len(texts) + [0])
    assert to_bytes(model) == to_bytes(NaiveBayes().fit(texts, labels))


def test_weights_below_one_and_far_apart_add_exactly() -> None:
    model = NaiveBayes()
    for _ in range(10):
        model.learn(["a"], ["x"], sample_weight=[0.1])
    once = NaiveBayes().fit(["a"] * 10, ["x"] * 10, sample_weight=[0.1] * 10)
    assert to_bytes(model) == to_bytes(once)
    model.learn(["a"], ["x"], sample_weight=[2.0**60]).forget(["a"], ["x"], sample_weight=[2.0**60])
    assert to_bytes(model) == to_bytes(once)
    assert model.counts("a")["x"].count == pytest.approx(1, abs=1e-15)


def test_alpha_of_one_call(reviews: Reviews) -> None:
    model, other = NaiveBayes().fit(*reviews), NaiveBayes(alpha=0.1).fit(*reviews)
    text = ["predictable with no fun"]
    assert np.array_equal(model.predict_proba(text, alpha=0.1), other.predict_proba(text))
    assert not np.array_equal(model.predict_proba(text), other.predict_proba(text))
    assert model.explain(text[0], alpha=0.1).scores == other.explain(text[0]).scores
    model.learn(["no fun"], ["-"])
    other.learn(["no fun"], ["-"])
    assert np.array_equal(model.predict_proba(text, alpha=0.1), other.predict_proba(text))
    with pytest.raises(OptionError, match="alpha"):
        model.predict(text, alpha=-1)


def test_options_that_weigh_may_change_after_learning(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    text = ["predictable with no fun"]
    model.predict(text)
    for options in ({"alpha": 0.5}, {"variant": "binary"}, {"prior": "uniform"}, {"prior": {"+": 0.9, "-": 0.1}}):
        model.set_params(**options)
        expected = NaiveBayes(**model.get_params()).fit(*reviews)
        assert np.array_equal(model.predict_proba(text), expected.predict_proba(text)), options


def test_options_that_cut_texts_may_not(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    model.set_params(ngrams=(1, 2))
    with pytest.raises(MismatchError, match="call fit"):
        model.learn(["a"], ["+"])
    with pytest.raises(MismatchError, match="in the same way"):
        NaiveBayes().fit(*reviews) + model.fit(*reviews)


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
    assert to_bytes(model) == to_bytes(NaiveBayes().fit(["a"], ["c00"]))
    assert model.predict(["w1"]).tolist() == ["c00"]


def test_forgetting_much_leaves_no_trace() -> None:
    model = NaiveBayes().fit(["stay"], ["x"])
    texts = [" ".join(f"w{number}" for number in range(at, at + 100)) for at in range(0, 10_000, 100)]
    for _ in range(3):
        model.learn(texts, ["x"] * len(texts))
        assert model.predict(["w5"]).tolist() == ["x"]
        model.forget(texts, ["x"] * len(texts))
    assert not model._counts.native.worn
    assert model.vocabulary_ == ["stay"]


def test_forgetting_what_was_not_learned_says_what(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    before = to_bytes(model)
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
    assert to_bytes(model) == before


def test_a_model_less_itself_has_learned_nothing(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    nothing = model - model
    assert not nothing.__sklearn_is_fitted__()
    assert to_bytes(nothing.learn(*reviews)) == to_bytes(model)
    assert to_bytes(model + model) == to_bytes(NaiveBayes().fit(*(column * 2 for column in reviews)))


def test_merging_leaves_both_as_they_were(reviews: Reviews) -> None:
    a, b = NaiveBayes().fit(*reviews), NaiveBayes().fit(["new word"], ["?"])
    before = to_bytes(a), to_bytes(b)
    both = a + b
    both.learn(["more"], ["+"])
    assert (to_bytes(a), to_bytes(b)) == before
    with pytest.raises(TypeError):
        a + 1  # type: ignore[operator]


def test_one_class() -> None:
    model = NaiveBayes().fit(["a b", "c"], ["only", "only"])
    assert model.predict_proba(["a", "unknown", ""]).tolist() == [[1.0]] * 3
    assert model.explain("a").label == "only"
    assert model.top_words("only", 2) == [("a", math.log(1 / 3)), ("b", math.log(1 / 3))]


def test_unknown_words_leave_the_prior(reviews: Reviews) -> None:
    for alpha in (0, 1.0):
        model = NaiveBayes(alpha=alpha).fit(*reviews)
        proba = model.predict_proba(["", "unheard", "!?"])
        np.testing.assert_allclose(proba, [[0.4, 0.6]] * 3, rtol=1e-15)


def test_documents_without_words() -> None:
    model = NaiveBayes().fit(["", "!", ""], ["a", "b", "b"])
    assert model.vocabulary_ == []
    assert model.predict(["anything"]).tolist() == ["b"]
    assert str(model.explain("anything")).endswith("Decision: b")
    assert model.top_words("a") == []
    model.learn(["word", "other"] * 3, ["c", "d"] * 3)
    assert model.predict(["word"]).tolist() == ["c"]


@pytest.mark.parametrize("alpha", [0, 5e-324, 1e-300, 1e300, 1.7e308])
def test_extreme_alphas(alpha: float, reviews: Reviews) -> None:
    model = NaiveBayes(alpha=alpha).fit(*reviews)
    texts = ["predictable with no fun", "boring fun", "", "very very very"]
    proba = model.predict_proba(texts)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-12)
    for text in texts:
        explanation = model.explain(text)
        assert not any(math.isnan(score) for score in explanation.scores.values())
        assert str(explanation)
        assert explanation._repr_html_()
    ratio = model.ratio("boring")
    assert ratio.ratio is None or not math.isnan(ratio.ratio)


def test_alpha_0_gives_real_zeros(reviews: Reviews) -> None:
    model = NaiveBayes(alpha=0).fit(*reviews)
    assert model.predict_proba(["boring"]).tolist() == [[0.0, 1.0]]
    joint = model.predict_joint_log_proba(["boring fun"])
    assert np.isneginf(joint).all()
    # No class can have written it, so it says nothing.
    np.testing.assert_allclose(model.predict_proba(["boring fun"]), [[0.4, 0.6]])
    assert model.predict(["boring fun"]).tolist() == ["-"]
    assert model.explain("boring fun").log_odds is None
    assert model.ratio("boring", "+", "-").ratio == 0.0
    assert model.ratio("boring", "-", "+").ratio == math.inf
    assert model.ratio("unheard", "-", "+").ratio is None


def test_a_million_tokens() -> None:
    model = NaiveBayes().fit(["a b", "b c"], ["x", "y"])
    text = "a b c unknown " * 250_000
    joint = model.predict_joint_log_proba([text])[0]
    expected = math.fsum([math.log(0.5), *[250_000 * math.log(p / 5) for p in (2, 2, 1)]])
    assert joint[0] == pytest.approx(expected, rel=1e-14)
    np.testing.assert_allclose(model.predict_proba([text]), [[0.5, 0.5]], atol=1e-6)
    assert model.explain(text[:70_000]).terms[0].count == 5_000


def test_ten_thousand_classes() -> None:
    numbers = range(10_000)
    texts = [f"shared unique{number} pair{number // 2}" for number in numbers]
    model = NaiveBayes().fit(texts, list(numbers))
    assert model.predict(texts[::100]).tolist() == list(numbers[::100])
    proba = model.predict_proba(texts[:5])
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-9)
    explanation = model.explain(texts[7])
    assert explanation.label == 7
    assert len(str(explanation)) < 5_000
    assert len(explanation._repr_html_()) < 5_000
    model.learn(["shared novelty"], [10_000])
    assert model.predict(["novelty"]).tolist() == [10_000]


def test_the_labels_it_gives_are_taken_back() -> None:
    for labels in (["+", "-"], [1, 0], [True, False]):
        model = NaiveBayes().fit(["good", "bad"], labels)
        for label in model.classes_:  # numpy's own kinds
            assert model.top_words(label)
            assert model.log_likelihood("good", label) < 0
        assert model.ratio("good", *model.predict(["good", "bad"])).ratio == 2.0


def test_a_prior_of_nothing_but_zeros_is_refused() -> None:
    model = NaiveBayes(prior={"+": 0, "-": 0, "z": 1}).fit(["good", "bad"], ["+", "-"])
    with pytest.raises(OptionError, match="share 0"):
        model.predict_proba(["good"])


def test_a_weight_too_small_to_count_is_refused() -> None:
    for weight in (1e-25, 5e-324, -1e-300):
        with pytest.raises(WeightError, match="row 1"):
            NaiveBayes().fit(["a", "b"], ["x", "y"], sample_weight=[1, weight])
    assert NaiveBayes().fit(["a"], ["x"], sample_weight=[2.0**-64]).predict(["a"]).tolist() == ["x"]


@pytest.mark.parametrize("weights", [["1", "2"], {1: 1, 2: 2}, {1, 2}, [10**400, 1], [1j, 1], 7, "12", [None, 1]])
def test_weights_that_are_no_numbers(weights: Any) -> None:
    with pytest.raises((WeightError, LengthError)):
        NaiveBayes().fit(["a", "b"], ["x", "y"], sample_weight=weights)


def test_weights_may_come_from_a_generator() -> None:
    model = NaiveBayes().fit(["a", "b"], ["x", "y"], sample_weight=(w for w in (1, 2)))
    assert model.class_documents_.tolist() == [1, 2]


def test_learning_and_forgetting_for_ever_takes_no_more_memory() -> None:
    words = " ".join(f"w{number}" for number in range(200))
    model = NaiveBayes().fit([words], ["c0"])
    texts, labels = [words] * 31, [f"c{number}" for number in range(1, 32)]
    sizes = []
    for _ in range(40):
        model.learn(texts, labels)
        model.forget(texts, labels)
        sizes.append(model._counts.native.room)
    assert max(sizes[5:]) == sizes[4]
    for number in range(300):
        model.learn(["w0"], [f"passing{number}"]).forget(["w0"], [f"passing{number}"])
    assert len(model._counts.index.labels) < 100
    assert to_bytes(model) == to_bytes(NaiveBayes().fit([words], ["c0"]))


def test_after_forgetting_everything_all_is_open() -> None:
    model = NaiveBayes().fit(["a"], ["x"]).forget(["a"], ["x"])
    model.set_params(ngrams=(1, 2))
    assert model.learn(["a b"], [1]).vocabulary_ == ["a", "a b", "b"]


def test_a_generator_may_change_the_model_it_is_predicted_with() -> None:
    model = NaiveBayes().fit(["good fun"] * 3 + ["dull bad"] * 3 + ["odd"], ["+"] * 3 + ["-"] * 3 + ["z"])

    def texts() -> Any:
        model.forget(["odd"], ["z"])
        yield "good good fun"

    assert model.predict(texts()).tolist() == ["+"]


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
    assert to_bytes(sum(parts)) == to_bytes(NaiveBayes().fit(["a", "b", "a b"], ["x", "y", "x"]))  # type: ignore[arg-type]


def test_names_of_other_libraries_are_understood() -> None:
    for theirs, ours in (("ngram_range", "ngrams"), ("binary", "variant"), ("n_jobs", "threads")):
        with pytest.raises(UnknownOptionError, match=f"did you mean '{ours}'"):
            NaiveBayes().set_params(**{theirs: 1})


def test_ties_go_to_the_first_class() -> None:
    model = NaiveBayes().fit(["b", "a"], ["second", "first"])
    assert model.predict(["", "a b", "b"]).tolist() == ["first", "first", "second"]


def test_partial_fit_with_classes() -> None:
    model = NaiveBayes().partial_fit(["a"], ["x"], classes=["x", "y"])
    with pytest.raises(UnknownClassError, match="'z' in row 1"):
        model.partial_fit(["a", "b"], ["x", "z"], classes=["x", "y"])
    assert model.classes_.tolist() == ["x"]


def test_score_may_be_weighted(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    assert model.score(*reviews) == 1.0
    assert model.score(["boring", "boring"], ["-", "+"], sample_weight=[3, 1]) == 0.75
