"""Files in Parquet, CSV or JSON as DataFrames, and DataFrames as folders of such files."""

from __future__ import annotations

import glob
import os
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.columns import choose
from likely.reading.formats import format_by_name
from likely.reading.records import SAMPLE
from likely.reading.tables import shown
from likely.spark.mapping import table_of
from likely.terminal import named, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyspark.sql import DataFrame, SparkSession

    from likely.reading.batch import Chosen

# A field of CSV may contain line breaks, and a quote is doubled, as RFC 4180 and all readers of `likely` have it.
_QUOTED = {"header": "true", "multiLine": "true", "quote": '"', "escape": '"'}

HOW: dict[str, tuple[str, dict[str, str]]] = {
    "parquet": ("parquet", {}),
    "csv": ("csv", _QUOTED),
    "tsv": ("csv", {**_QUOTED, "sep": "\t"}),
    "jsonl": ("json", {}),
    "json": ("json", {"multiLine": "true"}),
}
"""The name of each format in Spark, and its settings."""


def read_files(spark: SparkSession, paths: Sequence[str], name: str) -> DataFrame:
    """The rows of files, folders or globs of one format, as a DataFrame.

    ``name`` is one of `HOW`. All values of CSV are texts.
    """
    kind, settings = HOW[name]
    try:
        return spark.read.format(kind).options(**settings).load(list(paths))
    except Exception as error:  # Spark has errors of its own
        raise SourceError(f"Spark cannot read {_places(paths)} as {name}: {_first_line(error)}") from error


def write_files(df: DataFrame, path: str, name: str) -> None:
    """Write a DataFrame as a folder of files of one format. ``SourceError`` if there is such a folder already."""
    kind, settings = HOW[name]
    own = {key: value for key, value in settings.items() if key != "multiLine"}
    try:
        df.write.format(kind).options(**own).mode("error").save(path)
    except Exception as error:
        raise SourceError(f"Spark cannot write {printable(path)} as {name}: {_first_line(error)}") from error


def format_of(paths: Sequence[str], wanted: str | None = None) -> str:
    """The format of files: the one that is wanted, or else the one that their names stand for.

    Examples
    --------
    >>> format_of(["s3a://bucket/reviews.parquet"]), format_of(["part-0.csv.gz", "part-1.csv.gz"])
    ('parquet', 'csv')
    """
    if wanted is not None:
        if wanted not in HOW:
            raise SourceError(f"Spark does not read {wanted}: give files in {', '.join(HOW)}")
        return wanted
    found = {format_by_name(PurePath(_unpacked(name))) for path in paths for name in _names(path)} - {None}
    if len(found) != 1 or not found <= set(HOW):
        told = f"of several formats ({', '.join(sorted(filter(None, found)))})" if found else "of an unknown format"
        raise SourceError(f"{_places(paths)} is {told}: say which with --read-as parquet, csv, tsv, jsonl or json")
    return str(found.pop())


def chosen_columns(
    df: DataFrame, text: str | None, label: str | None, weight: str | None = None, *, labelled: bool
) -> Chosen:
    """The columns with the texts and the labels: those given, or else guessed by the names and the first rows."""
    if text is not None and (label is not None or not labelled):
        head = {name: list[str]() for name in df.columns}
    else:
        rows = table_of(df.limit(SAMPLE)).combine_chunks()
        head = {name: [each for chunk in rows[name].chunks for each in shown(chunk)] for name in rows.schema.names}
    return choose(head, text, label, "the DataFrame", labelled=labelled, weight=weight)


def _names(path: str) -> Iterator[str]:
    """The names of the files of a path on this machine; of any other path, the path itself."""
    for place in sorted(glob.glob(path)) or [path]:
        if os.path.isdir(place):
            files = (each.name for each in sorted(Path(place).rglob("*")) if each.is_file())
            yield from (name for name in files if not name.startswith(("_", ".")))
        else:
            yield place


def _unpacked(name: str) -> str:
    """The name without the ending of a compression that Spark reads."""
    for ending in (".gz", ".bz2", ".zst", ".snappy", ".lz4", ".deflate"):
        name = name.removesuffix(ending)
    return name


def _places(paths: Sequence[str]) -> str:
    return named(list(paths), 3, printable)


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0]
