"""Agreement beyond chance, against scikit-learn; documents without a prediction are one more class."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import evaluate
from sklearn import metrics

labels = st.sampled_from("abc")
pairs = st.lists(st.tuples(labels, labels | st.none()), min_size=1, max_size=30)


@given(pairs)
def test_abstentions_are_one_more_class(some: list[tuple[str, str | None]]) -> None:
    gold, predicted = [each[0] for each in some], [each[1] for each in some]
    found = evaluate(gold, predicted)
    named = [each or "no answer" for each in predicted]
    if found.matthews is None:
        assert len(set(gold)) == 1 or len(set(named)) == 1
    else:
        assert found.matthews == pytest.approx(metrics.matthews_corrcoef(gold, named), abs=1e-12)
    if found.kappa is None:
        assert set(gold) == set(named)
    else:
        assert found.kappa == pytest.approx(metrics.cohen_kappa_score(gold, named), abs=1e-12)
