"""The share of wrong labels, and how probable it is that one label is wrong."""

from __future__ import annotations

import numpy as np
import pytest
from likely.explanation.suspects import fit_noise, worst


def test_the_share_of_noise_is_recovered() -> None:
    draw = np.random.default_rng(1)
    true = draw.integers(0, 3, 4000)
    joint = draw.normal(0, 8, (4000, 3))
    joint[np.arange(4000), true] += 32  # log-odds of mean 32 and variance 128: four times too sure
    labels = np.where(draw.random(4000) < 0.1, (true + draw.integers(1, 3, 4000)) % 3, true)
    noise = fit_noise(joint, np.ones(4000), labels)
    assert noise.share == pytest.approx(0.1, abs=0.02)
    rows, _, _ = worst(noise, joint, np.ones(4000), labels)
    assert (labels != true)[rows].mean() > 0.9
    assert len(rows) == pytest.approx((labels != true).sum(), rel=0.1)
