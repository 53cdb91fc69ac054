"""`Settings`: how documents are weighed and chosen."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, cast

from likely.core.analyzer import Analyzer, thread_count
from likely.errors import OptionError
from likely.options.conflicts import check_cut
from likely.options.kinds import is_whole
from likely.options.model_table import MODEL
from likely.options.selecting_table import SELECTING
from likely.options.table import ANALYZE_OPTIONS, check_options, with_defaults
from likely.options.typed import SelectingOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

WORD_OPTIONS = tuple(name for name in ANALYZE_OPTIONS if name not in ("analyzer", "char_ngrams", "hash_bits"))
"""The options of a model that decide the n-grams of words of a text."""
DEFAULTS: dict[str, object] = {"ngrams": (1, 2), "alpha": 0.01}
"""Options of a model with another default here. With many buckets, a larger alpha would outweigh a small target."""


@dataclass(frozen=True)
class Settings:
    """How documents are weighed and chosen.

    Attributes
    ----------
    number : int
        How many documents are chosen.
    analyzer : Analyzer
        How a text becomes n-grams.
    best, seed, min_words, buckets, alpha, threads
        The options of the same names.
    """

    number: int
    analyzer: Analyzer
    best: bool
    seed: int
    min_words: int
    buckets: int
    alpha: float
    threads: int | None

    @cached_property
    def processors(self) -> int:
        """The number of threads to use."""
        return thread_count(self.threads)


class _Own(SelectingOptions):
    """The options that are fields of `Settings`."""

    alpha: float
    threads: int | None


def settings_of(number: int, options: Mapping[str, object]) -> Settings:
    """The settings of options by name, which are checked.

    Examples
    --------
    >>> settings_of(10, {"min_words": 5}).buckets
    10000
    >>> settings_of(10, {"bucket": 5})
    Traceback (most recent call last):
    likely.errors.UnknownOptionError: there is no option 'bucket': did you mean 'buckets'?
    """
    if not is_whole(number) or number < 1:
        raise OptionError(f"number={number!r} is not allowed: number must be a whole number >= 1")
    own = {name: MODEL[name] for name in ("alpha", "threads")} | SELECTING
    table = own | {name: MODEL[name] for name in WORD_OPTIONS}
    check_options(options, table=table)
    options = {**DEFAULTS, **options}
    values = cast("_Own", {name: options.get(name, option.default) for name, option in own.items()})
    if values["alpha"] == 0:
        raise OptionError("alpha=0 is not allowed here: a bucket that is new to the target would rule a document out")
    cut = with_defaults({name: value for name, value in options.items() if name in WORD_OPTIONS})
    check_cut(cut)
    return Settings(number, Analyzer.of(cut), **values)
