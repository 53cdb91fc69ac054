"""The pass that writes the chosen rows, byte for byte as they are in their files."""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.errors import SourceError
from likely.filtering.outputs import OutputFile
from likely.reading.csv import CsvReader
from likely.reading.formats import COMPRESSED, NAMES, format_by_name
from likely.reading.stream import name_of
from likely.reports.rows.output import EncodedSink
from likely.selecting.lanes import Lanes
from likely.selecting.meter import Meter
from likely.selecting.parquet_rows import write_parquet_rows
from likely.selecting.weighing import changed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy.typing as npt

    from likely.reading.batch import Lines, Reader
    from likely.reading.options import Reading
    from likely.reports.rows.output import Sink
    from likely.selecting.parts import Part
    from likely.selecting.selection import Selection
    from likely.types import Path as AnyPath

    Rows = npt.NDArray[np.int64]

WRITTEN = ("jsonl", "csv", "tsv", "lines", "fasttext", "parquet")
"""The formats whose rows can be written as they are."""


def write(selection: Selection, output: AnyPath, meter: Meter | None = None) -> list[str]:
    """Write the chosen rows; return the names of the new files. A file without chosen rows is not written."""
    raw, place = selection.raw, Path(output)
    check_output(place, raw.parts)
    check_formats(raw.parts, raw.formats)
    rows = dict(zip(map(id, raw.parts), selection.files.values(), strict=True))
    formats = dict(zip(map(id, raw.parts), raw.formats, strict=True))
    copying = _Copying(rows, formats, raw.reading, meter or Meter(None, 0))
    if is_one_file(place):
        return copying.to_file(place, raw.parts)
    return copying.to_folder(place, raw.parts, Lanes(selection.settings.processors, len(raw.parts)))


@dataclass(frozen=True)
class _Copying:
    """Copies rows of parts, whose ``rows`` and ``formats`` are known by the `id` of the part."""

    rows: dict[int, Rows]
    formats: dict[int, list[str]]
    reading: Reading
    meter: Meter

    def to_folder(self, folder: Path, parts: list[Part], lanes: Lanes) -> list[str]:
        """Write one file per part."""
        places = {id(part): folder / name for part, name in zip(parts, output_names(parts), strict=True)}
        _check_stale([places[id(part)] for part in parts if not len(self.rows[id(part)])])

        def work(part: Part) -> str:
            place = places[id(part)]
            with _new_file(place, self.formats[id(part)]) as file:
                self._copy(part, file, lanes)
            return name_of(place)

        return lanes.run(work, [part for part in parts if len(self.rows[id(part)])])

    def to_file(self, place: Path, parts: list[Part]) -> list[str]:
        """Write the rows of all parts to one file."""
        kinds = sorted({kind for part in parts for kind in self.formats[id(part)]})
        if len(kinds) > 1 or (len(parts) > 1 and kinds[0] in ("csv", "tsv", "parquet")):
            raise SourceError(
                f"{name_of(place)}: the rows of several files ({' and '.join(NAMES[kind] for kind in kinds)}) cannot "
                "be written to one file: name a folder"
            )
        with _new_file(place, kinds) as file:
            for part in parts:
                if len(self.rows[id(part)]):
                    self._copy(part, file, Lanes(1, 1))
        return [name_of(place)]

    def _copy(self, part: Part, sink: Sink, lanes: Lanes) -> None:
        rows = self.rows[id(part)]
        if self.formats[id(part)] == ["parquet"]:
            write_parquet_rows(cast("Path", part.path), rows, sink)
            return
        encoded, first = EncodedSink(sink, None), 0
        for reader, batches in part.corpus(self.reading, self.meter.one_file(), whole=True).files():
            encoded.follow(reader)
            encoded.write(_header(reader))
            for batch in lanes.batches(batches):
                start, end = np.searchsorted(rows, [first, first + len(batch.texts)])
                if start < end:
                    encoded.write(_joined(cast("Lines", batch.lines), rows[start:end] - first))
                first += len(batch.texts)
                if end == len(rows):
                    return
        raise changed(part)


def _header(reader: Reader) -> bytes:
    """What precedes the rows of a file: the header of separated values."""
    if not isinstance(reader, CsvReader):
        return b""
    return b"".join(line + reader.line_end for line in (reader.declaration, reader.header) if line is not None)


def _joined(lines: Lines, wanted: Rows) -> bytes:
    """Some rows with their line ends. The last row of a file may lack its own."""
    chunk = lines.chunk
    parts: list[bytes] = []
    for start, end in zip(lines.starts[wanted].tolist(), lines.ends[wanted].tolist(), strict=True):
        parts += (chunk[start:end], b"\r\n" if chunk[end : end + 2] == b"\r\n" else b"\n")
    return b"".join(parts)


@contextmanager
def _new_file(place: Path, formats: list[str]) -> Iterator[Sink]:
    """A file that appears when it is complete, compressed as its name says. Parquet compresses by itself."""
    suffix = place.suffix.lower()
    file = OutputFile(place, suffix if suffix in COMPRESSED and "parquet" not in formats else None)
    try:
        yield file
    except BaseException as error:
        file.abandon(error)
        raise
    file.finish()


def is_one_file(output: Path) -> bool:
    """Whether the output is one file: it is not a folder, and its name is that of a table.

    Examples
    --------
    >>> is_one_file(Path("out.jsonl.gz")), is_one_file(Path("out"))
    (True, False)
    """
    return not output.is_dir() and format_by_name(output) is not None


def output_names(parts: list[Part]) -> list[str]:
    """The name of each file in the folder of the output: that of the raw file, below the folder of all raw files.

    Examples
    --------
    >>> from likely.selecting.parts import parts_of
    >>> output_names(parts_of(["web/a/1.jsonl", "web/b/1.jsonl"]))
    ['a/1.jsonl', 'b/1.jsonl']
    """
    paths = [os.path.abspath(part.path) for part in parts if part.path is not None]
    folder = os.path.commonpath([os.path.dirname(path) for path in paths])
    return [os.path.relpath(path, folder) for path in paths]


def check_output(output: AnyPath, parts: list[Part], targets: list[Part] | None = None) -> None:
    """Raise ``SourceError`` if the output cannot be written, before anything is read."""
    place = Path(output)
    if any(part.path is None for part in parts):
        raise SourceError("a frame has no file to write to: take its rows by their numbers, selection.rows")
    for part in parts:
        if cast("Path", part.path).is_dir():
            raise SourceError(f"{part.name} is a folder: give its files, as in '{part.name}/*.jsonl'")
    if place.exists() and not place.is_dir() and not is_one_file(place):
        raise SourceError(f"{name_of(place)} is a file: name a folder, or a file such as selected.jsonl")
    new = [place] if is_one_file(place) else [place / name for name in output_names(parts)]
    check_not_read(new, [*parts, *(targets or [])])


def check_not_read(new: Iterable[AnyPath], parts: list[Part]) -> None:
    """Raise ``SourceError`` if a new file would replace a file that is read."""
    read = {os.path.realpath(part.path) for part in parts if part.path is not None}
    for path in new:
        if os.path.realpath(path) in read:
            raise SourceError(f"{name_of(path)} is read, and would be replaced: write to another place")


def check_formats(parts: list[Part], formats: list[list[str]]) -> None:
    """Raise ``SourceError`` for a file whose rows cannot be written as they are."""
    for part, found in zip(parts, formats, strict=True):
        if len(found) != 1:
            raise SourceError(f"{part.name} has several files: unpack it, and give the files")
        if found[0] not in WRITTEN:
            raise SourceError(
                f"{part.name} is {NAMES[found[0]]}, whose rows cannot be written as they are: convert it to JSON "
                "Lines, CSV or Parquet"
            )


def _check_stale(places: list[Path]) -> None:
    """Raise ``SourceError`` if a file of an earlier run is there that would not be replaced."""
    for place in places:
        if place.exists():
            raise SourceError(
                f"{name_of(place)} is there already, and no row of that raw file was chosen now: remove it, or "
                "choose another folder"
            )
