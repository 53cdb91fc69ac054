"""`ModelWriter` and `ModelReader`: a fitted stage of a pipeline as a folder, in which the model file lies."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReader, MLWriter

from likely.errors import ModelFileError, SparkError
from likely.naive_bayes import NaiveBayes
from likely.storage import model_file

if TYPE_CHECKING:
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    from likely.spark.pipeline import LikelyNaiveBayesModel

FILE = "model.likely"
"""The name of the model file in the folder of a stage."""


class ModelWriter(MLWriter):
    """Saves a fitted stage: its parameters as Spark ML does, and beside them the model file."""

    def __init__(self, stage: LikelyNaiveBayesModel, model: NaiveBayes) -> None:
        super().__init__()
        self._stage, self._model = stage, model

    def saveImpl(self, path: str) -> None:  # noqa: N802
        """Save the stage in a folder of any file system that Spark knows."""
        spark = self.sparkSession
        DefaultParamsWriter.saveMetadata(self._stage, path, _context_of(spark))
        with tempfile.TemporaryDirectory() as folder:
            self._model.save(f"{folder}/{FILE}")
            _copy(spark, f"{folder}/{FILE}", f"{path.rstrip('/')}/{FILE}")


class ModelReader(MLReader["LikelyNaiveBayesModel"]):
    """Loads a fitted stage that `ModelWriter` saved."""

    def __init__(self, kind: type[LikelyNaiveBayesModel]) -> None:
        super().__init__()
        self._kind = kind

    def load(self, path: str) -> LikelyNaiveBayesModel:
        """The stage of a folder."""
        spark = self.sparkSession
        metadata = DefaultParamsReader.loadMetadata(path, _context_of(spark))
        row = spark.read.format("binaryFile").load(f"{path.rstrip('/')}/{FILE}").select("content").first()
        if row is None:
            raise ModelFileError(f"there is no {FILE} in {path}: save the stage again")
        stage = self._kind(NaiveBayes._from_snapshot(model_file.from_bytes(bytes(row[0]))))
        stage._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(stage, metadata)
        return stage


def _context_of(spark: SparkSession) -> SparkContext:
    """What Spark wants for its metadata: the context, or the session if there is none (Spark Connect)."""
    return cast("SparkContext", getattr(spark, "_sc", None) or spark)


def _copy(spark: SparkSession, source: str, target: str) -> None:
    """Copy a file of this machine to a place in a file system that Spark knows."""
    jvm = getattr(spark, "_jvm", None)
    if jvm is None:
        raise SparkError(
            "a stage cannot be saved through Spark Connect, which has no access to file systems: save its model with "
            "`stage.naive_bayes.save(path)`, and use it again with `LikelyNaiveBayesModel(path)`"
        )
    path = jvm.org.apache.hadoop.fs.Path
    place = path(target)
    system = place.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf())
    system.copyFromLocalFile(False, True, path(Path(source).as_uri()), place)
