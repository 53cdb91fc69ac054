"""How options were chosen: the table of what was tried."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import printable, table

if TYPE_CHECKING:
    from likely.evaluation.trials import Trial, Tuning

MOST_TRIALS = 12
"""So many settings are shown, the best."""


def tuning_text(tuning: Tuning) -> str:
    """The settings that were tried, the chosen one first, and the command that gives it again."""
    rows = [["", "log-loss", "accuracy", "macro-F1"]]
    rows += [[_setting(trial), *_figures(trial)] for trial in tuning.trials[:MOST_TRIALS]]
    sample = f" of {tuning.of:,}" if tuning.documents < tuning.of else ""
    head = f"{len(tuning.trials)} settings, judged on {tuning.documents:,}{sample} documents that each had not seen:"
    hidden = len(tuning.trials) - MOST_TRIALS
    more = [f"and {hidden} more"] if hidden > 0 else []
    chosen = f"Chosen by {_reason(tuning.tune_for)}. Without the search: {printable(tuning.command)}"
    return "\n".join([head, table(rows), *more, chosen])


def _reason(tune_for: str) -> str:
    if tune_for == "auto":
        return "log-loss, of those about as often right as the best"
    return printable(tune_for)


def _setting(trial: Trial) -> str:
    from likely.evaluation.trials import option_text

    options = [f"{name}={option_text(value)}" for name, value in trial.options.items()]
    return printable(" ".join(options)) or "(plain)"


def _figures(trial: Trial) -> list[str]:
    return [f"{trial.log_loss:.4f}", f"{trial.accuracy:.4f}", f"{trial.macro_f1:.4f}"]
