"""The settings that were tried while a model was tuned, and how good each was."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from likely.options.compound import as_tuple, with_compounds
from likely.options.kinds import is_finite, is_goal
from likely.options.model import MODEL, check_options
from likely.terminal import WIDTH, counted, cut, percent, printable, table, wrapped

if TYPE_CHECKING:
    from likely.types import Plain


MOST_TRIALS = 1_000
WAYS = ("leave-one-out", "cross-validation")
UNRELATED_TO_LEARNING = ("threads", "tune", "budget", "prefer", "calibrate", "thresholds", "abstain")
"""Options that do not change what is learned."""
KEPT_ASIDE = ("task", *UNRELATED_TO_LEARNING)
"""Options that tuning does not choose, because they do not change what is learned."""
AUTO = "auto"
"""Choose the lowest log-loss among the settings whose accuracy is not significantly below the best."""


@dataclass(frozen=True)
class Trial:
    """One setting and its results.

    Attributes
    ----------
    options : dict
        The options that do not have their default values.
    way : str
        How it was tested: "leave-one-out" or "cross-validation".
    log_loss : float
        The log-loss of the calibrated probabilities.
    accuracy, macro_f1 : float
        The accuracy and the macro-averaged F1 of the most probable classes.
    value : float
        The measure that the model was tuned for; higher is better.
    terms : int or None
        The number of kept terms; None if it was not counted.
    lookups : float or None
        The average number of distinct terms of a document, each of which is looked up to predict its class; None if
        it was not counted.
    """

    options: Plain
    way: str
    log_loss: float
    accuracy: float
    macro_f1: float
    value: float
    terms: int | None = None
    lookups: float | None = None


@dataclass(frozen=True)
class Tuning:
    """How the options of a model were chosen.

    Attributes
    ----------
    tune_for : str
        "auto", "log-loss", "accuracy", "macro-f1" or "f1:" with a class.
    documents, of : int
        The number of documents that the settings were tested on, and the number of all documents.
    trials : list of Trial
        The best trial comes first.
    """

    tune_for: str
    documents: int
    of: int
    trials: list[Trial]

    @property
    def options(self) -> Plain:
        """The options of the best setting that are not defaults, and the F1 that a threshold is chosen for."""
        kept = {"thresholds": self.tune_for} if self.tune_for.startswith("f1:") else {}
        return {**kept, **self.trials[0].options}

    @property
    def command(self) -> str:
        """The command that trains the same model without a search.

        Examples
        --------
        >>> trial = Trial({"variant": "binary", "ngrams": (1, 2)}, "leave-one-out", 0.4, 0.8, 0.8, -0.4)
        >>> Tuning("log-loss", 10, 10, [trial]).command
        'likely train DATA -o MODEL --variant binary --ngrams 1,2'
        """
        return train_command(self.options, plain=not self.trials[0].options)

    @property
    def summary(self) -> str:
        """How accurate the chosen setting is, and the flags that set it, in a sentence."""
        best, flags = self.trials[0], self.command.removeprefix("likely train DATA -o MODEL ")
        judged = f"{percent(best.accuracy)} right by {best.way} on {counted(self.documents, 'document')}"
        return f"Chosen as the best for these documents, {judged}: {printable(flags)}"

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data, as they are stored in a model file."""
        return asdict(self)

    def __str__(self) -> str:
        shown = shown_trials(self)
        hidden = len(self.trials) - len(shown)
        sample = f" of {self.of:,}" if self.documents < self.of else ""
        settings = counted(len(self.trials), "setting")
        judged = f"{settings}, judged on {self.documents:,}{sample} documents that the models had not seen:"
        more = [f"and {hidden} more"] if hidden > 0 else []
        again = ["The same options without the search:", f"  {printable(self.command)}"]
        return "\n".join(
            [
                wrapped(judged),
                *_table(self, shown),
                *more,
                wrapped(_reason(self, is_best=shown[0] is self.trials[0])),
                *again,
            ]
        )


def train_command(options: Mapping[str, object], *, plain: bool | None = None) -> str:
    """The command that trains a model with these options; ``plain`` if nothing is to be chosen. Default: no options.

    Examples
    --------
    >>> train_command({"ngrams": (1, 2), "prior": {"not spam": 0.9, "spam": 0.1}})
    "likely train DATA -o MODEL --ngrams 1,2 --prior 'not spam=0.9,spam=0.1'"
    >>> train_command({})
    'likely train DATA -o MODEL --plain'
    """
    first = ["--plain"] if (not options if plain is None else plain) else []
    return " ".join(["likely train DATA -o MODEL", *first, *(_flag(name, value) for name, value in options.items())])


def _flag(name: str, value: object) -> str:
    flag = name.replace("_", "-")
    if isinstance(value, bool):
        return f"--{flag}" if value else f"--no-{flag}"
    return f"--{flag} {shlex.quote(option_text(value))}"


def option_text(value: object) -> str:
    """The value of an option as it is typed on the command line.

    Examples
    --------
    >>> option_text((1, 2)), option_text(((1, 2), (3, 5))), option_text(0.5), option_text({"spam": 5})
    ('1,2', '1,2+3,5', '0.5', 'spam=5')
    """
    if isinstance(value, Mapping):
        return ",".join(f"{name}={number}" for name, number in value.items())
    if isinstance(value, tuple | list):
        is_nested = any(isinstance(each, tuple | list) for each in value)
        return ("+" if is_nested else ",").join(map(option_text, value))
    return str(value)


def tuning_from(document: object) -> Tuning:
    """The tuning that `Tuning.to_dict` wrote; ``ValueError`` if the document is anything else."""
    if not isinstance(document, dict) or set(document) != {"tune_for", "documents", "of", "trials"}:
        raise ValueError("a tuning has other keys")
    counts, trials = (document["documents"], document["of"]), document["trials"]
    if not all(type(number) is int and 0 <= number < 2**53 for number in counts):
        raise ValueError("the numbers of documents of a tuning are not counts")
    if not isinstance(trials, list) or not 0 < len(trials) <= MOST_TRIALS:
        raise ValueError("the trials of a tuning are not a list")
    tune_for = document["tune_for"]
    if tune_for is None or not is_goal(tune_for):
        raise ValueError("a tuning is for a measure that `likely` does not know")
    return Tuning(tune_for, *counts, [_trial_from(each) for each in trials])


def _trial_from(document: object) -> Trial:
    measures, sizes = ("log_loss", "accuracy", "macro_f1", "value"), ("terms", "lookups")
    # The sizes were added with format 6 of model files.
    if not isinstance(document, dict) or set(document) | set(sizes) != {"options", "way", *measures, *sizes}:
        raise ValueError("a trial has other keys")
    figures = {name: document[name] for name in measures}
    if document["way"] not in WAYS or not all(is_finite(value) for value in figures.values()):
        raise ValueError("a trial has results that are not numbers")
    figures |= {name: document.get(name) for name in sizes}
    if not all(figures[name] is None or (is_finite(figures[name]) and figures[name] >= 0) for name in sizes):
        raise ValueError("the sizes of a trial are not numbers")
    stored = document["options"]
    lists = {name: as_tuple(value) for name, value in stored.items()}
    options = with_compounds(lists)  # until format 6, each part was an option
    check_options(options)
    if not_default(options) != options:
        raise ValueError("a trial has options with default values")
    return Trial({name: options[name] for name in MODEL if name in options}, document["way"], **figures)


def not_default(options: Mapping[str, object]) -> Plain:
    """The options that change what is learned and do not have their default values, in the order of the table.

    Examples
    --------
    >>> not_default({"ngrams": (1, 2), "variant": "multinomial"})
    {'ngrams': (1, 2)}
    """
    names = [name for name in MODEL if name in options and name not in UNRELATED_TO_LEARNING]
    return {name: options[name] for name in names if options[name] != MODEL[name].default}


MOST_SHOWN = 8
"""At most this many settings are shown, the best ones and the chosen one."""
CHOSEN = "> "
"""The mark of the chosen setting."""


def _reason(tuning: Tuning, *, is_best: bool) -> str:
    """What the setting was chosen by, and why one that looks better may not have been taken."""
    by = "log-loss, among the settings whose accuracy is about the best"
    chosen = by if tuning.tune_for == AUTO else cut(printable(tuning.tune_for), 40)
    why = " A row above it is not clearly better, or costs much more time and memory (see --prefer)."
    return f"The row with {CHOSEN.strip()} was chosen by {chosen}.{'' if is_best else why}"


def shown_trials(tuning: Tuning) -> list[Trial]:
    """The settings that look best, best first, and the chosen one, of those that were tested as it was."""
    chosen = tuning.trials[0]
    alike = [each for each in tuning.trials if each.way == chosen.way]
    is_auto = tuning.tune_for == AUTO  # else people compare settings by the measure that the model was tuned for
    order = sorted(alike, key=lambda each: (each.accuracy if is_auto else each.value, -each.log_loss), reverse=True)
    best = order[:MOST_SHOWN]
    return best if any(each is chosen for each in best) else [*best[:-1], chosen]


def _table(tuning: Tuning, shown: list[Trial]) -> list[str]:
    """The table, below a line with the options that all settings have; it fits a terminal."""
    first = shown[0].options
    common = {name: first[name] for name in first if all(each.options.get(name) == first[name] for each in shown)}
    above = [f"(all with {_options_text(common)})"] if common and len(shown) > 1 else []
    rows = [["", "log-loss", "accuracy", "macro-F1", "terms"]]
    for each in shown:
        options = {name: value for name, value in each.options.items() if name not in common}
        if "alpha" not in each.options and any("alpha" in other.options for other in shown):
            options = {"alpha": MODEL["alpha"].default, **options}
        mark = CHOSEN if each is tuning.trials[0] else " " * len(CHOSEN)
        figures = [f"{figure:.4f}" for figure in (each.log_loss, each.accuracy, each.macro_f1)]
        rows.append([mark + _options_text(options), *figures, "" if each.terms is None else f"{each.terms:,}"])
    if not any(each.terms for each in shown):
        rows = [row[:-1] for row in rows]
    room = WIDTH - sum(2 + max(map(len, column)) for column in zip(*(row[1:] for row in rows), strict=True))
    return [*map(wrapped, above), table([[cut(row[0], room), *row[1:]] for row in rows])]


def _options_text(options: dict[str, object]) -> str:
    """Some options and their values; '(plain)' if there are none."""
    return printable(" ".join(f"{name}={option_text(value)}" for name, value in options.items())) or "(plain)"
