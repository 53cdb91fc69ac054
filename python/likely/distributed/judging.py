"""`judge`: the texts and gold labels of a partition become numbers, whose sums over all partitions are evaluated."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from typing import TYPE_CHECKING, cast

import numpy as np

from likely import _native
from likely.class_places import ClassPlaces
from likely.distributed.gold import gold_labels
from likely.distributed.models import loaded
from likely.distributed.texts import check_column, record_batches, text_problems
from likely.evaluation.coverage import SHOWN
from likely.evaluation.grouped import Grouped
from likely.evaluation.losses import Losses, losses
from likely.evaluation.reliability import Reliability, document_scores, reliability_of
from likely.extras import extra
from likely.reading.tables import without_views

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from likely.labels import CodedLabels
    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Abstain, Array, Label, Labels, Path, Places, Prior

PAIR, PROBLEM = "pair", "problem"
"""The measures of rows that count documents: of a gold label and a prediction, and of those that cannot be read."""
RELIABILITY, LOSSES, COVERAGE = "reliability", "losses", "coverage"
"""The measures of rows that add up what the probabilities say."""


def judge(
    batches: Iterable[pa.RecordBatch | pa.Table],
    model: NaiveBayes | Path,
    *,
    text: str = "text",
    label: str = "label",
    prior: Prior | None = None,
    abstain: Abstain | None = None,
) -> Iterator[pa.RecordBatch]:
    """What an evaluation needs of the rows of one partition, as one record batch of numbers that can be summed.

    The columns are measure, gold, predicted, place and number. The numbers of rows that agree in the other columns
    may be summed, in any order; `evaluation` makes an `Evaluation` of them.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch or pyarrow.Table
        The rows of a partition.
    model : NaiveBayes or path
        The model, or the path of its file, which is loaded once per process.
    text, label : str
        The columns with the texts and with the gold labels.
    prior, abstain
        As for `NaiveBayes.evaluate`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely import NaiveBayes
    >>> from likely.distributed import evaluation
    >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    >>> rows = pa.record_batch({"text": ["good", "dull", None], "label": ["+", "+", "+"]})
    >>> found = evaluation(judge([rows], model), model)
    >>> found.accuracy, found.documents, found.notes[0]
    (0.5, 2, '1 row was left out: no text (1).')
    """
    sums = _Sums(loaded(model), prior, abstain)
    for each in batches:
        for batch in record_batches(each):
            for name in (text, label):
                check_column(batch.schema.names, name)
            sums.add(batch.column(text), batch.column(label))
    yield sums.rows()


class _Sums:
    """The sums of a partition."""

    def __init__(self, model: NaiveBayes, prior: Prior | None, abstain: Abstain | None) -> None:
        self._model, self._prior, self._abstain = model, prior, abstain
        self._classes: list[Label] = model.classes_.tolist()
        self._found: Counter[tuple[str, str | None, str | None, int]] = Counter()

    def add(self, texts: pa.Array, labels: pa.Array) -> None:
        """Add some rows."""
        pa = extra("pyarrow", "Evaluating record batches")
        gold, wrong = gold_labels(labels, type(self._classes[0]))
        problems = [one or other for one, other in zip(text_problems(texts), wrong, strict=True)]
        for problem, number in Counter(filter(None, problems)).items():
            self._found[PROBLEM, problem, None, 0] += number
        good = np.array([problem is None for problem in problems], np.bool_)
        if good.any():
            kept = without_views(texts) if good.all() else without_views(texts).filter(pa.array(good))
            self._judge(_native.Strings(kept), gold.chosen(good))

    def _judge(self, texts: _native.Strings, gold: CodedLabels) -> None:
        logs, best = self._model._answers_of(texts, prior=self._prior, abstain=self._abstain)
        names = [*map(str, self._classes), None]  # the place -1 is the last one
        pairs = Counter(zip(gold.codes.tolist(), best.tolist(), strict=True))
        for (code, place), number in pairs.items():
            self._found[PAIR, str(gold.values[code]), names[place], 0] += number
        self._weigh(logs, ClassPlaces(self._classes).found(cast("Labels", gold)), best)

    def _weigh(self, logs: Array, gold: Places, best: Places) -> None:
        """Add what the probabilities say about the gold labels."""
        scores = document_scores(logs, gold)
        # A document without a prediction is not answered at any threshold.
        confidence = np.where(best < 0, -1.0, np.exp(logs[np.arange(len(best)), best]))
        reached = np.searchsorted(SHOWN, confidence, side="right")
        measures = {
            **flat(RELIABILITY, reliability_of(scores)),
            **flat(LOSSES, losses(scores)),
            COVERAGE: np.bincount(2 * reached + (best == gold), minlength=2 * len(SHOWN) + 2),
        }
        for measure, numbers in measures.items():
            for place in np.flatnonzero(numbers).tolist():
                self._found[measure, None, None, place] += numbers[place].item()

    def rows(self) -> pa.RecordBatch:
        """The sums as rows, sorted."""
        pa = extra("pyarrow", "Evaluating record batches")
        keys = sorted(self._found, key=lambda key: (key[0], key[1] or "", key[2] or "", key[2] is None, key[3]))
        columns = list(zip(*keys, strict=True)) if keys else [(), (), (), ()]
        arrays = [pa.array(values, kind) for values, kind in zip(columns, _kinds(), strict=True)]
        numbers = pa.array([float(self._found[key]) for key in keys], pa.float64())
        return pa.RecordBatch.from_arrays([*arrays, numbers], schema=rows_schema())


def rows_schema() -> pa.Schema:
    """The columns of the rows of `judge`."""
    pa = extra("pyarrow", "Evaluating record batches")
    names = ("measure", "gold", "predicted", "place")
    return pa.schema([*zip(names, _kinds(), strict=True), ("number", pa.float64())])


def _kinds() -> list[pa.DataType]:
    pa = extra("pyarrow", "Evaluating record batches")
    return [pa.string(), pa.string(), pa.string(), pa.int64()]


def flat(name: str, sums: object) -> dict[str, Array]:
    """The sums of a class as arrays, by the names of their fields.

    Examples
    --------
    >>> from likely.evaluation.grouped import grouped
    >>> list(flat("gap", grouped(np.array([0.5]), np.array([0]), 2)))
    ['gap.sizes', 'gap.sums', 'gap.squares']
    """
    if isinstance(sums, Reliability | Losses | Grouped):
        return {
            key: numbers
            for each in fields(sums)
            for key, numbers in flat(f"{name}.{each.name}", getattr(sums, each.name)).items()
        }
    return {name: np.atleast_1d(np.asarray(sums, np.float64))}
