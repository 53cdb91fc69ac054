"""Writing a model file as told, and telling what was written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.model import NaiveBayes
    from likely.store import Saved

F = TypeVar("F", bound="Callable[..., Any]")


def save_flags(command: F) -> F:
    """--prune and --max-size."""
    prune = click.option(
        "--prune", type=click.IntRange(1), metavar="N", default=1, help="Drop terms found in fewer than N documents."
    )
    size = click.option("--max-size", metavar="SIZE", help="Keep the most informative terms, as many as fit: 2MB.")
    return prune(size(command))


def save_as_told(model: NaiveBayes, values: dict[str, Any]) -> Saved:
    """Write a model to --output, as --prune and --max-size say."""
    return model.save(values["output"], min_documents=values["prune"], max_size=values["max_size"])


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

    text = f"Wrote {printable(saved.path)}, {size_text(saved.size)}."
    if not saved.dropped_terms:
        return text
    return (
        f"{text} Left out {saved.dropped_terms:,} of {saved.terms + saved.dropped_terms:,} terms: "
        f"{saved.kept_occurrences:.1%} of the occurrences, {saved.kept_information:.1%} of the information are kept."
    )


def size_text(size: int) -> str:
    """A number of bytes for people.

    Examples
    --------
    >>> size_text(999), size_text(1_234_567)
    ('999 bytes', '1.2 MB')
    """
    if size < 1000:
        return f"{size} bytes"
    return f"{size / 1e3:.0f} kB" if size < 1_000_000 else f"{size / 1e6:.1f} MB"
