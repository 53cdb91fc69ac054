"""`carry`: a model reaches every executor once, as a file, and every worker process loads it once."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from likely.distributed.models import loaded
from likely.errors import OptionError
from likely.storage import model_file

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from likely.naive_bayes import NaiveBayes
    from likely.types import Path as AnyPath


def carry(spark: SparkSession, model: NaiveBayes | AnyPath) -> str:
    """Give the file of a model to all executors, and return its name there. A model of the same bytes travels once.

    The file is fetched by an executor before its first task that needs it. It never travels with the tasks.
    """
    if loaded(model).tokenizer is not None:
        raise OptionError(
            "the model has a tokenizer of its own, which is a function of this process and not part of its file: on "
            "Spark, split the texts first, and train on them without the option tokenizer"
        )
    data = _bytes_of(model)
    name = f"likely-{hashlib.sha256(data).hexdigest()[:32]}.likely"
    path = folder() / name
    if not path.exists():
        path.write_bytes(data)
    give_file(spark, path)
    return name


def give_file(spark: SparkSession, path: Path, *, archive: bool = False) -> None:
    """Give a file to all executors; an archive is unpacked there, in a folder that has its name."""
    place = f"{path}#{path.stem}" if archive else str(path)
    context = getattr(spark, "_sc", None)
    if context is None:  # a session of Spark Connect
        spark.addArtifacts(place, archive=archive, file=not archive)
    elif (context.applicationId, place) not in _GIVEN:
        (context.addArchive if archive else context.addFile)(place)
        _GIVEN.add((context.applicationId, place))


_GIVEN: set[tuple[str, str]] = set()
"""The application and the path of each file that executors have: Spark warns if a file is given twice."""


def carried(name: str) -> NaiveBayes:
    """On a worker: the model of a file that `carry` gave to the executors."""
    from pyspark import SparkFiles, TaskContext

    model = loaded(SparkFiles.get(name))
    task = TaskContext.get()
    if model.threads is None and task is not None:
        # By default a model uses every processor. An executor runs as many tasks as it has processors.
        model.set_params(threads=task.cpus())
    return model


def _bytes_of(model: NaiveBayes | AnyPath) -> bytes:
    if isinstance(model, str | os.PathLike):
        return Path(model).read_bytes()
    return model_file.to_bytes(model._snapshot())


@cache
def folder() -> Path:
    """A folder that exists until this process ends, because executors may fetch from it until then."""
    folder = tempfile.mkdtemp(prefix="likely-spark-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)
