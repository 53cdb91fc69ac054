"""An evaluation for people: the headline, tables that fit a terminal, and what they mean in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.text.calibration import calibration_sentence, coverage_text
from likely.reports.text.errors import confusion_text, mistakes_text
from likely.reports.text.sources import source_text
from likely.terminal import counted, cut, exact_percent, percent, printable, table, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.evaluation.averages import Averages
    from likely.evaluation.evaluation import Evaluation
    from likely.evaluation.intervals import Interval
    from likely.evaluation.table import Table

MOST_ROWS = 50
"""At most this many classes are listed, the largest ones."""
LONGEST_LABEL = 36
"""Longer labels are cut in the table, in columns of a terminal."""
TOPS = (2, 3, 5)
"""The k of the top-k accuracies that are shown, those below the number of classes."""


def evaluation_text(evaluation: Evaluation) -> str:
    """The accuracy beside its baseline, one row per class, all measures with intervals, and the worst errors."""
    sure = evaluation.reliability
    parts = [
        headline(evaluation),
        _warning(evaluation.flatters) if evaluation.flatters else "",
        _abstentions(evaluation) if evaluation.abstained else "",
        f"{_classes(evaluation)}\n{_below(evaluation)}".rstrip(),
        _measures(evaluation),
        wrapped(calibration_sentence(sure)) if sure else "",
        wrapped(f"{evaluation.shift}.") if evaluation.shift else "",
        *(_warning(each) for each in evaluation.warnings if each != evaluation.flatters),
        source_text(evaluation),
        f"{_WHAT_IF}\n{coverage_text(evaluation.coverage)}" if evaluation.coverage else "",
        confusion_text(evaluation),
        mistakes_text(evaluation),
        _how(evaluation),
    ]
    return "\n\n".join(filter(None, parts))


_WHAT_IF = "If only documents were answered whose class is at least this probable:"


def headline(evaluation: Evaluation) -> str:
    """The accuracy with its interval, the number of documents, and what always answering one class would give.

    Examples
    --------
    >>> from likely.evaluation.evaluation import from_confusion
    >>> print(headline(from_confusion(["neg", "pos"], [[11_125, 1_375], [1_375, 11_125]])))
    accuracy 89.0 % (88.6 to 89.4) on 25,000 documents; always answering "neg" would
    give 50.0 %
    """
    label, share = evaluation.majority
    documents = counted(evaluation.documents, "document")
    baseline = f'always answering "{printable(label)}" would give {exact_percent(share)}'
    accuracy = _share(evaluation.accuracy, evaluation.intervals.get("accuracy"))
    return wrapped(f"accuracy {accuracy} on {documents}; {baseline}")


def _share(share: float, interval: Interval | None) -> str:
    """A share in per cent with its interval, with as many decimals as tell the ends of the interval apart."""
    if interval is None:
        return exact_percent(share)
    width = interval.high - interval.low
    decimals = next((digits for digits in (1, 2, 3) if width >= 0.2 * 10.0 ** (-1 - digits)), 4)
    low, high = (percent(end, decimals).removesuffix(" %") for end in (interval.low, interval.high))
    return f"{percent(share, decimals)} ({low} to {high})"


def _abstentions(evaluation: Evaluation) -> str:
    number, share = counted(evaluation.abstained, "document"), percent(1 - evaluation.answered)
    right = evaluation.accuracy_of_answered
    if right is None:
        return wrapped(f"There is no answer for any of {number}")
    answers = _share(right, evaluation.intervals["accuracy_of_answered"])
    return wrapped(f"There is no answer for {number} ({share}); {answers} of the answers are right")


def _warning(sentence: str) -> str:
    return wrapped(f"Warning: {sentence}.")


def _classes(evaluation: Evaluation) -> str:
    """One row per class, the largest ones if there are many, and the averages."""
    classes = {label: found for label, found in evaluation.per_class.items() if found.support or found.predicted}
    shown = sorted(classes, key=lambda label: -classes[label].support)[:MOST_ROWS]
    rows = [["", "precision", "recall", f"F{evaluation.beta:g}", "support"]]
    rows += [_row(printable(label), classes[label], evaluation.beta) for label in sorted(shown)]
    averages = (("macro", evaluation.macro), ("weighted", evaluation.weighted), ("micro", evaluation.micro))
    rows += [_average(name, of, evaluation.documents) for name, of in averages]
    hidden = len(classes) - len(shown)
    more = f"\n{hidden:,} smaller classes are not listed, but they are part of the averages." if hidden else ""
    return table(rows) + more


def _row(name: str, of: Table, beta: float) -> list[str]:
    figures = (_figure(value) for value in (of.precision, of.recall, of.f(beta)))
    return [cut(name, LONGEST_LABEL), *figures, f"{of.support:,}"]


def _average(name: str, of: Averages, documents: int) -> list[str]:
    return [f"{name} average", *map(_figure, (of.precision, of.recall, of.f)), f"{documents:,}"]


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _below(evaluation: Evaluation) -> str:
    """What is said below the table: averages that are not over all classes, and why values are undefined."""
    of = evaluation.macro
    counts = {"precision": of.defined_precision, "recall": of.defined_recall, f"F{evaluation.beta:g}": of.defined_f}
    partly = [f"{name} over {number:,} of {of.classes:,}" for name, number in counts.items() if number < of.classes]
    lines = [f"Averages are over the classes where a value is defined: {', '.join(partly)}."]
    lines = (lines if partly else []) + [f"{each[0].upper()}{each[1:]}." for each in evaluation.undefined]
    return "\n".join(wrapped(line, "  ") for line in lines)


def _measures(evaluation: Evaluation) -> str:
    """One row per measure of all documents, with its interval."""
    rows = [["", "value", "95 % interval"]]
    for name, value, key in _named_measures(evaluation):
        interval = evaluation.intervals.get(key)
        ends = "" if interval is None else f"{_figure(interval.low)} to {_figure(interval.high)}"
        if value is not None:
            rows.append([name, _figure(value), ends])
    return table(rows)


def _named_measures(evaluation: Evaluation) -> Iterator[tuple[str, float | None, str]]:
    """The name for people, the value, and the name of the interval of each measure."""
    yield f"macro F{evaluation.beta:g}", evaluation.macro.f, "macro_f"
    yield "balanced accuracy", evaluation.balanced_accuracy, "balanced_accuracy"
    yield "Matthews correlation", evaluation.matthews, "matthews"
    yield "Cohen's kappa", evaluation.kappa, "kappa"
    ranking, measured = evaluation.ranking, evaluation.reliability
    if ranking is not None:
        yield "area under the ROC curve", ranking.macro_roc_auc, "roc_auc"
        yield "area under precision-recall", ranking.macro_average_precision, "average_precision"
        for k in TOPS:
            if k < len(ranking.labels):
                yield f"top-{k} accuracy", ranking.top(k), ""
    if measured is not None:
        plain = measured.to_dict()
        yield "log-loss (lower is better)", plain["log_loss"], "log_loss"
        yield "Brier score (lower is better)", plain["brier"], "brier"
        error = "expected_calibration_error"
        yield "calibration error (lower is better)", plain[error], error
        yield "mean confidence", evaluation.confidence, ""


def _how(evaluation: Evaluation) -> str:
    """How the figures were measured, in one line."""
    from likely.evaluation.intervals import SEED, replicates_for

    samples = replicates_for(len(evaluation.counts))
    source = "" if evaluation.source == "a test set" else f"Measured by {evaluation.source}. "
    return wrapped(f"{source}Intervals: 95 %, {samples:,} bootstrap samples of the documents, seed {SEED}.")
