"""Files of rows that the kernel parses: CSV, TSV, JSON, fastText lines, plain lines; Excel, as JSON Lines."""

from __future__ import annotations

import datetime as dt
import io
import json
import re
import zipfile
from codecs import BOM_UTF8
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from likely import _native
from likely.errors import SourceError
from likely.extras import extra
from likely.labels import CodedLabels
from likely.reading.batch import Batch, Chosen, Lines, Reader, Skipped, Table, check_names, without_problem
from likely.reading.columns import TEXT_NAMES, check_header, read_groups, read_weights
from likely.reading.formats import MARK, declared, guessed
from likely.reading.stream import CHUNK, ERRORS, LONGEST_ROW, UTF_8, FilePath, Stream, entry, name_of, unopened
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import numpy.typing as npt
    from python_calamine import CalamineSheet, CalamineWorkbook

    from likely.types import Array, Ids

    Cell: TypeAlias = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta


class Unweighted(NamedTuple):
    """A row whose weight cannot be read, described as the kernel describes the others (`_native.BadRow`)."""

    row: int
    line: int
    problem: str
    label: str | None


def _unweighted(chunk: bytes, records: _native.Records, problems: Mapping[int, str]) -> Iterator[Unweighted]:
    """The rows whose weight cannot be read, in order."""
    numbers = np.arange(records.rows)
    if len(records.starts) < records.rows:  # the others are left out
        numbers = np.delete(numbers, [bad.row for bad in records.bad])
    labels, codes = records.labels
    lines = before = 0
    for at, problem in problems.items():
        start = int(records.starts[at])
        lines += chunk.count(b"\n", before, start)
        before = start
        yield Unweighted(int(numbers[at]), lines, problem, labels[codes[at]] if len(codes) else None)


SAMPLE = 200
"""The number of rows from which the columns are guessed."""


class RecordReader(Reader):
    """Reads a file chunk by chunk. The complete rows of a chunk are a batch; the rest waits for the next chunk."""

    format = ""
    has_lines = True
    """Whether each row begins on a line of its own in the file, which messages name."""

    def __init__(self, stream: Stream | SheetLines, skipped: Skipped) -> None:
        self.where = stream.where
        self.columns: list[str] = []
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

    def position(self) -> int:
        """The number of bytes that have been read."""
        return self._stream.position()

    def size(self) -> int:
        """The number of bytes in all, or 0 if it is not known."""
        return self._stream.size()

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

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
            weights, problems = self._weights(records, chosen)
            found: list[_native.BadRow | Unweighted] = [*records.bad, *_unweighted(chunk, records, problems)]
            for bad in sorted(found, key=lambda each: each.row):
                place = line + bad.line if self.has_lines else None
                self._skipped.add(self.where, row + bad.row, self._problem(bad), line=place, label=bad.label)
            if len(records.starts):
                yield self._batch(chunk, records, chosen, weights, problems)
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
        del bad
        return line

    def _problem(self, bad: _native.BadRow | Unweighted) -> str:
        """The problem of a row in words. The kernel knows only UTF-8."""
        return bad.problem if self._stream.encoding is None else bad.problem.replace(UTF_8, self._stream.encoding)

    def _weights(self, records: _native.Records, chosen: Chosen) -> tuple[Array | None, dict[int, str]]:
        """The weights of rows, and the problem of each row whose weight cannot be read."""
        if chosen.weight is None:
            return None, {}
        weights, problems = read_weights(records.columns[1].to_pylist())
        if chosen.label is None:  # rows that the kernel cannot read are among the others, and are named already
            for bad in records.bad:
                problems.pop(bad.row, None)
        return weights, problems

    def _batch(
        self,
        chunk: bytes,
        records: _native.Records,
        chosen: Chosen,
        weights: Array | None,
        unweighted: Mapping[int, str],
    ) -> Batch:
        starts, ends, texts = records.starts, records.ends, records.columns[0]
        groups = None if chosen.group is None else read_groups(records.columns[-1].to_pylist(), texts)
        if chosen.label is not None:
            lines = Lines(chunk, starts, ends)
            labels = typed(*records.labels, records.kinds)
            batch = Batch(texts, labels, partial(self._rows, lines), lines, weights=weights, groups=groups)
            return batch.chosen(without_problem(len(starts), unweighted)) if unweighted else batch
        instead = {bad.row: self._mended(chunk[starts[bad.row] : ends[bad.row]], bad) for bad in records.bad}
        lines = Lines(chunk, starts, ends, instead)
        problems = {bad.row: self._problem(bad) for bad in records.bad} | dict(unweighted)
        return Batch(texts, None, partial(self._rows, lines), lines, problems, weights, groups)


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


def _marks(line: str) -> Iterator[str]:
    """The labels at the start of a line."""
    for word in line.split():
        if not word.startswith(MARK):
            return
        yield word.removeprefix(MARK)


_LOOK = 8 << 20
"""At most this many bytes are searched for the first row."""


class CsvReader(RecordReader):
    """Reads comma, semicolon or tab separated values, with or without a header."""

    _declared_bytes = 0
    """The number of bytes of a first line such as ``sep=;``, which declares the delimiter."""

    def __init__(self, stream: Stream, skipped: Skipped, *, header: bool | None, tabs: bool) -> None:
        super().__init__(stream, skipped)
        self.format = "tsv" if tabs else "csv"
        self._has_header = header is not False
        self._is_sure = header is not None
        while b"\n" not in self._head() and stream.more_head():
            pass
        self._broken = 0
        found = declared(self._head())
        self.delimiter = found[0] if found else "\t" if tabs else guessed(self._head())
        start = self._head()[: found[1] if found else 0]
        self._declared_bytes = len(start)
        self.declaration = start.strip(b"\r\n") or None
        """The first line that declares the delimiter, such as ``sep=;``, without its line end; None without one."""
        fields, self._header_bytes = self._first_row()
        self.columns = fields if self._has_header else [str(at) for at in range(1, len(fields) + 1)]
        check_names(self.columns, self.where)
        if not self.columns:
            raise SourceError(f"{self.where} is empty: it has neither a header nor a row")

    def _head(self) -> bytes:
        return super()._head()[self._declared_bytes :]

    @property
    def header(self) -> bytes | None:
        """The header as it is in the file, without its line end; None if the file has no header."""
        return self._header_bytes.strip(b"\r\n") if self._has_header else None

    @property
    def line_end(self) -> bytes:
        """The line end of the file."""
        return b"\r\n" if self._header_bytes.endswith(b"\r\n") else b"\n"

    def _first_row(self) -> tuple[list[str], bytes]:
        """The fields of the first row, and its bytes with the line end."""
        found = _native.read_header(self._head(), False, self.delimiter)
        while found is None and self._stream.more_head():
            found = _native.read_header(self._head(), False, self.delimiter)
        head = self._head()
        found = found or _native.read_header(head, True, self.delimiter)
        if found is None:
            raise SourceError(f"{self.where}: its first line is not a header: a quote in it is not closed")
        fields, length = found
        if b"\r" in head[:length].rstrip(b"\r\n").replace(b"\r\n", b""):
            raise SourceError(
                f"{self.where}: its lines end with CR alone: convert them to LF, as with tr '\\r' '\\n'"
            )
        return [field.decode("utf-8", "replace") for field in fields if fields != [b""]], head[:length]

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column."""
        head = self._head()[len(self._header_bytes) if self._has_header else 0 :]
        everything = list(range(len(self.columns)))
        records = self._read(head, False, everything)
        while not len(records.starts) and len(head) < _LOOK and self._stream.more_head():
            head = self._head()[len(self._header_bytes) if self._has_header else 0 :]
            records = self._read(head, False, everything)
        if not len(records.starts):  # the file has a single row without a line end
            records = self._read(head, True, everything)
        columns = [column.to_pylist()[:SAMPLE] for column in records.columns]
        sample = dict(zip(self.columns, columns, strict=True))
        if self._has_header and not self._is_sure:
            check_header(sample, self.where)
        return sample

    def _read(
        self, chunk: bytes, last: bool, columns: list[int], *, has_label: bool = False, broken: int = 0
    ) -> _native.Records:
        layout = _native.CsvLayout(self.delimiter, len(self.columns), columns, has_label, LONGEST_ROW)
        return _native.read_csv(chunk, last, layout, broken)

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        columns = [self.columns.index(name) for name in chosen.names]

        def parse(chunk: bytes, last: bool) -> _native.Records:
            records = self._read(chunk, last, columns, has_label=chosen.label is not None, broken=self._broken)
            self._broken = records.broken
            return records

        return parse

    def _begin(self) -> bytes:
        before = self._declared_bytes + len(self._header_bytes)
        chunk = self._stream.read(before + len(BOM_UTF8)).removeprefix(BOM_UTF8)[self._declared_bytes :]
        return chunk[len(self._header_bytes) :] if self._has_header else chunk

    def _header_lines(self) -> int:
        return (self._declared_bytes > 0) + (self._header_bytes.count(b"\n") if self._has_header else 0)

    def _rows(self, lines: Lines) -> Table:
        # Other columns may contain bytes that are not valid UTF-8.
        rows = b"\n".join(lines).decode("utf-8", "replace").encode()
        records = self._read(rows, True, list(range(len(self.columns))))
        return dict(zip(self.columns, records.columns, strict=True))

    def _mended(self, line: bytes, bad: _native.BadRow) -> bytes:
        """A row with the whole line in its first column, if its fields are not those of the header."""
        if bad.has_fields:
            return line
        return b'"' + line.replace(b'"', b'""') + b'"' + self.delimiter.encode() * (len(self.columns) - 1)


_LINE = "line"
"""The field with a line that is not an object."""


class JsonReader(RecordReader):
    """Reads JSON Lines: one object per line."""

    format = "jsonl"
    _units = "lines"

    def __init__(self, stream: Stream, skipped: Skipped) -> None:
        super().__init__(stream, skipped)
        while b"\n" not in self._head().lstrip() and stream.more_head():
            pass
        self._sample = self._objects(self._head())
        self.columns = list(dict.fromkeys(name for row in self._sample for name in row))
        if not self._head().strip():
            raise SourceError(f"{self.where} is empty: it has no JSON object")
        if not self.columns:
            raise SourceError(f"{self.where}: its first {self._units} are not JSON objects, one per row")

    def _objects(self, head: bytes) -> list[dict[str, object]]:
        rows = []
        for line in islice(head.split(b"\n"), SAMPLE):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue  # recorded as skipped when it is read
            if isinstance(row, dict):
                rows.append(row)
        return rows

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text."""
        return {
            name: [_as_text(row[name]) for row in self._sample if row.get(name) is not None] for name in self.columns
        }

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        names, has_label = chosen.names, chosen.label is not None
        return lambda chunk, last: _native.read_jsonl(chunk, last, LONGEST_ROW, names=names, has_label=has_label)

    def _rows(self, lines: Lines) -> Table:
        try:
            rows: list[dict[str, object]] = [json.loads(line) for line in lines]
        except RecursionError:
            raise SourceError(
                f"{self.where}: a row is nested too deeply for a table: write JSON Lines (--output-format jsonl)"
            ) from None
        for at, row in enumerate(rows):
            if at not in lines.instead and not row.keys() <= set(self.columns):
                name = next(name for name in row if name not in self.columns)
                raise SourceError(
                    f"{self.where}: a later row has a new field, {name!r}: write JSON Lines (--output-format jsonl)"
                )
        return {name: [row.get(name) for row in rows] for name in self.columns}

    def _mended(self, line: bytes, bad: _native.BadRow) -> bytes:
        """An object with the whole line, if the line is not an object."""
        del bad  # any problem may come with invalid bytes
        text = line.decode("utf-8", "replace")
        return text.encode() if is_object(text) else json.dumps({_LINE: text}, ensure_ascii=False).encode()


def is_object(line: str | bytes) -> bool:
    """Whether a line is a JSON object.

    Examples
    --------
    >>> is_object('{"text": "good"}'), is_object("[1]"), is_object("{")
    (True, False, False)
    """
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


_TEXT = re.compile(rb'"(?:' + "|".join(TEXT_NAMES).encode() + rb')"\s*:\s*"', re.IGNORECASE)


def has_array(head: bytes, *, is_lines: bool = False) -> bool:
    r"""Whether a file is one array, or one object with an array of objects, and not JSON Lines.

    An object that has a text of its own is a row. If the name of the file says that it is JSON Lines (``is_lines``),
    any object on one line is a row.

    Examples
    --------
    >>> has_array(b'[{"text": "a"}]'), has_array(b'{"count": 1,\n "data": [{"text": "a"}]}')
    (True, True)
    >>> has_array(b'{"text": "a", "words": [{"a": 1}]}\n'), has_array(b'{"words": [{"a": 1}]}\n{"words": []}\n')
    (False, False)
    """
    start = head.removeprefix(BOM_UTF8).lstrip()
    first, _, after = start.partition(b"\n")
    if start.startswith(b"{") and (is_lines or after.strip()) and is_object(first):
        return False
    array = _native.JsonArray()
    array.feed(start)
    return array.begun_at is not None and _TEXT.search(start, 0, array.begun_at) is None


class JsonArrayReader(JsonReader):
    """Reads one array of objects."""

    format = "json"
    _units = "elements"
    has_lines = False

    def __init__(self, stream: Stream, skipped: Skipped) -> None:
        stream.split_array()
        super().__init__(stream, skipped)


# Excel ----------------------------------------------------------------------------------------------------------

LARGEST_WORKBOOK = 256 << 20
"""The maximum number of bytes of a workbook."""
_PIECE = 4 << 20
_WHOLE = 2.0**63
_JSON = json.JSONEncoder(ensure_ascii=False)


class ExcelReader(JsonReader):
    """Reads one sheet of a workbook.

    Parameters
    ----------
    path : FilePath
        The workbook.
    sheet : str or None
        The name of the sheet. Default: the first visible one that has rows.
    header : bool or None
        Whether the first row with a value has the names of the columns. Default: True, but it is checked.
    skipped : Skipped
        Records the rows that cannot be read.
    notes : list of str
        Records which sheet is read, if there are several.
    """

    format = "excel"

    def __init__(
        self, path: FilePath, sheet: str | None, header: bool | None, skipped: Skipped, notes: list[str]
    ) -> None:
        where = name_of(path)
        rows = enumerate(_sheet(path, where, sheet, notes).iter_rows(), start=1)
        filled = ((number, row) for number, row in rows if any(cell != "" for cell in row))
        first = next(filled, None)
        if first is None:
            raise SourceError(f"{where} is empty: it has neither a header nor a row")
        has_header = header is not False
        self._first_row = first[0] + has_header
        self._ahead = ([] if has_header else [first]) + list(islice(filled, SAMPLE))
        self._later = filled
        self._lines = SheetLines(where, path.stat().st_size if isinstance(path, Path) else 0)
        RecordReader.__init__(self, self._lines, skipped)
        self.columns = _names(first[1]) if has_header else [str(at) for at in range(1, len(first[1]) + 1)]
        check_names(self.columns, where)
        if header is None:
            check_header(self.sample(), where)

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text."""
        cells = zip(*(row for _, row in self._ahead), strict=True) if self._ahead else [()] * len(self.columns)
        columns = zip(self.columns, cells, strict=True)
        return {name: [_cell_text(cell) for cell in column if cell != ""] for name, column in columns}

    def batches(self, chosen: Chosen, *, whole: bool = True) -> Iterator[Batch]:
        """All rows, in batches."""
        self._lines.lines = self._objects_of(self.columns.index(chosen.text))
        return super().batches(chosen, whole=whole)

    def _objects_of(self, text: int) -> Iterator[bytes]:
        """One line per row of the sheet, which is empty for an empty row; ``text`` is the column of the texts."""
        number = self._first_row
        for at, row in chain(self._ahead, self._later):
            values = [_value(cell) for cell in row]
            values[text] = None if row[text] == "" else _cell_text(row[text])
            line = _JSON.encode(dict(zip(self.columns, values, strict=True)))
            yield b"\n" * (at - number) + line.encode() + b"\n"
            number = at + 1

    def _header_lines(self) -> int:
        return self._first_row - 1

    def _rows(self, lines: Lines) -> Table:
        rows = [json.loads(line) for line in lines]
        return {name: _alike([row[name] for row in rows]) for name in self.columns}


class SheetLines:
    """The rows of a sheet as bytes."""

    is_patient = True
    encoding = recognised = None
    head = b""

    def __init__(self, where: str, size: int) -> None:
        self.where = where
        self.lines: Iterator[bytes] = iter(())
        self._size = size

    def more_head(self) -> bool:
        """False, because the columns are known without it."""
        return False

    def read(self, size: int = _PIECE, begun: bytes = b"") -> bytes:
        """The next rows, behind the bytes of one that has begun; nothing more at the end."""
        rows, length = [begun], 0
        for row in self.lines:
            rows.append(row)
            length += len(row)
            if length >= min(size, _PIECE):
                break
        return b"".join(rows)

    def size(self) -> int:
        """The number of bytes of the file."""
        return self._size

    position = size  # because all of it is read at once

    def close(self) -> None:
        """Nothing: the file is closed already."""


def _sheet(path: FilePath, where: str, wanted: str | None, notes: list[str]) -> CalamineSheet:
    """The sheet that is read."""
    calamine = extra("python_calamine", "Reading Excel workbooks")
    try:
        book: CalamineWorkbook = calamine.CalamineWorkbook.from_filelike(held(path, "save it as CSV"))
        if wanted is None:
            return _first_with_rows(book, where, notes)
        if wanted in book.sheet_names:
            return book.get_sheet_by_name(wanted)
    except calamine.PasswordError as error:
        raise SourceError(f"{where} is encrypted: save it without a password") from error
    except calamine.CalamineError as error:
        raise SourceError(f"{where}: cannot be read as a workbook: {error}") from error
    names = ", ".join(map(printable, book.sheet_names))
    raise SourceError(f"{where}: there is no sheet {printable(wanted)!r}. The sheets are {names}")


def held(path: FilePath, instead: str) -> io.BytesIO:
    """The bytes of a workbook that is not too large to be read; ``instead`` says what to do if it is."""
    try:
        with entry(path) if isinstance(path, zipfile.Path) else path.open("rb") as file:
            data = file.read(LARGEST_WORKBOOK + 1)
    except ERRORS as error:
        raise unopened(path, error) from error
    if len(data) > LARGEST_WORKBOOK:
        raise SourceError(f"{name_of(path)} is larger than {LARGEST_WORKBOOK >> 20} MB: {instead}")
    return io.BytesIO(data)


def _first_with_rows(book: CalamineWorkbook, where: str, notes: list[str]) -> CalamineSheet:
    """The first visible sheet that has rows. If there are others, a note says so."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    visible = (SheetTypeEnum.WorkSheet, SheetVisibleEnum.Visible)
    sheets = [
        book.get_sheet_by_name(each.name) for each in book.sheets_metadata if (each.typ, each.visible) == visible
    ]
    # A single row is a title.
    found = [each for each in sheets if each.height > 1] or [each for each in sheets if each.height]
    if not found:
        raise SourceError(f"{where} is empty: no visible sheet has rows")
    first, *others = found
    if others:
        names = ", ".join(each.name for each in others)
        notes.append(
            f"{where}: the sheet {first.name} is read, others are not ({names}): name one with sheet=... (--sheet)"
        )
    return first


def _names(header: list[Cell]) -> list[str]:
    """The names of the columns. A column without a name is called by its letters, as in the workbook."""
    return [_cell_text(cell).strip() or _letters(at) for at, cell in enumerate(header)]


def _letters(column: int) -> str:
    """The letters of a column: 0 is A, 26 is AA."""
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def _value(cell: Cell) -> str | int | float | None:
    """A cell as JSON: null if it is empty, a number if it is one, and text if it is a date or a truth value."""
    if isinstance(cell, float) and not isinstance(cell, bool):
        return int(cell) if cell.is_integer() and abs(cell) < _WHOLE else cell
    return None if cell == "" else _cell_text(cell)


def _cell_text(cell: Cell) -> str:
    """A cell as text, as Excel writes it to CSV; dates as in ISO 8601."""
    if isinstance(cell, bool):
        return str(cell).upper()
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < _WHOLE:
        return str(int(cell))
    return cell.isoformat(sep=" ") if isinstance(cell, dt.datetime) else str(cell)


def _alike(values: list[object]) -> list[object]:
    """The values of a column, all as text if only some are text."""
    kinds = {type(value) for value in values if value is not None}
    is_mixed = str in kinds and len(kinds) > 1
    return [None if value is None else str(value) for value in values] if is_mixed else values
