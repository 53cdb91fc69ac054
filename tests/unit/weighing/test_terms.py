"""Which terms stay and what they weigh: bounds, automatic stop words, tf-idf, spelling, buckets."""

from __future__ import annotations

import pickle
from typing import Any

import likely
import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.core.analyzer import trace
from likely.core.terms import choose_terms

TEXTS = [
    "Not a GOOD film, déjà vu :-( see http://example.org/a?b=1",
    "I loved it! 3.14 stars from @anna #film",
    "terrible terrible acting, and no plot",
    "a good plot, well acted; mail me: bob@example.org 2,000 times",
]


LABELS = ["neg", "pos", "neg", "pos"]


def test_automatic_stop_words_follow_the_counts() -> None:
    model = NaiveBayes(stop_words="auto").fit(["the good", "the bad", "the plot", "fun"], [1, 0, 1, 0])
    assert "the" not in model.vocabulary_
    assert "the" in NaiveBayes().fit(["the good", "the bad", "the plot"], [1, 0, 1]).vocabulary_
    model.learn(["a", "b", "c"], [1, 0, 1])
    assert "the" in model.vocabulary_
    assert model.terms_ == 8


def test_spelling_reads_unknown_words_as_known_ones() -> None:
    model = NaiveBayes(spelling="on").fit(["terrible plot", "wonderful plot"], ["neg", "pos"])
    assert model.predict(["terible", "wonderfull"]).tolist() == ["neg", "pos"]
    explanation = model.explain("Terible plot, terrible xyz")
    assert [(e.term, e.count, e.written) for e in explanation.terms] == [
        ("terrible", 2, ["terible"]),
        ("plot", 1, []),
    ]
    assert explanation.unknown == ["xyz"]
    assert "terible -> terrible" in str(explanation)
    assert [piece.why for piece in trace("terible", model).pieces] == ["terible -> terrible"]
    phrases = NaiveBayes(spelling="on", ngrams=(1, 2)).fit(["terrible plot", "good"], ["neg", "pos"])
    assert [e.term for e in phrases.explain("terible plot").terms] == ["terrible", "plot", "terrible plot"]


def test_rare_words_fold_into_the_words_they_misspell() -> None:
    texts = ["wonderful"] * 300 + ["wonderfull x", "wonderfl"] + ["dull"] * 300
    labels = ["pos"] * 302 + ["neg"] * 300
    model = NaiveBayes(spelling="on").fit(texts, labels)
    assert "wonderfl" not in model.vocabulary_
    assert model.ratio("wonderful", "pos", "neg").count_a >= 301
    assert model.counts("wonderfl")["pos"].count == 1
    assert np.array_equal(model.predict_joint_log_proba(["wonderfl"]), model.predict_joint_log_proba(["wonderful"]))


def test_buckets_have_no_names_but_explanations_do() -> None:
    model = NaiveBayes(hash_bits=20, ngrams=(1, 2)).fit(TEXTS, LABELS)
    named = NaiveBayes(ngrams=(1, 2)).fit(TEXTS, LABELS)
    assert model.terms_ == named.terms_
    assert all(len(term) == 5 and int(term, 16) < 2**20 for term in model.vocabulary_)
    assert np.allclose(model.predict_joint_log_proba(TEXTS), named.predict_joint_log_proba(TEXTS), atol=1e-12)
    assert [e.term for e in model.explain("good plot").terms] == ["good", "plot", "good plot"]
    assert model.counts("good") == named.counts("good")
    assert model.log_likelihood("good plot", "pos") == pytest.approx(named.log_likelihood("good plot", "pos"))
    assert 0 <= (model._collisions or 0) < 1
    full = NaiveBayes(hash_bits=10).fit([" ".join(f"w{i}" for i in range(20_000))], [1])
    assert (full._collisions or 0) > 5000
    assert full.terms_ <= 1024


def test_tfidf_is_the_formula_of_the_notes() -> None:
    texts, labels = ["a a a b", "b c", "c c", "a d"], [1, 1, 0, 0]
    model = NaiveBayes(weighting="tfidf", alpha=1.0).fit(texts, labels)
    idf = {"a": np.log(4 / 2), "b": np.log(4 / 2), "c": np.log(4 / 2), "d": np.log(4)}
    counts = {
        1: {"a": (1 + np.log(3)) * idf["a"], "b": 2 * idf["b"], "c": idf["c"], "d": 0.0},
        0: {"a": idf["a"], "b": 0.0, "c": (1 + np.log(2)) * idf["c"], "d": idf["d"]},
    }
    found = model.predict_joint_log_proba(["a a d"])[0]
    for column, label in enumerate([0, 1]):
        total = sum(counts[label].values()) + 4
        weights = {"a": (1 + np.log(2)) * idf["a"], "d": idf["d"]}
        score = np.log(0.5) + sum(w * np.log((counts[label][t] + 1) / total) for t, w in weights.items())
        assert found[column] == pytest.approx(score, abs=1e-12)


def test_documents_of_length_one_cannot_be_learned_on() -> None:
    options: dict[str, Any] = {"weighting": "tfidf", "norm": "l2"}
    model = NaiveBayes(**options).fit(TEXTS, LABELS)
    with pytest.raises(likely.errors.MismatchError, match="norm='l2'"):
        model.learn(["more"], ["pos"])
    with pytest.raises(likely.errors.MismatchError, match="norm='l2'"):
        model.forget(TEXTS[:1], LABELS[:1])
    with pytest.raises(likely.errors.MismatchError, match="norm='l2'"):
        model + model
    with pytest.raises(likely.errors.SourceError, match=r"norm='l2' reads the texts twice"):
        NaiveBayes(**options).fit((text for text in TEXTS), LABELS)
    stream = pa.RecordBatchReader.from_batches(
        pa.schema([("text", pa.string()), ("label", pa.string())]),
        iter([pa.record_batch({"text": TEXTS, "label": LABELS})]),
    )
    with pytest.raises(likely.errors.SourceError, match=r"norm='l2' reads the texts twice"):
        likely.train(stream, **options)
    table = pa.table({"text": TEXTS, "label": LABELS})
    assert np.array_equal(
        likely.train(table, **options).predict_joint_log_proba(TEXTS), model.predict_joint_log_proba(TEXTS)
    )
    weighted = NaiveBayes(**options).fit(TEXTS, LABELS, sample_weight=[2, 1, 1, 1])
    twice = NaiveBayes(**options).fit([*TEXTS, TEXTS[0]], [*LABELS, LABELS[0]])
    assert np.allclose(weighted.predict_joint_log_proba(TEXTS), twice.predict_joint_log_proba(TEXTS), atol=1e-12)


def test_pruning_keeps_the_counts() -> None:
    texts = ["a b c", "a b", "a", "d d d d d"]
    model = NaiveBayes(min_documents=2).fit(texts, [1, 0, 1, 0])
    assert model.vocabulary_ == ["a", "b"]
    assert model.counts("d")[0].count == 5
    assert model.ratio("d").count_a == 0
    model.set_params(min_documents=1)
    assert model.vocabulary_ == ["a", "b", "c", "d"]
    assert NaiveBayes(max_documents=2).fit(texts, [1, 0, 1, 0]).vocabulary_ == ["b", "c", "d"]
    assert NaiveBayes(max_documents=0.5).fit(texts, [1, 0, 1, 0]).vocabulary_ == ["b", "c", "d"]
    assert NaiveBayes(max_terms=2).fit(texts, [1, 0, 1, 0]).vocabulary_ == ["a", "d"]
    assert NaiveBayes(max_terms=3).fit(["b a", "a c b"], [1, 0]).vocabulary_ == ["a", "b", "c"]
    assert NaiveBayes(min_documents=4).fit(texts, [1, 0, 1, 0]).predict(["a", "x"]).tolist() == [0, 0]


@pytest.mark.parametrize("most", [1, 2, 1.0, 0.5])
def test_a_number_of_documents_is_saved_as_one(most: float) -> None:
    model = NaiveBayes(max_documents=most).fit(["good fun", "good plot"], ["+", "-"])
    again = pickle.loads(pickle.dumps(model))
    assert type(again.max_documents) is type(most)
    assert again.vocabulary_ == model.vocabulary_


@pytest.mark.parametrize("options", [{"weighting": "tfidf"}, {"spelling": "on"}, {"max_terms": 9}])
def test_terms_of_documents_that_weigh_little_count(options: dict[str, Any]) -> None:
    texts, weights = ["good fun", "dull plot", "so so"], [0.5, 0.5, 2]
    assert len(NaiveBayes(**options).fit(texts, ["+", "-", "-"], weights).vocabulary_) == 5


def test_weights_may_come_one_by_one_where_texts_are_read_twice() -> None:
    model = NaiveBayes(weighting="tfidf", norm="l2").fit(["a b", "c d"], [0, 1], (weight for weight in [1, 2]))
    assert model.class_documents_.tolist() == [1, 2]


def test_words_that_share_a_bucket_are_explained_together() -> None:
    texts, labels = ["w10 w87 x y", "y z", "q"], ["a", "b", "b"]
    tfidf: dict[str, Any] = {"weighting": "tfidf"}
    for options in ({"variant": "binary"}, tfidf, tfidf | {"norm": "l2"}):
        model = NaiveBayes(hash_bits=10, **options).fit(texts, labels)
        explanation = model.explain("w10 w87 w87")
        assert len(explanation.terms) == 2
        for label, score in explanation.scores.items():
            total = explanation.log_prior[label] + sum(e.contribution[label] for e in explanation.terms)
            assert total == pytest.approx(score, abs=1e-10)


def test_automatic_stop_words_of_other_languages() -> None:
    texts = ["le chat et le chien", "la vie et la mort", "rouge et noir"]
    assert "et" not in NaiveBayes(stop_words="auto").fit(texts, [0, 1, 1]).vocabulary_
    prepared_otherwise: list[dict[str, Any]] = [{"stem": "english"}, {"lowercase": False}, {"hash_bits": 10}]
    for options in prepared_otherwise:
        model = NaiveBayes(stop_words="auto", **options).fit(["Nothing a", "Nothing b", "Nothing c"], [0, 1, 1])
        assert model.terms_ == len(model.vocabulary_) == 4, options


def test_spelling_of_negated_words_and_of_n_grams() -> None:
    model = NaiveBayes(spelling="on", negation="on").fit(
        ["not terrible film"] * 5 + ["terrible"] * 5, [1] * 5 + [0] * 5
    )
    assert [e.term for e in model.explain("not terible").terms] == ["not", "NOT_terrible"]
    texts = ["wonderful film"] * 300 + ["wonderfl film", "wonderfl cast"] + ["dull film"] * 300
    model = NaiveBayes(spelling="on", ngrams=(1, 2)).fit(texts, [1] * 302 + [0] * 300)
    assert model.vocabulary_ == ["cast", "dull", "dull film", "film", "wonderful", "wonderful film"]
    joint = model.predict_joint_log_proba(["wonderfl film"])[0] - model.log_prior_
    assert model.log_likelihood("wonderfl film", 1) == pytest.approx(joint[1], abs=1e-10)


def test_what_was_counted_otherwise_is_not_weighed_otherwise() -> None:
    model = NaiveBayes().fit(["a a a", "b"], [1, 0])
    model.set_params(weighting="tfidf")
    with pytest.raises(likely.errors.MismatchError, match="set it back, or call fit"):
        model.predict(["a"])
    assert model.set_params(weighting="counts").predict(["a"]).tolist() == [1]


def test_a_prior_that_is_changed_in_place_is_noticed() -> None:
    prior: dict[Any, float] = {0: 0.5, 1: 0.5}
    model = NaiveBayes(prior=prior).fit(["a", "b"], [1, 0])
    assert model.predict_proba([""])[0].tolist() == [0.5, 0.5]
    prior.update({0: 0.25, 1: 0.75})
    assert model.predict_proba([""])[0] == pytest.approx([0.25, 0.75])


def test_shares_of_documents_are_not_lost_to_rounding() -> None:
    texts = ["a"] * 7 + ["b"] * 93
    assert NaiveBayes(min_documents=0.07).fit(texts, [1] * 50 + [0] * 50).vocabulary_ == ["a", "b"]


@pytest.mark.parametrize("weights", [None, [1.1, 2.7, 1.0, 1.0], [1e6, 1e12, 3.0, 1e15], [2.0**53, 3.0, 1.0, 1.0]])
def test_tokens_of_classes_are_sums_of_cells_also_if_every_term_is_kept(weights: list[float] | None) -> None:
    model = NaiveBayes(min_documents=2).fit(["a b b", "a", "b", "a"], ["x", "y", "y", "x"], sample_weight=weights)
    snapshot = model._snapshot()
    terms = choose_terms(snapshot.counts, snapshot.rules)
    assert terms.kept is not None
    cells = terms.cells(terms.sorted_ids())
    sums = np.bincount(cells.classes, weights=cells.values, minlength=2)
    assert terms.class_tokens().tolist() == sums.tolist()
