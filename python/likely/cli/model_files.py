"""Model files of the command line: loading them fast, saving them, and reporting what was saved."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.core.file import Loading, Saved
    from likely.model.naive_bayes import NaiveBayes

P = ParamSpec("P")
R = TypeVar("R")


# Loading ---------------------------------------------------------------------------------------------------------


def load_model(path: str, data: Iterable[str] = ()) -> NaiveBayes:
    """The model in a file; ``data`` are the files that were given after it, in case the model is one of them."""
    return finish_loading(begin_loading(path, data))


def begin_loading(path: str, data: Iterable[str] = ()) -> Loading:
    """A model file that is read meanwhile; see `load_model`."""
    _check_order(path, data)
    from likely.core.file import Loading

    return Loading(path)


def finish_loading(loading: Loading) -> NaiveBayes:
    """The model in a file that is being read."""
    from likely.model.naive_bayes import loaded

    return loaded(loading.path, loading.snapshot())


def _check_order(path: str, data: Iterable[str]) -> None:
    """Refuse data in the place of the model, if the model is in the place of the data."""
    from likely.core.file import may_be_model

    if os.path.isfile(path) and not may_be_model(path):
        for each in data:
            if os.path.isfile(each) and may_be_model(each):
                raise click.UsageError(f"{path} is not a model, but {each} is: give the model first, then the data.")


# Saving ----------------------------------------------------------------------------------------------------------


def save_flags(command: Callable[P, R]) -> Callable[P, R]:
    """The command with --prune and --max-size."""
    prune = click.option(
        "--prune",
        type=click.IntRange(1),
        metavar="N",
        default=1,
        help="Drop terms in fewer than N documents.",
    )
    size = click.option(
        "--max-size",
        metavar="SIZE",
        help="Drop terms until the file has at most this size.",
    )
    return prune(size(command))


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

    With ``beside``, a file may be written directly into such a folder, beside the folders of the classes.
    """
    for source in sources:
        for each in glob.glob(source) or [source]:
            if _is_same(path, each):
                raise click.UsageError(f"{path} cannot be read and written at the same time: choose another name.")
            if os.path.isdir(each) and _depth(path, each) > beside:
                raise click.UsageError(f"{path} is in {each}, which is being read: choose another place.")


def check_named(path: str) -> None:
    """Refuse - as the name of a page or a folder: standard output is for the answer."""
    if path == "-":
        raise click.UsageError("- is standard output, which is for the answer: give the name of a file.")


def _is_same(path: str, source: str) -> bool:
    """Whether a source, which may be standard input, is this file."""
    if not os.path.isfile(path) or not (source == "-" or os.path.exists(source)):
        return False
    return os.path.samestat(os.fstat(0) if source == "-" else os.stat(source), os.stat(path))


def _depth(path: str, folder: str) -> int:
    """How deep a file lies in a folder: 1 if directly in it, and 0 if elsewhere."""
    folder = os.path.realpath(folder)
    parent = os.path.realpath(os.path.dirname(os.path.abspath(path)))
    if os.path.commonpath([folder, parent]) != folder:
        return 0
    return 1 if parent == folder else 1 + len(os.path.relpath(parent, folder).split(os.sep))


def saved_document(saved: Saved) -> dict[str, object]:
    """What was saved, for programs."""
    return {
        "path": str(saved.path),
        "bytes": saved.size,
        "terms": saved.terms,
        "dropped_terms": saved.dropped_terms,
        "kept_occurrences": saved.kept_occurrences,
        "kept_information": saved.kept_information,
    }


def saved_text(saved: Saved) -> str:
    """What was saved, for people."""
    from likely.terminal import printable

    return f"Wrote {printable(saved)}."
