"""`Predictions`: the columns that are added to each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from likely.reports.rows.csv import CsvWriter
from likely.reports.rows.formats import FORMATS
from likely.reports.rows.jsonl import JsonWriter
from likely.reports.rows.output import EncodedSink
from likely.reports.rows.parquet import ParquetWriter

if TYPE_CHECKING:
    from likely._native import Strings
    from likely.reading import Corpus
    from likely.reading.batch import Reader
    from likely.reports.rows.output import Sink
    from likely.reports.rows.writer import Column, Writer
    from likely.types import Abstain, Array, Prior, Texts

_WRITERS: dict[str, type[Writer]] = {"csv": CsvWriter, "jsonl": JsonWriter, "parquet": ParquetWriter}


class Predictor(Protocol):
    """A model, as far as predictions need it."""

    abstain: Abstain | None

    @property
    def classes_(self) -> Column:
        """The classes."""

    def predict(self, texts: Texts, *, prior: Prior | None = None) -> Column:
        """The label of each text, or None."""

    def predict_top(self, texts: Texts, n: int = 1, *, prior: Prior | None = None) -> tuple[Column, Array]:
        """The most probable labels of each text, and their probabilities."""


@dataclass(frozen=True)
class Output:
    """How rows are written.

    Attributes
    ----------
    format : str or None
        One of `FORMATS`; None if it is that of the input.
    is_format_given : bool
        Whether the format was asked for by its name: then CSV has commas, whatever the input has.
    encoding : str or None
        The encoding of text; None if it is that of the input.
    """

    format: str | None = None
    is_format_given: bool = False
    encoding: str | None = None


@dataclass(frozen=True)
class Predictions:
    """The columns that are added to each row.

    Attributes
    ----------
    model : Predictor
        The model that predicts.
    name : str
        The name of the column with the predicted label.
    proba : bool
        Whether to add the probability of the label.
    top : int or None
        How many labels to add, the most probable ones with their probabilities.
    prior : {"fitted", "uniform"}, mapping or None
        P(class) where the rows come from; None if it is that of the model.
    """

    model: Predictor
    name: str
    proba: bool
    top: int | None
    prior: Prior | None = None

    def write(self, corpus: Corpus, sink: Sink, output: Output) -> list[str]:
        """Read a corpus, and write its rows with the predictions. Return what should be known, one line each."""
        writer: Writer | None = None
        try:
            for reader, batches in corpus.files():
                if writer is None:
                    writer = self._writer(reader, sink, output)
                writer.begin(reader)
                for batch in batches:
                    writer.write(batch, self._columns(batch.texts))
                    sink.flush()
            if writer is not None:
                writer.end()
        except BaseException:
            if writer is not None:
                writer.abandon()
            raise
        return [] if writer is None else writer.doubts()

    def _writer(self, reader: Reader, sink: Sink, output: Output) -> Writer:
        """The writer for the format and the encoding of the first file, unless others are wanted."""
        same = {"tsv": "csv", "json": "jsonl"}.get(reader.format, reader.format)
        wanted = output.format or (same if same in FORMATS else "csv")
        encoding = output.encoding or reader.encoding
        if encoding is not None and wanted != "parquet" and not sink.isatty():
            sink = EncodedSink(sink, encoding)
        writer = _WRITERS[wanted](sink, self.names, self.model.classes_.dtype)
        writer.start(reader, is_asked_for=output.is_format_given)
        return writer

    @property
    def names(self) -> list[str]:
        """The names of the new columns. The last one says why a row has no prediction."""
        if not self.top:
            stems = [self.name, self._named("probability")] if self.proba else [self.name]
        else:
            places = ["", *(f"_{at}" for at in range(2, self._number() + 1))]
            stems = [f"{stem}{place}" for place in places for stem in (self.name, self._named("probability"))]
        return [*stems, self._named("problem")]

    def _named(self, what: str) -> str:
        """The name of a column that accompanies the prediction."""
        return what if self.name == "prediction" else f"{self.name}_{what}"

    def _number(self) -> int:
        """The number of labels per row."""
        return min(self.top or 1, len(self.model.classes_))

    def _columns(self, texts: Strings) -> list[Column]:
        """The new columns of some texts."""
        if not self.proba and not self.top:
            return [self.model.predict(texts, prior=self.prior)]
        labels, probabilities = self.model.predict_top(texts, self._number(), prior=self.prior)
        columns: list[Column] = [column[:, at] for at in range(self._number()) for column in (labels, probabilities)]
        if self.model.abstain:
            columns[0] = self.model.predict(texts, prior=self.prior)
        return columns
