"""Characters within words: scores do not depend on which words were met before, nor on the threads."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely import NaiveBayes

WORDS = ["straße", "street", "rue", "улица", "通り", "ὁδός", "x" * 70, "via,", "Street."]
LABELS = ["de", "en", "fr", "ru", "ja", "el", "xx", "it", "en"]
TEXTS = st.lists(
    st.lists(st.sampled_from([*WORDS, "strange", "unheard", "of"]), max_size=12).map(" ".join), max_size=6
)


@pytest.mark.parametrize("analyzer", ["char_wb", "both"])
@settings(max_examples=40, deadline=None)
@given(texts=TEXTS)
def test_a_batch_is_one_by_one(analyzer: Literal["char_wb", "both"], texts: list[str]) -> None:
    model = NaiveBayes(analyzer=analyzer, threads=2).fit(WORDS, LABELS)
    together = model.predict_joint_log_proba(texts)
    fresh = NaiveBayes(analyzer=analyzer, threads=1).fit(WORDS, LABELS)
    apart = [fresh.predict_joint_log_proba([text])[0] for text in reversed(texts)][::-1]
    assert np.array_equal(together, np.array(apart).reshape(together.shape))
    for text, scores in zip(texts, together, strict=True):
        assert np.allclose(list(model.explain(text).scores.values()), scores, rtol=1e-12, atol=1e-12)


def test_learning_forgets_what_words_added_up_to() -> None:
    model = NaiveBayes(analyzer="char_wb").fit(WORDS, LABELS)
    model.predict(["street street"])
    model.learn(["street street street"], ["fr"])
    again = NaiveBayes(analyzer="char_wb").fit([*WORDS, "street street street"], [*LABELS, "fr"])
    texts = ["street", "straße street"]
    assert np.array_equal(model.predict_joint_log_proba(texts), again.predict_joint_log_proba(texts))
