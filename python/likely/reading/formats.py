"""The format of a file: by its name, or else by its first bytes."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from likely.reading.columns import LABEL_NAMES, TEXT_NAMES, has_few_values
from likely.reading.mail import looks_like_mail

if TYPE_CHECKING:
    import zipfile
    from collections.abc import Iterator
    from pathlib import PurePath


DELIMITERS = "\t,;|"
"""The delimiters; of two that fit equally well, the first one is meant."""
_ROWS = 30
_MOST_LINES = 200
_FEWEST_ROWS = 6
"""A file without names in its first row is only recognised as a table if it has at least this many rows."""
_DECLARED = re.compile(rb'"?sep=([,;\t|])"?\r?(?:\n|$)', re.IGNORECASE)


def declared(head: bytes) -> tuple[str, int] | None:
    r"""The delimiter that the first line of an export of Excel declares, and the number of bytes of this line.

    Examples
    --------
    >>> declared(b"sep=;\r\ntext;label\r\n"), declared(b"text;label\n")
    ((';', 7), None)
    """
    found = _DECLARED.match(head)
    return (found[1].decode(), found.end()) if found else None


def guessed(head: bytes) -> str:
    r"""The delimiter of separated values, guessed from their first rows.

    Examples
    --------
    >>> guessed(b"text;label\ngood, and fun;pos\nso, so;neg\n")
    ';'
    """
    rows = list(_rows(head))

    def score(delimiter: str) -> tuple[int, int]:
        counts = [_outside_quotes(row, delimiter) for row in rows]
        return (counts.count(counts[0]), counts[0]) if counts and counts[0] else (0, 0)

    best = max(DELIMITERS, key=score)
    return best if score(best) > (0, 0) else ","


def table_delimiter(head: bytes) -> str | None:
    r"""The delimiter of a file that looks like a table; None if it looks like plain text.

    It is a table if all of its first rows have the same number of fields, and if the first row consists of names or,
    in a file with enough rows, if some column has few values.

    Examples
    --------
    >>> table_delimiter(b"id\tthe text\n1\tso good\n"), table_delimiter(b"so good, so fun\nso dull\n")
    ('\t', None)
    """
    rows = list(_rows(head))
    delimiter = guessed(head)
    counts = {_outside_quotes(row, delimiter) for row in rows}
    if len(rows) < 2 or len(counts) > 1 or counts == {0}:
        return None
    lines = [row.decode("utf-8", "replace") for row in rows]
    cells = [[cell.strip(' "') for cell in line.split(delimiter)] for line in lines]
    is_named = any(cell.lower() in TEXT_NAMES + LABEL_NAMES for cell in cells[0])
    is_labelled = len(rows) >= _FEWEST_ROWS and any(map(_may_be_labels, zip(*cells, strict=False)))
    # A tab hardly ever occurs in plain text.
    return delimiter if delimiter == "\t" or is_named or is_labelled else None


def _may_be_labels(column: tuple[str, ...]) -> bool:
    """Whether a column may contain labels: they are few, and all of them short."""
    return has_few_values(column) and max(map(len, column)) <= 30


def _rows(head: bytes) -> Iterator[bytes]:
    """The first rows. A row has several lines if a quote is still open at the end of a line."""
    *lines, last = head.split(b"\n", _MOST_LINES)
    if len(lines) < _MOST_LINES and last:
        lines.append(last)
    row, number = b"", 0
    for line in lines:
        row += line.rstrip(b"\r")
        if row.count(b'"') % 2 == 0:
            if row:
                yield row
                number += 1
            row = b""
        if number == _ROWS:
            return


def _outside_quotes(line: bytes, delimiter: str) -> int:
    """How often a delimiter occurs outside of quotes."""
    return sum(part.count(delimiter.encode()) for part in line.split(b'"')[::2])


COMPRESSED = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}
"""The suffixes of compressed files, and their first bytes."""

ZIP = b"PK\x03\x04"
"""The first bytes of a zip archive, and of an .xlsx file."""

UNREADABLE = {
    ZIP: "zip",
    b"\xfd7zXZ\0": "xz",
    b"7z\xbc\xaf'\x1c": "7z",
}
"""The first bytes of archives that cannot be read from start to end, and their names."""

_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
"""The first bytes of a frame that zstd skips: a file may start with one (RFC 8878, section 3.1.2)."""

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""The first bytes of an .xls file, and of an encrypted .xlsx file."""

ARROW_FILE = b"ARROW1"
"""The first bytes of an Arrow file, but not of an Arrow stream."""

SQLITE = b"SQLite format 3\0"
"""The first bytes of an SQLite database."""

LINES_OF_JSON = (".jsonl", ".ndjson")
"""The suffixes of JSON Lines; ``.json`` may be an array as well."""

MARK = "__label__"
"""The prefix of a label in fastText lines."""

_SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arrows": "arrow",
    ".xlsx": "excel",
    ".xlsm": "excel",
    ".xls": "excel",
    ".mbox": "mbox",
    ".eml": "eml",
    ".db": "database",
    ".sqlite": "database",
    ".sqlite3": "database",
    ".duckdb": "database",
}

_TABLES = ("csv", "tsv", "jsonl", "parquet", "arrow", "excel")

NAMES = {
    "csv": "CSV",
    "tsv": "TSV",
    "jsonl": "JSON Lines",
    "json": "a JSON array",
    "parquet": "Parquet",
    "arrow": "Arrow",
    "excel": "Excel",
    "fasttext": "fastText lines",
    "lines": "plain text, one document per line",
    "mbox": "a mailbox",
    "maildir": "a Maildir",
    "eml": "e-mail",
    "folder": "a folder per class",
    "documents": "one document per file",
    "sql": "SQL",
    "frame": "a frame",
}
"""The formats in words."""

_BEGINNINGS = (
    (b"PAR1", "parquet"),
    (OLE, "excel"),
    (ARROW_FILE, "arrow"),
    (b"\xff\xff\xff\xff", "arrow"),  # an Arrow stream
    (SQLITE, "database"),
    (b"{", "jsonl"),
    (MARK.encode(), "fasttext"),
)

_ARRAY = re.compile(rb"\[\s*[{\]]")
"""The beginning of a JSON array of objects, or of an empty one."""

_NOT_TEXT = ("parquet", "arrow", "excel", "database", "mbox", "eml")


def compression_of(head: bytes) -> str | None:
    r"""The suffix of the compression of a file, by its first bytes; None if it is not compressed.

    Examples
    --------
    >>> compression_of(b"\x1f\x8b\x08"), compression_of(b"text,label")
    ('.gz', None)
    """
    if _SKIPPABLE.match(head):
        return ".zst"
    return next((suffix for suffix, start in COMPRESSED.items() if head.startswith(start)), None)


def bare_suffix(path: PurePath | zipfile.Path) -> str:
    """The suffix of a file, without the suffix of its compression.

    Examples
    --------
    >>> from pathlib import PurePath
    >>> bare_suffix(PurePath("reviews.CSV.gz"))
    '.csv'
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    return next((suffix for suffix in reversed(suffixes) if suffix not in COMPRESSED), "")


def format_by_name(path: PurePath | zipfile.Path) -> str | None:
    """The format that the name of a file stands for, or None.

    Examples
    --------
    >>> from pathlib import PurePath
    >>> format_by_name(PurePath("a/b.parquet")), format_by_name(PurePath("README"))
    ('parquet', None)
    """
    return _SUFFIXES.get(bare_suffix(path))


def is_table(path: PurePath | zipfile.Path) -> bool:
    """Whether the name of a file stands for a table, or for an archive, which may contain tables.

    Examples
    --------
    >>> from pathlib import PurePath
    >>> is_table(PurePath("a.csv.gz")), is_table(PurePath("a.zip")), is_table(PurePath("a.txt"))
    (True, True, False)
    """
    return format_by_name(path) in _TABLES or path.suffix.lower() == ".zip"


def is_text(name: str | None, head: bytes) -> bool:
    r"""Whether a file is text in some encoding, by its format if that is known, or else by its first bytes.

    Mail is not: each part of a message names its own encoding.

    Examples
    --------
    >>> is_text("csv", b""), is_text(None, b"PAR1"), is_text(None, b"\xff\xfea\0")
    (True, False, True)
    """
    if name is not None:
        return name not in _NOT_TEXT
    if head[8:12] == b"DUCK" or looks_like_mail(head):
        return False
    return not any(head.startswith(beginning) for beginning, name in _BEGINNINGS if name in _NOT_TEXT)


def format_by_content(head: bytes) -> str:
    r"""The format of a (decompressed) file, by its first bytes.

    Examples
    --------
    >>> format_by_content(b'{"text": "a"}'), format_by_content(b"__label__a b")
    ('jsonl', 'fasttext')
    >>> format_by_content(b"text,label\n"), format_by_content(b"Call me Ishmael.\n")
    ('csv', 'lines')
    """
    start = head.removeprefix(BOM_UTF8).lstrip()
    if _ARRAY.match(start):
        return "json"
    if head[8:12] == b"DUCK":
        return "database"
    for beginning, name in _BEGINNINGS:
        if head.startswith(beginning) or start.startswith(beginning):
            return name
    if looks_like_mail(head):
        return "mbox" if head.startswith(b"From ") else "eml"
    return _by_first_line(start)


def _by_first_line(start: bytes) -> str:
    """The format by the first line: CSV and TSV start with short names, none of them empty."""
    if declared(start) is not None:
        return "csv"
    line = start.split(b"\n", 1)[0].strip()
    if line.strip(b'"').decode("ascii", "replace").lower() in TEXT_NAMES:
        return "csv"
    for delimiter, name in ((b"\t", "tsv"), (b",", "csv"), (b";", "csv"), (b"|", "csv")):
        fields = [field.strip().strip(b'"') for field in line.split(delimiter)]
        if len(fields) > 1 and all(0 < len(field) <= 30 and b" " not in field for field in fields):
            return name
    return "lines"
