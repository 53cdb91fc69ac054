"""`Settled`: the options of a model, and the analyzer and rules that follow from them until an option changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from likely.core.analyzer import Analyzer, thread_count
from likely.core.rules import Rules
from likely.core.variants import LEARNED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.options.typed import ModelOptions


@dataclass(frozen=True)
class Settled:
    """The values of all options, with the analyzer, rules and threads that follow from them.

    Attributes
    ----------
    values : dict
        All options by name.
    analyzer : Analyzer
        How texts become terms.
    rules : Rules
        How counts become weights.
    threads : int
        The number of threads.
    """

    values: Mapping[str, object]
    analyzer: Analyzer
    rules: Rules
    threads: int

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Settled:
        """The object for the values of all options, which have been checked."""
        threads = cast("ModelOptions", values)["threads"]
        return cls(values, Analyzer.of(values), Rules.of(values), thread_count(threads))

    @property
    def reads_twice(self) -> str | None:
        """The option because of which texts are read twice, or None."""
        if self.rules.variant == LEARNED:
            return f"variant={LEARNED!r}"
        return None if self.analyzer.lengths is None else "norm='l2'"
