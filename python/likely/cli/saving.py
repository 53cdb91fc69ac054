"""Writing a model file as told, and telling what was written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from likely.store import Saved

F = TypeVar("F", bound="Callable[..., Any]")


def save_flags(command: F) -> F:
    """--prune and --max-size."""
    prune = click.option(
        "--prune", type=click.IntRange(1), metavar="N", default=1, help="Drop terms found in fewer than N documents."
    )
    size = click.option("--max-size", metavar="SIZE", help="Keep the most informative terms, as many as fit: 2MB.")
    return prune(size(command))


def check_model_place(path: str, sources: Iterable[str] = ()) -> None:
    """Refuse to write a model over what is none, such as the data."""
    check_other_file(path, sources)
    if os.path.isfile(path) and os.path.getsize(path):
        with open(path, "rb") as file:
            if file.read(4) != b"PAR1":
                raise click.UsageError(f"{path} is there already and is no model: choose another name, or delete it.")


def check_other_file(path: str, sources: Iterable[str]) -> None:
    """Refuse to write over a file that is being read."""
    for source in sources:
        if os.path.isfile(path) and os.path.exists(source) and os.path.samefile(path, source):
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
    from likely.report import printable

    return f"Wrote {printable(saved)}."
