"""Checks of a Parquet file before anything in it is decompressed.

A reader of Parquet allocates the memory that the headers of the file ask for. So the numbers and sizes in all headers
are checked here against the bytes of the file. After `check_pages`:

- the pages follow each other before the footer, in the encodings that `likely` writes;
- there are as many rows as the plain columns have room for;
- the decompressed table, with every string written out, has at most `RATIO` times the size of the file plus `SLACK`.

Fields are named by their numbers in ``parquet.thrift`` of Apache Parquet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely import _native
from likely.errors import ModelFileError
from likely.storage.thrift import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.storage.thrift import Struct

KEY = b"likely"
"""The name of the JSON document in the footer."""

RATIO, SLACK = 100, 16 << 20
"""A file of n bytes may decompress to at most RATIO n + SLACK bytes."""

MAGIC = b"PAR1"
"""The first and the last bytes of a Parquet file."""

_DATA_PAGE, _DICTIONARY_PAGE = 0, 2
_PLAIN, _DELTA_BYTE_ARRAY, _RLE_DICTIONARY = 0, 7, 8
_UNCOMPRESSED, _ZSTD = 0, 6
_BOOLEAN, _INT64, _FLOAT, _BYTE_ARRAY = 0, 2, 4, 6
_REQUIRED = 0
_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Skeleton:
    """The content of the footer."""

    columns: dict[str, int]
    """The physical type of each column."""
    rows: int
    groups: list[Struct]
    """The row groups."""
    document: bytes
    """The JSON document."""
    footer: int
    """The position of the footer in the file."""


@dataclass(frozen=True)
class _Page:
    """A page: its column, the content of its header, and the position of its bytes."""

    column: str
    codec: int
    kind: int
    size: int
    packed: int
    values: int
    encoding: int
    at: int


def read_footer(data: bytes) -> Skeleton:
    """The footer of a model file; ``ModelFileError`` if the file is anything else."""
    footer = _footer_start(data)
    fields = Reader(data, footer, len(data) - 8).struct()
    documents = {pair.get(1): pair.get(2) for pair in fields.get(5, [])}
    document = documents.pop(KEY, None)
    if document is None:
        raise ModelFileError("it is a Parquet file, but not a model of `likely`")
    if documents or {8, 9} & set(fields):  # such as an Arrow schema, or encryption
        raise ModelFileError("its footer holds more than `likely` writes")
    return Skeleton(_columns(fields[2]), fields[3], fields[4], document, footer)


def _footer_start(data: bytes) -> int:
    if not data:
        raise ModelFileError("it is empty")
    if data[:4] != MAGIC:
        raise ModelFileError("it is not a Parquet file, so it is not a model of `likely`")
    start = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    if data[-4:] != MAGIC or not 4 <= start <= len(data) - 8:
        raise ModelFileError("it is cut off or damaged: it does not end as a Parquet file does; get a fresh copy")
    return start


def _columns(schema: list[Struct]) -> dict[str, int]:
    root, *columns = schema
    names = {column[4].decode(): column.get(1, -1) for column in columns}
    flat = root.get(5) == len(columns) == len(names) and not any(column.get(5) for column in columns)
    if not flat or any(column.get(3) != _REQUIRED for column in columns):
        raise ModelFileError("its columns are not those of a model")
    return names


def check_pages(data: bytes, skeleton: Skeleton, classes: int) -> None:
    """Raise ``ModelFileError`` unless the file passes the checks above and has at most this many classes."""
    pages = _all_pages(data, skeleton, classes)
    left = RATIO * len(data) + SLACK - sum(page.size for page in pages)
    for page in pages:
        if left >= 0 and page.encoding == _DELTA_BYTE_ARRAY:
            left -= _strings_size(data, page)
    if left < 0:
        raise ModelFileError(
            f"it would decompress to more than {RATIO} times its size plus {SLACK >> 20} MiB, "
            "which no model of `likely` does"
        )


def _all_pages(data: bytes, skeleton: Skeleton, classes: int) -> list[_Page]:
    pages: list[_Page] = []
    at, rows = len(MAGIC), 0
    for group in skeleton.groups:
        if len(group[1]) != len(skeleton.columns):
            raise ModelFileError("a row group has other columns than the file")
        for (name, kind), chunk in zip(skeleton.columns.items(), group[1], strict=True):
            start, end = _chunk_range(name, kind, chunk, group[3])
            # Older versions of pyarrow repeat a part of the footer between two columns, so there may be gaps.
            if not at <= start <= end <= skeleton.footer:
                raise ModelFileError(f"its column {name!r} is not where it should be")
            found = list(_pages(data, name, chunk[3][4], start, end))
            for place, page in enumerate(found):
                _check_page(page, kind, place, classes)
            if sum(page.values for page in found if page.kind == _DATA_PAGE) != group[3]:
                raise ModelFileError(f"its column {name!r} has more or fewer values than there are rows")
            pages += found
            at = end
        rows += group[3]
    if rows != skeleton.rows:
        raise ModelFileError("its row groups have more or fewer rows than its footer says")
    return pages


def _chunk_range(name: str, kind: int, chunk: Struct, rows: int) -> tuple[int, int]:
    """The start and the end of a column of a row group, by its header."""
    fields = chunk[3]
    ours = fields[3] == [name.encode()] and fields[1] == kind and fields[5] == rows
    # Fields other than 2 and 3 would refer to another file, to encryption, or to page indexes.
    if not ours or set(chunk) - {2, 3} or fields[4] not in (_UNCOMPRESSED, _ZSTD):
        raise ModelFileError(f"its column {name!r} is not as `likely` writes it")
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
    """Raise ``ModelFileError`` unless a page is as `likely` writes it. Plain values need exactly their own size."""
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
        raise ModelFileError(f"its column {page.column!r} has a page that `likely` does not write")


def _strings_size(data: bytes, page: _Page) -> int:
    """The number of bytes of all strings of a page, in which each is stored without the prefix of the one before."""
    content = data[page.at : page.at + page.packed]
    if page.codec == _ZSTD:
        import pyarrow as pa

        content = pa.decompress(content, page.size, codec="zstd", asbytes=True)
    size = _native.delta_strings_size(content, page.values)
    if size is None:
        raise ModelFileError("its terms are damaged")
    return size
