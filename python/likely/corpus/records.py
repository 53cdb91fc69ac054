"""Files with a row a line or so: CSV, TSV, JSON Lines, fastText's lines, plain lines. The kernel reads them."""

from __future__ import annotations

import csv
import io
import json
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from likely import _native
from likely.corpus.batch import Batch, Chosen, Lines, Skipped
from likely.corpus.stream import CHUNK, Stream
from likely.errors import SourceError
from likely.labels import CodedLabels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa


LONGEST_ROW = 256 << 20
"""How many bytes a row may have."""

SAMPLE = 200
"""How many rows are looked at to guess the columns."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DELIMITERS = ",;\t|"

Parse = "Callable[[bytes, bool], _native.Records]"


class RecordReader:
    """What all such files have in common: chunk by chunk, rows that ended are handed on and the rest is kept."""

    format = ""

    def __init__(self, stream: Stream, skipped: Skipped) -> None:
        if stream.head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise SourceError(f"{stream.where} is UTF-16: make it UTF-8, as with iconv -f UTF-16 -t UTF-8")
        self.where = stream.where
        self.columns: list[str] = []
        self.position = stream.position
        self.close = stream.close
        self._stream = stream
        self._skipped = skipped

    def batches(self, chosen: Chosen, *, whole: bool = True) -> Iterator[Batch]:
        """All rows, a batch for each chunk of the file."""
        del whole  # whole rows are there anyway
        parse = self._parser(chosen)
        line = 1 + self._header_lines()
        chunk, wanted, ended = self._begin(), 0, False
        # Who wants rows as they come shall not wait for more than what has been looked at already.
        at_hand = bool(chunk) and not self._stream.is_patient
        while not ended:
            if not at_hand:
                more = self._stream.read(max(wanted, CHUNK))
                chunk, ended = chunk + more if chunk else more, not more
                if more and len(chunk) < wanted:
                    continue
            at_hand = False
            records = parse(chunk, ended)
            for at, problem in records.bad:
                self._skipped.add(self.where, line + at, problem)
            if len(records.starts):
                yield self._batch(chunk, records, chosen)
            line += records.passed
            # A row that does not end is not looked at again before it has doubled: else time would be quadratic.
            wanted = 0 if records.used else 2 * len(chunk)
            chunk = chunk[records.used :] if not records.cut else self._after_line_end()
            line += records.cut

    def _after_line_end(self) -> bytes:
        """What follows the line that is being read."""
        while more := self._stream.read():
            _, end, after = more.partition(b"\n")
            if end:
                return after
        return b""

    def _begin(self) -> bytes:
        """The first bytes of the first row, so far as they are known."""
        head = self._stream.read(1)
        return head.removeprefix(_BYTE_ORDER_MARK)

    def _head(self) -> bytes:
        return self._stream.head.removeprefix(_BYTE_ORDER_MARK)

    def _header_lines(self) -> int:
        return 0

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        raise NotImplementedError

    def _rows(self, lines: Lines) -> pa.Table:
        raise NotImplementedError

    def _batch(self, chunk: bytes, records: _native.Records, chosen: Chosen) -> Batch:
        lines = Lines(chunk, records.starts, records.ends)
        columns = [strings(*column) for column in records.columns]
        labels = typed(*records.labels, records.kinds) if chosen.label else None
        return Batch(columns[0], labels, partial(self._rows, lines), lines)


def strings(values: Any, offsets: Any) -> pa.Array:
    """The kernel's strings as Arrow's, without a copy."""
    import pyarrow as pa

    return pa.LargeStringArray.from_buffers(len(offsets) - 1, pa.py_buffer(offsets), pa.py_buffer(values))


def typed(values: list[str], codes: Any, kinds: Any) -> CodedLabels:
    """Labels as what they were in JSON: text, or whole numbers, or truth values, if all are."""
    if len(kinds) and (kinds != kinds[0]).any():
        raise SourceError("some labels are text and some are numbers or truth values: write all alike")
    return CodedLabels(list(values), codes).as_kind((str, int, bool)[kinds[0] if len(kinds) else 0])


class CsvReader(RecordReader):
    """Comma, semicolon or tab separated values, with a header or without."""

    def __init__(self, stream: Stream, skipped: Skipped, *, header: bool, tabs: bool) -> None:
        super().__init__(stream, skipped)
        self.format = "tsv" if tabs else "csv"
        self._has_header = header
        while b"\n" not in self._head() and stream.more_head():
            pass
        first = self._head().split(b"\n", 1)[0]
        self.delimiter = "\t" if tabs else max(_DELIMITERS, key=lambda each: _outside_quotes(first, each))
        fields, self._header_bytes = self._first_row()
        self.columns = fields if header else [str(at) for at in range(1, len(fields) + 1)]
        if len(set(self.columns)) < len(self.columns):
            twice = next(name for name in self.columns if self.columns.count(name) > 1)
            raise SourceError(f"{self.where}: two columns are called {twice!r}: rename one")
        if not self.columns:
            raise SourceError(f"{self.where} is empty: there is no header and no row")

    @property
    def header(self) -> bytes | None:
        """The header as it stands in the file, without its line end; None if there is none."""
        return self._header_bytes.rstrip(b"\r\n") if self._has_header else None

    def _first_row(self) -> tuple[list[str], bytes]:
        """The fields of the first row, and its bytes with the line end."""
        while True:
            head = self._head()
            lines = io.StringIO(head.decode("utf-8", "replace"), newline="")
            reader = csv.reader(_lines_of(lines), delimiter=self.delimiter, strict=False)
            csv.field_size_limit(LONGEST_ROW)
            fields = next((row for row in reader if row), [])
            length = _length_of_lines(head, reader.line_num)
            # A header whose quotes close beyond what has been looked at needs a longer look.
            if length < len(head) or not self._stream.more_head():
                return fields, head[:length]

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column."""
        head = self._head()[len(self._header_bytes) if self._has_header else 0 :]
        everything = list(range(len(self.columns)))
        records = self._read(head, False, everything, has_label=False)
        while not len(records.starts) and self._stream.more_head():
            head = self._head()[len(self._header_bytes) if self._has_header else 0 :]
            records = self._read(head, False, everything, has_label=False)
        if not len(records.starts):  # a single row without a line end
            records = self._read(head, True, everything, has_label=False)
        columns = [strings(*column).slice(0, SAMPLE).to_pylist() for column in records.columns]
        return dict(zip(self.columns, columns, strict=True))

    def _read(self, chunk: bytes, last: bool, columns: list[int], *, has_label: bool) -> _native.Records:
        width = len(self.columns)
        return _native.read_csv(
            chunk, last, LONGEST_ROW, delimiter=self.delimiter, width=width, columns=columns, has_label=has_label
        )

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        wanted = [chosen.text] if chosen.label is None else [chosen.text, chosen.label]
        columns = [self.columns.index(name) for name in wanted]
        return partial(self._read, columns=columns, has_label=chosen.label is not None)

    def _begin(self) -> bytes:
        chunk = self._stream.read(len(self._header_bytes) + len(_BYTE_ORDER_MARK)).removeprefix(_BYTE_ORDER_MARK)
        return chunk[len(self._header_bytes) :] if self._has_header else chunk

    def _header_lines(self) -> int:
        return self._header_bytes.count(b"\n") if self._has_header else 0

    def _rows(self, lines: Lines) -> pa.Table:
        import pyarrow as pa

        records = self._read(b"\n".join(lines), True, list(range(len(self.columns))), has_label=False)
        return pa.table([strings(*column) for column in records.columns], names=self.columns)


def _outside_quotes(line: bytes, delimiter: str) -> int:
    """How often a delimiter occurs outside of quotes."""
    return sum(part.count(delimiter.encode()) for part in line.split(b'"')[::2])


def _lines_of(text: io.StringIO) -> Iterator[str]:
    # csv refuses NUL in a header on Python 3.11 no more than in a row: nothing to do but go on.
    yield from text


def _length_of_lines(head: bytes, lines: int) -> int:
    length = 0
    for _ in range(lines):
        end = head.find(b"\n", length)
        if end < 0:
            return len(head)
        length = end + 1
    return length


class JsonReader(RecordReader):
    """JSON Lines: an object a line."""

    format = "jsonl"

    def __init__(self, stream: Stream, skipped: Skipped) -> None:
        super().__init__(stream, skipped)
        while b"\n" not in self._head().strip() and stream.more_head():
            pass
        self._sample = self._objects(self._head())
        self.columns = list(dict.fromkeys(name for row in self._sample for name in row))
        if not self.columns:
            raise SourceError(f"{self.where}: its first lines are no JSON objects: is it JSON Lines?")

    def _objects(self, head: bytes) -> list[dict[str, Any]]:
        rows = []
        for line in islice(head.split(b"\n"), SAMPLE):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue  # counted when it is read
            if isinstance(row, dict):
                rows.append(row)
        return rows

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text."""
        return {
            name: [_as_text(row[name]) for row in self._sample if row.get(name) is not None] for name in self.columns
        }

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        names = [chosen.text] if chosen.label is None else [chosen.text, chosen.label]
        has_label = chosen.label is not None
        return lambda chunk, last: _native.read_jsonl(chunk, last, LONGEST_ROW, names=names, has_label=has_label)

    def _rows(self, lines: Lines) -> pa.Table:
        import pyarrow as pa

        rows = [json.loads(line) for line in lines]
        columns = {name: [row.get(name) for row in rows] for name in self.columns}
        try:
            return pa.table(columns)
        except (pa.ArrowException, OverflowError) as error:
            raise SourceError(
                f"{self.where}: its rows make no table ({error}): write the result as JSON Lines"
            ) from error


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


class LineReader(RecordReader):
    """Plain text, a document a line; or fastText's, with labels in front."""

    def __init__(self, stream: Stream, skipped: Skipped, *, marked: bool) -> None:
        super().__init__(stream, skipped)
        self.format = "fasttext" if marked else "lines"
        self.columns = ["text", "label"] if marked else ["text"]
        self._marked = marked

    def sample(self) -> dict[str, list[str]]:
        """Nothing to look at: the columns are known."""
        return {name: [] for name in self.columns}

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        marked, has_label = self._marked, chosen.label is not None
        return lambda chunk, last: _native.read_lines(chunk, last, LONGEST_ROW, marked=marked, has_label=has_label)

    def _rows(self, lines: Lines) -> pa.Table:
        import pyarrow as pa

        return pa.table({"text": [line.decode("utf-8", "replace") for line in lines]})
