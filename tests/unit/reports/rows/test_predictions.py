"""Rows with predictions: fields, quotes and values of every kind, in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.batch.pipeline import RowPredictor
from likely.errors import SourceError
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus

MODEL = NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"])


def written(source: Any, output_format: str | None = None, model: NaiveBayes = MODEL, **how: Any) -> bytes:
    sink = io.BytesIO()
    predictor = RowPredictor(
        model,
        how.pop("name", "prediction"),
        how.pop("proba", False),
        how.pop("top", None),
        format=output_format,
        is_format_given=output_format is not None,
    )
    predictor.write(Corpus(source, ReadingOptions(**how), labelled=False, whole=True), sink)
    return sink.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rows_of_separated_values_stay_byte_for_byte(tmp_path: Path, delimiter: str) -> None:
    lines = ["id,text,x", '1,"good, ""so"" good",', "02,dull,é "]
    data = "".join(line.replace(",", delimiter) + "\r\n" for line in lines).encode()
    (tmp_path / "a.csv").write_bytes(data)
    found = written(tmp_path / "a.csv", text="text")
    assert [line[: len(before)] for line, before in zip(found.splitlines(), data.splitlines(), strict=True)] == (
        data.splitlines()
    )
    assert [line.decode().split(delimiter)[-2] for line in found.splitlines()] == ["prediction", "+", "-"]
    assert found.count(b"\r\n") == 3


def test_values_of_every_kind_in_every_format(tmp_path: Path) -> None:
    table = pa.table(
        {"text": ["good", "dull"], "n": [1, None], "f": [0.5, float("nan")], "l": [[1], []], "b": [True, None]}
    )
    path = tmp_path / "in.parquet"
    pq.write_table(table, path)
    (one, two) = csv.DictReader(io.StringIO(written(path, "csv").decode()))
    assert one == {"text": "good", "n": "1", "f": "0.5", "l": "[1]", "b": "true", "prediction": "+", "problem": ""}
    assert two == {"text": "dull", "n": "", "f": "", "l": "[]", "b": "", "prediction": "-", "problem": ""}
    lines = [json.loads(line) for line in written(path, "jsonl").splitlines()]
    assert lines[1] == {"text": "dull", "n": None, "f": None, "l": [], "b": None, "prediction": "-", "known": 1.0}
    again = pq.read_table(pa.BufferReader(written(path, "parquet")))
    assert again.drop_columns(["prediction", "problem"]).schema.equals(table.schema)
    assert again["prediction"].to_pylist() == ["+", "-"]


def test_the_columns_of_probabilities_and_of_the_best_labels() -> None:
    table = pa.table({"text": ["good"]})
    names = {
        "plain": list(json.loads(written(table, "jsonl"))),
        "proba": list(json.loads(written(table, "jsonl", proba=True))),
        "named": list(json.loads(written(table, "jsonl", proba=True, name="x"))),
        "top": list(json.loads(written(table, "jsonl", top=5))),
    }
    assert names["plain"] == ["text", "prediction", "known"]
    assert names["proba"] == ["text", "prediction", "probability", "known"]
    assert names["named"] == ["text", "x", "x_probability", "x_known"]
    assert names["top"] == ["text", "prediction", "probability", "prediction_2", "probability_2", "known"]


def test_labels_with_quotes_and_what_is_not_answered() -> None:
    labels = ['a "b", c', "two\nlines"]
    model = NaiveBayes(abstain=0.55).fit(["good", "dull"], labels)
    table = pa.table({"text": ["good", "dull", "zzz"]})
    rows = list(csv.DictReader(io.StringIO(written(table, "csv", model).decode(), newline="")))
    assert [row["prediction"] for row in rows] == [*labels, "unsure"]
    assert pq.read_table(pa.BufferReader(written(table, "parquet", model)))["prediction"].to_pylist() == [
        *labels,
        None,
    ]


@pytest.mark.parametrize("output_format", ["csv", "jsonl", "parquet"])
def test_a_column_of_that_name_is_not_overwritten(tmp_path: Path, output_format: str) -> None:
    pq.write_table(pa.table({"text": ["a"], "prediction": ["b"]}), tmp_path / "in.parquet")
    with pytest.raises(
        SourceError, match="already has a column 'prediction': name the new one with --prediction-column"
    ):
        written(tmp_path / "in.parquet", output_format, text="text")


def test_no_rows_are_a_header_or_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,x\n")
    assert written(tmp_path / "a.csv") == b"text,x,prediction,problem\n"
    with pytest.raises(SourceError, match="no Parquet file to write"):
        written(tmp_path / "a.csv", "parquet")


def test_the_output_has_the_encoding_of_the_input(tmp_path: Path) -> None:
    rows = "id;text\r\n" + "".join(f"{at};déjà vu, très drôle, été {at}\r\n" for at in range(50))
    for encoding in ("cp1252", "utf-16", "utf-8-sig", "utf-8", "cp1251"):
        data = (rows if encoding != "cp1251" else rows.replace("déjà vu, très drôle, été", "Привет, мир")).encode(
            encoding
        )
        (tmp_path / "a.csv").write_bytes(data)
        found = written(tmp_path / "a.csv")
        start = len(data.split("\r\n".encode(encoding)[-2:])[0])
        assert found[: start - 2] == data[: start - 2]
        assert [line.split(";")[-2:] for line in found.decode(encoding).split("\r\n")[:2]] == [
            ["prediction", "problem"],
            ["+", ""],
        ]
        assert found.decode(encoding).count("\r\n") == 51
    model = NaiveBayes().fit(["good", "fine", "dull"], ["映", "映", "-"])
    with pytest.raises(SourceError, match=r"'映' cannot be written in cp1251.*convert the input to UTF-8"):
        written(tmp_path / "a.csv", model=model)


def test_an_encoding_that_is_recognised_after_megabytes_is_that_of_the_output(tmp_path: Path) -> None:
    rows = "text;x\r\n" + "good fun;1\r\n" * 300_000 + "déjà vu, très drôle, été;2\r\n" * 50
    (tmp_path / "a.csv").write_bytes(rows.encode("cp1252"))
    found = written(tmp_path / "a.csv").decode("cp1252")
    assert found.endswith("déjà vu, très drôle, été;2;+;\r\n")


def test_files_in_several_encodings_are_written_in_one(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text\n映 good\n")
    (tmp_path / "b.csv").write_bytes("text\ndéjà vu très drôle été\n".encode("cp1252"))
    corpus = Corpus([tmp_path / "a.csv", tmp_path / "b.csv"], labelled=False, whole=True)
    sink = io.BytesIO()
    RowPredictor(MODEL, "prediction", False, None).write(corpus, sink)
    assert sink.getvalue().decode().splitlines()[1:] == ["映 good,+,", "déjà vu très drôle été,+,"]


def test_the_name_of_the_output_decides_between_tabs_and_commas(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"text;x\r\ngood;1\r\n")
    (tmp_path / "a.tsv").write_bytes(b"text\tx\r\ngood\t1\r\n")

    def named(source: str, wanted: str) -> bytes:
        sink = io.BytesIO()
        corpus = Corpus(tmp_path / source, labelled=False, whole=True)
        RowPredictor(MODEL, "prediction", False, None, format=wanted).write(corpus, sink)
        return sink.getvalue()

    assert named("a.csv", "csv") == b"text;x;prediction;problem\r\ngood;1;+;\r\n"
    assert named("a.tsv", "tsv") == b"text\tx\tprediction\tproblem\r\ngood\t1\t+\t\r\n"
    assert named("a.csv", "tsv") == b"text\tx\tprediction\tproblem\ngood\t1\t+\t\n"
    assert named("a.tsv", "csv") == b"text,x,prediction,problem\ngood,1,+,\n"


def test_a_line_that_declares_the_delimiter_stays(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"sep=;\r\ntext;x\r\ngood;1\r\n")
    assert written(tmp_path / "a.csv") == b"sep=;\r\ntext;x;prediction;problem\r\ngood;1;+;\r\n"
    assert written(tmp_path / "a.csv", "csv") == b"text,x,prediction,problem\ngood,1,+,\n"
    assert written(tmp_path / "a.csv", header=False, text="1").startswith(b"sep=;\r\ntext;x;")


def test_a_row_with_a_problem_has_a_reason_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b'id,text\n1,good\n2\n3,"dull\n4,fun\n')
    (rows) = list(csv.DictReader(io.StringIO(written(tmp_path / "a.csv", proba=True).decode())))
    assert [row["prediction"] for row in rows] == ["+", "", "", "+"]
    assert [row["problem"] for row in rows] == ["", "not as many fields as the header", "broken quoting", ""]
    assert [row["id"] for row in rows] == ["1", "2", '3,"dull', "4"]
    table = pq.read_table(pa.BufferReader(written(tmp_path / "a.csv", "parquet", proba=True)))
    assert table["prediction"].to_pylist() == ["+", None, None, "+"]
    assert table["problem"].to_pylist()[1:] == ["not as many fields as the header", "broken quoting", None]
    found = [json.loads(line) for line in written(tmp_path / "a.csv", "jsonl", proba=True).splitlines()]
    assert found[1]["prediction"] is None
    assert found[1]["probability"] is None
    assert ("problem" in found[0], "problem" in found[1]) == (False, True)


def test_cells_that_a_spreadsheet_would_run_are_told_of(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "=1+1"}\n{"text": "good"}\n')
    sink = io.BytesIO()
    corpus = Corpus(tmp_path / "a.jsonl", labelled=False, whole=True)
    unheard, shift, told = RowPredictor(MODEL, "prediction", False, None, format="csv").write(corpus, sink)
    assert unheard == "1 of 2 texts have no known words; predicting from the class prior"
    assert shift.startswith("66.7% of the terms are unknown")
    assert told.startswith("some cells begin with =")
    assert sink.getvalue().splitlines()[1].startswith(b"=1+1,")


def test_rows_that_make_no_table_say_what_to_write_instead(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a", "x": 1}\n{"text": "b", "x": "one"}\n')
    with pytest.raises(SourceError, match=r"do not fit into a table.*--output-format jsonl"):
        written(tmp_path / "a.jsonl", "parquet")


def test_small_batches_become_large_row_groups(tmp_path: Path) -> None:
    table = pa.table({"text": [f"good {i}" for i in range(80_000)], "day": ["monday", "friday"] * 40_000})
    pq.write_table(table, tmp_path / "in.parquet", row_group_size=9_000)
    file = pq.ParquetFile(pa.BufferReader(written(tmp_path / "in.parquet", text="text")))
    assert file.metadata.num_row_groups == 1
    assert file.read().select(["text", "day"]).equals(table)
