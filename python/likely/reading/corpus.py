"""`Corpus`: labelled texts from any source, in batches."""

from __future__ import annotations

import logging
import warnings
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from likely.errors import (
    BadRowsError,
    LabelDoubtWarning,
    SkippedRowsWarning,
    SourceError,
    UnknownOptionError,
    frames_of_ours,
)
from likely.reading.beside import Tally, check_has_columns
from likely.reading.columns import check_labelled, choose
from likely.reading.completeness import lost_rows, only_class
from likely.reading.files.formats import NAMES
from likely.reading.labelled import Labelled
from likely.reading.labels.check import LabelCheck
from likely.reading.labels.file import LabelsFile
from likely.reading.opening import Opening, Remarks
from likely.reading.options import Reading, reading_of
from likely.reading.prefetch import ahead
from likely.reading.remembered import found_in, has_names, told_otherwise
from likely.reading.skipped import Skipped
from likely.reading.sources import are_files, are_places, places_of, read_once, size_of
from likely.reading.tables.frames import frame_reader, is_frame
from likely.reading.tables.sql import database_of, sql_reader
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from likely.reading.batch import Batch, Chosen, Reader
    from likely.reading.folders import Part
    from likely.reading.holdout import Split
    from likely.types import Label, Source


class Corpus:
    """Texts from any source, with or without labels, in batches. It can be iterated more than once.

    Parameters
    ----------
    source : path, glob, several of them, frame or None
        Where the texts are; ``"-"`` is standard input. None if the query in ``reading`` names the files.
    reading : Reading, optional
        How the source is read.
    labelled : bool
        Whether labels are read.
    whole : bool
        Whether whole rows are read, and not only the texts and the labels.
    prompt : bool
        Whether rows are returned as soon as they arrive, and not only in large batches.
    split : Split, optional
        Which rows are returned. Default: all.
    observe : callable, optional
        Called after each batch with the number of documents, of bytes read, and of bytes in all (None if unknown).

    Examples
    --------
    >>> import pyarrow as pa
    >>> corpus = Corpus(pa.table({"review": ["good", "bad"], "stars": [5, 1]}))
    >>> [(batch.texts.to_pylist(), list(batch.labels)) for batch in corpus]
    [(['good', 'bad'], [5, 1])]
    >>> corpus.summary()
    'read as a frame, text=review, label=stars, 2 rows'
    """

    def __init__(
        self,
        source: Source | None,
        reading: Reading | None = None,
        *,
        labelled: bool = True,
        whole: bool = False,
        prompt: bool = False,
        split: Split | None = None,
        observe: Callable[[int, int, int | None], None] | None = None,
    ) -> None:
        self.reading = reading or Reading()
        self.labelled = labelled
        self.rows = self.bytes = 0
        self.skipped = self._none_skipped()
        self.remarks = Remarks()
        self.part: Part = "train"
        """Which part is read of a folder that contains a part to train on and a part to test on."""
        self.formats: list[str] = []
        self.encodings: list[str] = []
        self.chosen: Chosen | None = None
        self.columns: Chosen | None = None
        """The columns that were read, if they have names of their own."""
        self.labels = LabelCheck(self.reading)
        self._remembered: Chosen | None = None
        self._classes: Collection[Label] = ()
        self._source = source
        self._whole = whole
        self._prompt = prompt
        self._split = split
        self._before = 0
        self._observe = observe
        self._total: int | None = None
        self._labels_file: LabelsFile | None = None
        self._tally = Tally()

    def _none_skipped(self) -> Skipped:
        return Skipped(self.reading.strict, "skipped" if self.labelled else "unanswered")

    def __iter__(self) -> Iterator[Batch]:
        batches = (batch for _, batches in self.files() for batch in batches)
        yield from batches if self._prompt else ahead(batches)

    def expect(self, columns: Chosen | None, classes: Collection[Label] = ()) -> None:
        """Read for a model that was trained on these columns and has these classes."""
        self._remembered, self._classes = columns, classes

    def files(self) -> Iterator[tuple[Reader, Iterator[Batch]]]:
        """Each file and its batches. The batches of a file must be read before the next file is opened."""
        self.rows = self.bytes = self._before = 0
        self._tally = Tally()
        self.formats, self.encodings, self.chosen, self.skipped = [], [], None, self._none_skipped()
        self.remarks, self.columns, self.labels = Remarks(), None, LabelCheck(self.reading, self._classes)
        has_file = self.labelled and self.reading.labels_file is not None
        self._labels_file = LabelsFile(self.reading, self.skipped) if has_file else None
        for reader in self._readers():
            with closing(reader):
                if NAMES[reader.format] not in self.formats:
                    self.formats.append(NAMES[reader.format])
                self.chosen = self._choose(reader)
                self.columns = self.chosen.remembered() if has_names(reader) else self.columns
                yield reader, self._batches(reader, self.chosen)
                if reader.recognised and reader.recognised not in self.encodings:
                    self.encodings.append(reader.recognised)
        if self._labels_file is not None:
            self._labels_file.check_length()
        reasons = [*([str(self.skipped)] if self.skipped.count else []), *self.labels.left_out()]
        if self.labelled and not self.rows and reasons:
            raise BadRowsError(f"no row could be read. {'. '.join(reasons)}")

    def is_rereadable(self) -> bool:
        """Whether the source can be read more than once: it is neither a pipe nor a stream of batches."""
        places = places_of(self._source) if self.reading.sql is None and are_places(self._source) else []
        return are_files(places) and not hasattr(self._source, "read_next_batch")

    def check_rereadable(self, why: str) -> None:
        """Raise ``SourceError`` if the source can be read only once."""
        if not self.is_rereadable():
            raise read_once(why)

    def summary(self) -> str:
        """One line that says what was read, and how."""
        columns = ""
        if self.chosen and self.formats != [NAMES["lines"]]:
            columns = f", {self.chosen}"
        columns += f", labels={self._labels_file.where}" if self._labels_file is not None else ""
        encodings = f" in {' and '.join(self.encodings)} (recognised; --encoding overrides)" if self.encodings else ""
        formats = " and ".join(self.formats) or "nothing"
        return f"read as {formats}{encodings}{columns}, {counted(self.rows, 'row')}{self._tally}"

    def notes(self) -> list[str]:
        """What was left out or decided besides the rows that were skipped, one line each."""
        return [*self.remarks.notes, *self.labels.left_out()]

    def lessons(self, kind: type | None = None, *, afresh: bool = False) -> Iterator[Labelled]:
        """The documents to learn, in batches, the labels converted to this type unless it is None.

        At the end, raise ``BadRowsError`` if a model of these rows would be quietly wrong: too many rows could not be
        read, all rows of a class could not be read, or, for a model trained ``afresh``, only one class is left.
        The option ``allow_partial`` turns this off. A part of the rows (``split``) is not checked: the whole was.
        """
        for batch in self:
            yield Labelled(batch.texts, batch.labels_as(kind), batch.weights, batch.groups)
        problem = lost_rows(self.rows, self.skipped, self.labels)
        if problem is None and afresh:
            problem = only_class(self.skipped, self.labels)
        if problem is not None and not self.reading.allow_partial and self._split is None:
            raise BadRowsError(
                f"{problem}. Correct the data, or go on with what is left: allow_partial=True (--allow-partial)"
            )

    @contextmanager
    def told(self) -> Iterator[None]:
        """A context in which the source is read. At its end, what was read is logged, and doubts are warnings."""
        yield
        for line in (self.summary(), *self.notes(), *self.labels.doubts()):
            logging.getLogger("likely").info(line)
        if self.skipped.count:
            warnings.warn(str(self.skipped), SkippedRowsWarning, stacklevel=frames_of_ours())
        for line in self.labels.doubts():
            warnings.warn(line, LabelDoubtWarning, stacklevel=frames_of_ours())

    def _choose(self, reader: Reader) -> Chosen:
        # The columns that are guessed in the first file are those of all other files.
        known_text, known_label = found_in(reader, self._remembered)
        text = self.reading.text or (self.chosen.text if self.chosen else known_text)
        label = self.reading.label or (self.chosen.label if self.chosen else known_label)
        labelled = self.labelled and self._labels_file is None
        if labelled:
            check_labelled(reader)
        check_has_columns(reader, self.reading)
        try:
            chosen = choose(
                reader.sample(),
                text,
                label if labelled else None,
                reader.where,
                labelled=labelled,
                weight=self.reading.weight,
                group=self.reading.group,
            )
        except SourceError as error:
            if self._remembered is None:
                raise
            raise SourceError(f"{error}. The model was trained on {self._remembered}") from None
        if not self.chosen and (told := told_otherwise(reader, self._remembered, chosen, self.reading)):
            self.remarks.notes.append(told)
        return chosen

    def _batches(self, reader: Reader, chosen: Chosen) -> Iterator[Batch]:
        before, self._before = self._before, self._before + reader.size()
        batches = reader.batches(chosen, whole=self._whole)
        for each in self._labels_file.labelled(batches) if self._labels_file is not None else batches:
            batch = each.chosen(self._split.rows(each)) if self._split else each
            batch = self.labels.settle(batch, chosen)
            if not len(batch.texts):
                continue
            self.rows += len(batch.texts)
            self.bytes += batch.texts.nbytes
            self._tally.add(batch)
            if self._observe:
                self._observe(self.rows, before + reader.position(), self._total)
            yield batch

    def _readers(self) -> Iterator[Reader]:
        if self.reading.sql is not None:
            yield sql_reader(self.reading.sql, database_of(self._source), self.skipped)
        elif are_places(self._source):
            places = places_of(self._source)
            self._total = size_of(places)
            opening = Opening(self.reading, self.skipped, self.labelled, self._prompt, self.part, self.remarks)
            for place in places:
                yield from opening.readers(place)
        elif is_frame(self._source):
            yield frame_reader(self._source, self.skipped)
        else:
            raise SourceError(
                f"cannot read labelled texts from a {type(self._source).__name__}: give a path, a frame, "
                "or texts and labels"
            )


def corpus_of(source: Source | Corpus | None, reading: Mapping[str, object]) -> Corpus:
    """The corpus of a source. A source that is a corpus already is returned as it is.

    Examples
    --------
    >>> corpus_of("reviews.csv", {"text": "body"}).reading.text
    'body'
    """
    if not isinstance(source, Corpus):
        return Corpus(source, reading_of(reading))
    if reading:
        raise UnknownOptionError(f"{next(iter(reading))} says how a source is read, but this corpus already knows")
    return source
