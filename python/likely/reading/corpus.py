"""`Corpus`: labelled texts from any source, in batches."""

from __future__ import annotations

import glob
import logging
import os
import threading
import warnings
from contextlib import closing, contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, TypeVar

from likely.errors import DataWarning, OptionError, SourceError, frames_of_ours
from likely.extras import extra
from likely.options.reading import ReadingOptions, reading_of
from likely.reading.batch import NAMED, Batch, Chosen, Reader, Skipped
from likely.reading.columns import check_labelled, choose, has_names, other_columns_note, remembered_columns
from likely.reading.formats import NAMES
from likely.reading.frames import are_rows, database_of, is_frame
from likely.reading.labels import LabelCheck
from likely.reading.opening import Opening, Part, Remarks
from likely.reading.rows import Labelled
from likely.reading.stream import unopened
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from likely.types import Label, Mask, Source


MOST_UNREADABLE = 0.05
"""The largest share of rows that may be left out without a word from the user."""


def lost_rows(rows: int, skipped: Skipped, labels: LabelCheck) -> str | None:
    """What was lost with the rows that could not be read, if it is a whole class or too many rows.

    Examples
    --------
    >>> from likely.options.reading import ReadingOptions
    >>> from likely.reading.batch import Skipped
    >>> from likely.reading.labels import LabelCheck
    >>> skipped = Skipped()
    >>> skipped.add("a.csv", 3, "no label", line=4)
    >>> lost_rows(9, skipped, LabelCheck(ReadingOptions()))
    '10% of the rows could not be read. 1 row skipped: a.csv row 3 (line 4): no label'
    """
    # A row that was skipped is known by the text of its label, which may stand for a number or a truth value.
    read = {str(label).lower() for label in labels.classes()}
    wanted = {label: labels.settled(label) for label in skipped.labels}
    gone = sorted(label for label, settled in wanted.items() if settled and str(settled).lower() not in read)
    if gone:
        classes = "class" if len(gone) == 1 else "classes"
        return f"no row of the {classes} {named(gone, NAMED, repr)} could be read. {skipped}"
    if skipped.count > MOST_UNREADABLE * (rows + skipped.count):
        return f"{skipped.count / (rows + skipped.count):.0%} of the rows could not be read. {skipped}"
    return None


def only_class(skipped: Skipped, labels: LabelCheck) -> str | None:
    """What is said if all rows have the same label; otherwise None."""
    classes = labels.classes()
    if len(classes) != 1:
        return None
    why = f". {skipped}" if skipped.count else ""
    return f"all rows have the same label, {classes.pop()!r}, so there is nothing to tell apart{why}"


Places: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
"""Files, folders and globs."""

STANDARD_INPUT = "-"


def places_of(source: Places) -> list[Path | None]:
    """The files and folders that a source names; None stands for standard input.

    Examples
    --------
    >>> places_of("-"), places_of(["a.csv", "b.csv"])
    ([None], [PosixPath('a.csv'), PosixPath('b.csv')])
    """
    places: list[Path | None] = []
    for each in [source] if isinstance(source, str | os.PathLike) else source:
        if os.fspath(each) == STANDARD_INPUT:
            places.append(None)
        else:
            places.extend(_expanded(Path(each)))
    return places


def are_places(source: object) -> TypeGuard[Places]:
    """Whether a source is a path or a list of paths, and not a frame."""
    if isinstance(source, str | os.PathLike):
        return True
    return (
        isinstance(source, list | tuple)
        and bool(source)
        and all(isinstance(each, str | os.PathLike) for each in source)
    )


def are_files(places: list[Path | None]) -> bool:
    """Whether all places are files and folders, which can be read more than once, and none is a pipe.

    Examples
    --------
    >>> are_files([Path("/")]), are_files([None]), are_files([Path("/dev/null")])
    (True, False, False)
    """
    return not any(place is None or (place.exists() and not (place.is_file() or place.is_dir())) for place in places)


def size_of(places: list[Path | None]) -> int | None:
    """The number of bytes of all files, or None if it is not known.

    Examples
    --------
    >>> size_of([]), size_of([None]), size_of([Path("/")])
    (0, None, None)
    """
    if any(place is None or not place.is_file() for place in places):
        return None
    return sum(place.stat().st_size for place in places if place)


def read_once(why: str) -> SourceError:
    """The error for a source that can be read only once, if ``why`` reads the texts twice."""
    return SourceError(f"{why} reads the texts twice, which is not possible with a stream: give a file or a table")


def _expanded(path: Path) -> Iterable[Path]:
    """The files that match a glob, in order; or the path itself, if it is not a glob."""
    try:
        is_there = path.exists()
    except (OSError, ValueError) as error:
        raise unopened(path, error) from error
    if not is_there and glob.has_magic(str(path)):
        found = sorted(Path(each) for each in glob.glob(str(path), recursive=True))
        if not found:
            raise SourceError(f"no file matches {path}")
        return found
    return [path]


T = TypeVar("T")

_PATIENCE = 0.2
"""The seconds for which a thread that is no longer needed is waited for."""


def ahead(items: Iterable[T]) -> Iterator[T]:
    """The same items. Each is made while the one before it is in use.

    Examples
    --------
    >>> list(ahead(iter("abc")))
    ['a', 'b', 'c']
    """
    # An item is wrapped in a tuple; an error, or None for the end, is not.
    ready: Queue[tuple[T] | BaseException | None] = Queue(1)
    is_abandoned = threading.Event()

    def work() -> None:
        try:
            for item in items:
                ready.put((item,))
                if is_abandoned.is_set():
                    return
            ready.put(None)
        except BaseException as error:  # any error is raised where the items are used
            ready.put(error)

    reader = threading.Thread(target=work, name="likely-reader", daemon=True)
    reader.start()
    try:
        while isinstance(each := ready.get(), tuple):
            yield each[0]
        if each is not None:
            raise each
    finally:
        is_abandoned.set()
        with suppress(Empty):
            ready.get_nowait()
        # A thread that reads from a pipe may wait forever, so it is left behind and ends with the process.
        reader.join(_PATIENCE)


Split: TypeAlias = "Callable[[Batch], Mask]"
"""Says which rows of a batch are read."""


@dataclass(eq=False)
class Corpus:
    """Texts from any source, with or without labels, in batches. It can be iterated more than once.

    Parameters
    ----------
    source : path, glob, several of them, frame or None
        Where the texts are; ``"-"`` is standard input. None if the query in ``reading`` names the files.
    reading : ReadingOptions, optional
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

    source: Source | None
    reading: ReadingOptions = field(default_factory=ReadingOptions)
    _: KW_ONLY
    labelled: bool = True
    whole: bool = False
    prompt: bool = False
    split: Split | None = None
    observe: Callable[[int, int, int | None], None] | None = None
    part: Part = field(default="train", init=False)
    """Which part is read of a folder that contains a part to train on and a part to test on."""
    _remembered: Chosen | None = field(default=None, init=False)
    _classes: Collection[Label] = field(default=(), init=False)
    _weighted: bool = field(default=False, init=False)
    _total: int | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self._reset()

    @property
    def _has_labels(self) -> bool:
        """Whether labels are read from the source."""
        return self.labelled and self.reading.as_label is None

    def _reset(self) -> None:
        """Forget what was read."""
        self.rows = self.bytes = self._before = 0
        self.has_mail = False
        self.skipped = Skipped(self.reading.strict, "skipped" if self.labelled else "unanswered")
        self.remarks = Remarks()
        self.formats: list[str] = []
        self.encodings: list[str] = []
        self.chosen: Chosen | None = None
        self.columns: Chosen | None = None
        """The columns that were read, if they have names of their own."""
        self.labels = LabelCheck(self.reading, self._classes)

    def __iter__(self) -> Iterator[Batch]:
        batches = (batch for _, batches in self.files() for batch in batches)
        yield from batches if self.prompt else ahead(batches)

    def expect(self, columns: Chosen | None, classes: Collection[Label] = (), *, weighted: bool = False) -> None:
        """Read for a model that was trained on these columns and has these classes, and its weights, too."""
        self._remembered, self._classes, self._weighted = columns, classes, weighted

    def files(self) -> Iterator[tuple[Reader, Iterator[Batch]]]:
        """Each file and its batches. The batches of a file must be read before the next file is opened."""
        self._reset()
        for reader in self._readers():
            with closing(reader):
                if NAMES[reader.format] not in self.formats:
                    self.formats.append(NAMES[reader.format])
                self.chosen = self._choose(reader)
                self.columns = self.chosen.remembered() if has_names(reader) else self.columns
                yield reader, self._batches(reader, self.chosen)
                self.has_mail |= reader.has_mail
                if reader.recognised and reader.recognised not in self.encodings:
                    self.encodings.append(reader.recognised)
        reasons = [*([str(self.skipped)] if self.skipped.count else []), *self.labels.left_out()]
        if self.labelled and not self.rows and reasons:
            raise SourceError(f"no row could be read. {'. '.join(reasons)}")

    def is_rereadable(self) -> bool:
        """Whether the source can be read more than once: it is neither a pipe nor a stream of batches."""
        places = places_of(self.source) if self.reading.sql is None and are_places(self.source) else []
        return are_files(places) and not hasattr(self.source, "read_next_batch")

    def check_rereadable(self, why: str) -> None:
        """Raise ``SourceError`` if the source can be read only once."""
        if not self.is_rereadable():
            raise read_once(why)

    def summary(self) -> str:
        """One line that says what was read, and how."""
        columns = f", {self.chosen}" if self.chosen and self.formats != [NAMES["lines"]] else ""
        encodings = f" in {' and '.join(self.encodings)} (recognised; --encoding overrides)" if self.encodings else ""
        formats = " and ".join(self.formats) or "nothing"
        return f"read as {formats}{encodings}{columns}, {counted(self.rows, 'row')}"

    def notes(self) -> list[str]:
        """What was left out or decided besides the rows that were skipped, one line each."""
        return [*self.remarks.notes, *self.labels.left_out()]

    def training_batches(self, kind: type | None = None, *, afresh: bool = False) -> Iterator[Labelled]:
        """The documents to learn, in batches, the labels converted to this type unless it is None.

        At the end, raise ``SourceError`` if a model of these rows would be quietly wrong: too many rows could not be
        read, all rows of a class could not be read, or, for a model trained ``afresh``, only one class is left.
        The option ``allow_partial`` turns this off. A part of the rows (``split``) is not checked: the whole was.
        """
        for batch in self:
            yield Labelled(batch.texts, batch.labels_as(kind), batch.weights, batch.groups)
        problem = lost_rows(self.rows, self.skipped, self.labels)
        if problem is None and afresh:
            problem = only_class(self.skipped, self.labels)
        if problem is not None and not self.reading.allow_partial and self.split is None:
            raise SourceError(
                f"{problem}. Correct the data, or train on the rest: allow_partial=True (--allow-partial)"
            )

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Context manager: log a summary and emit warnings on exit."""
        yield
        for line in (self.summary(), *self.notes(), *self.labels.doubts()):
            logging.getLogger("likely").info(line)
        if self.skipped.count:
            warnings.warn(str(self.skipped), DataWarning, stacklevel=frames_of_ours())
        for line in self.labels.doubts():
            warnings.warn(line, DataWarning, stacklevel=frames_of_ours())

    def _choose(self, reader: Reader) -> Chosen:
        # The columns that are guessed in the first file are those of all other files.
        known_text, known_label, known_weight = remembered_columns(reader, self._remembered)
        text = self.reading.text or (self.chosen.text if self.chosen else known_text)
        label = self.reading.label or (self.chosen.label if self.chosen else known_label)
        if self._has_labels:
            check_labelled(reader)
        for option in ("weight", "group"):
            if getattr(self.reading, option) is not None and not has_names(reader):
                raise SourceError(
                    f"{reader.where} is read as {NAMES[reader.format]}, which has no columns: leave out {option}=... "
                    f"(--{option}), or give a table"
                )
        try:
            chosen = choose(
                reader.sample(),
                text,
                label if self._has_labels else None,
                reader.where,
                labelled=self._has_labels,
                weight=self.reading.weight or (known_weight if self._weighted else None),
                group=self.reading.group,
            )
        except SourceError as error:
            if self._remembered is None:
                raise
            raise SourceError(f"{error}. The model was trained on {self._remembered}") from None
        if not self.chosen and (note := other_columns_note(reader, self._remembered, chosen, self.reading)):
            self.remarks.notes.append(note)
        return chosen

    def _batches(self, reader: Reader, chosen: Chosen) -> Iterator[Batch]:
        before, self._before = self._before, self._before + reader.size()
        for each in reader.batches(chosen, whole=self.whole):
            batch = each.chosen(self.split(each)) if self.split else each
            if self.labelled and self.reading.as_label is not None:
                batch = batch.labelled(self.reading.as_label)
            batch = self.labels.settle(batch, chosen)
            if not len(batch.texts):
                continue
            self.rows += len(batch.texts)
            self.bytes += batch.texts.nbytes
            if self.observe:
                self.observe(self.rows, before + reader.position(), self._total)
            yield batch

    def _readers(self) -> Iterator[Reader]:
        if self.reading.sql is not None:
            database = database_of(self.source)
            extra("pyarrow", "SQL")
            from likely.reading.tables import sql_reader

            yield sql_reader(self.reading.sql, database, self.skipped)
        elif are_places(self.source):
            places = places_of(self.source)
            self._total = size_of(places)
            opening = Opening(self.reading, self.skipped, self._has_labels, self.prompt, self.part, self.remarks)
            for place in places:
                yield from opening.readers(place)
        elif is_frame(self.source):
            extra("pyarrow", "Reading rows" if are_rows(self.source) else "Reading a frame")
            from likely.reading.tables import frame_reader

            yield frame_reader(self.source, self.skipped)
        else:
            raise SourceError(
                f"cannot read labelled texts from a {type(self.source).__name__}: give a path, a frame, "
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
        raise OptionError(
            f"{next(iter(reading))} has no effect on a Corpus, which has its own reading options: leave it out"
        )
    return source
