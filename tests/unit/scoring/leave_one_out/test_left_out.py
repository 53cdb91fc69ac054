"""Leave-one-out scores are refused for options that depend on all documents."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.errors import OptionError
from likely.scoring.leave_one_out.left_out import check_exact

TEXTS, LABELS = ["good fun", "good plot", "bad plot"], ["+", "+", "-"]


def test_most_options_are_exact() -> None:
    snapshot = NaiveBayes(weighting="tfidf", min_documents=2, document_weight="equal").fit(TEXTS, LABELS)._snapshot()
    check_exact(snapshot.counts, snapshot.rules)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (NaiveBayes(weighting="tfidf", norm="l2"), "norm='l2'"),
        (NaiveBayes(spelling="on"), "spelling='on'"),
        (NaiveBayes(max_terms=2), "max_terms=2"),
    ],
)
def test_options_that_depend_on_all_documents_are_refused(model: NaiveBayes, reason: str) -> None:
    snapshot = model.fit(TEXTS, LABELS)._snapshot()
    with pytest.raises(OptionError, match=f"not defined with {reason}: which terms are kept"):
        check_exact(snapshot.counts, snapshot.rules)
