"""Model files of the command line: loading them fast, saving them, and reporting what was saved."""

from __future__ import annotations

import glob
import os
import sys
from typing import TYPE_CHECKING, ParamSpec, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.model.naive_bayes import NaiveBayes
    from likely.storage.model_file import Saved

P = ParamSpec("P")
R = TypeVar("R")


# Loading ---------------------------------------------------------------------------------------------------------


def load_model(path: str) -> NaiveBayes:
    """The model in a file."""
    from likely.model.naive_bayes import load

    return load(path)


def spare_pandas() -> None:
    """Keep pyarrow from importing pandas.

    If pandas is installed, pyarrow imports it when it makes its first array, to find out whether the data is a pandas
    object. The import takes longer than everything else, and a command has no such objects. pyarrow tries only once.
    """
    import pyarrow as pa

    sys.meta_path.insert(0, _NoPandas)
    try:
        pa.array([])
    finally:
        sys.meta_path.remove(_NoPandas)


class _NoPandas:
    """A finder of modules that fails for pandas, and leaves all other modules to the finders after it."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> None:
        del path, target
        if name == "pandas":
            raise ImportError(name)


# Saving ----------------------------------------------------------------------------------------------------------


def save_flags(command: Callable[P, R]) -> Callable[P, R]:
    """The command with --prune and --max-size."""
    prune = click.option(
        "--prune",
        type=click.IntRange(1),
        metavar="N",
        default=1,
        help="Drop terms that occur in fewer than N documents.",
    )
    size = click.option(
        "--max-size",
        metavar="SIZE",
        help="Drop the least informative terms until the file has at most this size, such as 2MB.",
    )
    return prune(size(command))


def check_model_place(path: str, sources: Iterable[str] = ()) -> None:
    """Refuse to overwrite a file that is not a model, such as the data, and to write into a missing folder."""
    check_other_file(path, sources)
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise click.UsageError(f"{path} cannot be written: create the folder first.")
    if os.path.isfile(path) and os.path.getsize(path) and not _may_be_model(path):
        raise click.UsageError(f"{path} exists and is not a model: choose another name, or delete it.")


def _may_be_model(path: str) -> bool:
    """Whether a file is a model, or was one before it was truncated."""
    with open(path, "rb") as file:
        if file.read(4) != b"PAR1":
            return False
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 8))
        length, magic = int.from_bytes(file.read(4), "little"), file.read(4)
        if magic != b"PAR1":
            return True
        file.seek(max(0, size - 8 - length))
        return b"likely" in file.read(length)


def check_other_file(path: str, sources: Iterable[str]) -> None:
    """Refuse to overwrite a file that is being read."""
    if not os.path.isfile(path):
        return
    target = os.stat(path)
    for source in sources:
        for each in glob.glob(source) or [source]:
            found = os.fstat(0) if each == "-" else os.stat(each) if os.path.exists(each) else None
            if found is not None and os.path.samestat(found, target):
                raise click.UsageError(f"{path} cannot be read and written at the same time: choose another name.")


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
