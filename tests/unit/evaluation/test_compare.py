"""`likely.compare`: models, predictions, and what is refused."""

from __future__ import annotations

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import LengthError
from likely.sample import load_sample

TEXTS, LABELS = load_sample()
A = NaiveBayes(alpha=1.0).fit(TEXTS[:60], LABELS[:60])
B = NaiveBayes(alpha=0.1, ngrams=(1, 2)).fit(TEXTS[:60], LABELS[:60])


def test_models_and_their_predictions_compare_alike() -> None:
    texts, labels = TEXTS[60:], LABELS[60:]
    models = likely.compare(A, B, texts, labels)
    lists = likely.compare(A.predict(texts).tolist(), B, np.array(texts), labels)
    for found in (models, lists):
        assert found.a.accuracy == A.score(texts, labels)
        assert found.b.accuracy == B.score(texts, labels)
    assert models.to_dict()["examples"] == lists.to_dict()["examples"]
    assert models.words
    assert not lists.words, "words need two models"


def test_a_model_does_not_abstain() -> None:
    texts, labels = TEXTS[60:], LABELS[60:]
    careful = NaiveBayes(alpha=1.0, abstain=0.999).fit(TEXTS[:60], LABELS[:60])
    assert likely.compare(A, careful, texts, labels).verdict == "both are right on the same documents"


def test_wrong_input_is_refused() -> None:
    with pytest.raises(LengthError, match="1 label for 2 texts"):
        likely.compare(A, B, ["good", "bad"], ["positive"])
    with pytest.raises(LengthError, match="A has 1 predictions for 2 gold labels"):
        likely.compare(["positive"], B, ["good", "bad"], ["positive", "negative"])
    with pytest.raises(LengthError, match="single text"):
        likely.compare("positive", B, ["good"], ["positive"])


def test_text_fits_a_terminal_and_is_harmless() -> None:
    texts = ["\x1b[31mgood " * 40, "dull \u202e" * 40]
    first, second = "+\x1b", "-" * 200
    found = likely.compare([first] * 2, [second] * 2, texts, [first, second], names=("A" * 200, "B"))
    shown = str(found)
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 80
