"""Excel workbooks: one row per document, read as JSON Lines with one object per row of the sheet."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from likely.errors import SourceError
from likely.extras import extra
from likely.reading.batch import check_names
from likely.reading.columns import check_header
from likely.reading.records import SAMPLE, JsonReader, RecordReader
from likely.reading.stream import ERRORS, entry, name_of, unopened
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from python_calamine import CalamineSheet, CalamineWorkbook

    from likely.reading.batch import Batch, Chosen, Lines, Skipped, Table
    from likely.reading.stream import FilePath

    Cell: TypeAlias = int | float | str | bool | dt.time | dt.date | dt.datetime | dt.timedelta

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
        return {name: [_text(cell) for cell in column if cell != ""] for name, column in columns}

    def batches(self, chosen: Chosen, *, whole: bool = True) -> Iterator[Batch]:
        """All rows, in batches."""
        self._lines.lines = self._objects_of(self.columns.index(chosen.text))
        return super().batches(chosen, whole=whole)

    def _objects_of(self, text: int) -> Iterator[bytes]:
        """One line per row of the sheet, which is empty for an empty row; ``text`` is the column of the texts."""
        number = self._first_row
        for at, row in chain(self._ahead, self._later):
            values = [_value(cell) for cell in row]
            values[text] = None if row[text] == "" else _text(row[text])
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

    def position(self) -> int:
        """The size of the file, because all of it is read at once."""
        return self._size

    def size(self) -> int:
        """The number of bytes of the file."""
        return self._size

    def close(self) -> None:
        """Nothing: the file is closed already."""


def _sheet(path: FilePath, where: str, wanted: str | None, notes: list[str]) -> CalamineSheet:
    """The sheet that is read."""
    calamine = extra("python_calamine", "Reading Excel workbooks")
    try:
        book: CalamineWorkbook = calamine.CalamineWorkbook.from_filelike(_checked(path, where))
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


def _checked(path: FilePath, where: str) -> io.BytesIO:
    """The bytes of a workbook that is not too large to be read."""
    try:
        with entry(path) if isinstance(path, zipfile.Path) else path.open("rb") as file:
            data = file.read(LARGEST_WORKBOOK + 1)
    except ERRORS as error:
        raise unopened(path, error) from error
    if len(data) > LARGEST_WORKBOOK:
        raise SourceError(f"{where} is larger than {LARGEST_WORKBOOK >> 20} MB: save it as CSV")
    return io.BytesIO(data)


def _first_with_rows(book: CalamineWorkbook, where: str, notes: list[str]) -> CalamineSheet:
    """The first visible sheet that has rows. If there are others, a note says so."""
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    found, titles = [], []
    for each in book.sheets_metadata:
        if each.typ != SheetTypeEnum.WorkSheet or each.visible != SheetVisibleEnum.Visible:
            continue
        sheet = book.get_sheet_by_name(each.name)
        if sheet.height > 1:  # a single row is a title
            found.append(sheet)
        elif sheet.height:
            titles.append(sheet)
    if not found + titles:
        raise SourceError(f"{where} is empty: no visible sheet has rows")
    first, *others = found or titles
    if others:
        names = ", ".join(each.name for each in others)
        notes.append(
            f"{where}: the sheet {first.name} is read, others are not ({names}): name one with sheet=... (--sheet)"
        )
    return first


def _names(header: list[Cell]) -> list[str]:
    """The names of the columns. A column without a name is called by its letters, as in the workbook."""
    return [_text(cell).strip() or _letters(at) for at, cell in enumerate(header)]


def _letters(column: int) -> str:
    """The letters of a column: 0 is A, 26 is AA."""
    before, last = divmod(column, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def _value(cell: Cell) -> str | int | float | None:
    """A cell as JSON: null if it is empty, a number if it is one, and text if it is a date or a truth value."""
    if isinstance(cell, float) and not isinstance(cell, bool):
        return int(cell) if cell.is_integer() and abs(cell) < _WHOLE else cell
    return None if cell == "" else _text(cell)


def _text(cell: Cell) -> str:
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
