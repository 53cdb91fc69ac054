"""The classes in one table that can be sorted: precision, recall, F and the number of documents of each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.page.escaping import isolated
from likely.reports.page.markup import bar, paragraph, percent, scrolling, section
from likely.terminal import counted

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.evaluation.measures import Averages
    from likely.reports.page.material import Material

MOST_ROWS = 500
"""At most this many classes are in the table."""
COLUMNS = ("class", "precision", "recall", "F", "documents", "predicted", "right")


def classes_table(material: Material) -> str:
    """The section with one row per class, and the averages below."""
    evaluation = material.evaluation
    buttons = "".join(
        f'<th scope="col" aria-sort="{"ascending" if at == 0 else "none"}"><button type="button">{name}</button></th>'
        for at, name in enumerate(COLUMNS)
    )
    shown = largest_classes(evaluation)
    body = "".join(_row(evaluation, at) for at in shown)
    left_out = len(evaluation.labels) - len(shown)
    beta = "" if evaluation.beta == 1 else f" F weighs recall {evaluation.beta:g} times as much as precision."
    return section(
        "classes",
        "Classes",
        paragraph(
            "Precision is the share of the documents predicted to be in a class that are in it; recall is the share "
            f"of the documents in it that were found; F is their harmonic mean.{beta} Press a heading to sort."
        ),
        paragraph(f"{counted(left_out, 'smaller class', 'smaller classes')} are left out of the table.")
        if left_out
        else "",
        scrolling(
            f'<table class="sortable"><thead><tr>{buttons}</tr></thead><tbody>{body}</tbody>'
            f"<tfoot>{_averages(evaluation)}</tfoot></table>",
            "Classes",
        ),
    )


def largest_classes(evaluation: Evaluation) -> list[int]:
    """The places of the classes with the most documents, in order: at most `MOST_ROWS`."""
    tables = list(evaluation.per_class.values())
    ranked = sorted(range(len(tables)), key=lambda at: (-tables[at].support, -tables[at].fp, at))
    return sorted(ranked[:MOST_ROWS])


def _row(evaluation: Evaluation, at: int) -> str:
    label = evaluation.labels[at]
    table = evaluation.per_class[label]
    shares = "".join(
        f'<td data-value="{"" if value is None else value}">{_shown(value)}</td>'
        for value in (table.precision, table.recall, table.f(evaluation.beta))
    )
    numbers = "".join(
        f'<td data-value="{value}">{value:,}</td>' for value in (table.tp + table.fn, table.tp + table.fp, table.tp)
    )
    return f'<tr><th scope="row" data-value="{at}">{isolated(label)}</th>{shares}{numbers}</tr>'


def _shown(value: float | None) -> str:
    return "undefined" if value is None else f"{percent(value)}{bar(value)}"


def _averages(evaluation: Evaluation) -> str:
    named = (("macro", evaluation.macro), ("weighted", evaluation.weighted), ("micro", evaluation.micro))
    return "".join(_average(name, averages) for name, averages in named)


def _average(name: str, averages: Averages) -> str:
    """A row of averages. If a value is undefined for some classes, the number of the others is given."""
    values = (
        (averages.precision, averages.defined_precision),
        (averages.recall, averages.defined_recall),
        (averages.f, averages.defined_f),
    )
    cells = "".join(
        f"<td>{percent(value)}{'' if defined == averages.classes else f' <small>of {defined} classes</small>'}</td>"
        for value, defined in values
    )
    return f'<tr><th scope="row">{name}</th>{cells}<td></td><td></td><td></td></tr>'
