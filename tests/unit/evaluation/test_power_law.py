"""Power laws: found again in exact data, constrained, and near those of scipy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from likely.evaluation.power_law import PowerLaw, fit_power_laws
from scipy.optimize import curve_fit

SIZES = np.array([100.0 * 2**at for at in range(8)])


def errors(law: PowerLaw) -> np.ndarray:
    return np.array([law.error(size) for size in SIZES])


@pytest.mark.parametrize("law", [PowerLaw(0.1, 2.0, 0.6), PowerLaw(0.0, 1.0, 0.2), PowerLaw(0.3, 5.0, 1.0)])
def test_an_exact_law_is_found_again(law: PowerLaw) -> None:
    assert fit_power_laws(SIZES, errors(law)[None, :])[0] == pytest.approx(law, abs=1e-9)


def test_noise_as_in_scipy() -> None:
    measured = errors(PowerLaw(0.1, 2.0, 0.5)) * (1 + 0.01 * np.random.default_rng(1).standard_normal(8))
    weights = SIZES / measured**2
    expected, _ = curve_fit(
        lambda n, a, b, c: a + b * n**-c, SIZES, measured, p0=(0.1, 1, 0.5), sigma=weights**-0.5, maxfev=10_000
    )
    law = fit_power_laws(SIZES, measured[None, :])[0]
    far = 4 * SIZES[-1]
    assert law.error(far) == pytest.approx(expected[0] + expected[1] * far ** -expected[2], rel=0.005)


def test_neither_floor_nor_factor_is_negative() -> None:
    falling = np.array([PowerLaw(-0.3, 2.0, 0.2).error(size) for size in SIZES])
    rising = 0.1 + 0.01 * np.arange(8)
    first, second = fit_power_laws(SIZES, np.stack([falling, rising]))
    assert first.floor == 0
    assert first.factor > 0
    assert second.factor == 0
    assert 0.1 < second.floor < 0.2
    perfect = fit_power_laws(SIZES, np.zeros((1, 8)))[0]
    assert perfect.error(1e6) == 0.0


def test_rows_are_fitted_independently() -> None:
    one, other = errors(PowerLaw(0.1, 2.0, 0.6)), errors(PowerLaw(0.05, 3.0, 0.6))
    assert fit_power_laws(SIZES, np.stack([one, other]))[1].floor == pytest.approx(0.05, abs=0.01)


def test_documents_are_the_inverse_of_the_error() -> None:
    law = PowerLaw(0.1, 2.0, 0.6)
    assert law.error(law.documents(0.12)) == pytest.approx(0.12)
    assert law.documents(0.1) == math.inf
    assert PowerLaw(0.1, 0.0, 0.6).documents(0.2) == math.inf
    assert PowerLaw(0.0, 1.0, 0.02).documents(1e-9) == math.inf, "no overflow"
