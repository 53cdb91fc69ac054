"""`Uncalibrated`: why the probabilities of a calibrated model are raw. The caller is told once."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from likely.errors import NotCalibratedWarning, frames_of_ours

if TYPE_CHECKING:
    from likely.core.rules import Rules


@dataclass
class Uncalibrated:
    """Rules that a calibration does not fit.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> rules = [NaiveBayes(alpha=alpha).fit(["good"], ["+"])._snapshot().rules for alpha in (1.0, 0.5)]
    >>> Uncalibrated(*rules).changed
    ['alpha']
    """

    rules: Rules
    """The rules in use."""
    fitted: Rules
    """The rules that the model was calibrated with."""
    is_told: bool = False

    @property
    def changed(self) -> list[str]:
        """The names of the rules that differ, as far as probabilities cannot be shifted to them."""
        names = [each.name for each in fields(self.rules) if each.name != "prior"]
        return [name for name in names if getattr(self.rules, name) != getattr(self.fitted, name)]

    def tell(self) -> None:
        """Warn that probabilities are raw, unless that was said before."""
        if self.is_told:
            return
        self.is_told = True
        names = " and ".join(f"{name}={getattr(self.fitted, name)!r}" for name in self.changed)
        warnings.warn(
            f"probabilities are raw: the model was calibrated with {names}. Set it back, or calibrate the "
            "model again: fit_calibration(texts, labels), or `likely calibrate MODEL DATA`",
            NotCalibratedWarning,
            stacklevel=frames_of_ours(),
        )
