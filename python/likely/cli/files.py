"""The files that a command loads and writes: models, reports and pages."""

from __future__ import annotations

import glob
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from likely.cli.flags import FILE, Body, Values, given, switch, value
from likely.cli.output import note
from likely.options.model import MODEL
from likely.terminal import printable, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.core.file import Saved
    from likely.evaluation.evaluation import Evaluation
    from likely.model.naive_bayes import NaiveBayes
    from likely.reading.corpus import Corpus
    from likely.types import Prior

# Loading ---------------------------------------------------------------------------------------------------------


def load_model(path: str, data: Iterable[str] = ()) -> NaiveBayes:
    """The model in a file; ``data`` are the files that were given after it, in case the model is one of them."""
    from likely.core.file import may_be_model, start_loading

    if os.path.isfile(path) and not may_be_model(path):
        for each in data:
            if os.path.isfile(each) and may_be_model(each):
                raise click.UsageError(f"{path} is not a model, but {each} is: give the model first, then the data.")
    loading = start_loading(path)  # which goes on while the next line imports
    from likely.model.naive_bayes import loaded

    return loaded(path, loading.result())


def load_with_options(values: Values) -> tuple[NaiveBayes, Prior | None]:
    """The model of a command with the options that were given; and separately the prior, which is of the texts."""
    options = given(MODEL, values)
    prior = options.pop("prior", None)
    return load_model(values["model"], values["data"]).set_params(**options), prior


# Saving ----------------------------------------------------------------------------------------------------------


prune_flag = value("--prune", "N", "Drop terms in fewer than N documents.", click.IntRange(1))

details_flag = switch("--details", "Print everything that was measured.")


def check_model_place(path: str, sources: Iterable[str] = ()) -> None:
    """Refuse to overwrite a file that is not a model, such as the data, and to write into a missing folder."""
    from likely.core.file import may_be_model

    check_other_file(path, sources, beside=True)
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise click.UsageError(f"{path} cannot be written: create the folder first.")
    if os.path.isfile(path) and os.path.getsize(path) and not may_be_model(path):
        raise click.UsageError(f"{path} exists and is not a model: choose another name, or delete it.")


def check_other_file(path: str, sources: Iterable[str], *, beside: bool = False) -> None:
    """Refuse to overwrite a file that is being read, and to write into a folder that is being read.

    With ``beside``, a file may be written directly into such a folder, beside the class folders.
    """
    for source in sources:
        for each in glob.glob(source) or [source]:
            if _is_same(path, each):
                raise click.UsageError(f"Output {path} is also an input; choose another path.")
            if os.path.isdir(each) and _depth(path, each) > beside:
                raise click.UsageError(f"Output {path} is inside the input {each}; choose another path.")


def _is_same(path: str, source: str) -> bool:
    """Whether a source, which may be standard input, is this file."""
    if not os.path.isfile(path) or not (source == "-" or os.path.exists(source)):
        return False
    return os.path.samestat(os.fstat(0) if source == "-" else os.stat(source), os.stat(path))


def _depth(path: str, folder: str) -> int:
    """How deep a file lies in a folder: 1 if directly in it, and 0 if elsewhere."""
    place, parent = Path(folder).resolve(), Path(os.path.abspath(path)).parent.resolve()
    return 1 + len(parent.relative_to(place).parts) if parent.is_relative_to(place) else 0


def saved_document(saved: Saved) -> dict[str, object]:
    """What was saved, for programs."""
    names = ("terms", "dropped_terms", "kept_occurrences", "kept_information")
    return {"path": str(saved.path), "bytes": saved.size, **{name: getattr(saved, name) for name in names}}


def saved_text(saved: Saved) -> str:
    """What was saved, for people."""
    return f"Wrote {printable(saved)}."


# Reports ---------------------------------------------------------------------------------------------------------


def report_flags(command: Body) -> Body:
    """Add --html to a command."""
    return value("--html html_file", "FILE", "Also write an HTML report, which includes documents.", FILE)(command)


def check_report(values: Values, *, trains: bool) -> None:
    """Refuse a report that cannot be written, before anything is read. If models are trained, there is none."""
    if values["html_file"] is None:
        return
    if trains:
        raise click.UsageError("--html needs a MODEL: train one with `likely train`, and evaluate it on other data.")
    from likely.report.material import check_place

    check_other_file(values["html_file"], [values["model"] or "", *values["data"]])
    check_place(values["html_file"])


def write_report_file(
    values: Values, model: NaiveBayes, evaluation: Evaluation, corpus: Corpus
) -> dict[str, object] | None:
    """Write the report that was asked for, and say so. What was written is returned as plain data, or else None."""
    path = values["html_file"]
    if path is None:
        return None
    from likely.report.material import About, name_of_source, write_report

    about = About(
        model=os.path.basename(values["model"] or ""),
        data=name_of_source(values["data"]) or "SQL",
        reading=[f"The data were {corpus.summary()}.", *corpus.notes()],
    )
    size = write_report(model, evaluation, path, about)
    note(f"wrote {path} ({size_text(size)})")
    return {"path": path, "bytes": size}
