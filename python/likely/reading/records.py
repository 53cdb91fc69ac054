"""Files of rows that the kernel parses: CSV, TSV, JSON Lines, fastText lines, plain lines."""

from __future__ import annotations

from codecs import BOM_UTF8
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely import _native
from likely.errors import SourceError
from likely.labels import CodedLabels
from likely.reading.batch import Batch, Chosen, Lines, Table
from likely.reading.columns import read_groups, read_weights
from likely.reading.encodings import UTF_8
from likely.reading.formats import MARK
from likely.reading.stream import CHUNK, LONGEST_ROW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import numpy.typing as npt

    from likely.reading.batch import Skipped
    from likely.reading.stream import Feed, Stream
    from likely.types import Array, Ids, Mask


class Unweighted(NamedTuple):
    """A row whose weight cannot be read, described as the kernel describes the others (`_native.BadRow`)."""

    row: int
    line: int
    problem: str
    label: str | None


@dataclass(frozen=True)
class Beside:
    """The weights and groups of rows, None for what is not read.

    Attributes
    ----------
    weights : array or None
        The weight of each row, 0 where it cannot be read.
    groups : list of str or None
        The group of each row.
    problems : mapping
        Why the weight of a row cannot be read, by the place of the row.
    """

    weights: Array | None = None
    groups: list[str] | None = None
    problems: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, records: _native.Records, chosen: Chosen) -> Beside:
        """The weights and groups of the rows of a chunk."""
        if chosen.weight is None and chosen.group is None:
            return cls()
        texts, *others = records.columns
        weights, problems = (None, {}) if chosen.weight is None else read_weights(others[0].to_pylist())
        groups = None if chosen.group is None else read_groups(others[-1].to_pylist(), texts)
        if chosen.label is None:  # rows that the kernel cannot read are among the others, and are named already
            named = {bad.row for bad in records.bad}
            problems = {at: problem for at, problem in problems.items() if at not in named}
        return cls(weights, groups, problems)

    def bad(self, chunk: bytes, records: _native.Records) -> Iterator[Unweighted]:
        """The rows whose weight cannot be read, in order."""
        numbers = np.arange(records.rows)
        if len(records.starts) < records.rows:  # the others are left out
            numbers = np.delete(numbers, [bad.row for bad in records.bad])
        labels, codes = records.labels
        lines = before = 0
        for at, problem in self.problems.items():
            start = int(records.starts[at])
            lines += chunk.count(b"\n", before, start)
            before = start
            yield Unweighted(int(numbers[at]), lines, problem, labels[codes[at]] if len(codes) else None)


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


class LineReader(RecordReader):
    """Reads plain text, one document per line; or fastText lines, which start with labels."""

    def __init__(self, stream: Stream, skipped: Skipped, *, marked: bool) -> None:
        super().__init__(stream, skipped)
        self.format = "fasttext" if marked else "lines"
        self.columns = ["text", "label"] if marked else ["text"]
        self._marked = marked

    def sample(self) -> dict[str, list[str]]:
        """No values: the columns are known."""
        return {name: [] for name in self.columns}

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        marked, has_label = self._marked, chosen.label is not None
        return lambda chunk, last: _native.read_lines(chunk, last, LONGEST_ROW, marked=marked, has_label=has_label)

    def _rows(self, lines: Lines) -> Table:
        rows = [line.decode("utf-8", "replace") for line in lines]
        if not self._marked:
            return {"text": list(rows)}
        whole = "".join(row + "\n" for row in rows).encode()
        records = _native.read_lines(whole, True, LONGEST_ROW, marked=True, has_label=False)
        return {"text": records.columns[0], "label": [" ".join(_marks(row)) or None for row in rows]}

    def _mended(self, line: bytes, bad: _native.BadRow) -> bytes:
        """The line itself, because any line is a row."""
        del bad
        return line


def _marks(line: str) -> Iterator[str]:
    """The labels at the start of a line."""
    for word in line.split():
        if not word.startswith(MARK):
            return
        yield word.removeprefix(MARK)
