"""`LikelyNaiveBayes` and `LikelyNaiveBayesModel`: an estimator and its model for Spark ML pipelines."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from pyspark.ml.base import Estimator, Model
from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasLabelCol, HasPredictionCol, HasWeightCol
from pyspark.ml.util import (
    DefaultParamsReadable,
    DefaultParamsReader,
    DefaultParamsWritable,
    DefaultParamsWriter,
    MLReadable,
    MLReader,
    MLWritable,
    MLWriter,
)
from pyspark.sql import DataFrame, SparkSession, functions

from likely.batch.scoring import loaded
from likely.core import file as model_file
from likely.errors import ModelFileError, NotFittedError, OptionError, OutputError, SourceError
from likely.model.naive_bayes import NaiveBayes
from likely.options.model import MODEL, check_options
from likely.spark.predicting import predict
from likely.spark.training import train
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark import SparkContext

    from likely.options.option import Option
    from likely.types import Path as AnyPath

C = TypeVar("C", bound=type)

ITSELF = "likely_prediction"
"""The name of the column with the predictions before it gets its own.

In Spark ML, a column named probability is a vector of the probabilities of all classes. Evaluators look for one, so
that no column of numbers may have this name.
"""
COLUMNS = ("textCol", "labelCol", "predictionCol", "weightCol")
"""The parameters that name columns; all others are options of the model."""


class _Columns(HasLabelCol, HasPredictionCol, HasWeightCol):
    """The parameters that the estimator and the model share: the names of the columns."""

    textCol: Param[str] = Param(Params._dummy(), "textCol", "text column name.", TypeConverters.toString)  # noqa: N815

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(textCol="text")

    def setTextCol(self, value: str) -> Self:  # noqa: N802
        """Set the name of the column with the texts."""
        return self._set(textCol=value)

    def getTextCol(self) -> str:  # noqa: N802
        """The name of the column with the texts."""
        return self.getOrDefault(self.textCol)

    def setLabelCol(self, value: str) -> Self:  # noqa: N802
        """Set the name of the column with the labels."""
        return self._set(labelCol=value)

    def setPredictionCol(self, value: str) -> Self:  # noqa: N802
        """Set the name of the column with the predictions. Other new columns have names that follow from it."""
        return self._set(predictionCol=value)

    def setWeightCol(self, value: str) -> Self:  # noqa: N802
        """Set the name of the column with the weights of the rows."""
        return self._set(weightCol=value)


def _with_options(kind: C) -> C:
    """The class with one parameter per option of the model that a file can hold."""
    for option in MODEL.values():
        if option.has_flag:
            parameter = Param(Params._dummy(), option.name, option.help, _converter(option))
            setattr(kind, option.name, parameter)
    return kind


def _converter(option: Option) -> Callable[[object], object]:
    """What checks a value of an option. A pair of numbers is a list in the JSON of a saved pipeline."""

    def converted(value: object) -> object:
        value = tuple(value) if isinstance(value, list) and isinstance(option.default, tuple) else value
        option.check(value)
        return value

    return converted


@_with_options
class LikelyNaiveBayes(Estimator["LikelyNaiveBayesModel"], _Columns, DefaultParamsReadable, DefaultParamsWritable):  # type: ignore[type-arg]
    """An estimator of Spark ML that trains a naive Bayes text classifier on the cluster.

    The options of the model are its parameters, with the names of `likely.NaiveBayes`, so that a ``ParamGridBuilder``
    can vary them. Labels are text, whole numbers (of any numeric type) or booleans. If they are numbers, predictions
    are doubles, as the evaluators of Spark ML want them, and NaN where there is none. The other new columns are
    ``prediction_probability``, ``prediction_known`` and ``prediction_problem``, or begin with another predictionCol.

    Parameters
    ----------
    textCol, labelCol, predictionCol, weightCol : str
        The names of the columns. Default: text, label, prediction, and no weights.
    **options
        The options of `likely.NaiveBayes`.

    Examples
    --------
    >>> from likely.spark import LikelyNaiveBayes
    >>> classifier = LikelyNaiveBayes(textCol="body", labelCol="tag", alpha=0.5)  # doctest: +SKIP
    >>> classifier.fit(reviews).transform(reviews).select("prediction", "prediction_probability")  # doctest: +SKIP
    """

    if TYPE_CHECKING:  # the parameters come from the table of options

        def __getattr__(self, name: str) -> Param[object]: ...

    def __init__(self, **values: object) -> None:
        super().__init__()
        self.setParams(**values)

    def setParams(self, **values: object) -> Self:  # noqa: N802
        """Set parameters by their names."""
        check_options({name: value for name, value in values.items() if name not in COLUMNS})
        lacking = [name for name in values if not self.hasParam(name)]
        if lacking:
            raise OptionError(f"{lacking[0]} cannot be stored in a pipeline, so it is not one of its parameters")
        return self._set(**cast("dict[str, Any]", values))

    @property
    def options(self) -> dict[str, Any]:
        """The options of the model that were given."""
        return {param.name: value for param, value in self._paramMap.items() if param.name in MODEL}

    def _fit(self, dataset: DataFrame) -> LikelyNaiveBayesModel:
        weight = self.getWeightCol() if self.isDefined(self.weightCol) else None
        model = train(dataset, self.getTextCol(), self.getLabelCol(), weight, **self.options)
        return self._copyValues(LikelyNaiveBayesModel(model))


class LikelyNaiveBayesModel(Model, _Columns, MLReadable["LikelyNaiveBayesModel"], MLWritable):
    """A trained classifier as a stage of a pipeline: `transform` adds the prediction, its probability and so on.

    Parameters
    ----------
    model : NaiveBayes or path
        The model, or the path of its file.

    Examples
    --------
    >>> from likely.spark import LikelyNaiveBayesModel
    >>> LikelyNaiveBayesModel("reviews.likely").setTextCol("body").transform(reviews)  # doctest: +SKIP
    """

    def __init__(self, model: NaiveBayes | AnyPath | None = None) -> None:
        super().__init__()
        self._model = None if model is None else loaded(model)

    @property
    def naive_bayes(self) -> NaiveBayes:
        """The model, with all its methods: explanations, reports, `save`."""
        if self._model is None:
            raise NotFittedError("this stage has no model: give one, or load a stage that has one")
        return self._model

    def write(self) -> ModelWriter:
        """What saves this stage: its parameters, and the model file."""
        return ModelWriter(self, self.naive_bayes)

    @classmethod
    def read(cls) -> ModelReader:
        """What loads a stage that was saved."""
        return ModelReader(cls)

    def _transform(self, dataset: DataFrame) -> DataFrame:
        name = self.getPredictionCol()
        new = {ITSELF: name, **{f"{ITSELF}_{what}": f"{name}_{what}" for what in ("probability", "known", "problem")}}
        for column in new.values():
            if column in dataset.columns:
                raise SourceError(f"the rows already have a column {printable(column)!r}: set another predictionCol")
        found = predict(dataset, self.naive_bayes, self.getTextCol(), name=ITSELF)
        if type(self.naive_bayes.classes_.tolist()[0]) is int:
            # The evaluators of Spark ML take doubles, and fail for a null.
            double = functions.col(ITSELF).cast("double")
            found = found.withColumn(ITSELF, functions.coalesce(double, functions.lit(float("nan"))))
        return found.withColumnsRenamed(new)


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
        raise OutputError(
            "a stage cannot be saved through Spark Connect, which has no access to file systems: save its model with "
            "`stage.naive_bayes.save(path)`, and use it again with `LikelyNaiveBayesModel(path)`"
        )
    path = jvm.org.apache.hadoop.fs.Path
    place = path(target)
    system = place.getFileSystem(spark._jsparkSession.sessionState().newHadoopConf())
    system.copyFromLocalFile(False, True, path(Path(source).as_uri()), place)
