"""Learned documents are judged by models without them, their copies and their groups."""

from __future__ import annotations

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import LengthError, NotAdditiveError
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


def test_copies_do_not_hide_a_wrong_label() -> None:
    texts, labels = [*TEXTS, TEXTS[7], TEXTS[7]], [*LABELS, "positive", "positive"]
    labels[7] = "positive"  # it was negative, and so it is three times
    found = NaiveBayes().fit(texts, labels).suspects(texts, labels)
    assert {7, len(TEXTS), len(TEXTS) + 1} <= {each.row for each in found}
    assert found[0].terms[0][0] == "broken"


def test_groups_are_left_out_whole() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    groups = [at % 6 for at in range(len(TEXTS))]
    found = model.leave_one_out(TEXTS, LABELS, groups=groups)
    rest = [at for at in range(len(TEXTS)) if groups[at]]
    others = NaiveBayes().fit([TEXTS[at] for at in rest], [LABELS[at] for at in rest])
    assert np.allclose(found[::6], others.predict_joint_log_proba(TEXTS[::6]), rtol=1e-9)
    assert model.suspects(TEXTS, LABELS, 3, groups=groups) != []
    with pytest.raises(LengthError, match="1 groups for 480 texts"):
        model.suspects(TEXTS, LABELS, groups=["a"])


def test_learned_weights_cannot_be_left_out() -> None:
    with pytest.raises(NotAdditiveError, match="use cross-validation"):
        NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS).leave_one_out(TEXTS, LABELS)
