"""The skeleton of a Parquet file, looked at before anything in it is unpacked.

Whoever unpacks a file believes what it says of itself: how many values there are and how large they get. So all of
that is checked here against the bytes that are there. After `check_pages` these hold:

- the pages lie one after another before the footer, and are in the encodings that we write;
- there are as many rows as the plain columns have room for;
- unpacked, with every string written out, it is at most `RATIO` times as large as the file and `SLACK` more.

Fields are named by their numbers in ``parquet.thrift`` of Apache Parquet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likely import _native
from likely.errors import ModelFileError
from likely.storage.thrift import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

KEY = b"likely"
"""The name of the JSON document in the footer."""

RATIO, SLACK = 100, 16 << 20
"""A file of n bytes may unpack to RATIO n + SLACK bytes."""

MAGIC = b"PAR1"
"""What a Parquet file begins and ends with."""

_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _DELTA_BYTE_ARRAY, _RLE_DICTIONARY = 0, 7, 8
_UNCOMPRESSED, _ZSTD = 0, 6
_BOOLEAN, _INT64, _FLOAT, _BYTE_ARRAY = 0, 2, 4, 6
_REQUIRED = 0
_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Skeleton:
    """What the footer says: the columns with their physical types, rows, row groups, and the JSON document."""

    columns: dict[str, int]
    rows: int
    groups: list[Any]
    document: bytes
    footer: int
    """Where the footer begins."""


@dataclass(frozen=True)
class _Page:
    """A page: whose it is, what its header says, and where its bytes are."""

    column: str
    codec: int
    kind: int
    size: int
    packed: int
    values: int
    encoding: int
    at: int


def read_footer(data: bytes) -> Skeleton:
    """The skeleton of a file of ours; ``ModelFileError`` says what it is instead."""
    footer = _footer_start(data)
    fields = Reader(data, footer, len(data) - 8).struct()
    documents = {pair.get(1): pair.get(2) for pair in fields.get(5, [])}
    document = documents.pop(KEY, None)
    if document is None:
        raise ModelFileError("it is a Parquet file, but no model of likely's")
    if documents or {8, 9} & set(fields):  # such as a schema to be unpacked, or encryption
        raise ModelFileError("its footer holds more than likely writes")
    return Skeleton(_columns(fields[2]), fields[3], fields[4], document, footer)


def _footer_start(data: bytes) -> int:
    if not data:
        raise ModelFileError("it is empty")
    if data[:4] != MAGIC:
        raise ModelFileError("it is no Parquet file, so it is no model of likely's")
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    if data[-4:] != MAGIC or not 4 <= start <= len(data) - 8:
        raise ModelFileError("it is cut off or damaged: it does not end as a Parquet file does; get a fresh copy")
    return start


def _columns(schema: list[dict[int, Any]]) -> dict[str, int]:
    root, *columns = schema
    names = {column[4].decode(): column.get(1, -1) for column in columns}
    flat = root.get(5) == len(columns) == len(names) and not any(column.get(5) for column in columns)
    if not flat or any(column.get(3) != _REQUIRED for column in columns):
        raise ModelFileError("its columns are not those of a model")
    return names


def check_pages(data: bytes, skeleton: Skeleton, classes: int) -> None:
    """Raise ``ModelFileError`` unless the file is sound as described above, and has at most so many classes."""
    pages = _all_pages(data, skeleton, classes)
    left = RATIO * len(data) + SLACK - sum(page.size for page in pages)
    for page in pages:
        if left >= 0 and page.encoding == _DELTA_BYTE_ARRAY:
            left -= _strings_size(data, page)
    if left < 0:
        raise ModelFileError(
            f"it would unpack to more than {RATIO} times its size and {SLACK >> 20} MiB: likely writes no such model"
        )


def _all_pages(data: bytes, skeleton: Skeleton, classes: int) -> list[_Page]:
    pages: list[_Page] = []
    at, rows = len(MAGIC), 0
    for group in skeleton.groups:
        if len(group[1]) != len(skeleton.columns):
            raise ModelFileError("a row group has other columns than the file")
        for (name, kind), chunk in zip(skeleton.columns.items(), group[1], strict=True):
            start, end = _chunk_range(name, kind, chunk, group[3])
            if not at <= start <= end <= skeleton.footer:  # in between, older pyarrows repeat some of the footer
                raise ModelFileError(f"its column {name!r} does not lie where it should")
            found = list(_pages(data, name, chunk[3][4], start, end))
            for place, page in enumerate(found):
                _check_page(page, kind, place, classes)
            if sum(page.values for page in found if page.kind == _DATA_PAGE) != group[3]:
                raise ModelFileError(f"its column {name!r} has not as many values as there are rows")
            pages += found
            at = end
        rows += group[3]
    if rows != skeleton.rows:
        raise ModelFileError("its row groups have not as many rows as it should have")
    return pages


def _chunk_range(name: str, kind: int, chunk: dict[int, Any], rows: int) -> tuple[int, int]:
    """Where a column of a row group begins and ends, it says."""
    fields = chunk[3]
    ours = fields[3] == [name.encode()] and fields[1] == kind and fields[5] == rows
    # Others than 2 and 3 would be another file to read, encryption, or indexes of pages.
    if not ours or set(chunk) - {2, 3} or fields[4] not in (_UNCOMPRESSED, _ZSTD):
        raise ModelFileError(f"its column {name!r} is not as likely writes it")
    start = min(fields.get(11, fields[9]), fields[9])
    return start, start + fields[7]


def _pages(data: bytes, column: str, codec: int, at: int, end: int) -> Iterator[_Page]:
    while at < end:
        reader = Reader(data, at, end)
        header = reader.struct()
        kind, size, packed = header[1], header[2], header[3]
        of_kind = header.get(7 if kind == _DICTIONARY_PAGE else 5, {})
        page = _Page(column, codec, kind, size, packed, of_kind.get(1, -1), of_kind.get(2, -1), reader.at)
        sizes = page.size, page.packed, page.values
        if not all(0 <= each <= _LARGEST for each in sizes) or page.at + packed > end:
            raise ModelFileError(f"its column {column!r} has a page that is larger than the file")
        yield page
        at = page.at + packed


def _check_page(page: _Page, kind: int, place: int, classes: int) -> None:
    """A page is as we write it; plain values have exactly the room that they need."""
    if page.kind == _DICTIONARY_PAGE:
        fits = page.column == "class" and place == 0 and page.encoding == _PLAIN and page.values <= classes
    else:
        fits = page.kind == _DATA_PAGE and {
            (_INT64, _PLAIN): page.size == 8 * page.values,
            (_FLOAT, _PLAIN): page.size == 4 * page.values,
            (_BOOLEAN, _PLAIN): page.size == (page.values + 7) // 8,
            (_BYTE_ARRAY, _PLAIN): page.size >= 4 * page.values,
            (_BYTE_ARRAY, _DELTA_BYTE_ARRAY): page.column == "term",
            (_BYTE_ARRAY, _RLE_DICTIONARY): page.column == "class",
            (_INT64, _RLE_DICTIONARY): page.column == "class",
        }.get((kind, page.encoding), False)
    if not fits:
        raise ModelFileError(f"its column {page.column!r} has a page that likely does not write")


def _strings_size(data: bytes, page: _Page) -> int:
    """How many bytes the strings of a page have, which are written by what they share with the one before."""
    content = data[page.at : page.at + page.packed]
    if page.codec == _ZSTD:
        import pyarrow as pa

        content = pa.decompress(content, page.size, codec="zstd", asbytes=True)
    size = _native.delta_strings_size(content, page.values)
    if size is None:
        raise ModelFileError("its terms are damaged")
    return size
