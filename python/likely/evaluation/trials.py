"""What a model remembers of how its options were chosen: what was tried, and how good each was."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from likely.options.table import OPTIONS, check_options

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_TRIALS = 1_000
WAYS = ("leave-one-out", "cross-validation")
BESIDE = ("threads", "calibrate", "abstain")
"""Options that say nothing about what is learned."""
AUTO = "auto"
"""By log-loss, among the settings that are not significantly less often right than the best."""
MEASURES = ("log-loss", "accuracy", "macro-f1")
"""What settings can be chosen by, besides ``f1:CLASS``."""


@dataclass(frozen=True)
class Trial:
    """One setting and what it scored.

    Attributes
    ----------
    options : dict
        Those that are not at their defaults.
    way : str
        How it was judged: "leave-one-out" or "cross-validation".
    log_loss : float
        Of calibrated probabilities.
    accuracy, macro_f1 : float
        Of the most probable classes.
    value : float
        What was to be tuned for: the higher the better.
    """

    options: dict[str, Any]
    way: str
    log_loss: float
    accuracy: float
    macro_f1: float
    value: float


@dataclass(frozen=True)
class Tuning:
    """How options were chosen.

    Attributes
    ----------
    tune_for : str
        "auto", "log-loss", "accuracy", "macro-f1" or "f1:" with a class.
    documents, of : int
        How many documents the settings were judged on, of how many that were counted.
    trials : list of Trial
        The best first.
    """

    tune_for: str
    documents: int
    of: int
    trials: list[Trial]

    @property
    def options(self) -> dict[str, Any]:
        """The options of the best setting that are not at their defaults."""
        return self.trials[0].options

    @property
    def command(self) -> str:
        """The plain command that gives the same model without any search.

        Examples
        --------
        >>> trial = Trial({"variant": "binary", "ngrams": (1, 2)}, "leave-one-out", 0.4, 0.8, 0.8, -0.4)
        >>> Tuning("log-loss", 10, 10, [trial]).command
        'likely train DATA -o MODEL --variant binary --ngrams 1,2'
        """
        flags = [_flag(name, value) for name, value in self.options.items()] or ["--plain"]
        return " ".join(["likely train DATA -o MODEL", *flags])

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, as a model file has it."""
        return asdict(self)

    def __str__(self) -> str:
        from likely.reports import tuning_text

        return tuning_text(self)


def _flag(name: str, value: Any) -> str:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{flag}" if value else f"--no-{flag}"
    return f"--{flag} {option_text(value)}"


def option_text(value: Any) -> str:
    """A value as it is typed.

    Examples
    --------
    >>> option_text((1, 2)), option_text(0.5)
    ('1,2', '0.5')
    """
    return ",".join(map(str, value)) if isinstance(value, tuple | list) else str(value)


def tuning_from(document: Any) -> Tuning:
    """What `Tuning.to_dict` wrote; ``ValueError`` (or an error of ours, which is one) for anything else."""
    if not isinstance(document, dict) or set(document) != {"tune_for", "documents", "of", "trials"}:
        raise ValueError("a tuning has other keys")
    counts, trials = (document["documents"], document["of"]), document["trials"]
    if not all(type(number) is int and 0 <= number < 2**53 for number in counts):
        raise ValueError("the documents of a tuning are no count")
    if not isinstance(trials, list) or not 0 < len(trials) <= MOST_TRIALS:
        raise ValueError("the trials of a tuning are no list")
    tune_for = document["tune_for"]
    if not isinstance(tune_for, str) or not (tune_for in (AUTO, *MEASURES) or tune_for.startswith("f1:")):
        raise ValueError("a tuning is for something that likely does not know")
    return Tuning(tune_for, *counts, [_trial_from(each) for each in trials])


def _trial_from(document: Mapping[str, Any]) -> Trial:
    measures = ("log_loss", "accuracy", "macro_f1", "value")
    if not isinstance(document, dict) or set(document) != {"options", "way", *measures}:
        raise ValueError("a trial has other keys")
    figures = {name: document[name] for name in measures}
    if document["way"] not in WAYS or not all(_is_finite(value) for value in figures.values()):
        raise ValueError("a trial has figures that are none")
    stored = document["options"]
    options = {name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()}
    check_options(options)
    if not_default(options) != options:
        raise ValueError("a trial has options that say nothing")
    return Trial(not_default(options), document["way"], **figures)


def _is_finite(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value)


def not_default(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that decide what is learned and are not at their defaults, in the order of the table.

    Examples
    --------
    >>> not_default({"ngrams": (1, 2), "variant": "multinomial"})
    {'ngrams': (1, 2)}
    """
    names = [name for name in OPTIONS if name in options and name not in BESIDE]
    return {name: options[name] for name in names if options[name] != OPTIONS[name].default}
