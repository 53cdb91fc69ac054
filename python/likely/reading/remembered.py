"""Columns that a model remembers: whether a source has them, and what is said if it does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.reading.batch import Chosen, Reader
    from likely.reading.options import Reading

_NAMELESS = ("lines", "fasttext", "mbox", "maildir", "eml", "folder", "documents")


def has_names(reader: Reader) -> bool:
    """Whether the columns of a source have names of their own: the files of a folder have no columns."""
    return reader.format not in _NAMELESS


def found_in(reader: Reader, columns: Chosen | None) -> tuple[str | None, str | None]:
    """The columns for the text and the label that a model remembers, None for each that the source lacks."""
    if columns is None or not has_names(reader):
        return None, None
    text, label = (name if name in reader.columns else None for name in (columns.text, columns.label))
    return text, label


def told_otherwise(reader: Reader, columns: Chosen | None, chosen: Chosen, reading: Reading) -> str | None:
    """One line that says which remembered columns a source lacks, and what is read instead; None if it has them.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely.reading import Reading, Skipped
    >>> from likely.reading.batch import Chosen
    >>> from likely.reading.tables.frames import frame_reader
    >>> reader = frame_reader(pa.table({"body": ["good"], "sentiment": ["+"]}), Skipped())
    >>> told_otherwise(reader, Chosen("review", "sentiment"), Chosen("body", "sentiment"), Reading())
    'the model was trained on text=review; the Table has no such column: read text=body'
    """
    if columns is None or not has_names(reader):
        return None
    lacking = [
        (name, remembered, read)
        for name, remembered, read, given in (
            ("text", columns.text, chosen.text, reading.text),
            ("label", columns.label, chosen.label, reading.label),
        )
        if given is None and read is not None and remembered is not None and remembered not in reader.columns
    ]
    if not lacking:
        return None
    trained = ", ".join(f"{name}={remembered}" for name, remembered, _ in lacking)
    instead = ", ".join(f"{name}={read}" for name, _, read in lacking)
    such = "no such column" if len(lacking) == 1 else "no such columns"
    return f"the model was trained on {trained}; {reader.where} has {such}: read {instead}"
