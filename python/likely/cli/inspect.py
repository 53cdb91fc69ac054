"""`likely inspect`: what a model has learned, and how two models differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from likely.cli.flags import FILE, output_flags
from likely.cli.outcome import answer_no, emit
from likely.cli.saving import size_text
from likely.cli.start import load_model

if TYPE_CHECKING:
    from likely.model import NaiveBayes

_MOST_CLASSES = 20


@click.command("inspect")
@click.argument("models", type=FILE, nargs=-1, required=True, metavar="MODEL [OTHER]")
@click.option("--class", "label", metavar="CLASS", help="Only this class.")
@click.option(
    "--top", type=click.IntRange(1), default=10, show_default=True, metavar="N", help="How many words to list."
)
@click.option("--term", metavar="WORD", help="One word's row over all classes; status 1 if it was never learned.")
@output_flags
def command(**values: Any) -> None:
    """Show what a model has learned, or how two differ.

    This gives the classes, their sizes and the words that speak most for them. With two models the status is 1
    if they differ, as with diff.

    \b
    Examples:
      likely inspect reviews.likely --top 5
      likely inspect reviews.likely --term fun
      likely inspect old.likely new.likely
    """
    if len(values["models"]) > 2:
        raise click.UsageError("Give one model, or two to compare.")
    models = [load_model(path) for path in values["models"]]
    if len(models) == 2:
        answer = _compare(models[0], models[1], values)
    elif values["term"] is not None:
        answer = _term(models[0], values["term"])
    else:
        answer = _overview(models[0], values)
    if not answer:
        answer_no()


def _compare(before: NaiveBayes, after: NaiveBayes, values: dict[str, Any]) -> bool:
    from likely.difference import difference
    from likely.report import difference_text

    found = difference(before, after, values["top"])
    emit(found.to_dict(), lambda: difference_text(found))
    return found.is_none


def _term(model: NaiveBayes, term: str) -> bool:
    from likely.report import printable, table

    rows = model.term_row(term)
    known = any(row["count"] for row in rows)
    head = ["", "count", "documents", "P(w|class)"]
    text = table(
        [
            head,
            *(
                [
                    printable(row["class"]),
                    f"{row['count']:,.6g}",
                    f"{row['documents']:,.6g}",
                    f"{row['probability']:.4g}",
                ]
                for row in rows
            ),
        ]
    )
    never = "" if known else f"{printable(term)} was never learned.\n"
    emit({"term": term, "known": known, "classes": rows}, never + text)
    return known


def _overview(model: NaiveBayes, values: dict[str, Any]) -> bool:
    from likely.labels import label_like
    from likely.report import printable, table

    classes = model.classes_.tolist()
    if values["label"] is not None:
        classes = [label_like(values["label"], classes)]
    documents = dict(zip(model.classes_.tolist(), model.class_documents_.tolist(), strict=True))
    tokens = dict(zip(model.classes_.tolist(), model.class_tokens_.tolist(), strict=True))
    described = [
        {
            "class": label,
            "documents": documents[label],
            "tokens": tokens[label],
            "top_words": [{"term": term, "score": score} for term, score in model.top_words(label, values["top"])],
        }
        for label in (classes if values["json"] or values["label"] is not None else _largest(classes, documents))
    ]
    about = {"options": model.get_params(), "terms": model.terms_, "classes": described, **_file(values["models"][0])}

    def text() -> str:
        rows = [["", "documents", "tokens"]]
        rows += [
            [printable(each["class"]), f"{each['documents']:,.0f}", f"{each['tokens']:,.0f}"] for each in described
        ]
        words = [
            f"{printable(each['class'])}: {', '.join(printable(word['term']) for word in each['top_words'])}"
            for each in described
        ]
        hidden = len(classes) - len(described)
        more = [f"and {hidden:,} smaller classes: see one with --class, all with --json"] if hidden else []
        size = f"{len(model.classes_):,} classes, {model.terms_:,} terms, {size_text(about['bytes'])}"
        head = f"{printable(repr(model))}: {size}"
        return "\n".join([head, "", table(rows), *more, "", "Words that speak most for each class:", *words])

    emit(about, text)
    return True


def _largest(classes: list[Any], documents: dict[Any, float]) -> list[Any]:
    chosen = set(sorted(classes, key=lambda label: -documents[label])[:_MOST_CLASSES])
    return [label for label in classes if label in chosen]


def _file(path: str) -> dict[str, Any]:
    import os

    return {"path": path, "bytes": os.path.getsize(path)}
