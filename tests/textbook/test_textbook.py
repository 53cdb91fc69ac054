"""Every worked example of the lecture notes, to the last digit."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes, evaluate
from likely.evaluation.evaluation import from_confusion
from likely.evaluation.measures import Table
from likely.formulas import inverse_document_frequency, log_posterior, term_frequency
from likely.vectorize import vectorize

EXAMPLES = {e["id"]: e for e in json.loads(Path(__file__).with_name("examples.json").read_text())["examples"]}
EXACT: dict[str, Any] = {"rel": 1e-12, "abs": 1e-15}


def fitted(example: dict[str, Any], **options: Any) -> NaiveBayes:
    unit: Any = "char" if example["analyzer"].startswith("characters") else "word"
    texts, labels = zip(*example["train"], strict=True)
    return NaiveBayes(analyzer=unit, alpha=example["alpha"], **options).fit(texts, labels)


def by_class(model: NaiveBayes, values: Any) -> dict[str, float]:
    return dict(zip(model.classes_.tolist(), np.asarray(values, dtype=float).tolist(), strict=True))


def check_documents(model: NaiveBayes, documents: list[dict[str, Any]]) -> None:
    for document in documents:
        text = document["text"]
        joint = by_class(model, np.exp(model.predict_joint_log_proba([text])[0]))
        explanation = model.explain(text)
        assert model.predict([text])[0] == document["class"] == explanation.label
        assert explanation.unknown == document.get("unknown", [])
        for label, expected in document.get("joint", {}).items():
            assert joint[label] == pytest.approx(expected, **EXACT)
            assert math.exp(explanation.scores[label]) == pytest.approx(expected, **EXACT)
        for label, expected in document.get("likelihood", {}).items():
            assert math.exp(model.log_likelihood(text, label)) == pytest.approx(expected, **EXACT)


def test_every_example_is_tested() -> None:
    assert set(EXAMPLES) == {
        "reviews-smoothed",
        "letters-unsmoothed",
        "letters-smoothed-and-evaluated",
        "centuries",
        "tweets-log-ratio",
        "bayes-rule",
        "bag-of-words",
        "tf-idf",
        "accuracy-is-not-enough",
    }


@pytest.mark.parametrize("name", ["reviews-smoothed", "letters-unsmoothed", "letters-smoothed-and-evaluated"])
def test_classification(name: str) -> None:
    example = EXAMPLES[name]
    expect, model = example["expect"], fitted(example)
    if "vocabulary_size" in expect:
        assert len(model.vocabulary_) == expect["vocabulary_size"]
        assert by_class(model, model.class_tokens_) == expect["tokens_per_class"]
    if "prior" in expect:
        assert by_class(model, np.exp(model.log_prior_)) == pytest.approx(expect["prior"], **EXACT)
    for term, likelihood in expect["likelihood"].items():
        evidence = model.explain(term).terms[0]
        assert evidence.likelihood == pytest.approx(likelihood, **EXACT)
    check_documents(model, expect.get("documents", []))


def test_letters_evaluated() -> None:
    example = EXAMPLES["letters-smoothed-and-evaluated"]
    expect, model = example["expect"], fitted(example)
    texts, gold = zip(*example["test"], strict=True)
    assert model.predict(texts).tolist() == expect["predicted"]
    for text, scores in expect["log10_scores"].items():
        joint = by_class(model, model.predict_joint_log_proba([text])[0] / math.log(10))
        assert joint == pytest.approx(scores, **EXACT)
    result = model.evaluate(texts, gold)
    assert result.accuracy == expect["accuracy"]
    for label, figures in expect["per_class"].items():
        table = result.per_class[label]
        found = {"precision": table.precision, "recall": table.recall, "f1": table.f()}
        assert found == pytest.approx(figures, **EXACT)


def test_centuries() -> None:
    example = EXAMPLES["centuries"]
    expect = example["expect"]
    predicted_by_gold = np.array(example["confusion_rows_are_predicted_columns_are_gold"])
    result = from_confusion(example["labels"], predicted_by_gold.T)
    assert result.documents == expect["documents"]
    for label, figures in expect["per_class"].items():
        table = result.per_class[label]
        found = {name: getattr(table, name) for name in figures}
        assert found == pytest.approx(figures, **EXACT)
    assert vars(result.pooled) == expect["pooled"]
    assert result.macro.precision == pytest.approx(expect["macro_precision"], **EXACT)
    assert result.micro.precision == pytest.approx(expect["micro_precision"], **EXACT)
    gold = [example["labels"][c] for r in range(3) for c in range(3) for _ in range(predicted_by_gold[r, c])]
    predicted = [example["labels"][r] for r in range(3) for c in range(3) for _ in range(predicted_by_gold[r, c])]
    assert evaluate(gold, predicted).to_dict() == result.to_dict()


def test_tweets() -> None:
    example = EXAMPLES["tweets-log-ratio"]
    expect, model = example["expect"], fitted(example)
    assert len(model.vocabulary_) == expect["vocabulary_size"]
    assert by_class(model, model.class_tokens_) == expect["tokens_per_class"]
    table = {row["term"]: row for row in model.ratio_table("pos", "neg").to_pylist()}
    assert list(table) == sorted(expect["words"])
    for term, figures in expect["words"].items():
        counts = model.counts(term)
        assert (counts["pos"].count, counts["neg"].count) == (figures["pos"], figures["neg"])
        row = model.ratio(term, "pos", "neg")
        for found in (vars(row), table[term]):
            assert (found["count_a"], found["count_b"]) == (figures["pos"], figures["neg"])
            assert (found["p_a"], found["p_b"]) == (figures["p_pos"], figures["p_neg"])
            assert found["ratio"] == figures["ratio"]
            assert found["log_ratio"] == pytest.approx(figures["log_ratio"], **EXACT)
    for document in expect["documents"]:
        explanation = model.explain(document["text"])
        assert explanation.unknown == document["unknown"]
        assert explanation.label == document["class"]
        assert explanation.log_odds == pytest.approx(document["log_odds"], **EXACT)
        assert math.exp(explanation.log_odds or 0) == pytest.approx(document["likelihood_ratio"], **EXACT)


def test_tweets_with_a_given_prior() -> None:
    example = EXAMPLES["tweets-log-ratio"]
    given = example["expect"]["given_prior"]
    prior = by_class(fitted(example, prior=given["prior"]), fitted(example, prior=given["prior"]).log_prior_)
    assert prior["pos"] - prior["neg"] == pytest.approx(given["log_prior_ratio"], **EXACT)
    assert math.exp(prior["pos"] - prior["neg"]) == pytest.approx(given["prior_ratio"], **EXACT)
    fair = by_class(fitted(example), fitted(example).log_prior_)
    assert fair["pos"] - fair["neg"] == example["expect"]["log_prior_ratio"]


def posterior(joint: float, other: float) -> float:
    """P(class|text), from the joint probabilities of the class and of all others."""
    found = log_posterior(np.log([[joint, other]]), np.log([joint, other]))
    return float(np.exp(found[0, 0]))


def test_bayes_rule() -> None:
    first, second = EXAMPLES["bayes-rule"]["expect"]
    given = first["given"]
    joint = given["P(B|A)"] * given["P(A)"]
    assert posterior(joint, given["P(B)"] - joint) == pytest.approx(first["P(A|B)"], **EXACT)
    given = second["given"]
    both, a, b = given["N(A and B)"], given["N(A)"], given["N(B)"]
    assert both / given["N"] == second["P(A and B)"]
    assert posterior(both, b - both) == pytest.approx(second["P(A|B)"], **EXACT)
    assert posterior(both, a - both) == pytest.approx(second["P(B|A)"], **EXACT)


def test_bag_of_words() -> None:
    example = EXAMPLES["bag-of-words"]
    matrix = vectorize(example["documents"], lowercase=False)
    first_seen = list(dict.fromkeys(" ".join(example["documents"]).split()))
    assert first_seen == example["expect"]["vocabulary"]
    dense = matrix.to_scipy().toarray()
    columns = [matrix.terms.index(word) for word in example["expect"]["vocabulary"]]
    assert (dense[:, columns] > 0).astype(int).tolist() == example["expect"]["vectors"]


def test_tf_idf() -> None:
    for row in EXAMPLES["tf-idf"]["expect"]:
        frequency = term_frequency(np.array([row["tf"]], np.float64), sublinear=True)
        found = frequency * inverse_document_frequency(np.array([row["df"]], np.float64), row["N"])
        assert found[0] == pytest.approx(row["tfidf"], **EXACT)


def test_accuracy_is_not_enough() -> None:
    example = EXAMPLES["accuracy-is-not-enough"]
    counts, expect = example["counts"], example["expect"]
    table = Table(**counts)
    assert (table.accuracy, table.recall, table.precision) == (expect["accuracy"], expect["recall"], None)
    result = from_confusion(
        ["not relevant", "relevant"], [[counts["tn"], counts["fp"]], [counts["fn"], counts["tp"]]]
    )
    assert result.accuracy == expect["accuracy"]
    assert result.per_class["relevant"].precision is None
    assert "undefined" in str(result)
