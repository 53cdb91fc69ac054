"""The formats that predictions can be written in."""

from __future__ import annotations

import os

FORMATS = ("csv", "jsonl", "parquet")

_BY_SUFFIX = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".parquet": "parquet"}


def format_by_suffix(path: str) -> str | None:
    """The format that the name of a file stands for, or None.

    Examples
    --------
    >>> format_by_suffix("out.parquet"), format_by_suffix("out")
    ('parquet', None)
    """
    return _BY_SUFFIX.get(os.path.splitext(path)[1].lower())
