"""Explanations as text: which form is shown, and the table of the strongest terms."""

from __future__ import annotations

from typing import Any

import pytest
from likely import NaiveBayes
from likely.terminal import WIDTH, display_width, percent

TEXTS, LABELS = ["goal match win", "vote law win", "stock rate win"], ["sport", "politics", "business"]


def test_short_texts_of_few_classes_show_the_arithmetic() -> None:
    few = NaiveBayes().fit(TEXTS, LABELS)
    many = NaiveBayes().fit([*TEXTS, "rain"], [*LABELS, "weather"])
    long = " ".join(f"w{at}" for at in range(20))
    wordy = NaiveBayes().fit([long, "other"], ["x", "y"])
    assert "Decision: sport" in str(few.explain("goal"))
    assert "Decision" not in str(many.explain("goal"))
    assert "Decision" not in str(wordy.explain(long))
    assert "Decision" in many.explain("goal").describe(arithmetic=True)
    assert "Decision" not in few.explain("goal").describe(arithmetic=False)


def test_the_strongest_terms_are_a_table() -> None:
    model = NaiveBayes(prior={"sport": 0.2, "politics": 0.3, "business": 0.5}).fit(TEXTS, LABELS)
    lines = model.explain("goal goal goal law win zzz").describe(arithmetic=False).splitlines()
    assert [line.split() for line in lines[2:9]] == [
        ["count", "P(w|sport)", "P(w|politics)", "ratio", "log"],
        ["goal", "3", "2/10", "1/10", "8", "2.0794"],
        ["law", "1", "1/10", "2/10", "0.5", "-0.6931"],
        ["win", "1", "2/10", "2/10", "1", "0.0000"],
        ["(prior)", "0.2", "0.3", "0.6667", "-0.4055"],
        ["(words)", "4", "1.3863"],
        ["(all)", "2.667", "0.9808"],
    ]
    assert "Not known, so ignored: zzz" in lines


def test_top_and_contrast() -> None:
    found = NaiveBayes().fit(TEXTS, LABELS).explain("goal goal law rate win")
    printed = found.describe(top=1, arithmetic=False, contrast=("politics", "business"))
    assert [line.split() for line in printed.splitlines()[2:5]] == [
        ["count", "P(w|politics)", "P(w|business)", "ratio", "log"],
        ["law", "1", "2/10", "1/10", "2", "0.6931"],
        ["(3", "further", "words)", "0.5", "-0.6931"],
    ]
    assert "log-odds of politics against business = 0.0000 + 0.0000 = 0.0000 = 0" in printed


def test_text_and_labels_are_escaped() -> None:
    bad = "\x1b[31m \u202e <script>alert(1)</script>"
    model = NaiveBayes().fit([bad, "b"], [bad, "&"])
    for arithmetic in (True, False):
        printed = model.explain(bad).describe(arithmetic=arithmetic)
        assert not {"\x1b", "\u202e"} & set(printed)
        assert "\\x1b" in printed


def test_everything_fits_a_terminal() -> None:
    labels = ["漢字" * 30, "a" * 90, "b" * 90]
    texts = ["漢字" * 100, "x" * 300, " ".join(f"{'y' * 50}{at}" for at in range(50))]
    for model in (NaiveBayes().fit(texts, labels), NaiveBayes(alpha=0, abstain=0.9).fit(texts, labels)):
        for arithmetic in (True, False):
            for text in (*texts, " ".join(texts), "zzz" * 200):
                printed = model.explain(text).describe(arithmetic=arithmetic, contrast=(labels[0], labels[2]))
                assert max(map(display_width, printed.splitlines())) <= WIDTH


@pytest.mark.parametrize(
    "options",
    [
        {"variant": "bernoulli"},
        {"variant": "complement_normalized"},
        {"variant": "nbsvm"},
        {"hash_bits": 10},
        {"analyzer": "char", "ngrams": (2, 4)},
        {"weighting": "tfidf", "stem": "english", "ngrams": (1, 2)},
        {"alpha": 0, "abstain": 0.9},
    ],
    ids=str,
)
def test_every_kind_of_model_is_explained_in_words(options: dict[str, Any]) -> None:
    model = NaiveBayes(**options).fit(TEXTS * 3, LABELS * 3)
    for text in ("goal law goal", "", "zzz"):
        explanation = model.explain(text)
        first, *_ = str(explanation).splitlines()
        assert str(explanation.label) in first
        assert f"{percent(explanation.probabilities[explanation.label])}" in first
        assert explanation.describe(arithmetic=False).startswith(first)
