"""Records of a model as HTML: how its options were chosen, and how far its probabilities can be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.html.markup import (
    BLUE,
    block,
    cell,
    escaped,
    heading,
    hidden_html,
    paragraph,
    table_html,
    tint,
)
from likely.reports.text.calibration import COVERAGE, MEASURES, coverage_rows, record_sentence
from likely.reports.text.tuning import chosen_reasons, judged_on, options_text, shown_trials
from likely.terminal import counted, number

if TYPE_CHECKING:
    from likely.evaluation.trials import Trial, Tuning
    from likely.scoring.calibration_record import CalibrationRecord


def tuning_html(tuning: Tuning) -> str:
    """The settings that were tried, the chosen one coloured, why it was taken, and the command that repeats it."""
    shown = shown_trials(tuning)
    rows = [_trial(each, is_chosen=each is tuning.trials[0]) for each in shown]
    return block(
        "tuning",
        heading(escaped(judged_on(tuning))),
        table_html(["options", "log-loss", "accuracy", "macro-F1", "terms"], rows),
        hidden_html(len(tuning.trials) - len(shown), "setting"),
        paragraph(f"Chosen by {chosen_reasons(tuning)}"),
        f"<p>The same options without the search: <code>{escaped(tuning.command)}</code></p>",
    )


def _trial(trial: Trial, *, is_chosen: bool) -> list[str]:
    figures = [f"{trial.log_loss:.4f}", f"{trial.accuracy:.4f}", f"{trial.macro_f1:.4f}"]
    contents = [escaped(options_text(trial.options)), *figures, "" if trial.terms is None else f"{trial.terms:,}"]
    if not is_chosen:
        return contents
    contents[0] = f"<b>{contents[0]}</b> (chosen)"
    return [cell(each, number=at > 0, style=tint(BLUE, 0.4)) for at, each in enumerate(contents)]


def calibration_html(record: CalibrationRecord) -> str:
    """What the probabilities mean, their measures before and after calibration, and the effect of abstaining."""
    from likely.evaluation.bands import curve_at
    from likely.evaluation.coverage import SHOWN

    documents = counted(record.documents, "document")
    measures = [
        [escaped(name), number(record.before[key]), number(record.after[key])] for key, name in MEASURES.items()
    ]
    changed = f"{counted(record.changed, 'document')} learned or forgotten since." if record.changed else ""
    rows = [[*map(escaped, row)] for row in coverage_rows(curve_at(record.curve, SHOWN))]
    return block(
        "calibration",
        heading(escaped(f"Calibrated on {documents} that the model had not seen")),
        paragraph(record_sentence(record)),
        paragraph(changed),
        table_html(["lower is better", "raw", "calibrated"], measures),
        table_html(COVERAGE, rows) if rows else "",
    )
