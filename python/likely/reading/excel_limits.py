"""Limits of workbooks: a small file must not become gigabytes when it is opened.

A workbook is a zip archive of XML files, and the library that reads it keeps all cells between the first and the last
one in memory. So the archive is unpacked piece by piece, without keeping it, and its cells are counted before that.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from typing import IO, TYPE_CHECKING

from likely.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 1 << 30
"""The maximum number of bytes of a workbook, unpacked."""
MOST_CELLS = 20_000_000
"""The maximum number of cells of a sheet: all rows times all columns, also where cells are empty."""

_PIECE = 1 << 20
_CELL = re.compile(rb"<(?:\w+:)?c\b")
_PLACE = re.compile(rb"<(?:\w+:)?c\b[^>]*?\sr\s*=\s*[\"']([A-Za-z]+)([0-9]+)[\"']")
_ROW = re.compile(rb"<(?:\w+:)?row\b")
_ROW_NUMBER = re.compile(rb"<(?:\w+:)?row\b[^>]*?\sr\s*=\s*[\"']([0-9]+)[\"']")
_LOCAL_HEADER = 30
_STORED, _DEFLATED = 0, 8


def check_workbook(file: IO[bytes], where: str) -> None:
    """Raise ``SourceError`` if a workbook is larger than may be read."""
    try:
        is_small = _is_small(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, zlib.error, struct.error) as error:
        raise SourceError(f"{where}: cannot be read as a workbook: {error}") from error
    if not is_small:
        raise SourceError(f"{where} has more cells than a workbook may have here: save it as CSV")
    file.seek(0)


def _is_small(file: IO[bytes]) -> bool:
    left = MOST_BYTES
    for entry in zipfile.ZipFile(file).infolist():
        cells = _Cells()
        for piece in _unpacked(file, entry):
            left -= len(piece)
            cells.add(piece)
            if left < 0 or cells.number > MOST_CELLS:
                return False
    return True


def _unpacked(file: IO[bytes], entry: zipfile.ZipInfo) -> Iterator[bytes]:
    """The bytes of a file of the archive in pieces, all of them: the size that the archive claims is not believed."""
    file.seek(entry.header_offset)
    name, extra = struct.unpack("<HH", file.read(_LOCAL_HEADER)[26:])
    file.seek(name + extra, 1)
    left, inflate = entry.compress_size, zlib.decompressobj(-zlib.MAX_WBITS)
    while left > 0 and (packed := file.read(min(left, _PIECE))):
        left -= len(packed)
        if entry.compress_type == _STORED:
            yield packed
            continue
        if entry.compress_type != _DEFLATED:
            raise NotImplementedError(f"the compression {entry.compress_type} is not read")
        while packed:
            yield inflate.decompress(packed, _PIECE)
            packed = inflate.unconsumed_tail


class _Cells:
    """The number of cells of a sheet, counted as its XML goes by."""

    def __init__(self) -> None:
        self._rows = self._last_row = self._last_column = self._widest = self._width = 0
        self._rest = b""

    @property
    def number(self) -> int:
        """All rows times all columns. A cell or row without a place of its own is next to the one before it."""
        is_endless = len(self._rest) > _PIECE  # a tag that does not end within a piece hides what is in it
        return (
            MOST_CELLS + 1 if is_endless else max(self._rows, self._last_row) * max(self._last_column, self._widest)
        )

    def add(self, piece: bytes) -> None:
        """Count the cells of the next piece."""
        # An element that has not ended is counted with the next piece.
        text = self._rest + piece
        end = text.rfind(b">") + 1
        text, self._rest = text[:end], text[end:]
        for at, row in enumerate(_ROW.split(text)):
            self._width = (self._width if at == 0 else 0) + len(_CELL.findall(row))
            self._widest = max(self._widest, self._width)
            self._rows += at > 0
        places = _PLACE.findall(text)
        self._last_column = max(self._last_column, *map(_column, {letters for letters, _ in places} or {b""}))
        rows = {number for _, number in places} | set(_ROW_NUMBER.findall(text))
        self._last_row = max(self._last_row, *map(int, rows or {b"0"}))


def _column(letters: bytes) -> int:
    """The number of a column: A is 1, AA is 27."""
    number = 0
    for letter in letters.upper()[:4]:
        number = 26 * number + letter - 64
    return number
