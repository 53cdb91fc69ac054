"""Files of rows that the kernel parses: CSV, TSV, JSON Lines, fastText lines, plain lines."""

from __future__ import annotations

from codecs import BOM_UTF8
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import SourceError
from likely.labels import CodedLabels
from likely.reading.batch import Batch, Chosen, Lines, Table
from likely.reading.files.decoding import UTF_8
from likely.reading.files.stream import CHUNK, LONGEST_ROW
from likely.reading.records.beside import Beside

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import numpy.typing as npt

    from likely import _native
    from likely.reading.files.stream import Feed
    from likely.reading.records.beside import Unweighted
    from likely.reading.skipped import Skipped
    from likely.types import Ids, Mask


SAMPLE = 200
"""The number of rows from which the columns are guessed."""


class RecordReader:
    """Reads a file chunk by chunk. The complete rows of a chunk are a batch; the rest waits for the next chunk."""

    format = ""
    has_lines = True
    """Whether each row begins on a line of its own in the file, which messages name."""

    def __init__(self, stream: Feed, skipped: Skipped) -> None:
        self.where = stream.where
        self.columns: list[str] = []
        self.row_columns: list[str] | None = None
        self.position = stream.position
        self.size = stream.size
        self.close = stream.close
        self._stream = stream
        self._skipped = skipped

    @property
    def encoding(self) -> str | None:
        """The encoding of the file, as Python names it; None for UTF-8."""
        return self._stream.encoding

    @property
    def recognised(self) -> str | None:
        """The encoding of the file, if it was recognised and is not UTF-8."""
        return self._stream.recognised

    def batches(self, chosen: Chosen, *, whole: bool = True) -> Iterator[Batch]:
        """All rows, one batch per chunk of the file."""
        del whole  # a batch has the whole rows in any case
        parse = self._parser(chosen)
        row, line = 1, 1 + self._header_lines()
        chunk, wanted, ended = self._begin(), 0, False
        # If rows are returned as soon as they arrive, the bytes that are here already are parsed first.
        at_hand = bool(chunk) and not self._stream.is_patient
        while not ended:
            if not at_hand:
                before, chunk = len(chunk), self._stream.read(CHUNK, chunk)
                ended = len(chunk) == before
                if not ended and len(chunk) < wanted:
                    continue
            at_hand = False
            records = parse(chunk, ended)
            beside = Beside.of(records, chosen)
            for bad in _in_order(records.bad, beside.bad(chunk, records)) if beside.problems else records.bad:
                place = line + bad.line if self.has_lines else None
                self._skipped.add(self.where, row + bad.row, self._problem(bad), line=place, label=bad.label)
            if len(records.starts):
                yield self._batch(chunk, records, chosen, beside)
            row += records.rows
            line += records.passed + records.cut
            # An incomplete row is not parsed again before it has doubled. Otherwise the time would be quadratic.
            wanted = 0 if records.used else min(2 * len(chunk), LONGEST_ROW + 1)
            chunk = chunk[records.used :] if not records.cut else self._after_line_end()

    def _after_line_end(self) -> bytes:
        """The bytes after the end of the current line."""
        while more := self._stream.read():
            _, end, after = more.partition(b"\n")
            if end:
                return after
        return b""

    def _begin(self) -> bytes:
        """The first bytes of the first row, as far as they have been read."""
        head = self._stream.read(1)
        return head.removeprefix(BOM_UTF8)

    def _head(self) -> bytes:
        return self._stream.head.removeprefix(BOM_UTF8)

    def _header_lines(self) -> int:
        return 0

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        raise NotImplementedError

    def _rows(self, lines: Lines) -> Table:
        raise NotImplementedError

    def _mended(self, line: bytes, bad: _native.BadRow) -> bytes:
        """A row of the format that stands for a line that is not one, or the line itself if it is one."""
        raise NotImplementedError

    def _problem(self, bad: _native.BadRow | Unweighted) -> str:
        """The problem of a row in words. The kernel knows only UTF-8."""
        return bad.problem if self._stream.encoding is None else bad.problem.replace(UTF_8, self._stream.encoding)

    def _batch(self, chunk: bytes, records: _native.Records, chosen: Chosen, beside: Beside) -> Batch:
        starts, ends, texts = records.starts, records.ends, records.columns[0]
        weights, groups = beside.weights, beside.groups
        if chosen.label is not None:
            lines = Lines(chunk, starts, ends)
            labels = typed(*records.labels, records.kinds)
            batch = Batch(texts, labels, partial(self._rows, lines), lines, weights=weights, groups=groups)
            return batch.chosen(_others(len(starts), beside.problems)) if beside.problems else batch
        instead = {bad.row: self._mended(chunk[starts[bad.row] : ends[bad.row]], bad) for bad in records.bad}
        lines = Lines(chunk, starts, ends, instead)
        problems = {bad.row: self._problem(bad) for bad in records.bad} | dict(beside.problems)
        return Batch(texts, None, partial(self._rows, lines), lines, problems, weights, groups)


def _in_order(bad: Iterable[_native.BadRow], unweighted: Iterable[Unweighted]) -> list[_native.BadRow | Unweighted]:
    return sorted([*bad, *unweighted], key=lambda each: each.row)


def _others(rows: int, problems: Iterable[int]) -> Mask:
    """True for each row without a problem."""
    good = np.ones(rows, np.bool_)
    good[list(problems)] = False
    return good


def typed(values: list[str], codes: Ids, kinds: npt.NDArray[np.uint8]) -> CodedLabels:
    """The labels with their types in JSON, which must be the same for all: text, whole numbers or booleans."""
    if len(kinds) and (kinds != kinds[0]).any():
        raise SourceError("some labels are text and some are numbers or booleans: give all labels the same type")
    return CodedLabels(list(values), codes).as_kind((str, int, bool)[kinds[0] if len(kinds) else 0])
