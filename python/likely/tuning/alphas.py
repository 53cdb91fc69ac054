"""The values of alpha to try."""

from __future__ import annotations

ALPHAS = (10.0, 3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)
"""The first values to try, about half an order of magnitude apart."""
STEP = 10**0.25
"""The factor from an alpha to a value halfway to the next one."""


def lower_alpha(alpha: float) -> float:
    """The first alpha to try with ``document_weight='equal'``, where counts are about a tenth as large.

    Examples
    --------
    >>> lower_alpha(1.0), lower_alpha(0.001)
    (0.1, 0.001)
    """
    return ALPHAS[min(ALPHAS.index(alpha) + 2, len(ALPHAS) - 1)]


def next_to(alpha: float) -> tuple[float, float]:
    """The two values halfway to the next ones, with two significant digits.

    Examples
    --------
    >>> next_to(0.3)
    (0.17, 0.53)
    """
    below, above = (float(f"{value:.2g}") for value in (alpha / STEP, alpha * STEP))
    return below, above
