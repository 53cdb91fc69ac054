"""Files of predictions: read row by row, matched with the texts, and refused if rows do not agree."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely.errors import ArgumentError, LabelError, SourceError
from likely.reading.prediction_file import PredictionFile

TEXTS = ["good", "dull", "odd"]


def written(path: Path, labels: list[object], texts: list[str] | None = None) -> PredictionFile:
    rows = [{"review": text, "prediction": label} for text, label in zip(texts or TEXTS, labels, strict=True)]
    if path.suffix == ".csv":
        lines = [f"{row['review']},{'unsure' if row['prediction'] is None else row['prediction']}\n" for row in rows]
        path.write_text("review,prediction\n" + "".join(lines))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        pq.write_table(pa.Table.from_pylist(rows), path)
    return PredictionFile(str(path), "prediction")


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_every_format(tmp_path: Path, suffix: str) -> None:
    file = written(tmp_path / f"p{suffix}", [1, 2, None])
    file.begin("review", int)
    assert file.next(TEXTS[:2]) == [1, 2]
    assert file.next(TEXTS[2:]) == [None]
    file.check_end()
    texts = written(tmp_path / f"q{suffix}", ["pos", "neg", "pos"])
    texts.begin("another column", str)
    assert texts.next(["x", "y", "z"]) == ["pos", "neg", "pos"], "without a column of texts nothing is compared"


def test_rows_must_agree(tmp_path: Path) -> None:
    file = written(tmp_path / "p.csv", ["+", "-", "+"])
    file.begin("review", str)
    with pytest.raises(ArgumentError, match="has 3 predictions, but the test data have more"):
        file.next([*TEXTS, "one more"])
    file.begin("review", str)
    file.next(TEXTS[:1])
    with pytest.raises(ArgumentError, match="has more than 1 predictions"):
        file.check_end()
    file.begin("review", str)
    with pytest.raises(SourceError, match="row 2 is 'dull', but in the test data it is 'odd'"):
        file.next(["good", "odd"])


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    written(tmp_path / "p.csv", ["+", "-", "+"])
    file = PredictionFile(str(tmp_path / "p.csv"), "answer")
    file.begin("review", str)
    with pytest.raises(SourceError, match="no column 'answer'"):
        file.next(TEXTS)
    file = PredictionFile(str(tmp_path / "p.csv"), "prediction")
    file.begin("review", int)
    with pytest.raises(LabelError, match="cannot be read as int"):
        file.next(TEXTS)
