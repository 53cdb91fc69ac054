"""How many terms more documents would have."""

from __future__ import annotations

import numpy as np
from likely.reading.rows import Labelled
from likely.training.material import count, terms_of


def texts(number: int) -> list[str]:
    """Texts of words that are the rarer the higher their number is."""
    rng = np.random.default_rng(1)
    return [" ".join(f"w{word}" for word in rng.zipf(1.3, 20)) for _ in range(number)]


def test_the_estimate_is_near_the_number_of_terms_of_more_documents() -> None:
    some, all_of_them = (
        count({"ngrams": (1, 2)}, [Labelled(texts(number), [0, 1] * (number // 2))]) for number in (1_000, 8_000)
    )
    assert 0.8 < terms_of(some, 8.0) / all_of_them.native.terms < 1.25


def test_words_that_are_all_known_do_not_grow() -> None:
    counts = count({}, [Labelled(["a b", "a b"], [0, 1])])
    assert terms_of(counts, 1e6) == 2
