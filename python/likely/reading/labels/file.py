"""A separate file of labels: one label per line, row for row with the texts of another source."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import LengthError, SourceError
from likely.labels import CodedLabels, unequal
from likely.reading.columns import LABEL_NAMES
from likely.reading.files.delimiters import table_delimiter
from likely.reading.files.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reading.batch import Batch
    from likely.reading.options import Reading
    from likely.reading.skipped import Skipped
    from likely.types import Label


class LabelsFile:
    r"""The labels of a file, which are given to the rows of other files, one after another.

    Parameters
    ----------
    reading : Reading
        How the source is read. The encoding is that of the labels too.
    skipped : Skipped
        Records the rows without a label.

    Examples
    --------
    >>> import tempfile
    >>> from likely.reading import Reading, Skipped
    >>> with tempfile.NamedTemporaryFile("w+") as file:
    ...     _ = file.write("label\nspam\nham\n")
    ...     file.flush()
    ...     len(LabelsFile(Reading(labels_file=file.name), Skipped()))
    2
    """

    def __init__(self, reading: Reading, skipped: Skipped) -> None:
        self._skipped = skipped
        self._rows = 0
        stream = Stream(Path(reading.labels_file or ""))
        self.where = stream.where
        try:
            stream.decode(reading.encoding)
            if table_delimiter(stream.head) is not None:
                raise SourceError(f"{self.where} has several columns: a file of labels has one label per line")
            lines = stream.rest().decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
        finally:
            stream.close()
        labels = [_unquoted(line.strip()) for line in (lines if lines[-1] else lines[:-1])]
        has_header = bool(labels) and labels[0].lower() in LABEL_NAMES
        self._header = has_header if reading.header is None else reading.header
        codes: dict[Label, int] = {}
        numbers = [codes.setdefault(label, len(codes)) for label in labels[self._header :]]
        self._labels = CodedLabels(list(codes), np.array(numbers, np.uint32))
        self._missing = codes.get("", len(codes))

    def __len__(self) -> int:
        return len(self._labels)

    def labelled(self, batches: Iterator[Batch]) -> Iterator[Batch]:
        """The rows that can be read and have a label, with their labels."""
        for batch in batches:
            start, self._rows = self._rows, self._rows + len(batch.texts)
            if self._rows > len(self):
                continue  # all rows are counted for the message
            codes = self._labels.codes[start : self._rows]
            wanted = codes != self._missing
            for at in np.flatnonzero(~wanted).tolist():
                row = start + at + 1
                self._skipped.add(self.where, row, "no label", line=row + self._header)
            wanted[list(batch.problems)] = False
            yield replace(batch, labels=CodedLabels(self._labels.values, codes), problems={}).chosen(wanted)

    def check_length(self) -> None:
        """Raise ``LengthError`` unless there were as many rows as labels."""
        if self._rows != len(self):
            raise LengthError(f"{self.where} has {unequal(len(self), self._rows)}")


def _unquoted(line: str) -> str:
    """A field of CSV without its quotes."""
    is_quoted = len(line) >= 2 and line[0] == line[-1] == '"'
    return line[1:-1].replace('""', '"') if is_quoted else line
