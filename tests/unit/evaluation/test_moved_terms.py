"""Terms that moved: the score against scipy, what is tested, and no false alarms among equal texts."""

from __future__ import annotations

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.weights import ModelView
from likely.evaluation.drift import moved_terms, signed_root
from scipy.stats import chi2_contingency


def moment(model: NaiveBayes) -> ModelView:
    snapshot = model._snapshot()
    return ModelView(snapshot.counts, snapshot.rules)


@pytest.mark.parametrize(
    ("now", "before", "here", "there"), [(20, 10, 100, 100), (5, 90, 300, 1000), (7, 1, 50, 900)]
)
def test_the_score_is_the_root_of_g2(now: int, before: int, here: int, there: int) -> None:
    table = [[now, here - now], [before, there - before]]
    expected = chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
    found = signed_root(np.array([float(now)]), np.array([float(before)]), here, there)[0]
    assert found**2 == pytest.approx(expected, rel=1e-9)
    assert bool(found > 0) is (now / here > before / there)


def texts(number: int, seed: int, **shares: float) -> list[str]:
    """Texts in which each of a hundred words occurs in a tenth of the documents, and others as told."""
    generator = np.random.default_rng(seed)
    words = {**{f"w{at}": 0.1 for at in range(100)}, **shares}
    return [" ".join(word for word, share in words.items() if generator.random() < share) for _ in range(number)]


def test_a_word_that_came_and_a_word_that_went() -> None:
    before, now = texts(500, 1, old=0.3), texts(400, 2, new=0.3)
    model = NaiveBayes().fit(before, ["x"] * 500)
    found = moved_terms(moment(model), now, 1)
    assert found is not None
    assert {each.term for each in found.top[:2]} == {"new", "old"}
    new = next(each for each in found.top if each.term == "new")
    assert (new.before, new.z > 5) == (0.0, True)
    assert new.now == pytest.approx(0.3, abs=0.08)
    assert (found.documents, found.tested) == (400, 102)
    assert found.moved <= 4


@pytest.mark.parametrize("seed", range(10))
def test_texts_of_the_same_kind_have_not_moved(seed: int) -> None:
    model = NaiveBayes(ngrams=(1, 2)).fit(texts(500, seed), ["x"] * 500)
    found = moved_terms(moment(model), texts(300, seed + 100), 1)
    assert found is not None
    assert found.tested == 100, "pairs of words are not tested"
    assert found.moved <= 1


def test_a_new_word_is_found_beside_many_learned_documents() -> None:
    model = NaiveBayes().fit(texts(5000, 1), ["x"] * 5000)
    found = moved_terms(moment(model), texts(60, 2, new=0.5), 1)
    assert found is not None
    assert found.top[0].term == "new"


def test_what_cannot_be_told() -> None:
    hashed = NaiveBayes(hash_bits=10).fit(texts(50, 1), ["x"] * 50)
    assert moved_terms(moment(hashed), texts(50, 2), 1) is None
    model = NaiveBayes().fit(texts(50, 1, old=0.9), ["x"] * 50)
    empty = moved_terms(moment(model), [], 1)
    assert empty is not None
    assert empty.share is None
    pruned = model.pruned(min_documents=3)
    found = moved_terms(moment(pruned), texts(200, 2, new=0.9), 1)
    assert found is not None
    assert all(each.term != "new" for each in found.top), "it may have been dropped from the model"
