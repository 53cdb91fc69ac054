"""How options were chosen: a table of the settings that were tried, the chosen one marked, and why it was taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import WIDTH, counted, cut, fits, printable, table, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.evaluation.trials import Trial, Tuning

MOST_TRIALS = 12
"""At most this many settings are shown, the best ones and the chosen one."""
CHOSEN = "> "
"""The mark of the chosen setting."""
SHORT = {
    "variant": "{}",
    "weighting": "{}",
    "document_weight": "{}",
    "class_weight": "{}",
    "stem": "stem",
    "punctuation": "punctuation",
    "min_documents": "min={}",
}
"""How options are written if the table would be too wide; all others are written as usual."""


def tuning_text(tuning: Tuning) -> str:
    """A table of the settings that were tried, why the chosen one was taken, and the command that repeats it."""
    shown = shown_trials(tuning)
    hidden = len(tuning.trials) - len(shown)
    more = [f"and {hidden} more"] if hidden > 0 else []
    again = ["The same options without the search:", f"  {printable(tuning.command)}"]
    reasons = wrapped(f"The row with {CHOSEN.strip()} was chosen by {chosen_reasons(tuning)}")
    return "\n".join([wrapped(f"{judged_on(tuning)}:"), *_table(tuning, shown), *more, reasons, *again])


def judged_on(tuning: Tuning) -> str:
    """How many settings were tried, and on what they were judged."""
    sample = f" of {tuning.of:,}" if tuning.documents < tuning.of else ""
    settings = counted(len(tuning.trials), "setting")
    return f"{settings}, judged on {tuning.documents:,}{sample} documents that the models had not seen"


def chosen_reasons(tuning: Tuning) -> str:
    """What the chosen setting was chosen by, and why those that look better were not taken, as sentences."""
    chosen = f"{_reason(tuning.tune_for)}{_weights(tuning)}."
    return " ".join([chosen, *not_taken(tuning), *_subset(tuning)])


def _reason(tune_for: str) -> str:
    if tune_for == "auto":
        return "log-loss, among the settings whose accuracy is about the best"
    return cut(printable(tune_for), 40)


def _weights(tuning: Tuning) -> str:
    """Why classes have weights, if the search has chosen them: they are then not in all settings."""
    chosen = "class_weight" in tuning.options and not all("class_weight" in each.options for each in tuning.trials)
    return ", and weights of classes by the F1 of a class that would hardly ever be predicted" if chosen else ""


def _subset(tuning: Tuning) -> list[str]:
    """That some settings were judged by models of a part of the documents, which have fewer terms, if it is so."""
    sizes: dict[str, set[int]] = {}
    for trial in tuning.trials:
        same = {name: value for name, value in trial.options.items() if name != "alpha"}
        if trial.terms is not None:
            sizes.setdefault(repr((trial.way, same)), set()).add(trial.terms)
    if all(len(found) == 1 for found in sizes.values()):
        return []
    return ["Those with fewer terms but the same options were judged by models of a part of the documents."]


# Which settings are shown ------------------------------------------------------------------------------------------


def merit(trial: Trial, tune_for: str) -> tuple[float, float]:
    """What people compare settings by: the accuracy, or the measure that the model was tuned for."""
    first = trial.accuracy if tune_for == "auto" else trial.value
    return first, -trial.log_loss


def shown_trials(tuning: Tuning) -> list[Trial]:
    """The settings that look best, best first, and the chosen one."""
    chosen = tuning.trials[0]
    order = sorted(tuning.trials, key=lambda trial: merit(trial, tuning.tune_for), reverse=True)
    best = order[:MOST_TRIALS]
    return best if any(each is chosen for each in best) else [*best[:-1], chosen]


# Why those above the chosen one were not taken ---------------------------------------------------------------------


def not_taken(tuning: Tuning) -> list[str]:
    """Why the settings that look better than the chosen one were not taken: one sentence for each reason."""
    chosen, above = tuning.trials[0], better_looking(tuning)
    groups: dict[str, list[Trial]] = {}
    for trial in above:
        groups.setdefault(_why_not(trial, chosen), []).append(trial)
    sentences = []
    for why, trials in groups.items():
        who = "The one above it is" if len(above) == 1 else f"{counted(len(trials), 'setting')} above it"
        verb = "" if len(above) == 1 else " is" if len(trials) == 1 else " are"
        sentences.append(f"{who}{verb} {_lead(tuning, trials)}{why}.")
    return sentences


def better_looking(tuning: Tuning) -> list[Trial]:
    """The settings that are better than the chosen one by what people compare them by."""
    least = merit(tuning.trials[0], tuning.tune_for)
    return [each for each in tuning.trials[1:] if merit(each, tuning.tune_for) > least]


def _lead(tuning: Tuning, trials: Sequence[Trial]) -> str:
    """By how much settings are better than the chosen one."""
    chosen, most = tuning.trials[0], "at most " if len(trials) > 1 else ""
    if tuning.tune_for == "log-loss":
        return f"better by {most}{chosen.log_loss - min(each.log_loss for each in trials):.4f}"
    lead = max(merit(each, tuning.tune_for)[0] for each in trials) - merit(chosen, tuning.tune_for)[0]
    if lead == 0:
        return "as good"
    return f"{'more accurate' if tuning.tune_for == 'auto' else 'better'} by {most}{100 * lead:.2f} points"


def _why_not(trial: Trial, chosen: Trial) -> str:
    """Why a setting was not taken, as the end of a sentence."""
    if (chosen.terms or 0) < (trial.terms or 0) and _but_size(trial) == _but_size(chosen):
        kept = f"the chosen one keeps {chosen.terms:,} of {trial.terms:,} terms"
        return f", but {kept}, so it loads and predicts faster (--prefer says how much that may cost)"
    if trial.log_loss > chosen.log_loss:
        return ", which may be chance; the chosen one has a lower log-loss, so better probabilities"
    if set(trial.options) & {"stem", "punctuation"} > set(chosen.options) & {"stem", "punctuation"}:
        return ", which is not worth the time that stems or punctuation take"
    if trial.way != chosen.way:
        return ", but was judged by cross-validation, whose models learn fewer documents"
    if "class_weight" in chosen.options and "class_weight" not in trial.options:
        return ", but without weights a rare class is hardly ever predicted"
    return ", which may be chance"


def _but_size(trial: Trial) -> tuple[str, dict[str, object]]:
    apart = ("alpha", "min_documents")
    return trial.way, {name: value for name, value in trial.options.items() if name not in apart}


# The table ---------------------------------------------------------------------------------------------------------


def _table(tuning: Tuning, shown: list[Trial]) -> list[str]:
    """The table, below a line with the options that all settings have; it fits a terminal."""
    common = _common(shown)
    above = [f"(all with {options_text(common)})"] if common and len(shown) > 1 else []
    rows: list[list[str]] = []
    for short in (False, True):
        rows = [["", "log-loss", "accuracy", "macro-F1", "terms"]]
        rows += [[_name(each, tuning, common, shown, short=short), *_figures(each)] for each in shown]
        if not any(each.terms for each in shown):
            rows = [row[:-1] for row in rows]
        if fits(rows):
            break
    room = WIDTH - sum(2 + max(map(len, column)) for column in zip(*(row[1:] for row in rows), strict=True))
    return [*map(wrapped, above), table([[cut(row[0], room), *row[1:]] for row in rows])]


def _common(shown: list[Trial]) -> dict[str, object]:
    """The options that all settings have, with equal values."""
    first = shown[0].options
    return {name: first[name] for name in first if all(each.options.get(name) == first[name] for each in shown)}


def _name(trial: Trial, tuning: Tuning, common: dict[str, object], shown: list[Trial], *, short: bool) -> str:
    options = {name: value for name, value in trial.options.items() if name not in common}
    if "alpha" not in trial.options and any("alpha" in each.options for each in shown):
        from likely.options.table import OPTIONS

        options = {"alpha": OPTIONS["alpha"].default, **options}
    mark = CHOSEN if trial is tuning.trials[0] else " " * len(CHOSEN)
    return f"{mark}{options_text(options, short=short)}"


def options_text(options: dict[str, object], *, short: bool = False) -> str:
    """Some options and their values, as short as needed; '(plain)' if there are none."""
    from likely.evaluation.trials import option_text

    written = (
        SHORT[name].format(option_text(value)) if short and name in SHORT else f"{name}={option_text(value)}"
        for name, value in options.items()
    )
    return printable(" ".join(written)) or "(plain)"


def _figures(trial: Trial) -> list[str]:
    terms = "" if trial.terms is None else f"{trial.terms:,}"
    return [f"{trial.log_loss:.4f}", f"{trial.accuracy:.4f}", f"{trial.macro_f1:.4f}", terms]
