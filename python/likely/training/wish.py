"""`Wish`: how the caller wants the options of a model to be chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.errors import OptionError
from likely.evaluation.trials import BESIDE
from likely.options.table import TUNING
from likely.tuning.material import Budget

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Wish:
    """How the options of a model are chosen. The fields are the options of `likely.options.table.TUNING`."""

    plain: bool = False
    strongest: bool = False
    tune_for: str | None = None
    budget: str | float | None = None

    def check(self, options: Mapping[str, object]) -> None:
        """Raise ``OptionError`` for values that are not allowed or contradict each other or the options given."""
        for name, option in TUNING.items():
            option.check(getattr(self, name))
        others = [name for name in options if name not in BESIDE]
        if self.plain and (self.is_asked or others):
            what = others[0] if others else "choosing options"
            raise OptionError(f"plain means multinomial, alpha 1 and single words: {what} contradicts it")

    @property
    def is_asked(self) -> bool:
        """Whether the caller asked for options to be chosen."""
        return self.strongest or self.tune_for is not None or self.budget is not None

    @property
    def time(self) -> Budget:
        """About how long choosing options may take."""
        return Budget() if self.budget is None else Budget.of(self.budget)

    def tunes(self, options: Mapping[str, object]) -> bool:
        """Whether options are chosen besides those given: if none is given, or if the caller asked for it."""
        return not self.plain and (self.is_asked or not any(name not in BESIDE for name in options))
