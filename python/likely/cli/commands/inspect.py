"""`likely inspect`: what a model has learned."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from likely.cli.files import load_model
from likely.cli.flags import FILE, Command
from likely.cli.output import answer_no, emit

if TYPE_CHECKING:
    from likely.cli.flags import Values
    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Label, Plain

_MOST_CLASSES = 20


@click.command("inspect", cls=Command)
@click.argument("model", type=FILE)
@click.option("--class", "label", metavar="CLASS", help="Show only this class.")
@click.option(
    "--top", type=click.IntRange(1), default=10, metavar="N", help="The number of words per class.  [default: 10]"
)
@click.option(
    "--term", metavar="WORD", help="Show one word in all classes. Exit with status 1 if it was never learned."
)
def command(**values: Any) -> None:
    """Show what a model has learned.

    The command prints the classes, their sizes and the words that speak most for each class.

    \b
    Examples:
      likely inspect reviews.likely --top 5
      likely inspect reviews.likely --term fun
    """
    if values["label"] is not None and values["term"] is not None:
        raise click.UsageError("Give --class or --term, not both.")
    model = load_model(values["model"])
    if values["term"] is None:
        _overview(model, values)
    elif not _term(model, values["term"]):
        answer_no()


def _term(model: NaiveBayes, term: str) -> bool:
    from likely.explanation.words import term_text

    rows = model._term_row(term)
    known = any(row["count"] for row in rows)
    emit({"term": term, "known": known, "classes": rows}, lambda: term_text(term, rows))
    return known


def _buckets(model: NaiveBayes) -> Plain | None:
    collisions = model._collisions
    if collisions is None:
        return None
    from likely.formulas import finite_or_none

    return {"number": 2**model.hash_bits, "used": model.terms_, "collisions": finite_or_none(collisions)}


def _overview(model: NaiveBayes, values: Values) -> None:
    from likely.explanation.words import class_overviews, overview_text

    shown = _shown_classes(model, values)
    path, columns = values["model"], model.columns_
    about: Plain = {
        "options": model._options(),
        "columns": {"text": columns.text, "label": columns.label} if columns else None,
        "terms": model.terms_,
        "dropped_terms": model._dropped_terms,
        "buckets": _buckets(model),
        "classes": class_overviews(model, shown, values["top"]),
        "tuning": model.tuning_.to_dict() | {"command": model.tuning_.command} if model.tuning_ else None,
        "calibration": model.calibration_.to_dict() if model.calibration_ else None,
        "thresholds": [{"class": label, "threshold": value} for label, value in model.thresholds_.items()],
        "path": path,
        "bytes": os.path.getsize(path),
    }
    hidden = 0 if values["label"] is not None else len(model.classes_) - len(shown)
    notes = [str(found) for found in (model.tuning_, model.calibration_) if found]
    emit(about, lambda: "\n\n".join([overview_text(about, hidden), *notes]))


def _shown_classes(model: NaiveBayes, values: Values) -> list[Label]:
    """The class that was asked for, or all classes; in text for people, only the largest ones."""
    from likely.explanation.words import largest_classes
    from likely.labels import label_like

    classes: list[Label] = model.classes_.tolist()
    if values["label"] is not None:
        return [label_like(values["label"], classes)]
    return classes if values["json"] else largest_classes(model, _MOST_CLASSES)
