"""`likely inspect`: what a model has learned."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from likely.cli.files import load_model
from likely.cli.flags import FILE, Command, Values, switch, value
from likely.cli.output import answer_no, emit
from likely.terminal import cut, printable

if TYPE_CHECKING:
    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Label, Plain

_MOST_CLASSES = 20


@click.command("inspect", cls=Command)
@click.argument("model", type=FILE)
@value("--class label", "CLASS", "Show only this class.")
@value("--top", "N", "Show this many words per class.", click.IntRange(1), default=10)
@value("--term", "WORD", "Show one word in all classes; exit 1 if it was never learned.")
@switch("--table", "Show counts, probabilities and ratios of words in two classes.")
@value("--contrast", "CLASS CLASS", "Compare these classes in --table.  [default: both, if there are two]", nargs=2)
@value("--perplexity", "TEXT", "Show how well each class predicts a text as a language model.")
@value("--generate", "CLASS", "Write --top random words of a class.")
@value("--seed", "N", "Draw the random words with this seed.", click.IntRange(0), default=0)
def command(**values: Any) -> None:
    """Show what a model has learned.

    The command prints the classes, their sizes and the words that speak most for each class.

    \b
    Examples:
      likely inspect reviews.likely --top 5
      likely inspect reviews.likely --term fun
      likely inspect reviews.likely --table --contrast pos neg
    """
    asked = [
        name for name in ("label", "term", "table", "perplexity", "generate") if values[name] not in (None, False)
    ]
    if len(asked) > 1:
        raise click.UsageError("Give one of --class, --term, --table, --perplexity and --generate.")
    model = load_model(values["model"])
    if values["table"]:
        _table(model, values)
    elif values["perplexity"] is not None:
        _perplexity(model, values["perplexity"])
    elif values["generate"] is not None:
        label = label_among(values["generate"], model)
        text = model.generate(label, values["top"], values["seed"])
        emit({"class": label, "text": text}, printable(text))
    elif values["term"] is None:
        _overview(model, values)
    elif not _term(model, values["term"]):
        answer_no()


def label_among(name: str, model: NaiveBayes) -> Label:
    """The class of a model that has this name."""
    from likely.labels import label_like

    return label_like(name, model.classes_.tolist())


def _table(model: NaiveBayes, values: Values) -> None:
    from likely.explanation.words import ratio_sums, ratios_text

    a, b = (label_among(each, model) for each in values["contrast"]) if values["contrast"] else (None, None)
    rows = model.ratio_table(a, b).to_pylist()
    classes = (a, b) if values["contrast"] else tuple(reversed(model.classes_.tolist()))
    terms, sums = [_finite(row) for row in rows], _finite(ratio_sums(rows))
    document = {"classes": list(classes), "terms": terms, "sums": sums}
    emit(document, lambda: ratios_text(rows, classes, values["top"]))


def _finite(row: Plain) -> Plain:
    """The same with None for what JSON does not have: with alpha=0, logarithms and ratios can be infinite."""
    from likely.formulas import finite_or_none

    return {name: finite_or_none(value) for name, value in row.items()}


def _perplexity(model: NaiveBayes, text: str) -> None:
    from likely.terminal import number, table

    labels: list[Label] = model.classes_.tolist()
    rows = [(each, model.log_likelihood(text, each), model.perplexity([text], each)) for each in labels]
    names = ("class", "log_likelihood", "perplexity")
    document = [_finite(dict(zip(names, row, strict=True))) for row in rows]
    shown = [[cut(printable(label), 40), f"{log:.4f}", number(perplexity)] for label, log, perplexity in rows]
    emit({"classes": document}, lambda: table([["", "log P(text|class)", "perplexity"], *shown]))


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
        "columns": columns.to_dict() if columns else None,
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

    classes: list[Label] = model.classes_.tolist()
    if values["label"] is not None:
        return [label_among(values["label"], model)]
    return classes if values["json"] else largest_classes(model, _MOST_CLASSES)
