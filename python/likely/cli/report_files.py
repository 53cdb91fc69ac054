"""The flags of commands that write a report: --html and --date."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

from likely.cli.model_files import check_named, check_other_file
from likely.cli.output import note

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.cli.flags import Values
    from likely.evaluation.evaluation import Evaluation
    from likely.model.naive_bayes import NaiveBayes
    from likely.reading.corpus import Corpus

P = ParamSpec("P")
R = TypeVar("R")


def report_flags(command: Callable[P, R]) -> Callable[P, R]:
    """Add --html and --date to a command."""
    html = click.option(
        "--html",
        "html_file",
        type=click.Path(path_type=str, dir_okay=False),
        metavar="FILE",
        help="Also write a report: one HTML page, with documents in it, that opens without a network.",
    )
    date = click.option(
        "--date",
        metavar="YYYY-MM-DD",
        help="The date to show in the report. Without it, the same data give the same bytes on any day.",
    )
    return html(date(command))


def check_report(values: Values, *, trains: bool) -> None:
    """Refuse a report that cannot be written, before anything is read. If models are trained, there is none."""
    if values["html_file"] is None:
        if values["date"] is not None:
            raise click.UsageError("--date has no effect without --html.")
        return
    if trains:
        raise click.UsageError("--html needs a MODEL: train one with `likely train`, and evaluate it on other data.")
    from likely.report.material import check_place, checked_date

    check_named(values["html_file"])
    check_other_file(values["html_file"], [values["model"] or "", *values["data"], *values["trained_on"]])
    check_place(values["html_file"])
    checked_date(values["date"])


def write_report_file(
    values: Values, model: NaiveBayes, evaluation: Evaluation, corpus: Corpus
) -> dict[str, object] | None:
    """Write the report that was asked for, and say so. What was written is returned as plain data, or else None."""
    path = values["html_file"]
    if path is None:
        return None
    from likely.report.material import About, checked_date, name_of_source, write_report
    from likely.terminal import printable, size_text

    about = About(
        date=checked_date(values["date"]),
        model=os.path.basename(values["model"] or ""),
        data=name_of_source(values["data"]) or "SQL",
        reading=[f"The data were {corpus.summary()}.", *corpus.notes()],
    )
    size = write_report(model, evaluation, path, about)
    note(printable(f"wrote {path} ({size_text(size)})"))
    return {"path": path, "bytes": size}
