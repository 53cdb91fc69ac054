"""What options are chosen by: budgets, a sample, and counts that can be made anew."""

from __future__ import annotations

from typing import Any

import pytest
from likely.core.calibration import MOST_SCORES
from likely.errors import OptionError
from likely.reading.rows import Labelled
from likely.sample import load_sample
from likely.training import material
from likely.training.material import FEWEST, LEAST_SAMPLED, SCORES_PER_SECOND, Budget, gather
from likely.training.sample import OVERHEAD

TEXTS, LABELS = load_sample()


@pytest.mark.parametrize(
    ("value", "seconds"), [("30s", 30), ("2m", 120), ("1.5 h", 5400), (" 7 ", 7), (0.5, 0.5), (3, 3)]
)
def test_budgets_are_understood(value: Any, seconds: float) -> None:
    assert Budget.of(value).seconds == seconds
    assert Budget.of(None) == Budget()


@pytest.mark.parametrize("value", ["", "s", "0", 0, -1, "1d", "1e3", "nan", "1 2", "१s", "9" * 10])
def test_other_budgets_are_refused(value: Any) -> None:
    with pytest.raises(OptionError, match="budget="):
        Budget.of(value)


def test_more_time_is_more_documents_and_more_work_is_fewer() -> None:
    assert Budget(100).documents(100, 2) > Budget(50).documents(100, 2)
    assert Budget(100).documents(200, 2) < Budget(100).documents(100, 2)
    assert Budget(100).documents(100, 400) < Budget(100).documents(100, 2)
    assert Budget(1).documents(1e9, 2) == LEAST_SAMPLED


@pytest.mark.parametrize("classes", [2, 113, 1_000, 16_000, 1_000_000])
@pytest.mark.parametrize("seconds", [1, 10, 1e6])
def test_documents_times_classes_bound_what_is_judged(classes: int, seconds: float) -> None:
    scores = Budget(seconds).documents(8, classes) * classes
    assert scores <= max(seconds * SCORES_PER_SECOND, FEWEST * classes)
    assert scores <= max(MOST_SCORES, FEWEST * classes), "whatever the budget, the scores fit into memory"


def batches() -> list[Labelled]:
    return [Labelled(TEXTS[at : at + 100], LABELS[at : at + 100]) for at in range(0, len(TEXTS), 100)]


def test_few_texts_are_kept_and_counted_again_as_asked() -> None:
    found = gather(iter(batches()), None, {}, Budget())
    assert found.counts.analyzer.ngrams == (1, 2)
    assert (len(found.sample), found.sample.of) == (480, 480)
    assert found.read is not None
    words = found.count({"ngrams": (1, 1)})
    assert words.table() == found.counts.single_words().table()


def test_what_is_given_is_what_is_counted() -> None:
    assert gather(iter(batches()), None, {"ngrams": (2, 2)}, Budget()).counts.analyzer.ngrams == (2, 2)
    assert gather(iter(batches()), None, {"analyzer": "char"}, Budget()).counts.analyzer.ngrams == (1, 1)


def test_many_texts_are_read_again_if_they_can_be_and_there_is_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(material, "HELD", 5_000)
    monkeypatch.setattr(material, "LARGE", 1_000)
    once = gather(iter(batches()), None, {}, Budget())
    assert once.read is None
    assert once.counts.analyzer.ngrams == (1, 1), "pairs of words take more memory than there may be"
    again = gather(iter(batches()), batches, {}, Budget())
    assert again.read is not None
    assert again.count_all({}).table() == once.counts.table()
    assert again.count_all({}) is again.first, "what was counted while the texts were read is not counted again"
    assert gather(iter(batches()), batches, {}, Budget(1e-6)).read is None


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the sample were large: settings are judged on about a quarter of it."""
    monkeypatch.setattr(material, "LARGE", 1_000)
    monkeypatch.setattr(material, "SUBSET", sum(len(text) + OVERHEAD for text in TEXTS) // 4)


@pytest.mark.usefixtures("large")
def test_settings_for_large_data_are_judged_on_a_subset() -> None:
    found = gather(iter(batches()), None, {}, Budget())
    assert found.subset is not None
    assert 60 < len(found.subset) < 240
    assert found.counts.totals().documents.sum() == len(found.subset)
    assert set(found.sample.texts) <= set(found.subset.texts)
    assert found.subset.of == 480
    assert found.count_all({}).totals().documents.sum() == 480
    assert found.count({"ngrams": (1, 2)}).table() == found.counts.table()


@pytest.mark.usefixtures("large")
def test_phrases_are_counted_only_if_their_terms_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gather(iter(batches()), None, {}, Budget()).counts.analyzer.ngrams == (1, 2)
    monkeypatch.setattr(material, "MOST_TERMS", 5_000)
    words = gather(iter(batches()), None, {}, Budget())
    assert words.counts.analyzer.ngrams == (1, 1)
    assert words.counts.table() == words.count({}).table()
    assert words.fits(words.counts)
    assert not words.fits(words.count({"ngrams": (1, 2)}))
    given = gather(iter(batches()), None, {"ngrams": (1, 2)}, Budget())
    assert given.counts.analyzer.ngrams == (1, 2), "what is given is not changed"
    mixed = gather(iter(batches()), None, {"document_weight": "equal"}, Budget())
    assert mixed.counts.table() == mixed.count({"document_weight": "equal"}).table()
