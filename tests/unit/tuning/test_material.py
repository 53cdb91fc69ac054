"""What options are chosen by: budgets, a sample, and counts that can be made anew."""

from __future__ import annotations

from typing import Any

import pytest
from likely.errors import OptionError
from likely.reading.labelled import Labelled
from likely.sample import load_sample
from likely.tuning import material
from likely.tuning.material import LEAST_SAMPLED, Budget, gather

TEXTS, LABELS = load_sample()


@pytest.mark.parametrize(
    ("value", "seconds"), [("30s", 30), ("2m", 120), ("1.5 h", 5400), (" 7 ", 7), (0.5, 0.5), (3, 3)]
)
def test_budgets_are_understood(value: Any, seconds: float) -> None:
    assert Budget.of(value).seconds == seconds


@pytest.mark.parametrize("value", ["", "s", "0", 0, -1, "1d", "1e3", "nan", None, "1 2", "१s", "9" * 10])
def test_other_budgets_are_refused(value: Any) -> None:
    with pytest.raises(OptionError, match="budget="):
        Budget.of(value)


def test_more_time_is_more_documents_and_more_work_is_fewer() -> None:
    assert Budget(100).documents(100, 2) > Budget(50).documents(100, 2)
    assert Budget(100).documents(200, 2) < Budget(100).documents(100, 2)
    assert Budget(100).documents(100, 400) < Budget(100).documents(100, 2)
    assert Budget(1).documents(1e9, 2) == LEAST_SAMPLED


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
    once = gather(iter(batches()), None, {}, Budget())
    assert once.read is None
    assert once.counts.analyzer.ngrams == (1, 1), "pairs of words take more memory than there may be"
    again = gather(iter(batches()), batches, {}, Budget())
    assert again.read is not None
    assert again.count({}).table() == once.counts.table()
    assert gather(iter(batches()), batches, {}, Budget(1e-6)).read is None
