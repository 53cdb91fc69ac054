"""`Predictions`: the columns that are added to each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from likely.reports.rows.csv import CsvWriter
from likely.reports.rows.formats import FORMATS
from likely.reports.rows.jsonl import JsonWriter
from likely.reports.rows.parquet import ParquetWriter
from likely.reports.rows.values import check_unsure

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.reading import Corpus
    from likely.reports.rows.output import Sink
    from likely.reports.rows.writer import Column, Writer
    from likely.types import Abstain, Array, Label, Prior, Texts

_WRITERS: dict[str, type[Writer]] = {"csv": CsvWriter, "jsonl": JsonWriter, "parquet": ParquetWriter}


class Predictor(Protocol):
    """A model, as far as predictions need it."""

    abstain: Abstain | None
    reject_label: Label | None

    @property
    def classes_(self) -> Column:
        """The classes."""

    def predict(self, texts: Texts, *, prior: Prior | None = None) -> Column:
        """The label of each text, or None."""

    def predict_top(self, texts: Texts, n: int = 1, *, prior: Prior | None = None) -> tuple[Column, Array]:
        """The most probable labels of each text, and their probabilities."""


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

    def write(self, corpus: Corpus, sink: Sink, output_format: str | None) -> None:
        """Read a corpus, and write its rows with the predictions."""
        writer: Writer | None = None
        try:
            for reader, batches in corpus.files():
                if writer is None:
                    same = "csv" if reader.format == "tsv" else reader.format
                    wanted = output_format or (same if same in FORMATS else "csv")
                    if wanted == "csv":  # JSON and Parquet have null for an abstention
                        check_unsure(self.model.classes_.tolist(), self.model.abstain, self.model.reject_label)
                    writer = _WRITERS[wanted](sink, self.names, self.model.classes_.dtype)
                    writer.start(reader, is_asked_for=output_format is not None)
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

    @property
    def names(self) -> list[str]:
        """The names of the new columns."""
        share = "probability" if self.name == "prediction" else f"{self.name}_probability"
        if not self.top:
            return [self.name, share] if self.proba else [self.name]
        places = ["", *(f"_{at}" for at in range(2, self._number() + 1))]
        return [f"{stem}{place}" for place in places for stem in (self.name, share)]

    def _number(self) -> int:
        """The number of labels per row."""
        return min(self.top or 1, len(self.model.classes_))

    def _columns(self, texts: pa.Array) -> list[Column]:
        """The new columns of some texts."""
        if not self.proba and not self.top:
            return [self.model.predict(texts, prior=self.prior)]
        labels, probabilities = self.model.predict_top(texts, self._number(), prior=self.prior)
        columns: list[Column] = [column[:, at] for at in range(self._number()) for column in (labels, probabilities)]
        if self.model.abstain:
            columns[0] = self.model.predict(texts, prior=self.prior)
        return columns
