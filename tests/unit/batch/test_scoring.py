"""Scores of record batches: the columns of `likely predict`, one row per row, and no row is an error."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.batch.pipeline import RowPredictor
from likely.batch.scoring import Scoring, loaded, score
from likely.errors import LikelyError, OptionError, SourceError
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus

TEXTS = ["so good", "dull", None, "", "so-so größer 😀", "good good dull fun"]


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes().fit(["good fun", "so good", "dull plot", "so so"], ["+", "+", "-", "?"])


def table_of(batches: list[pa.RecordBatch], model: NaiveBayes, **options: object) -> pa.Table:
    return pa.Table.from_batches(list(score(batches, model, **options)))  # type: ignore[arg-type]


@pytest.mark.parametrize("top", [1, 2, 9])
@pytest.mark.parametrize("name", ["prediction", "tone"])
def test_the_columns_are_those_of_the_command(model: NaiveBayes, tmp_path: Path, top: int, name: str) -> None:
    rows = pa.table({"text": TEXTS, "at": [1, 2, 3, 4, 5, 6]})
    pq.write_table(rows, tmp_path / "rows.parquet")
    sink = io.BytesIO()
    corpus = Corpus(tmp_path / "rows.parquet", ReadingOptions(text="text"), labelled=False, whole=True)
    RowPredictor(model, name, proba=True, top=top, format="parquet").write(corpus, sink)
    sink.seek(0)
    expected = pq.read_table(sink)
    found = table_of(rows.to_batches(max_chunksize=2), model, name=name, top=top)
    assert found.schema.names == expected.schema.names
    assert found.to_pylist() == expected.to_pylist()


@pytest.mark.parametrize("labels", [["a", "b"], [3, 7], [True, False]], ids=str)
def test_the_types_are_those_of_the_labels(labels: list[int]) -> None:
    model = NaiveBayes(abstain=0.6).fit(["good", "bad"], labels)
    found = table_of([pa.record_batch({"text": ["good", "bad", "unheard of", None]})], model)
    assert found["prediction"].to_pylist() == [*labels, None, None]
    assert found["problem"].to_pylist() == [None, None, None, "no text"]
    assert found["probability"].null_count == 1
    assert found.schema.field("prediction").type == Scoring(model).fields()[0].type


def test_bad_rows_have_a_problem_and_no_prediction(model: NaiveBayes) -> None:
    damaged = pa.array([b"good", b"\xff", None]).view(pa.string())
    found = table_of([pa.record_batch({"text": damaged})], model)
    assert found["problem"].to_pylist() == [None, "not valid UTF-8", "no text"]
    assert found["prediction"].to_pylist() == ["+", None, None]
    for column in (pa.array([1, None, 2]), pa.array([b"good", None, b""]), pa.nulls(3), pa.array([["a"], None, []])):
        found = table_of([pa.record_batch({"text": column})], model)
        assert found["prediction"].null_count == 3
        assert found["problem"].null_count == 0
        assert found["problem"][1].as_py() == "no text"


@pytest.mark.parametrize(
    "kind",
    [pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())],
    ids=["large", "view", "dict"],
)
def test_every_kind_of_text_is_read(model: NaiveBayes, kind: pa.DataType) -> None:
    expected = table_of([pa.record_batch({"text": pa.array(TEXTS)})], model).drop(["text"])
    column = pa.array(TEXTS).dictionary_encode() if pa.types.is_dictionary(kind) else pa.array(TEXTS, kind)
    assert table_of([pa.record_batch({"text": column})], model).drop(["text"]).equals(expected)


def test_batches_without_rows_keep_their_schema(model: NaiveBayes) -> None:
    empty = pa.record_batch({"text": pa.array([], pa.string())})
    (found,) = score([empty], model)
    (full,) = score([pa.record_batch({"text": ["good"]})], model)
    assert found.num_rows == 0
    assert found.schema == full.schema
    (found,) = score([pa.Table.from_batches([], empty.schema)], model)
    assert found.schema == full.schema


def test_a_prior_of_the_rows_is_used(model: NaiveBayes) -> None:
    prior = {"+": 0.0, "-": 0.5, "?": 0.5}
    found = table_of([pa.record_batch({"text": ["good"]})], model, prior=prior)
    assert found["prediction"].to_pylist() == model.predict(["good"], prior=prior).tolist()


def test_what_cannot_work_is_refused(model: NaiveBayes) -> None:
    rows = pa.record_batch({"text": ["a"], "known": [1]})
    with pytest.raises(SourceError, match="already have a column 'known'"):
        list(score([rows], model))
    with pytest.raises(SourceError, match="there is no column 'body'"):
        list(score([rows], model, text="body", name="p"))
    with pytest.raises(OptionError, match="top=0"):
        list(score([rows], model, top=0))
    twice = pa.RecordBatch.from_arrays([pa.array(["a"]), pa.array(["b"])], names=["text", "text"])
    with pytest.raises(SourceError, match="2 columns named 'text'"):
        list(score([twice], model))


def test_a_file_is_loaded_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.likely"
    NaiveBayes().fit(["good", "bad"], ["+", "-"]).save(path)
    first = loaded(path)
    assert loaded(str(path)) is first
    NaiveBayes().fit(["good", "bad", "so so"], ["+", "-", "?"]).save(path)
    assert loaded(path).classes_.tolist() == ["+", "-", "?"]


def test_a_model_is_returned_as_it_is() -> None:
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    assert loaded(model) is model


def test_only_a_few_models_stay_loaded(tmp_path: Path) -> None:
    paths = [tmp_path / f"{at}.likely" for at in range(5)]
    for path in paths:
        NaiveBayes().fit(["good", "bad"], ["+", "-"]).save(path)
    first = loaded(paths[0])
    for path in paths[1:]:
        loaded(path)
    assert loaded(paths[0]) is not first


def test_a_file_that_is_missing_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises((LikelyError, FileNotFoundError), match=r"none\.likely"):
        loaded(tmp_path / "none.likely")
