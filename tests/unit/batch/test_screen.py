"""Rough answers decide most texts, and a screen never decides otherwise than exact answers do."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from likely import NaiveBayes, _native
from likely.batch.where import Screen, Where

ALPHABET = "abcdefghijklmnopqrstuvwxyzäöüßéèçñøåабвгд"
CLASSES = 200
"""So many classes that the weights are sparse."""


def words_of(place: int) -> list[str]:
    """The words of a class."""
    draw = random.Random(place)
    return ["".join(draw.choices(ALPHABET, k=6)) for _ in range(60)]


WORDS = [words_of(place) for place in range(CLASSES)]


def model_of(**options: object) -> NaiveBayes:
    draw = random.Random(0)
    texts = [" ".join(draw.sample(words, 40)) for words in WORDS for _ in range(4)]
    labels = [f"c{place}" for place in range(CLASSES) for _ in range(4)]
    return NaiveBayes(analyzer="char_wb", ngrams=(2, 4), **options).fit(texts, labels)  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=[False, True], ids=["raw", "calibrated"])
def model(request: pytest.FixtureRequest) -> NaiveBayes:
    return model_of(calibrate=request.param)


def texts(seed: int, size: int) -> _native.Strings:
    """Texts of words of two classes each: the shorter, the more doubtful."""
    draw = random.Random(seed)
    found, written = [], 0
    while written < size:
        one, other = draw.sample(range(3), 2)
        share, length = draw.gauss(0.5, 0.1), draw.randrange(1, 60)
        chosen = [draw.choice(WORDS[one if draw.random() < share else other]) for _ in range(length)]
        found.append(" ".join(chosen))
        written += len(found[-1].encode())
    return _native.Strings(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "p(c0) >= 0.8",
        "p(c0) < 0.3 or p(c1) > 0.999",
        "probability > 0.9 and known > 0.9",
        "label in (c0, c2)",
        "not (label == c1 and terms > 40)",
    ],
)
def test_it_decides_as_exact_answers_do(model: NaiveBayes, text: str) -> None:
    where = Where.parse(text)
    some, labels = texts(1, 4 << 20), model.classes_.tolist()
    found, exact = Screen(where, model)(some), model._predict_all(some)
    rough = model._rough_answers(some)  # so much text is scored roughly
    assert rough is not None
    assert rough.doubt.max() > 0.001  # they are rough indeed
    assert np.array_equal(rough.known, exact.known)
    assert np.array_equal(rough.terms, exact.terms)
    assert (found == where.of_answers(some, exact, labels)).all()
    assert 0 < found.sum() < len(found)
    is_open = where.of_rough_answers(some, rough, labels).is_open()
    assert 0 < is_open.sum() < 0.2 * len(is_open)


def test_what_a_scorer_remembers_changes_no_bit(model: NaiveBayes) -> None:
    scorer = model._scorer().remembering()
    for seed in (1, 2, 1):
        some = texts(seed, 1 << 18)
        for threads in (1, 2):
            remembering = replace(scorer, threads=threads).answers(some)
            assert (remembering.log_probabilities == model._predict_all(some).log_probabilities).all()


def test_a_model_with_thresholds_gives_exact_answers() -> None:
    model = model_of(abstain=0.5)
    assert model._rough_answers(["a text"]) is None
    where = Where.parse("label == c0")
    some = texts(1, 1 << 10)
    found = where.of_answers(some, model._predict_all(some), model.classes_.tolist())
    assert (Screen(where, model)(some) == found).all()


def test_if_many_texts_stay_open_only_exact_answers_are_asked_for(model: NaiveBayes) -> None:
    where = Where.parse("p(c0) >= 0.5")
    screen = Screen(where, model)
    # A text without words has no doubt, and each class the same probability: only rounding is in doubt.
    undecided = Where.parse(f"p(c0) >= {float(model.predict_proba([''])[0, 0])!r}")
    nothing = _native.Strings([""] * 8)
    hopeless = Screen(undecided, model)
    for _ in range(3):
        assert (hopeless(nothing) == hopeless(nothing)[0]).all()
    assert hopeless._open == hopeless._seen == 8
    assert screen(nothing).sum() == 0
    assert screen._open == 0
