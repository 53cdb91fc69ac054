"""Comparisons of lists of predictions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.evaluation.compare import Pairing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.evaluation.compare import Comparison
    from likely.types import Label


def compare_labels(
    gold: Sequence[Label],
    a: Sequence[Label | None],
    b: Sequence[Label | None],
    texts: Sequence[str] | None = None,
) -> Comparison:
    """The comparison of two lists of predictions with the gold labels; None is an abstention."""
    pairing = Pairing()
    pairing.add(gold, a, b, texts)
    return pairing.comparison()
