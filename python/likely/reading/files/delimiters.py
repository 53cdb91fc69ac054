"""Which character separates the fields of a file: the one that divides its first rows into equally many fields."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from likely.reading.columns import LABEL_NAMES, TEXT_NAMES, has_few_values

if TYPE_CHECKING:
    from collections.abc import Iterator

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
