"""The formats that predictions can be written in."""

from __future__ import annotations

import os

from likely.errors import SourceError
from likely.terminal import printable

FORMATS = ("csv", "tsv", "jsonl", "parquet")

_BY_SUFFIX = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
}
_NOT_WRITTEN = frozenset((".xlsx", ".xls", ".ods", ".arrow", ".feather", ".gz", ".bz2", ".zst", ".xz", ".zip", ".db"))


def format_by_suffix(path: str) -> str | None:
    """The format that the name of a file stands for, or None. A format that is not written is a ``SourceError``.

    Examples
    --------
    >>> format_by_suffix("out.parquet"), format_by_suffix("out")
    ('parquet', None)
    """
    suffix = os.path.splitext(path)[1].lower()
    if suffix in _NOT_WRITTEN:
        raise SourceError(
            f"{printable(path)}: predictions are not written as {suffix}: name a file that ends with .csv, .tsv, "
            ".jsonl or .parquet, or give --format"
        )
    return _BY_SUFFIX.get(suffix)
