"""Files with a row a line or so: CSV, TSV, JSON Lines, fastText's lines, plain lines. The kernel reads them."""

from __future__ import annotations

import json
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from likely import _native
from likely.corpus.batch import Batch, Chosen, Lines, Skipped, check_names
from likely.corpus.formats import LABEL_NAMES, MARK, TEXT_NAMES
from likely.corpus.stream import CHUNK, LONGEST_ROW, Stream
from likely.errors import SourceError
from likely.labels import CodedLabels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa


_LOOK = 8 << 20
"""How many bytes are looked at to find a row."""

SAMPLE = 200
"""How many rows are looked at to guess the columns."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DELIMITERS = ",;\t|"


class RecordReader:
    """What all such files have in common: chunk by chunk, rows that ended are handed on and the rest is kept."""

    format = ""

    def __init__(self, stream: Stream, skipped: Skipped) -> None:
        if stream.head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise SourceError(f"{stream.where} is UTF-16: say so with encoding='utf-16' (--encoding utf-16)")
        self.where = stream.where
        self.columns: list[str] = []
        self.row_columns: list[str] | None = None
        self.position = stream.position
        self.size = stream.size
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
                more = self._stream.read(CHUNK)
                chunk, ended = chunk + more if chunk else more, not more
                if more and len(chunk) < wanted:
                    continue
            at_hand = False
            records = parse(chunk, ended)
            for at, problem in records.bad:
                self._skipped.add(self.where, line + at, problem)
            if len(records.starts):
                yield self._batch(chunk, records, chosen)
            line += records.passed + records.cut
            # A row that does not end is not looked at again before it has doubled: else time would be quadratic.
            wanted = 0 if records.used else min(2 * len(chunk), LONGEST_ROW + 1)
            chunk = chunk[records.used :] if not records.cut else self._after_line_end()

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
        labels = typed(*records.labels, records.kinds) if chosen.label is not None else None
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

    def __init__(self, stream: Stream, skipped: Skipped, *, header: bool | None, tabs: bool) -> None:
        super().__init__(stream, skipped)
        self.format = "tsv" if tabs else "csv"
        self._has_header = header is not False
        self._is_sure = header is not None
        while b"\n" not in self._head() and stream.more_head():
            pass
        first = self._head().split(b"\n", 1)[0]
        self._broken = 0
        self.delimiter = "\t" if tabs else max(_DELIMITERS, key=lambda each: _outside_quotes(first, each))
        fields, self._header_bytes = self._first_row()
        self.columns = fields if self._has_header else [str(at) for at in range(1, len(fields) + 1)]
        check_names(self.columns, self.where)
        if not self.columns:
            raise SourceError(f"{self.where} is empty: there is no header and no row")

    @property
    def header(self) -> bytes | None:
        """The header as it stands in the file, without its line end; None if there is none."""
        return self._header_bytes.strip(b"\r\n") if self._has_header else None

    @property
    def line_end(self) -> bytes:
        """How lines end."""
        return b"\r\n" if self._header_bytes.endswith(b"\r\n") else b"\n"

    def _first_row(self) -> tuple[list[str], bytes]:
        """The fields of the first row, and its bytes with the line end."""
        found = _native.read_header(self._head(), False, self.delimiter)
        while found is None and self._stream.more_head():
            found = _native.read_header(self._head(), False, self.delimiter)
        head = self._head()
        found = found or _native.read_header(head, True, self.delimiter)
        if found is None:
            raise SourceError(f"{self.where}: its first line is no header: a quote in it is not closed")
        fields, length = found
        if b"\r" in head[:length].rstrip(b"\r\n").replace(b"\r\n", b""):
            raise SourceError(f"{self.where}: its lines end with CR alone: make that LF, as with tr '\\r' '\\n'")
        return [field.decode("utf-8", "replace") for field in fields if fields != [b""]], head[:length]

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column."""
        head = self._head()[len(self._header_bytes) if self._has_header else 0 :]
        everything = list(range(len(self.columns)))
        records = self._read(head, False, everything)
        while not len(records.starts) and len(head) < _LOOK and self._stream.more_head():
            head = self._head()[len(self._header_bytes) if self._has_header else 0 :]
            records = self._read(head, False, everything)
        if not len(records.starts):  # a single row without a line end
            records = self._read(head, True, everything)
        columns = [strings(*column).slice(0, SAMPLE).to_pylist() for column in records.columns]
        sample = dict(zip(self.columns, columns, strict=True))
        if self._has_header and not self._is_sure:
            self._check_header(sample)
        return sample

    def _check_header(self, sample: dict[str, list[str]]) -> None:
        """A header that occurs again as a value is a row."""
        for name, values in sample.items():
            if name and name.lower() not in (*TEXT_NAMES, *LABEL_NAMES) and name in values:
                raise SourceError(
                    f"{self.where}: its first row looks like data, because {name!r} occurs again below: if it has no "
                    "header say header=False (--no-header), if it has one header=True (--header)"
                )

    def _read(
        self, chunk: bytes, last: bool, columns: list[int], *, has_label: bool = False, broken: int = 0
    ) -> _native.Records:
        return _native.read_csv(
            chunk,
            last,
            LONGEST_ROW,
            delimiter=self.delimiter,
            width=len(self.columns),
            columns=columns,
            has_label=has_label,
            broken=broken,
        )

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        wanted = [chosen.text] if chosen.label is None else [chosen.text, chosen.label]
        columns = [self.columns.index(name) for name in wanted]

        def parse(chunk: bytes, last: bool) -> _native.Records:
            records = self._read(chunk, last, columns, has_label=chosen.label is not None, broken=self._broken)
            self._broken = records.broken
            return records

        return parse

    def _begin(self) -> bytes:
        chunk = self._stream.read(len(self._header_bytes) + len(_BYTE_ORDER_MARK)).removeprefix(_BYTE_ORDER_MARK)
        return chunk[len(self._header_bytes) :] if self._has_header else chunk

    def _header_lines(self) -> int:
        return self._header_bytes.count(b"\n") if self._has_header else 0

    def _rows(self, lines: Lines) -> pa.Table:
        import pyarrow as pa

        # Columns that nobody asked for may hold what is no UTF-8.
        rows = b"\n".join(lines).decode("utf-8", "replace").encode()
        records = self._read(rows, True, list(range(len(self.columns))))
        return pa.table([strings(*column) for column in records.columns], names=self.columns)


def _outside_quotes(line: bytes, delimiter: str) -> int:
    """How often a delimiter occurs outside of quotes."""
    return sum(part.count(delimiter.encode()) for part in line.split(b'"')[::2])


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
        while b"\n" not in self._head().lstrip() and stream.more_head():
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

        rows = [_parsed(line, self.where) for line in lines]
        for row in rows:
            if not row.keys() <= set(self.columns):
                name = next(name for name in row if name not in self.columns)
                raise SourceError(f"{self.where}: a later row has a new name, {name!r}: write JSON Lines (jsonl)")
        columns = {name: [row.get(name) for row in rows] for name in self.columns}
        try:
            return pa.table(columns)
        except (pa.ArrowException, OverflowError, UnicodeError, RecursionError) as error:
            raise SourceError(
                f"{self.where}: its rows make no table ({error}): write the result as JSON Lines"
            ) from error


def _parsed(line: bytes, where: str) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
    except RecursionError:
        raise SourceError(f"{where}: a row is nested too deep to make a table of: write JSON Lines (jsonl)") from None
    return row


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

        if not self._marked:
            return pa.table({"text": [line.decode() for line in lines]})
        records = _native.read_lines(b"\n".join(lines), True, LONGEST_ROW, marked=True, has_label=False)
        labels = [" ".join(_marks(line.decode())) or None for line in lines]
        return pa.table({"text": strings(*records.columns[0]), "label": pa.array(labels, pa.string())})


def _marks(line: str) -> Iterator[str]:
    """The labels in front of a line."""
    for word in line.split():
        if not word.startswith(MARK):
            return
        yield word.removeprefix(MARK)
