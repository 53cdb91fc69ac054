"""From which probability classes are predicted, and which classes are hardly ever predicted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import named, printable, table

if TYPE_CHECKING:
    from likely.scoring.threshold_record import ClassDecision, ThresholdChoice

MOST_CLASSES = 10
"""At most this many classes are shown."""


def thresholds_text(choice: ThresholdChoice) -> str:
    """What the thresholds change, and which classes are hardly ever predicted; '' if there is neither."""
    parts = [_chosen(choice)] if choice.thresholds else []
    parts += [_warning(choice)] if choice.rarely_found else []
    return "\n\n".join(parts)


def _chosen(choice: ThresholdChoice) -> str:
    shown = [each for each in choice.classes if each.threshold is not None]
    rows = [["", "documents", "probability from", "recall", "precision", "F1"]]
    rows += [_row(each) for each in shown[:MOST_CLASSES]]
    hidden = len(shown) - MOST_CLASSES
    more = [f"and {hidden:,} more"] if hidden > 0 else []
    before, after = choice.accuracy
    judged = f"judged on {choice.documents:,} documents that the model had not seen"
    why = "as you asked" if choice.is_asked else "because they are rare"
    head = f"Classes are predicted from a probability of their own on, {why}; {judged}:"
    accuracy = f"The accuracy changes from {before:.4f} to {after:.4f}."
    off = "" if choice.is_asked else " --thresholds none predicts the most probable class instead."
    return "\n".join([head, table(rows), *more, accuracy + off])


def _row(each: ClassDecision) -> list[str]:
    measures = [f"{before:.3f} -> {after:.3f}" for before, after in (each.recall, each.precision, each.f1)]
    return [printable(each.label), f"{each.documents:,}", f"{each.threshold:.4g}", *measures]


def _warning(choice: ThresholdChoice) -> str:
    rare = choice.rarely_found
    classes = named(rare, MOST_CLASSES, lambda each: f"{printable(each.label)} (recall {_recall(each)})")
    label = printable(rare[0].label)
    flags = f"--threshold-for f1:{label}, --tune-for f1:{label} or --class-weight balanced"
    return f"Warning: hardly ever predicted: {classes}. To find more of them: {flags}."


def _recall(each: ClassDecision) -> str:
    return f"{each.recall[1]:.2f} of {each.documents:,} documents"
