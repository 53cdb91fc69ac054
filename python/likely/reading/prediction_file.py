"""`PredictionFile`: the predictions in a file that `likely predict -o` wrote, row by row."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import ArgumentError, SourceError
from likely.labels import CodedLabels, python_label
from likely.options.reading import ReadingOptions
from likely.reading.batch import values_of
from likely.reading.corpus import Corpus
from likely.terminal import UNSURE, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from likely.types import Label

_SHOWN = 60
_FIRST = np.zeros(1, np.uint32)


class PredictionFile:
    r"""The predictions of a file, in the order of its rows.

    Parameters
    ----------
    path : str
        A file with one row per document: CSV, JSON Lines, Parquet or another table.
    column : str
        The column with the predictions.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "labelled.csv")
    ...     _ = path.write_text("review,prediction\ngood,1\nodd,unsure\n")
    ...     file = PredictionFile(str(path), "prediction")
    ...     file.begin("review", int)
    ...     file.next(["good", "odd"])
    [1, None]
    """

    def __init__(self, path: str, column: str) -> None:
        self.path = path
        self._column = column
        self._kind: type = str
        self._rows: Iterator[tuple[Label | None, str | None]] = iter(())
        self._taken = 0

    def begin(self, text: str | None, kind: type) -> None:
        """Begin to read: labels become this type, and texts are compared if the file has a column of this name."""
        self._kind, self._taken = kind, 0
        self._rows = self._read(text)

    def next(self, texts: Sequence[str]) -> list[Label | None]:
        """The predictions of the next rows, one per text; None where the model abstained.

        ``ArgumentError`` if the file has fewer rows, and ``SourceError`` if a row has another text.
        """
        found = []
        for text in texts:
            row = next(self._rows, None)
            if row is None:
                raise ArgumentError(
                    f"{self.path} has {self._taken:,} predictions, but the test data have more documents: give the "
                    "predictions of the same rows, in the same order"
                )
            label, own = row
            self._taken += 1
            if own is not None and own != text:
                raise SourceError(
                    f"{self.path}: row {self._taken:,} is {printable(own[:_SHOWN])!r}, but in the test data it is "
                    f"{printable(text[:_SHOWN])!r}: give the predictions of the same rows, in the same order"
                )
            found.append(label)
        return found

    def check_end(self) -> None:
        """Raise ``ArgumentError`` if there are more predictions than were asked for."""
        if next(self._rows, None) is not None:
            raise ArgumentError(
                f"{self.path} has more than {self._taken:,} predictions, but the test data have {self._taken:,} "
                "documents with labels: give the predictions of the same rows, in the same order"
            )

    def _read(self, text_column: str | None) -> Iterator[tuple[Label | None, str | None]]:
        """The prediction and the text of each row; None for a text that the file does not have."""
        for batch in self._corpus(text_column):
            table = batch.table()
            if self._column not in table:
                raise SourceError(
                    f"{self.path}: there is no column {printable(self._column)!r} with predictions. The columns are "
                    f"{printable(', '.join(table))}: name another one with --prediction-column"
                )
            labels = values_of(table[self._column])
            texts = None if text_column is None else table.get(text_column)
            own = [None] * len(labels) if texts is None else values_of(texts)
            for label, text in zip(labels, own, strict=True):
                yield self._label(label), None if text is None else str(text)

    def _corpus(self, text_column: str | None) -> Corpus:
        """The rows of the file. If it has no column of texts, the predictions take its place."""
        corpus = Corpus(self.path, ReadingOptions(text=text_column), labelled=False, whole=True)
        if text_column is not None:
            with contextlib.suppress(SourceError):  # there is no such column
                next(corpus.files(), None)
                return corpus
        return Corpus(self.path, ReadingOptions(text=self._column), labelled=False, whole=True)

    def _label(self, value: object) -> Label | None:
        """A prediction as a label. A class may be called "unsure", so this text stays a label if labels are texts."""
        if value in (None, "") or value != value or (value == UNSURE and self._kind is not str):  # noqa: PLR0124 - NaN
            return None
        return CodedLabels([python_label(value)], _FIRST).as_kind(self._kind).values[0]
