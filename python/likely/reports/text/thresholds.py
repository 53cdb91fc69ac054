"""From which probability classes are predicted, and which classes are hardly ever predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import cut, named, printable, table, wrapped

if TYPE_CHECKING:
    from likely.scoring.threshold_record import ClassDecision, ThresholdChoice

MOST_CLASSES = 10
"""At most this many classes are shown."""
LONGEST_LABEL = 18
"""Longer labels are cut in the table, in columns of a terminal."""


def thresholds_text(choice: ThresholdChoice) -> str:
    """What the thresholds change, and which classes are hardly ever predicted; '' if there is neither."""
    parts = [_chosen(choice)] if choice.thresholds else []
    parts += [_warning(choice)] if choice.rarely_found else []
    return "\n\n".join(parts)


def _chosen(choice: ThresholdChoice) -> str:
    shown = [each for each in choice.classes if each.threshold is not None]
    rows = [["", "documents", "threshold", "recall", "precision", "F1"]]
    rows += [_row(each) for each in shown[:MOST_CLASSES]]
    hidden = len(shown) - MOST_CLASSES
    more = [f"and {hidden:,} more"] if hidden > 0 else []
    before, after = choice.accuracy
    judged = f"Measured on {choice.documents:,} documents that the model had not seen, before and after"
    what = "as you asked" if choice.is_asked else "because they are rare"
    head = f"These classes have a threshold, {what}: from this probability on they are predicted, even if another"
    accuracy = f"The accuracy changes from {before:.4f} to {after:.4f}."
    off = "" if choice.is_asked else " --thresholds none predicts the most probable class instead."
    return "\n".join(
        [wrapped(f"{head} class is more probable. {judged}:"), table(rows), *more, wrapped(accuracy + off)]
    )


def _row(each: ClassDecision) -> list[str]:
    measures = [f"{before:.2f} -> {after:.2f}" for before, after in (each.recall, each.precision, each.f1)]
    return [cut(printable(each.label), LONGEST_LABEL), f"{each.documents:,}", f"{each.threshold:.4g}", *measures]


def _warning(choice: ThresholdChoice) -> str:
    rare = choice.rarely_found
    classes = named(rare, MOST_CLASSES, lambda each: f"{printable(each.label)} (recall {_recall(each)})")
    label = printable(rare[0].label)
    flags = f"--threshold-for f1:{label}, --tune-for f1:{label} or --class-weight balanced"
    return wrapped(f"Warning: hardly ever predicted: {classes}. To find more of them: {flags}.")


def _recall(each: ClassDecision) -> str:
    return f"{each.recall[1]:.2f} of {each.documents:,} documents"
