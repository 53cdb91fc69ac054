"""`score`: record batches get columns with the predictions of a model, whatever engine moves the batches."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import pyarrow as pa

from likely.batch.counting import check_column, record_batches
from likely.batch.pipeline import RowPredictor
from likely.core.counts import arrow_labels
from likely.errors import OptionError, SourceError
from likely.model.naive_bayes import NaiveBayes, load
from likely.options.kinds import is_whole
from likely.reading.batch import without_problem
from likely.reading.tables import is_text, plain, problems_in, texts_of
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from likely.types import Path, Prior


def text_problems(column: pa.Array) -> dict[int, str]:
    """Why texts of a plain column cannot be read, by their places.

    Examples
    --------
    >>> import pyarrow as pa
    >>> text_problems(pa.array(["good", None])), text_problems(pa.array([1]))
    ({1: 'no text'}, {0: 'not a text, but int64'})
    """
    others = {} if is_text(column) else dict.fromkeys(range(len(column)), f"not a text, but {column.type}")
    return others | problems_in(column, "text")


def loaded(model: NaiveBayes | Path) -> NaiveBayes:
    """The model of a file, loaded once per process unless the file changes; a model is returned as it is."""
    if isinstance(model, NaiveBayes):
        return model
    if not isinstance(model, str | os.PathLike):
        raise OptionError(f"the model is of type {type(model).__name__}: give a NaiveBayes, or the path of its file")
    path = os.path.realpath(model)
    status = os.stat(path) if os.path.exists(path) else None  # `load` says what is wrong
    return _loaded(path, status and (status.st_size, status.st_mtime_ns))


@lru_cache(maxsize=4)
def _loaded(path: str, status: tuple[int, int] | None) -> NaiveBayes:
    """The model of a file, as long as its size and time stay the same."""
    del status
    return load(path)


def score(
    batches: Iterable[pa.RecordBatch | pa.Table],
    model: NaiveBayes | Path,
    *,
    text: str = "text",
    name: str = "prediction",
    top: int = 1,
    prior: Prior | None = None,
) -> Iterator[pa.RecordBatch]:
    """The record batches with further columns: predictions, as `likely predict` writes them.

    The new columns are ``prediction``, ``probability``, with ``top`` of 2 or more also ``prediction_2``,
    ``probability_2`` and further ones, then ``known`` (the share of the terms that the model knows) and ``problem``.
    A row whose text is missing or is not a text has no prediction: its new columns are null, except that ``problem``
    says why. No row is an error. Where the model abstains, ``prediction`` is null or the label of ``abstain``.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch or pyarrow.Table
        The rows, such as one partition of a table.
    model : NaiveBayes or path
        The model, or the path of its file, which is loaded once per process.
    text : str
        The column with the texts.
    name : str
        The name of the column with the predicted label. If it is another than the default, the names of the other
        columns begin with it.
    top : int
        The number of classes, best first.
    prior : {"fitted", "uniform"} or mapping, optional
        P(class) where the rows come from, if it differs from the training data.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    >>> for batch in score([pa.record_batch({"text": ["so good", None]})], model):
    ...     batch.select(["prediction", "known", "problem"]).to_pylist()
    [{'prediction': '+', 'known': 0.5, 'problem': None}, {'prediction': None, 'known': None, 'problem': 'no text'}]
    """
    scoring = Scoring(loaded(model), text, name, top, prior)
    for each in batches:
        for batch in record_batches(each):
            yield scoring.scored(batch)


@dataclass(frozen=True)
class Scoring:
    """A model, and which columns it adds to record batches: see `score`.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    >>> [field.name for field in Scoring(model, "text", "sure", top=2).fields()]
    ['sure', 'sure_probability', 'sure_2', 'sure_probability_2', 'sure_known', 'sure_problem']
    """

    model: NaiveBayes
    text: str = "text"
    name: str = "prediction"
    top: int = 1
    prior: Prior | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.top) or self.top < 1:
            raise OptionError(f"top={self.top!r} is not allowed: top must be a whole number >= 1")
        if not isinstance(self.name, str) or not self.name:
            raise OptionError(f"name={self.name!r} is not allowed: the new column needs a name, which is text")
        self.model._predict_all([], prior=self.prior)  # a check of the model and the prior

    def fields(self) -> list[pa.Field]:
        """The names and types of the new columns."""
        label = arrow_labels(self.model.classes_.tolist()).type
        *names, problem = self._predictions.names()
        labels = range(0, len(names) - 1, 2)  # between them are their probabilities, and the last one is `known`
        fields = [pa.field(name, label if at in labels else pa.float64()) for at, name in enumerate(names)]
        return [*fields, pa.field(problem, pa.string())]

    def scored(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The record batch with the new columns."""
        check_column(batch.schema.names, self.text)
        self.check_free(batch.schema.names)
        texts = plain(batch.column(self.text), self.text, "the record batch")
        problems = text_problems(texts)
        why = pa.array(map(problems.get, range(batch.num_rows)), pa.string())
        fields = [*(batch.schema.field(at) for at in range(batch.num_columns)), *self.fields()]
        schema = pa.schema(fields, batch.schema.metadata)
        return pa.RecordBatch.from_arrays([*batch.columns, *self._columns(texts, problems), why], schema=schema)

    def check_free(self, columns: Iterable[str]) -> None:
        """Raise ``SourceError`` if one of these columns has the name of a new one."""
        taken = set(columns) & {field.name for field in self.fields()}
        if taken:
            raise SourceError(f"the rows already have a column {printable(min(taken))!r}: give another name=...")

    def _columns(self, texts: pa.Array, problems: Collection[int]) -> list[pa.Array]:
        """The new columns without the problems: null in rows that have one."""
        bad = ~without_problem(len(texts), problems)
        kept = texts_of(texts, problems)
        found = self.model._predict_all(
            kept if len(kept) else [], self.top, prior=self.prior, scorer=self._predictions.scorer
        )
        return [
            pa.array(column, field.type, mask=bad, from_pandas=False)
            for column, field in zip(self._predictions.columns(found, has_known=True), self.fields(), strict=False)
        ]

    @cached_property
    def _predictions(self) -> RowPredictor:
        return RowPredictor(self.model, self.name, proba=True, top=self.top, prior=self.prior)
