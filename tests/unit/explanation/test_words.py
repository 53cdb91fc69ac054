"""What a model knows of its words."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.errors import TextError, UnknownClassError
from likely.explanation.words import TermCounts
from likely.sample import load_sample

Reviews = tuple[list[str], list[str]]


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes().fit(*load_sample())


def test_counts_of_a_term(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    assert model.counts("and") == {"+": TermCounts(0, 0), "-": TermCounts(2, 2)}
    assert model.counts("The")["+"] == TermCounts(2, 1)  # looked up as it would be read
    assert model.counts("unheard")["-"] == TermCounts(0, 0)
    with pytest.raises(TextError):
        model.counts(3)  # type: ignore[arg-type]


def test_counts_table_is_sorted_and_complete(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    rows = model.counts_table().to_pylist()
    assert [(row["term"], row["class"]) for row in rows] == sorted((row["term"], row["class"]) for row in rows)
    assert sum(row["count"] for row in rows) == 23
    assert {"term": "the", "class": "+", "count": 2, "documents": 1} in rows
    weighted = NaiveBayes().fit(["a"], ["x"], sample_weight=[0.5])
    assert weighted.counts_table().to_pylist() == [{"term": "a", "class": "x", "count": 0.5, "documents": 0.5}]


def test_ratio_needs_two_classes() -> None:
    model = NaiveBayes().fit(["a", "b", "c"], ["x", "y", "z"])
    assert model.ratio("a", "x", "y").ratio == 2.0
    same = model.ratio("a", "x", "x")
    assert (same.count_a, same.count_b, same.ratio, same.log_ratio) == (1, 1, 1.0, 0.0)
    with pytest.raises(UnknownClassError, match="there are 3 classes: give the two"):
        model.ratio("a")
    with pytest.raises(UnknownClassError, match="label 'w' is not one of the classes 'x', 'y', 'z'"):
        model.ratio("a", "x", "w")
    two = NaiveBayes().fit(["a", "b"], ["x", "y"])
    assert (two.ratio("a").a, two.ratio("a").b) == ("y", "x")
    assert two.ratio("a", "x").b == "y"
    assert two.ratio("a", b="y").a == "x"


def test_top_words_are_neither_stop_words_nor_rare(model: NaiveBayes) -> None:
    for label in ("positive", "negative"):
        top = [term for term, _ in model.top_words(label, 15)]
        assert not {"the", "a", "and", "was", "it", "of", "to", "in"} & set(top)
        assert all(sum(counts.count for counts in model.counts(term).values()) > 2 for term in top)
    scores = [score for _, score in model.top_words("positive", 50)]
    assert scores == sorted(scores, reverse=True)
    assert min(score for _, score in model.top_words("positive", 10**6)) > 0
    assert model.top_words("positive", 0) == []
    with pytest.raises(UnknownClassError):
        model.top_words("neutral")


def test_terms_are_looked_up_as_the_kernel_writes_them() -> None:
    for text in ("ΌΣ'Α", "\u0391\u0301\u03a3", "ΑΣ\u200dΑ", "İSTANBUL", "ÉCOLE"):
        assert NaiveBayes().fit([text], ["x"]).counts(text)["x"].count == 1
    assert NaiveBayes().fit(["a"], ["x"]).counts("\ud800")["x"].count == 0
    assert NaiveBayes(analyzer="char", ngrams=(3, 3)).fit(["A \n B"], ["x"]).counts("a\nb")["x"].count == 1


def test_questions_of_two_classes_cost_two_classes() -> None:
    labels = list(range(3000))
    model = NaiveBayes().fit([f"w{label} common" for label in labels], labels)
    assert model.ratio_table(0, 1).num_rows == 3001
    assert model.generate(0, words=5, seed=1)
