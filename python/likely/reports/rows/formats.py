"""The formats that predictions can be written in."""

from __future__ import annotations

from pathlib import PurePath

from likely.errors import SourceError
from likely.terminal import printable

FORMATS = ("csv", "tsv", "jsonl", "parquet")

_PACKED = frozenset((".gz", ".bz2", ".zst", ".xz", ".zip", ".ods"))


def format_by_suffix(path: str) -> str | None:
    """The format that the name of a file stands for, or None. A format that is not written is a ``SourceError``.

    Examples
    --------
    >>> format_by_suffix("out.parquet"), format_by_suffix("out")
    ('parquet', None)
    """
    from likely.reading.formats import format_by_name

    place = PurePath(path)
    suffix, name = place.suffix.lower(), format_by_name(place)
    if suffix in _PACKED or (name is not None and name not in FORMATS):
        raise SourceError(
            f"{printable(path)}: predictions are not written as {suffix}: name a file that ends with .csv, .tsv, "
            ".jsonl or .parquet, or give --output-format"
        )
    return name
