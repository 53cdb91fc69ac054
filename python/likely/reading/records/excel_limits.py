"""Limits of workbooks: a small file must not become gigabytes when it is opened.

A workbook is a zip archive of XML files, and the library that reads it keeps all cells between the first and the last
one in memory, with a copy of its text in each cell. So the archive is unpacked piece by piece, without keeping it,
and its cells and their texts are counted before that.
"""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from typing import IO, TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.records.excel_texts import StoredTexts, has_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_BYTES = 1 << 30
"""The maximum number of bytes of a workbook, unpacked, and of the texts in the cells of a sheet."""
MOST_CELLS = 20_000_000
"""The maximum number of cells of a sheet: all rows times all columns, also where cells are empty. And of texts."""

_PIECE = 1 << 20
_PLAIN_CELL = re.compile(rb'<c r="([A-Z]{1,3})([0-9]{1,7})"')
_MAYBE_CELLS = (b"<c ", b"<c>", b"<c/", b"<c\t", b"<c\r", b"<c\n", b":c ", b":c>", b":c/", b":c\t", b":c\r", b":c\n")
_ROW_OR_CELL = re.compile(rb"<(?:\w+:)?(row|c)(?=[\s/>])([^>]*)")
_PLACE = re.compile(rb"\sr\s*=\s*[\"']([A-Za-z]*)([0-9]*)[\"']")
_LOCAL_HEADER = 30
_STORED, _DEFLATED = 0, 8


def check_workbook(file: IO[bytes], where: str) -> None:
    """Raise ``SourceError`` if a workbook is larger than may be read."""
    try:
        is_small = _is_small(file)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, zlib.error, struct.error) as error:
        raise SourceError(f"{where}: cannot be read as a workbook: {error}") from error
    if not is_small:
        raise SourceError(f"{where} has more cells or text than a workbook may have here: save it as CSV")
    file.seek(0)


def _is_small(file: IO[bytes]) -> bool:
    left, entries, texts = MOST_BYTES, zipfile.ZipFile(file).infolist(), StoredTexts()
    for entry in entries:
        if has_texts(entry.filename):
            left -= _count(_Texts(texts), _unpacked(file, entry), left)
    for entry in entries:
        counted: _Cells = _PlainCells(texts)
        size = _count(counted, _unpacked(file, entry), left)
        if not counted.is_sure:
            counted = _OddCells(texts)
            size = _count(counted, _unpacked(file, entry), left)
        left -= size if not has_texts(entry.filename) else 0
        if left < 0 or texts.number > MOST_CELLS or counted.is_large:
            return False
    return True


def _count(cells: _Cells, pieces: Iterator[bytes], most: int) -> int:
    """Count the cells of a file, and return its size. Counting stops as soon as the file is too large."""
    size = 0
    for piece in pieces:
        size += len(piece)
        cells.add(piece)
        if size > most or cells.is_large or not cells.is_sure:
            break
    return size


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
    """The number of cells of a sheet, counted as its XML goes by: all rows times all columns."""

    def __init__(self, texts: StoredTexts) -> None:
        self.is_sure = True
        self._texts = texts
        self._size_of_texts = 0
        self._written = self._last_row = self._last_column = 0
        self._rest = b""

    @property
    def is_large(self) -> bool:
        """Whether there are too many cells so far, or too many bytes in them."""
        is_endless = len(self._rest) > _PIECE  # a tag that does not end within a piece hides what is in it
        # A cell may be written more than once.
        number = max(self._last_row * self._last_column, self._written)
        return is_endless or number > MOST_CELLS or self._size_of_texts > MOST_BYTES

    def add(self, piece: bytes) -> None:
        """Count the cells of the next piece. A tag that has not ended is counted with the piece after it."""
        text = self._rest + piece
        end = text.rfind(b">") + 1
        self._rest = text[end:]
        self._size_of_texts += self._texts.size_of(text[:end])
        self._add(text[:end])

    def _add(self, text: bytes) -> None:
        raise NotImplementedError


class _Texts(_Cells):
    """Reads the stored texts, which are not cells themselves."""

    def add(self, piece: bytes) -> None:
        """Take in the next piece. A tag that has not ended is taken in with the piece after it."""
        text = self._rest + piece
        end = text.rfind(b">") + 1
        self._rest = text[end:]
        self._texts.add(text[:end])

    @property
    def is_large(self) -> bool:
        """Whether there are too many texts so far."""
        return len(self._rest) > _PIECE or self._texts.number > MOST_CELLS


class _PlainCells(_Cells):
    """Counts fast, but only cells that are written as Excel writes them; other cells make the number uncertain."""

    def _add(self, text: bytes) -> None:
        places = _PLAIN_CELL.findall(text)
        self._written += len(places)
        self.is_sure = sum(map(text.count, _MAYBE_CELLS)) == len(places)
        self._last_column = max(self._last_column, *map(_column, {letters for letters, _ in places} or {b""}))
        self._last_row = max(self._last_row, *map(int, {row for _, row in places} or {b"0"}))


class _OddCells(_Cells):
    """Counts cells however they are written. A row or cell without a place is next to the one before it."""

    _row = _cell = 0

    def _add(self, text: bytes) -> None:
        for kind, attributes in _ROW_OR_CELL.findall(text):
            # An attribute may pretend to be a place, so the farthest place counts.
            places = _PLACE.findall(attributes)
            row = max((int(number) for _, number in places if number), default=None)
            if kind == b"row":
                self._row, self._cell = self._row + 1 if row is None else row, 0
            else:
                self._written += 1
                self._row = self._row if row is None else row
                self._cell = max((_column(letters) for letters, _ in places), default=self._cell + 1)
                self._last_row = max(self._last_row, self._row)
                self._last_column = max(self._last_column, self._cell)


def _column(letters: bytes) -> int:
    """The number of a column: A is 1, AA is 27."""
    number = 0
    for letter in letters.upper()[:4]:
        number = 26 * number + letter - 64
    return number
