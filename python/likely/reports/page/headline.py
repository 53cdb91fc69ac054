"""The beginning of a report: the main result in two sentences, what to beware of, and all measures with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.evaluation.intervals import replicates_for
from likely.reports.page.escaping import escaped, isolated
from likely.reports.page.markup import head_of, paragraph, percent, rows_of, scrolling, section
from likely.terminal import number

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.evaluation.intervals import Interval
    from likely.reports.page.material import Material

_SHARES = {
    "accuracy": ("Accuracy", "the share of the documents whose predicted class is the label"),
    "accuracy_of_answered": ("Accuracy of the answered", "the same, among the documents that got an answer"),
    "balanced_accuracy": ("Balanced accuracy", "the mean recall of the classes"),
    "macro_f": ("Macro F", "the mean F of the classes: each class weighs the same"),
    "weighted_f": ("Weighted F", "the mean F of the classes, each weighed by its documents"),
    "roc_auc": ("Area under the ROC curve", "how often a document in a class is ranked above one outside of it"),
    "average_precision": ("Average precision", "the area under the precision-recall curve, mean of the classes"),
}
_NUMBERS = {
    "matthews": ("Matthews correlation", "1 if all are right, 0 for guessing"),
    "kappa": ("Cohen's kappa", "agreement beyond chance: 1 if all are right, 0 for guessing"),
    "log_loss": ("Log-loss", "the mean of -log of the probability of the label; lower is better"),
    "brier": ("Brier score", "the mean squared error of the probabilities; lower is better"),
    "expected_calibration_error": ("Calibration error", "by how far confidence and accuracy differ; lower is better"),
}


def headline(material: Material) -> str:
    """The section with the main result."""
    evaluation = material.evaluation
    return section(
        "summary",
        "Summary",
        paragraph(_sentence(evaluation), "lead"),
        _scale(evaluation),
        _warnings(evaluation),
        scrolling(_measures(evaluation), "All measures"),
        paragraph(
            f"Intervals are 95 % bootstrap intervals: {replicates_for(len(evaluation.counts)):,} replicates over the "
            "documents, with a fixed seed.",
            "remark",
        ),
        "".join(paragraph(escaped(each), "remark") for each in evaluation.undefined),
    )


def _sentence(evaluation: Evaluation) -> str:
    right = round(evaluation.accuracy * evaluation.documents)
    label, share = evaluation.majority
    return (
        f"The model is right for <b>{right:,} of {evaluation.documents:,} documents: "
        f"{percent(evaluation.accuracy)}</b>{_between(evaluation.intervals.get('accuracy'))}. "
        f"To answer {isolated(label)} every time, the most frequent class, would be right for {percent(share)}."
    )


def _between(interval: Interval | None) -> str:
    if interval is None:
        return ""
    return f" (95 % interval {percent(interval.low)} to {percent(interval.high)})"


def _scale(evaluation: Evaluation) -> str:
    """A line from 0 to 100 % with the interval of the accuracy and the majority baseline."""
    _, baseline = evaluation.majority
    interval = evaluation.intervals.get("accuracy")
    low, high = (interval.low, interval.high) if interval else (evaluation.accuracy, evaluation.accuracy)
    name = f"Accuracy {percent(evaluation.accuracy)}, majority baseline {percent(baseline)}, from 0 to 100 percent"
    return (
        f'<svg class="scale" viewBox="0 0 1000 64" role="img" aria-label="{escaped(name)}">'
        '<line class="axis" x1="0" x2="1000" y1="32" y2="32"/>'
        f'<rect class="interval" x="{1000 * low:.1f}" y="20" width="{max(1000 * (high - low), 3):.1f}" height="24"/>'
        f"{_line(evaluation.accuracy, 'value')}{_line(baseline, 'baseline')}"
        f"{_mark(baseline, 62, 'baseline')}{_mark(evaluation.accuracy, 10, 'accuracy')}</svg>"
    )


def _line(at: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{1000 * at:.1f}" x2="{1000 * at:.1f}" y1="16" y2="48"/>'


def _mark(at: float, y: int, text: str) -> str:
    anchor = "start" if at < 0.1 else "end" if at > 0.9 else "middle"
    return f'<text x="{1000 * at:.1f}" y="{y}" text-anchor="{anchor}">{text}</text>'


def _warnings(evaluation: Evaluation) -> str:
    copies = evaluation.copies
    found = [*evaluation.warnings, *([str(copies)] if copies is not None and copies.near else [])]
    return "".join(f'<p class="warning"><b>Beware:</b> {escaped(each.rstrip("."))}.</p>' for each in found)


def _measures(evaluation: Evaluation) -> str:
    values = measures_of(evaluation)
    rows = []
    for names, shown in ((_SHARES, percent), (_NUMBERS, number)):
        for key, (name, meaning) in names.items():
            if key in values:
                interval = evaluation.intervals.get(key)
                between = "" if interval is None else f"{shown(interval.low)} to {shown(interval.high)}"
                rows.append([_named(name, evaluation), f"<b>{shown(values[key])}</b>", between, escaped(meaning)])
    head = head_of(["measure", "value", "95 % interval", "meaning"])
    return f'<table class="measures">{head}<tbody>{rows_of(rows)}</tbody></table>'


def _named(name: str, evaluation: Evaluation) -> str:
    return f"{name}<sub>{evaluation.beta:g}</sub>" if name.endswith(" F") else name


def measures_of(evaluation: Evaluation) -> dict[str, float | None]:
    """The measures of an evaluation by name; those of probabilities only if there are probabilities."""
    values: dict[str, float | None] = {
        "accuracy": evaluation.accuracy,
        "balanced_accuracy": evaluation.balanced_accuracy,
        "macro_f": evaluation.macro.f,
        "weighted_f": evaluation.weighted.f,
        "matthews": evaluation.matthews,
        "kappa": evaluation.kappa,
    }
    if evaluation.abstained:
        values["accuracy_of_answered"] = evaluation.accuracy_of_answered
    if evaluation.ranking is not None:
        values["roc_auc"] = evaluation.ranking.macro_roc_auc
        values["average_precision"] = evaluation.ranking.macro_average_precision
    if evaluation.reliability is not None:
        for key in ("log_loss", "brier", "expected_calibration_error"):
            values[key] = getattr(evaluation.reliability, key)
    return values
