"""Weights and groups: the same from every container, and a row without a weight is named."""

from __future__ import annotations

import csv
import io
import json
import math
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import likely
import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely import _native
from likely.core.file import to_bytes
from likely.errors import ArgumentError, OptionError, SourceError
from likely.options.reading import ReadingOptions
from likely.reading.columns import read_groups, read_weights
from likely.reading.corpus import Corpus

from .conftest import as_xlsx

if TYPE_CHECKING:
    from likely.reading.batch import Batch

Row = tuple[str, str, float, str | None]
NAMES = ("w", "text", "label", "author")
ROWS: list[Row] = [
    ("good fun", "+", 2.0, "ann"),
    ("very dull", "-", 0.5, "bob"),
    ("so so", "+", 0.0, None),
    ("dull plot", "-", 1.0, "ann"),
]


def objects(rows: list[Row]) -> list[dict[str, object]]:
    return [dict(zip(NAMES, (w, text, label, author), strict=True)) for text, label, w, author in rows]


def as_csv(rows: list[Row]) -> str:
    sink = io.StringIO(newline="")
    csv.writer(sink).writerows([NAMES, *(row.values() for row in objects(rows))])
    return sink.getvalue()


def files_of(folder: Path, rows: list[Row]) -> list[Path]:
    """The rows in files of every format with columns."""
    made = {name: folder / name for name in ("a.csv", "a.jsonl", "a.json", "a.parquet")}
    made["a.csv"].write_bytes(as_csv(rows).encode())
    made["a.jsonl"].write_text("".join(json.dumps(row) + "\n" for row in objects(rows)))
    made["a.json"].write_text(json.dumps(objects(rows)))
    pq.write_table(pa.Table.from_pylist(objects(rows)), made["a.parquet"])
    return list(made.values())


def sources_of(folder: Path) -> list[Any]:
    """The rows of `ROWS` in every container."""
    table = pa.Table.from_pylist(objects(ROWS))
    tabs = folder / "a.tsv"
    tabs.write_text(as_csv(ROWS).replace(",", "\t"))
    book = folder / "a.xlsx"
    book.write_bytes(as_xlsx({"Data": [list(NAMES), *(list(row.values()) for row in objects(ROWS))]}))
    arrow = folder / "a.arrow"
    with pa.ipc.new_stream(arrow, table.schema) as writer:
        writer.write_table(table)
    frames = [table, table.to_pandas(), pl.DataFrame(table), pl.LazyFrame(table.to_pydict()), table.to_pylist()]
    return [*files_of(folder, ROWS), tabs, book, arrow, *frames]


def weighted(batch: Batch) -> list[tuple[str, float]]:
    assert batch.weights is not None
    return list(zip(batch.texts.to_pylist(), batch.weights.tolist(), strict=True))


def read(corpus: Corpus) -> list[tuple[Any, ...]]:
    """The text, the label, the weight and the group of each row."""
    rows: list[tuple[Any, ...]] = []
    for batch in corpus.training_batches():
        columns: list[Any] = [batch.texts, batch.labels, batch.weights, batch.groups]
        rows += zip(*(each for each in columns if each is not None), strict=True)
    return rows


def test_the_same_weights_and_groups_from_every_container(tmp_path: Path) -> None:
    expected = [(text, label, weight, group) for text, label, weight, group in ROWS if group]
    for source in sources_of(tmp_path):
        rows = read(Corpus(source, ReadingOptions(weight="w", group="author")))
        assert [row for row in rows if row[0] != "so so"] == expected, source
        assert rows[2][:3] == ("so so", "+", 0.0)
        assert rows[2][3] not in ("", "ann", "bob")


@settings(deadline=None, max_examples=25)
@given(
    rows=st.lists(
        st.tuples(
            st.text("ab é", min_size=1, max_size=6),
            st.sampled_from(["+", "-"]),
            st.floats(2.0**-60, 1e9) | st.just(0.0) | st.integers(0, 5).map(float),
            st.sampled_from(["ann", "bob", "1"]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_weighted_rows_of_every_container_give_the_model_of_fit(
    rows: list[Row], tmp_path_factory: pytest.TempPathFactory
) -> None:
    rows = [("a b", "+", 1.0, "ann"), *rows]
    texts, labels, weights, _ = map(list, zip(*rows, strict=True))
    expected = to_bytes(likely.NaiveBayes(calibrate=False).fit(texts, labels, weights)._snapshot())
    folder = tmp_path_factory.mktemp("weighted")
    for source in [*files_of(folder, rows), pa.Table.from_pylist(objects(rows))]:
        given: dict[str, Any] = {
            "text": "text",
            "label": "label",
            "weight": "w",
            "group": "author",
            "allow_partial": True,
        }
        model = likely.train(source, calibrate=False, alpha=1.0, **given)._remember_columns(None)
        model.set_params(calibrate=False)
        assert to_bytes(model._snapshot()) == expected, source


BAD = ["", "abc", "-1", "nan", "inf", "1_000", "true", "1e-30"]


def test_rows_whose_weight_cannot_be_read_are_left_out_and_named(tmp_path: Path) -> None:
    rows = "".join(f"{weight},bad {at},+\n" for at, weight in enumerate(BAD))
    path = tmp_path / "a.csv"
    path.write_text(f"w,text,label\n 2 ,good,+\n1,no label,\n{rows}1e0,dull,-\n")
    corpus = Corpus(path, ReadingOptions(weight="w"))
    assert [(text, weight) for batch in corpus for text, weight in weighted(batch)] == [("good", 2.0), ("dull", 1.0)]
    assert corpus.skipped.count == len(BAD) + 1
    assert corpus.skipped.first == [
        f"{path} row 2 (line 3): no label",
        f"{path} row 3 (line 4): no weight",
        f"{path} row 4 (line 5): the weight 'abc' is not a number >= 0",
        f"{path} row 5 (line 6): the weight '-1' is not a number >= 0",
        f"{path} row 6 (line 7): no weight",
    ]
    assert corpus.skipped.labels["+"] == len(BAD)
    with pytest.raises(SourceError, match="row 3"):
        list(
            Corpus(
                pa.table({"w": ["1", "1", "x"], "text": list("abc"), "label": list("xyz")}),
                ReadingOptions(weight="w", strict=True),
            )
        )


def test_bad_weights_are_the_same_rows_in_every_container(tmp_path: Path) -> None:
    values: list[object] = [1, None, -2, 0.5, "x"]
    rows = [{"w": value, "text": f"text {at}", "label": "ab"[at % 2]} for at, value in enumerate(values)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = "".join(f"{'' if row['w'] is None else row['w']},{row['text']},{row['label']}\n" for row in rows)
    (tmp_path / "a.csv").write_text("w,text,label\n" + lines)
    database = sqlite3.connect(tmp_path / "a.db")
    database.execute("create table t (w, text, label)")
    database.executemany("insert into t values (:w, :text, :label)", rows)
    database.commit()
    database.close()
    for source, sql in (("a.jsonl", None), ("a.csv", None), ("a.db", "select * from t")):
        corpus = Corpus(tmp_path / source, ReadingOptions(weight="w", sql=sql))
        assert [text for batch in corpus for text in batch.texts.to_pylist()] == ["text 0", "text 3"]
        assert [each.partition(": ")[2] for each in corpus.skipped.first] == [
            "no weight",
            "the weight '-2' is not a number >= 0",
            "the weight 'x' is not a number >= 0",
        ]


def test_what_has_no_columns_has_neither_weights_nor_groups(tmp_path: Path) -> None:
    (tmp_path / "films" / "pos").mkdir(parents=True)
    (tmp_path / "films" / "pos" / "1.txt").write_text("good")
    (tmp_path / "a.txt").write_text("__label__pos so good\n__label__neg so dull\n")
    with pytest.raises(
        SourceError, match=r"films is read as a folder per class, which has no columns: leave out weigh"
    ):
        list(Corpus(tmp_path / "films", ReadingOptions(weight="label")))
    with pytest.raises(
        SourceError, match=r"fastText lines, which has no columns: leave out group=\.\.\. \(--group\)"
    ):
        list(Corpus(tmp_path / "a.txt", ReadingOptions(group="author")))


def test_weighted_rows_are_forgotten_exactly() -> None:
    model = likely.NaiveBayes().fit(["good", "bad"], ["+", "-"])
    before = to_bytes(model._snapshot())
    model.learn(objects(ROWS), weight="w")
    assert model.class_documents_.tolist() == [3.0, 2.5]
    assert to_bytes(model.forget(objects(ROWS), weight="w")._snapshot()) == before
    with pytest.raises(OptionError, match="group has no effect on a model that learns more"):
        model.learn(objects(ROWS), group="author")
    with pytest.raises(OptionError, match="weight has no effect on an evaluation"):
        model.evaluate(objects(ROWS), weight="w")
    with pytest.raises(ArgumentError, match=r"name its column of weights with weight=\.\.\."):
        model.learn(objects(ROWS), sample_weight=[1, 1, 1, 1])


def test_weights_as_numbers() -> None:
    weights, problems = read_weights(np.array([0.0, -0.0, 2.0**-64, math.nan, -1.0, 2.0**64]))
    assert weights.tolist() == [0, 0, 2.0**-64, 0, 0, 0]
    assert problems[3] == "no weight"
    assert "neither 0 nor from 2^-64" in problems[5]
    assert read_weights([10**400])[1].keys() == {0}
    hostile = read_weights(["9" * 10**6 + "\x1b"])[1][0]
    assert len(hostile) < 150
    assert "\x1b" not in hostile


def test_a_row_without_a_group_is_with_its_copies() -> None:
    texts = _native.Strings(["So good!", "so good", "so dull", "so good"])
    groups = read_groups([None, "", math.nan, "ann"], texts)
    assert groups[0] == groups[1] != groups[2]
    assert groups[3] == "ann"


def test_groups_of_any_type_are_compared_as_text(tmp_path: Path) -> None:
    values = ["ann", 1, 2.5, True, None, [1], {"a": 1}]
    rows = [{"text": f"text {at}", "label": "ab"[at % 2], "g": value} for at, value in enumerate(values)]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ((_, _, _, groups),) = Corpus(tmp_path / "a.jsonl", ReadingOptions(group="g")).training_batches()
    assert groups == read_groups(values, _native.Strings([str(row["text"]) for row in rows]))
    assert groups[:4] == ["ann", "1", "2.5", "true"]
    assert len(set(groups)) == 7
