"""Writing a model file as told, and telling what was written."""

from __future__ import annotations

import glob
import os
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.storage import Saved

F = TypeVar("F", bound="Callable[..., Any]")


def save_flags(command: F) -> F:
    """--prune and --max-size."""
    prune = click.option(
        "--prune", type=click.IntRange(1), metavar="N", default=1, help="Drop terms found in fewer than N documents."
    )
    size = click.option("--max-size", metavar="SIZE", help="Keep the most informative terms, as many as fit: 2MB.")
    return prune(size(command))


def check_model_place(path: str, sources: Iterable[str] = ()) -> None:
    """Refuse to write a model over what is none, such as the data, or where nothing can be written."""
    check_other_file(path, sources)
    if not os.path.isdir(os.path.dirname(os.path.abspath(path))):
        raise click.UsageError(f"{path} cannot be written: create the folder first.")
    if os.path.isfile(path) and os.path.getsize(path) and not _may_be_model(path):
        raise click.UsageError(f"{path} is there already and is no model: choose another name, or delete it.")


def _may_be_model(path: str) -> bool:
    """Whether a file is a model, or has been one before it was cut off."""
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
    """Refuse to write over a file that is being read."""
    if not os.path.isfile(path):
        return
    target = os.stat(path)
    for source in sources:
        for each in glob.glob(source) or [source]:
            found = os.fstat(0) if each == "-" else os.stat(each) if os.path.exists(each) else None
            if found is not None and os.path.samestat(found, target):
                raise click.UsageError(f"{path} is read and cannot be written at once: choose another name.")


def saved_document(saved: Saved) -> dict[str, Any]:
    """What was written, for programs."""
    return {
        "path": str(saved.path),
        "bytes": saved.size,
        "terms": saved.terms,
        "dropped_terms": saved.dropped_terms,
        "kept_occurrences": saved.kept_occurrences,
        "kept_information": saved.kept_information,
    }


def saved_text(saved: Saved) -> str:
    """What was written, for people."""
    from likely.terminal import printable

    return f"Wrote {printable(saved)}."
