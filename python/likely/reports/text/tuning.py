"""How options were chosen: a table of the settings that were tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import printable, table

if TYPE_CHECKING:
    from likely.evaluation.trials import Trial, Tuning

MOST_TRIALS = 12
"""At most this many settings are shown, the best ones."""


def tuning_text(tuning: Tuning) -> str:
    """A table of the settings that were tried, the chosen one first, and the command that repeats it."""
    rows = [["", "log-loss", "accuracy", "macro-F1", "terms", "look-ups"]]
    rows += [[_setting(trial), *_figures(trial), *_sizes(trial)] for trial in tuning.trials[:MOST_TRIALS]]
    sample = f" of {tuning.of:,}" if tuning.documents < tuning.of else ""
    head = (
        f"{len(tuning.trials)} settings, each judged on {tuning.documents:,}{sample} documents that it had not seen:"
    )
    hidden = len(tuning.trials) - MOST_TRIALS
    more = [f"and {hidden} more"] if hidden > 0 else []
    chosen = f"Chosen by {_reason(tuning.tune_for)}{_weights(tuning)}."
    size = _size(tuning)
    again = f"The same options without the search: {printable(tuning.command)}"
    return "\n".join([head, table(rows), *more, f"{chosen} {size}{again}"])


def _reason(tune_for: str) -> str:
    if tune_for == "auto":
        return "log-loss, among the settings whose accuracy is about the best"
    return printable(tune_for)


def _weights(tuning: Tuning) -> str:
    """Why classes have weights, if the search has chosen them: they are then not in all settings."""
    chosen = "class_weight" in tuning.options and not all("class_weight" in each.options for each in tuning.trials)
    return ", and weights of classes by the F1 of a class that would hardly ever be predicted" if chosen else ""


def _size(tuning: Tuning) -> str:
    """Why a setting with fewer terms was taken rather than the same one with all of them."""
    best = tuning.trials[0]
    alike = [each for each in tuning.trials[1:] if _but_size(each) == _but_size(best) and _terms(each) > _terms(best)]
    if "min_documents" not in best.options or not alike:
        return ""
    larger = max(alike, key=lambda trial: (_terms(trial), trial.value))
    lost, number = larger.accuracy - best.accuracy, best.options["min_documents"]
    cost = "no accuracy"
    if lost > 0:
        cost = f"{100 * lost:.2f} points of accuracy (--prefer says how much it may cost)"
    kept = f"With min_documents={number} it keeps {_terms(best):,} of {_terms(larger):,} terms"
    return f"{kept}, so it loads and predicts faster; that costs {cost}. "


def _but_size(trial: Trial) -> tuple[str, dict[str, object]]:
    apart = ("alpha", "min_documents")
    return trial.way, {name: value for name, value in trial.options.items() if name not in apart}


def _terms(trial: Trial) -> int:
    return trial.terms or 0


def _sizes(trial: Trial) -> list[str]:
    """The number of kept terms, and how many terms of a text are looked up."""
    return ["" if size is None else f"{size:,.0f}" for size in (trial.terms, trial.lookups)]


def _setting(trial: Trial) -> str:
    from likely.evaluation.trials import option_text

    options = [f"{name}={option_text(value)}" for name, value in trial.options.items()]
    return printable(" ".join(options)) or "(plain)"


def _figures(trial: Trial) -> list[str]:
    return [f"{trial.log_loss:.4f}", f"{trial.accuracy:.4f}", f"{trial.macro_f1:.4f}"]
