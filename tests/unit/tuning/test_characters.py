"""N-grams of characters are chosen where words do badly, and only there."""

from __future__ import annotations

from typing import Any

import likely
import numpy as np
import pytest
from likely.reading.rows import Labelled, Sample
from likely.sample import load_sample
from likely.training.material import FEW_DOCUMENTS, _few, suit_characters
from likely.training.sample import Sampler

SYLLABLES = {
    "one": ["ka", "ke", "ko", "ta", "te", "to", "na", "ne", "no", "ra"],
    "two": ["ach", "ich", "sch", "ung", "heit", "tum", "zwa", "kei", "pfe", "ste"],
    "three": ["ski", "owa", "prz", "cze", "rze", "szy", "dzi", "wie", "nia", "lno"],
}


def languages(documents: int = 300) -> tuple[list[str], list[str]]:
    """Texts of three languages, whose words are long and seldom occur twice: only their syllables are known."""
    rng = np.random.default_rng(1)
    labels = [["one", "two", "three"][at % 3] for at in range(documents)]
    return [" ".join("".join(rng.choice(SYLLABLES[label], 5)) for _ in range(3)) for label in labels], labels


def sample(texts: list[str], labels: list[Any]) -> Sample:
    sampler = Sampler(20_000)
    sampler.add(Labelled(texts, labels))
    return sampler.sample()


def sample_of(texts: list[str], labels: list[Any]) -> Sample:
    size = len(texts)
    return Sample(texts, labels, [1.0] * size, list(range(size)), [1] * size, size, size)


def test_characters_are_chosen_for_languages() -> None:
    texts, labels = languages()
    assert suit_characters(sample(texts, labels), {})
    model = likely.train(texts, labels)
    assert model.tuning_ is not None
    assert model.tuning_.options["analyzer"] == "both"
    assert model.tuning_.trials[0].accuracy > 0.95
    assert all(trial.options["analyzer"] == "both" for trial in model.tuning_.trials)
    alike = likely.train(texts, labels, **model.tuning_.options)
    assert (alike.predict_log_proba(texts) == model.predict_log_proba(texts)).all()


def test_words_are_chosen_for_english() -> None:
    texts, labels = load_sample()
    assert not suit_characters(sample(texts, labels), {})
    tuning = likely.train(texts, labels).tuning_
    assert tuning is not None
    assert not any("analyzer" in trial.options for trial in tuning.trials)


@pytest.mark.parametrize(
    "given",
    [
        {"analyzer": "word"},
        {"ngrams": (1, 2)},
        {"tokenizer": str.split},
        {"variant": "nbsvm"},
        {"weighting": "tfidf", "norm": "l2"},
        {"max_terms": 10},
        {"spelling": "on"},
    ],
    ids=str,
)
def test_what_is_given_stays(given: dict[str, Any]) -> None:
    assert not suit_characters(sample(*languages()), given)


def test_the_order_of_the_texts_does_not_matter() -> None:
    texts, labels = languages()
    assert sample(texts[::-1], labels[::-1]) == sample(texts, labels)


def test_the_sample_that_decides_is_small() -> None:
    many = sample_of(["x"] * 5_000, ["a", "b"] * 2_500)
    assert len(_few(many)) == FEW_DOCUMENTS
    assert len(_few(sample_of(["x" * 10_000] * 100, ["a", "b"] * 50))) <= 20
    assert len(_few(sample_of(["x"] * 4_000, list(range(4_000))))) * 4_000 <= 1 << 18
