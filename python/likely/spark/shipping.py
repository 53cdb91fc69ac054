"""`ship`: the package reaches executors on which it is not installed."""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from likely.spark.carrying import folder, give_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa
    from pyspark.sql import SparkSession

    Mapped = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]

SETTING = "likely.archive"
"""The setting of a session that names the archive with the package."""
LEFT_OUT = (".pyc", ".pyi")
"""How the names of files end that the archive does not need."""


def ship(spark: SparkSession) -> str:
    """Give this package to the executors of a session on which it is not installed, and return its name there.

    All functions of `likely.spark` then import it from there. The executors need Python 3.11 or later with pyarrow
    and numpy, and the same operating system and kind of processor as this machine, because the kernel is compiled.

    Examples
    --------
    >>> from likely.spark import ship
    >>> ship(spark)  # doctest: +SKIP
    """
    data = zipped(Path(__file__).parents[1])
    path = folder() / f"likely-{hashlib.sha256(data).hexdigest()[:16]}.zip"
    if not path.exists():
        path.write_bytes(data)
    give_file(spark, path, archive=True)
    spark.conf.set(SETTING, path.stem)
    return path.stem


def shipped(spark: SparkSession) -> str | None:
    """The name of the archive that `ship` gave to the executors, if it did."""
    return spark.conf.get(SETTING, None)


def from_archive(function: Mapped, archive: str) -> Mapped:
    """A function that does the same, for workers that find the package in this archive.

    Functions travel by the names of their modules, so that a worker must find these before it can receive one.
    """
    from pyspark import cloudpickle

    packed = cloudpickle.dumps(function)  # type: ignore[no-untyped-call]

    def unpacked(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import sys

        from pyspark import SparkFiles, cloudpickle

        place = SparkFiles.get(archive)
        if place not in sys.path:
            sys.path.insert(0, place)
        found: Iterator[pa.RecordBatch] = cloudpickle.loads(packed)(batches)
        return found

    return unpacked


def zipped(package: Path) -> bytes:
    """The files of a package as an archive: the same bytes for the same files."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(package.rglob("*")):
            if path.is_file() and path.suffix not in LEFT_OUT:
                name = f"{package.name}/{path.relative_to(package).as_posix()}"
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return sink.getvalue()
