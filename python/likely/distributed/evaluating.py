"""`evaluation`: the rows that `judge` makes of partitions become an `Evaluation`."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import fields
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

import numpy as np

from likely.class_places import ClassPlaces
from likely.distributed.judging import COVERAGE, LOSSES, PAIR, PROBLEM, RELIABILITY
from likely.distributed.models import loaded
from likely.errors import LengthError
from likely.evaluation.evaluate import check_beta
from likely.evaluation.evaluation import Evaluation
from likely.evaluation.intervals import GroupedValues, Losses, losses
from likely.labels import CodedLabels
from likely.scoring.reliability import SHOWN_THRESHOLDS, Reliability, coverage_at, document_scores, reliability_of
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

    from likely.naive_bayes import NaiveBayes
    from likely.scoring.reliability import Coverage
    from likely.types import Label, Path

T = TypeVar("T")
Sums: TypeAlias = "Counter[tuple[str | None, str | None, int]]"
"""The sums of a measure: by gold label, prediction and place."""

MISSING = (
    "Ranking (areas under curves, top-k accuracy), the worst mistakes and the shift need every row on one machine: "
    "evaluate a sample with `NaiveBayes.evaluate` to see them."
)
"""What an evaluation of sums does not have."""
MOST_NAMED = 5
"""At most this many problems of rows are named."""


def evaluation(
    tables: Iterable[pa.RecordBatch | pa.Table], model: NaiveBayes | Path, *, beta: float = 1.0
) -> Evaluation:
    """The evaluation of rows of `judge`, whether they were summed before or not.

    Confusion counts, and all measures that follow from them, are those of one process. The measures of probabilities
    (calibration, Brier score, log-loss, coverage) are sums of the same bins, equal up to the rounding of sums.
    Ranking, the worst mistakes and the shift need every row, and are missing: the last of ``notes`` says so. Rows
    that could not be read are left out, and counted in the notes.

    Parameters
    ----------
    tables : iterable of pyarrow.RecordBatch or pyarrow.Table
        The rows.
    model : NaiveBayes or path
        The model that `judge` was called with.
    beta : float
        The weight of recall relative to precision in the F-measure.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely import NaiveBayes
    >>> from likely.distributed import judge
    >>> model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    >>> parts = [pa.record_batch({"text": [text], "label": ["+"]}) for text in ("good", "dull", "fun", "so so")]
    >>> evaluation([rows for part in parts for rows in judge([part], model)], model).accuracy
    0.75
    """
    check_beta(beta)
    sums: defaultdict[str, Sums] = defaultdict(Counter)
    for table in tables:
        for row in table.to_pylist():
            sums[row["measure"]][row["gold"], row["predicted"], row["place"]] += row["number"]
    problems = _left_out(sums[PROBLEM])
    if not sums[PAIR]:
        raise LengthError(" ".join(["there are no documents to evaluate.", *problems]).removesuffix("."))
    nothing = document_scores(np.zeros((0, 1)), np.zeros(0, np.intp))
    return Evaluation(
        *_pairs(sums[PAIR], loaded(model).classes_.tolist()),
        float(beta),
        reliability=_filled(reliability_of(nothing), RELIABILITY, sums),
        losses=_filled(losses(nothing), LOSSES, sums),
        coverage=_coverage(sums[COVERAGE]),
        notes=[*problems, MISSING],
    )


def _pairs(sums: Sums, classes: list[Label]) -> tuple[list[Label], np.ndarray, np.ndarray, np.ndarray]:
    """The labels, sorted, and the place of the gold label, that of the prediction, and the number of each pair."""
    kind = type(classes[0])

    def read(names: list[str]) -> list[Label]:
        return CodedLabels(cast("list[Label]", names), np.zeros(0, np.uint32)).as_kind(kind).values

    gold = read([cast("str", key[0]) for key in sums])
    labels = sorted({*classes, *gold})
    places = ClassPlaces(labels)
    guesses = [-1 if key[1] is None else places.of(read([key[1]])[0]) for key in sums]
    numbers = np.array([round(number) for number in sums.values()], np.int64)
    rows, columns = places.of_all(gold).astype(np.int64), np.array(guesses, np.int64)
    sort = np.lexsort((columns, rows))
    return labels, rows[sort], columns[sort], numbers[sort]


def _filled(empty: T, name: str, sums: dict[str, Sums]) -> T:
    """Sums of a class whose fields are those of another one, with the numbers of the rows."""
    if isinstance(empty, Reliability | Losses | GroupedValues):
        parts = [_filled(getattr(empty, each.name), f"{name}.{each.name}", sums) for each in fields(empty)]
        return type(empty)(*parts)
    numbers = np.zeros(np.size(cast("float", empty)))
    for (_, _, place), number in sums[name].items():
        numbers[place] = number
    return cast("T", numbers if isinstance(empty, np.ndarray) else float(numbers[0]))


def _coverage(sums: Sums) -> list[Coverage]:
    """The coverage at each threshold, from the number of documents between two of them."""
    places = np.array([place for _, _, place in sums], np.intp)
    confidence = np.array([-1.0, *SHOWN_THRESHOLDS])[places // 2]
    return coverage_at(confidence, places % 2 == 1, SHOWN_THRESHOLDS, np.array(list(sums.values()), np.float64))


def _left_out(sums: Sums) -> list[str]:
    """How many rows could not be read, and why, if any."""
    if not sums:
        return []
    found = sorted(((round(number), str(problem)) for (problem, _, _), number in sums.items()), reverse=True)
    why = named(found, MOST_NAMED, lambda each: f"{each[1]} ({each[0]:,})")
    total = sum(number for number, _ in found)
    return [f"{counted(total, 'row')} {'was' if total == 1 else 'were'} left out: {why}."]
