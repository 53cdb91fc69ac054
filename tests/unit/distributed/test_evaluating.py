"""An evaluation of sums over partitions is that of one process, as far as sums allow."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.distributed import evaluation, judge
from likely.errors import LengthError, OptionError

TEXTS = ["good fun", "so good", "dull plot", "so so", "fun plot", "dull", "so dull", "unheard of", "", "good so"]
GOLD = ["+", "+", "-", "?", "+", "-", "?", "-", "+", "other"]


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes().fit(TEXTS[:6], GOLD[:6])


def partitions(texts: list[str | None], labels: list[object], parts: int) -> list[pa.RecordBatch]:
    order = np.random.default_rng(parts).permutation(len(texts))
    return [
        pa.record_batch({"text": [texts[at] for at in some], "label": [labels[at] for at in some]})
        for some in np.array_split(order, parts)
    ]


@pytest.mark.parametrize("parts", [1, 3, 10])
@pytest.mark.parametrize("abstain", [None, 0.5])
def test_sums_of_partitions_are_the_evaluation_of_one_process(
    model: NaiveBayes, parts: int, abstain: float | None
) -> None:
    rows = [row for part in partitions([*TEXTS], [*GOLD], parts) for row in judge([part], model, abstain=abstain)]
    found = evaluation(rows, model, beta=2.0)
    expected = model.evaluate(TEXTS, GOLD, abstain=abstain, beta=2.0)
    for name in ("labels", "documents", "abstained", "beta"):
        assert getattr(found, name) == getattr(expected, name)
    for name in ("gold", "predicted", "counts"):
        assert getattr(found, name).tolist() == getattr(expected, name).tolist()
    assert found.coverage == expected.coverage
    assert found.reliability is not None
    assert expected.reliability is not None
    for name in ("expected_calibration_error", "brier", "log_loss", "mean_confidence"):
        measures = (getattr(each.reliability, name) for each in (found, expected))
        assert next(measures) == pytest.approx(next(measures), rel=1e-12)
    known, lacking = found.to_dict(), expected.to_dict()
    assert {name for name in lacking if known[name] is None and lacking[name] is not None} <= {"ranking", "shift"}  # type: ignore[literal-required]
    assert found.intervals["accuracy"] == expected.intervals["accuracy"]
    assert "Ranking" in found.notes[-1]
    assert "Ranking" in str(found)


@pytest.mark.parametrize(
    ("labels", "written"), [([3, 7], ["3", "7"]), ([3, 7], [3.0, 7.0]), ([True, False], ["true", "false"])], ids=str
)
def test_labels_are_read_as_the_type_of_the_model(labels: list[int], written: list[object]) -> None:
    model = NaiveBayes().fit(["good", "bad"], labels)
    rows = pa.record_batch({"text": ["good", "bad"], "label": written})
    assert evaluation(judge([rows], model), model).accuracy == 1.0


def test_bad_rows_are_counted_and_left_out() -> None:
    model = NaiveBayes().fit(["good", "bad"], [1, 0])
    rows = pa.record_batch({"text": ["good", None, "bad", "bad", None], "label": ["1", "1", None, "x", ""]})
    found = evaluation(judge([rows], model), model)
    assert found.documents == 1
    assert (
        found.notes[0] == "4 rows were left out: no text (2), the label 'x' cannot be read as int (1), no label (1)."
    )
    only_bad = rows.slice(1)
    with pytest.raises(LengthError, match=r"no documents to evaluate\. 4 rows were left out"):
        evaluation(judge([only_bad], model), model)


def test_a_partition_without_rows_adds_nothing(model: NaiveBayes) -> None:
    (rows,) = judge([], model)
    assert rows.num_rows == 0
    (full,) = judge([pa.record_batch({"text": ["good"], "label": ["+"]})], model)
    assert rows.schema == full.schema
    assert evaluation([rows, full], model).documents == 1


def test_beta_is_checked(model: NaiveBayes) -> None:
    with pytest.raises(OptionError, match="beta=0"):
        evaluation([], model, beta=0)
