"""`Predictions`: the columns that are added to each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np

from likely.batch.writers import (
    OF_LINES,
    CsvWriter,
    EncodedSink,
    JsonWriter,
    ParquetWriter,
    TsvWriter,
    UnchangedLines,
    UnchangedTable,
    check_free,
    check_unsure,
)
from likely.options.reading import WRITTEN_FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely import _native
    from likely.batch.writers import Column, Sink, Writer
    from likely.core.scorer import Answers
    from likely.core.shift import Shift, ShiftWatch
    from likely.reading.batch import Batch, Reader
    from likely.reading.corpus import Corpus
    from likely.types import Abstain, Label, Mask, Prior, Texts

Rule: TypeAlias = "Callable[[_native.Strings, Answers], Mask]"
"""Whether texts match, by what a model answers about them."""

_WRITERS: dict[str, type[Writer]] = {
    "csv": CsvWriter,
    "tsv": TsvWriter,
    "jsonl": JsonWriter,
    "parquet": ParquetWriter,
}


class Predictor(Protocol):
    """A model, as far as predictions need it."""

    abstain: Abstain | None
    reject_label: Label | None

    @property
    def classes_(self) -> Column:
        """The classes."""

    def _predict_all(
        self, texts: Texts, n: int = 1, *, prior: Prior | None = None, watch: ShiftWatch | None = None
    ) -> Answers:
        """The answers for some texts, which the watch sees too."""

    def _watch(self, *, prior: Prior | None = None) -> ShiftWatch:
        """A watch for texts that come in batches."""


@dataclass(frozen=True)
class Output:
    """How rows are written.

    Attributes
    ----------
    format : str or None
        One of `WRITTEN_FORMATS`; None if it is that of the input.
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
        Whether to add the probability of the label, and the share of the terms that the model knows.
    top : int or None
        How many labels to add, the most probable ones with their probabilities.
    prior : {"fitted", "uniform"}, mapping or None
        P(class) where the rows come from; None if it is that of the model.
    where : callable, optional
        Whether texts match. It fills the column ``matches``, unless ``only_matching`` is True.
    only_matching : bool
        Whether only the rows that match are written: as they were if neither ``proba`` nor ``top`` asks for columns.
    """

    model: Predictor
    name: str
    proba: bool
    top: int | None
    prior: Prior | None = None
    where: Rule | None = None
    only_matching: bool = False

    def write(self, corpus: Corpus, sink: Sink, output: Output) -> list[str]:
        """Read a corpus, and write its rows with the predictions. Return what should be known, one line each."""
        writer: Writer | None = None
        unheard = texts = 0
        others: set[str | None] = set()
        encoded = EncodedSink(sink, output.encoding)
        watch = self.model._watch(prior=self.prior)
        try:
            for reader, batches in corpus.files():
                encoded.follow(reader)
                if writer is None:
                    writer = self.writer(reader, encoded, output)
                writer.begin(reader)
                for batch in batches:
                    found = self.answers(batch, watch)
                    texts += len(batch.texts) - len(batch.problems)
                    unheard += int((found.known == 0).sum()) - len(batch.problems)
                    self.put(writer, batch, found, self.matching(batch, found))
                    sink.flush()
                others.add(encoded.other_encoding())
            if writer is not None:
                writer.end()
        except BaseException:
            if writer is not None:
                writer.abandon()
            raise
        none_known = f"{unheard:,} of {texts:,} texts have no known word: the prior decides"
        mixed = f"text in {', '.join(sorted(filter(None, others)))} is written in the encoding of what came before"
        return [
            *([none_known] if unheard else []),
            *_told(watch.shift()),
            *([f"{mixed}: --output-encoding chooses one"] if others - {None} else []),
            *([] if writer is None else writer.doubts()),
        ]

    def answers(self, batch: Batch, watch: ShiftWatch | None = None) -> Answers:
        """What the model answers about some rows."""
        return self.model._predict_all(batch.texts, self._number(), prior=self.prior, watch=watch)

    def matching(self, batch: Batch, found: Answers) -> Mask | None:
        """Whether each row matches; None if that is not asked for. A row with a problem does not."""
        if self.where is None:
            return None
        return without_problems(batch, self.where(batch.texts, found))

    def put(self, writer: Writer, batch: Batch, found: Answers | None, matches: Mask | None) -> None:
        """Write some rows, or those that match, with their new columns; there are none if the writer copies rows."""
        columns = [] if found is None else self.columns(found, has_known=writer.has(self._named("known")))
        if matches is not None and not self.only_matching:
            columns.append(matches)
        if matches is not None and self.only_matching and not matches.all():
            writer.write_chosen(batch, columns, matches)
        else:
            writer.write(batch, columns)

    def check(self, reader: Reader) -> None:
        """Raise ``SourceError`` if new columns cannot be added to the rows of a file in its own format."""
        if not self._is_unchanged:
            check_free(self.names(has_known=reader.format in ("json", "jsonl")), reader)

    def copies(self, reader: Reader) -> bool:
        """Whether rows of a file are copied without new columns, if they are written in its own format."""
        return self._is_unchanged and reader.format in (*OF_LINES, "parquet")

    def writer(self, reader: Reader, sink: EncodedSink, output: Output) -> Writer:
        """The writer for the format of the first file, unless another one is wanted."""
        same = "jsonl" if reader.format == "json" else reader.format
        if self.copies(reader) and output.format in (None, same):
            unchanged = UnchangedTable if same == "parquet" else UnchangedLines
            copy = unchanged(sink.bytes if same == "parquet" else sink, [""], self.model.classes_.dtype)
            copy.start(reader, is_asked_for=False)
            return copy
        wanted = output.format or (same if same in WRITTEN_FORMATS else "csv")
        if wanted in ("csv", "tsv"):  # JSON and Parquet have null for an abstention
            check_unsure(self.model.classes_.tolist(), self.model.abstain, self.model.reject_label)
        place = sink.bytes if wanted == "parquet" else sink
        writer = _WRITERS[wanted](place, self.names(has_known=wanted == "jsonl"), self.model.classes_.dtype)
        writer.start(reader, is_asked_for=output.is_format_given or wanted != same)
        return writer

    def names(self, *, has_known: bool = False) -> list[str]:
        """The names of the new columns. The last one says why a row has no prediction."""
        stems = [self.name, self._named("probability")] if self.proba or self.top else [self.name]
        places = ["", *(f"_{at}" for at in range(2, self._number() + 1))]
        names = [f"{stem}{place}" for place in places for stem in stems]
        if has_known or self.proba or self.top:
            names.append(self._named("known"))
        if self.where is not None and not self.only_matching:
            names.append(self._named("matches"))
        return [*names, self._named("problem")]

    @property
    def _is_unchanged(self) -> bool:
        return self.only_matching and not self.proba and not self.top

    def _named(self, what: str) -> str:
        """The name of a column that accompanies the prediction."""
        return what if self.name == "prediction" else f"{self.name}_{what}"

    def _number(self) -> int:
        """The number of labels per row."""
        return min(self.top or 1, len(self.model.classes_))

    def columns(self, found: Answers, *, has_known: bool) -> list[Column]:
        """The new columns of some texts, in the order of their names, without the one of problems."""
        columns: list[Column] = [found.answers]
        if self.proba or self.top:
            pairs = ((found.labels[:, at], found.probabilities[:, at]) for at in range(self._number()))
            columns = [column for pair in pairs for column in pair]
            columns[0] = found.answers  # the most probable label, unless the model abstains
        return [*columns, found.known] if has_known else columns


def without_problems(batch: Batch, matches: Mask) -> Mask:
    """Whether each row matches. A row with a problem does not."""
    found = np.array(matches, np.bool_)
    found[list(batch.problems)] = False
    return found


def _told(shift: Shift) -> list[str]:
    """How far the texts are from the training data, in one line, which is the warning if there is one."""
    return [f"warning: {shift.warning}" if shift.warning else str(shift)] if shift.terms else []
