"""Fewer terms: which ones stay, what it costs, and that the file fits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import likely
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.file import parse_size, to_bytes, value_terms
from likely.errors import ModelFileError, OptionError
from sklearn.feature_extraction.text import CountVectorizer

if TYPE_CHECKING:
    from pathlib import Path

Reviews = tuple[list[str], list[str]]
TEXTS = ["good good the fun", "good the plot", "bad the plot", "bad bad the dull", "the the end"]
LABELS = ["+", "+", "-", "-", "?"]


def test_rare_terms_are_left_out(tmp_path: Path) -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    before = to_bytes(model._snapshot())
    saved = model.save(tmp_path / "model", min_documents=2)
    loaded = likely.load(tmp_path / "model")
    expected = CountVectorizer(min_df=2).fit(TEXTS)
    assert loaded.vocabulary_ == sorted(expected.vocabulary_) == ["bad", "good", "plot", "the"]
    assert (saved.terms, saved.dropped_terms) == (4, 3)
    assert saved.kept_occurrences == pytest.approx(14 / 17)
    assert "3 terms dropped, which leaves 82.4% of occurrences" in str(saved)
    assert loaded.class_documents_.tolist() == model.class_documents_.tolist()
    assert loaded.class_tokens_.tolist() == [6, 6, 2]
    assert to_bytes(model._snapshot()) == before
    assert to_bytes(loaded._snapshot()) == (tmp_path / "model").read_bytes()


def test_all_or_no_terms_may_be_left_out(tmp_path: Path) -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    assert model.save(tmp_path / "model").kept_information == 1
    assert "dropped" not in str(model.save(tmp_path / "model"))
    saved = model.save(tmp_path / "model", min_documents=100)
    assert (saved.terms, saved.kept_occurrences, saved.kept_information) == (0, 0, 0)
    assert np.allclose(likely.load(tmp_path / "model").predict_proba(["the"]), [[0.4, 0.4, 0.2]])


def test_which_terms_stay_does_not_depend_on_order(tmp_path: Path) -> None:
    words = [f"{a}{b}" for a in "abcdefgh" for b in "abcdefgh"]
    texts = [" ".join(words[at::7]) for at in range(7)] * 3
    labels = [str(at * 5 % 11) for at in range(21)]
    found = set()
    for step in (1, -1):
        model = NaiveBayes().fit(texts[::step], labels[::step])
        model.save(tmp_path / "model", min_documents=4)
        found.add((tmp_path / "model").read_bytes())
    assert len(found) == 1


@given(
    st.lists(
        st.tuples(st.text("abcd ", max_size=9), st.sampled_from("xy"), st.sampled_from([1, 0.1, 7.25])), min_size=1
    ),
    st.integers(2, 3),
)
def test_pruned_counts_are_those_of_the_rows_that_stay(rows: list[Any], least: int) -> None:
    texts, labels, weights = map(list, zip(*rows, strict=True))
    model = NaiveBayes().fit(texts, labels, weights)
    counts, pruned = model._snapshot().counts, model.pruned(min_documents=least)._snapshot().counts
    terms = value_terms(counts)
    kept = set(counts.native.spell(terms.ids[terms.documents >= least]))
    assert pruned.table().to_pylist() == [row for row in counts.table().to_pylist() if row["term"] in kept]
    ranks = counts.live().ranks
    before = counts.native.columns(counts.find(pruned.native.spell(pruned.sorted_ids())), ranks)[1:]
    after = pruned.native.columns(pruned.sorted_ids(), ranks)[1:]
    np.testing.assert_array_equal(np.array(before), np.array(after))
    assert pruned.totals().documents.tolist() == counts.totals().documents.tolist()


def test_information_is_that_of_the_contingency_table() -> None:
    from scipy.stats import chi2_contingency

    counts = NaiveBayes().fit(TEXTS, LABELS)._snapshot().counts
    ids = counts.native.sorted_ids()
    table = counts.rows(ids, counts.live().numbers, documents=False)
    expected = chi2_contingency(table, lambda_="log-likelihood", correction=False).statistic
    assert value_terms(counts).information.sum() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "size"),
    [("2MB", 2_000_000), ("500kB", 500_000), ("1.5 MiB", 1_572_864), ("10 k", 10_000), ("7", 7), (" 1 gib ", 2**30)],
)
def test_sizes_are_understood(text: str, size: int) -> None:
    assert parse_size(text) == size


@pytest.mark.parametrize("size", ["", "MB", "-1MB", "1e3", "1 TB", "0", 0, -1, 1.5, True, None, "0.0001 B", "١kB"])
def test_other_sizes_are_refused(size: Any) -> None:
    with pytest.raises(OptionError, match="max_size"):
        parse_size(size)


@pytest.mark.parametrize("least", [0, -1, 1.5, True, "2", None])
def test_other_numbers_of_documents_are_refused(least: Any, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="min_documents"):
        NaiveBayes().fit(TEXTS, LABELS).save(tmp_path / "model", min_documents=least)


def test_what_was_left_out_cannot_be_forgotten(tmp_path: Path) -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    model.save(tmp_path / "model", min_documents=2)
    with pytest.raises(likely.errors.NotAdditiveError):
        likely.load(tmp_path / "model").forget(TEXTS[:1], LABELS[:1])
    with pytest.raises(ModelFileError):
        likely.load(tmp_path / "nothing")


def test_a_pruned_model_says_each_time_what_it_cannot_do(tmp_path: Path) -> None:
    texts, labels = ["good rare", "good fun", "bad fun"], ["+", "+", "-"]
    whole = NaiveBayes().fit(texts, labels)
    whole.save(tmp_path / "pruned", min_documents=2)
    model = likely.load(tmp_path / "pruned").learn(["rare gem"], ["+"])  # 'rare' is known again
    before = to_bytes(model._snapshot())
    for ask in (
        lambda: model.forget(["good rare"], ["+"]),
        lambda: model.forget(["rare gem"], ["+"]),
        lambda: model - whole,
        lambda: whole - model,
        lambda: (model + whole).forget(["good fun"], ["+"]),
        lambda: model.leave_one_out(texts, labels),
        lambda: model.suspects(texts, labels),
        lambda: model.fit_calibration(texts, labels),
    ):
        for _ in range(2):
            with pytest.raises(
                likely.errors.NotAdditiveError, match=r"2 terms were dropped .* use the model that was not"
            ):
                ask()
    assert to_bytes(model._snapshot()) == before
