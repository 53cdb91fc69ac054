"""`Corpus`: labelled texts from any source, in batches."""

from __future__ import annotations

import logging
import os
import sys
import warnings
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import BadRowsError, SkippedRowsWarning, SourceError, UnknownOptionError
from likely.reading.columns import choose
from likely.reading.formats import NAMES
from likely.reading.labels_file import LabelsFile
from likely.reading.opening import Opening, Remarks
from likely.reading.options import Reading, reading_of
from likely.reading.prefetch import ahead
from likely.reading.skipped import NAMED, Skipped
from likely.reading.sources import are_places, is_arrow, places_of
from likely.reading.sql import sql_reader
from likely.reading.tables import frame_reader
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from likely._native import Strings
    from likely.labels import CodedLabels
    from likely.reading.batch import Batch, Chosen, Reader
    from likely.reading.folders import Part
    from likely.reading.holdout import Split
    from likely.types import Label, Source

MOST_UNREADABLE = 0.05
"""The largest share of rows that may be left out without a word from the user."""


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
        self._source = source
        self._whole = whole
        self._prompt = prompt
        self._split = split
        self._before = 0
        self._observe = observe
        self._total: int | None = None
        self._classes: set[Label] = set()
        self._labels: LabelsFile | None = None

    def _none_skipped(self) -> Skipped:
        return Skipped(self.reading.strict, "skipped" if self.labelled else "unanswered")

    def __iter__(self) -> Iterator[Batch]:
        batches = (batch for _, batches in self.files() for batch in batches)
        yield from batches if self._prompt else ahead(batches)

    def files(self) -> Iterator[tuple[Reader, Iterator[Batch]]]:
        """Each file and its batches. The batches of a file must be read before the next file is opened."""
        self.rows = self.bytes = self._before = 0
        self.formats, self.encodings, self.chosen, self.skipped = [], [], None, self._none_skipped()
        self.remarks = Remarks()
        self._classes = set()
        has_file = self.labelled and self.reading.labels_file is not None
        self._labels = LabelsFile(self.reading, self.skipped) if has_file else None
        for reader in self._readers():
            with closing(reader):
                if NAMES[reader.format] not in self.formats:
                    self.formats.append(NAMES[reader.format])
                self.chosen = self._choose(reader)
                yield reader, self._batches(reader, self.chosen)
                if reader.recognised and reader.recognised not in self.encodings:
                    self.encodings.append(reader.recognised)
        if self._labels is not None:
            self._labels.check_length()
        if self.labelled and not self.rows and self.skipped.count:
            raise BadRowsError(f"no row could be read. {self.skipped}")

    def is_rereadable(self) -> bool:
        """Whether the source can be read more than once: it is neither a pipe nor a stream of batches."""
        places = places_of(self._source) if self.reading.sql is None and are_places(self._source) else []
        pipe = any(place is None or (place.exists() and not (place.is_file() or place.is_dir())) for place in places)
        return not (pipe or hasattr(self._source, "read_next_batch"))

    def check_rereadable(self, why: str) -> None:
        """Raise ``SourceError`` if the source can be read only once."""
        if not self.is_rereadable():
            raise SourceError(
                f"{why} reads the texts twice, which is not possible with a stream: give a file or a table"
            )

    def summary(self) -> str:
        """One line that says what was read, and how."""
        columns = ""
        if self.chosen and self.formats != [NAMES["lines"]]:
            columns = f", text={self.chosen.text}" + (f", label={self.chosen.label}" if self.chosen.label else "")
        columns += f", labels={self._labels.where}" if self._labels is not None else ""
        rows = "row" if self.rows == 1 else "rows"
        encodings = f" in {' and '.join(self.encodings)} (recognised; --encoding overrides)" if self.encodings else ""
        return f"read as {' and '.join(self.formats) or 'nothing'}{encodings}{columns}, {self.rows:,} {rows}"

    def lessons(self, kind: type | None = None, *, afresh: bool = False) -> Iterator[tuple[Strings, CodedLabels]]:
        """The texts and labels to learn, in batches, the labels converted to this type unless it is None.

        At the end, raise ``BadRowsError`` if a model of these rows would be quietly wrong: too many rows could not be
        read, all rows of a class could not be read, or, for a model trained ``afresh``, only one class is left.
        The option ``insist`` turns this off.
        """
        for batch in self:
            yield batch.texts, batch.labels_as(kind)
        problem = self._lost_rows() or (self._only_class() if afresh else None)
        if problem is not None and not self.reading.insist:
            raise BadRowsError(f"{problem}. Correct the data, or give insist=True (--insist) to learn what is left")

    def _lost_rows(self) -> str | None:
        """What was lost with the rows that could not be read, if it is too much."""
        skipped, classes = self.skipped, {_written(label) for label in self._classes}
        gone = [label for label in skipped.labels if label.lower() not in classes]
        if gone:
            names = ", ".join(repr(printable(label)) for label in sorted(gone)[:NAMED])
            return f"no row of the class {names} could be read. {skipped}"
        rows = self.rows + skipped.count
        if skipped.count > MOST_UNREADABLE * rows:
            return f"{skipped.count / rows:.0%} of the rows could not be read. {skipped}"
        return None

    def _only_class(self) -> str | None:
        """The only class, if there is no other."""
        if len(self._classes) != 1:
            return None
        label = next(iter(self._classes))
        skipped = f". {self.skipped}" if self.skipped.count else ""
        return f"all rows have the same label, {printable(repr(label))}, so there is nothing to tell apart{skipped}"

    @contextmanager
    def told(self) -> Iterator[None]:
        """A context in which the source is read.

        At its end, a summary and the remarks are logged, and skipped rows are a warning.
        """
        yield
        log = logging.getLogger("likely")
        log.info(self.summary())
        for note in self.remarks.notes:
            log.warning(note)
        if self.skipped.count:
            warnings.warn(str(self.skipped), SkippedRowsWarning, stacklevel=_frames_of_ours())

    def _choose(self, reader: Reader) -> Chosen:
        # The columns that are guessed in the first file are those of all other files.
        text = self.reading.text or (self.chosen.text if self.chosen else None)
        label = self.reading.label or (self.chosen.label if self.chosen else None)
        labelled = self.labelled and self._labels is None
        if labelled and reader.columns == ["text"] and reader.format == "lines":
            raise SourceError(
                f"{reader.where} is plain text without labels: give CSV, JSON Lines, fastText lines "
                "(__label__), a folder with one sub-folder per class, or a file of labels (--labels)"
            )
        return choose(reader.sample(), text, label if labelled else None, reader.where, labelled=labelled)

    def _batches(self, reader: Reader, chosen: Chosen) -> Iterator[Batch]:
        before, self._before = self._before, self._before + reader.size()
        batches = reader.batches(chosen, whole=self._whole)
        for each in self._labels.labelled(batches) if self._labels is not None else batches:
            batch = each.chosen(self._split.rows(each.texts)) if self._split else each
            if not len(batch.texts):
                continue
            self.rows += len(batch.texts)
            if batch.labels is not None:
                self._classes.update(batch.labels.present())
            self.bytes += batch.texts.nbytes
            if self._observe:
                self._observe(self.rows, before + reader.position(), self._total)
            yield batch

    def _readers(self) -> Iterator[Reader]:
        if self.reading.sql is not None:
            yield sql_reader(self.reading.sql, _database(self._source), self.skipped)
        elif are_places(self._source):
            places = places_of(self._source)
            self._total = _size(places)
            opening = Opening(self.reading, self.skipped, self.labelled, self._prompt, self.part, self.remarks)
            for place in places:
                yield from opening.readers(place)
        elif is_arrow(self._source):
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


def _written(label: Label) -> str:
    """A label as a text file has it. A skipped row is known by the text of its label only."""
    return str(label).lower()


def _frames_of_ours() -> int:
    """The number of frames between here and the caller of the library, whose line a warning names."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals["__name__"].partition(".")[0] in ("likely", "contextlib"):
        frame, level = frame.f_back, level + 1
    return level


def _database(source: object) -> Path | None:
    """The database that runs a query, or None for DuckDB itself."""
    if isinstance(source, list | tuple) and len(source) == 1:
        source = source[0]
    if source is None or isinstance(source, str | os.PathLike):
        return None if source is None else Path(source)
    raise SourceError("with sql, the source must be one database file, or None if the query names the files")


def _size(places: list[Path | None]) -> int | None:
    """The number of bytes of all files, or None if it is not known."""
    if any(place is None or not place.is_file() for place in places):
        return None
    return sum(place.stat().st_size for place in places if place)
