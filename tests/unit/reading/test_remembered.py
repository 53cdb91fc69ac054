"""Columns that a model remembers: used if the data has them, and said if it does not."""

from __future__ import annotations

import logging
import pickle
from pathlib import Path

import likely
import pyarrow as pa
import pytest
from likely.errors import SourceError
from likely.options.reading import ReadingOptions
from likely.reading.batch import Chosen
from likely.reading.corpus import Corpus

REVIEWS = pa.table({"title": ["x", "y"], "review": ["good fun", "dull"], "stars": ["5", "1"], "kind": ["a", "b"]})


@pytest.fixture
def model() -> likely.NaiveBayes:
    return likely.train(REVIEWS, text="review", label="stars")


def test_training_on_a_source_remembers_the_columns(model: likely.NaiveBayes, tmp_path: Path) -> None:
    assert model.columns_ == Chosen("review", "stars")
    assert pickle.loads(pickle.dumps(model)).columns_ == model.columns_
    assert model.pruned(min_documents=2).columns_ == model.columns_
    model.save(tmp_path / "m.likely")
    assert likely.load(tmp_path / "m.likely").columns_ == model.columns_


def test_what_has_no_columns_is_not_remembered(tmp_path: Path) -> None:
    assert likely.train(["good", "bad"], ["+", "-"]).columns_ is None
    (tmp_path / "a.txt").write_text("__label__a good\n__label__b bad\n")
    assert likely.train(tmp_path / "a.txt").columns_ is None
    for name in ("a", "b"):
        (tmp_path / "folder" / name).mkdir(parents=True)
        (tmp_path / "folder" / name / "1.txt").write_text(name)
    assert likely.train(tmp_path / "folder").columns_ is None
    assert likely.train(REVIEWS, text="review", label="stars").fit(["a"], ["b"]).columns_ is None


def test_remembered_columns_are_read(model: likely.NaiveBayes) -> None:
    # Without the model, it is not clear which columns these are.
    assert model.evaluate(REVIEWS).accuracy == 1
    assert model.learn(REVIEWS).class_documents_.tolist() == [2, 2]
    assert model.forget(REVIEWS).class_documents_.tolist() == [1, 1]
    assert model.learn(REVIEWS, label="kind").classes_.tolist() == ["1", "5", "a", "b"], "what is given wins"


def test_other_columns_are_read_and_said(model: likely.NaiveBayes, caplog: pytest.LogCaptureFixture) -> None:
    other = REVIEWS.rename_columns(["id", "body", "stars", "kind"]).select(["body", "stars"])
    with caplog.at_level(logging.INFO, "likely"):
        assert model.evaluate(other).accuracy == 1
    said = "the model was trained on text=review; the Table has no such column: read text=body"
    assert caplog.messages == ["read as a frame, text=body, label=stars, 2 rows", said]
    caplog.clear()
    with caplog.at_level(logging.INFO, "likely"):
        model.evaluate(other, text="body")
    assert len(caplog.messages) == 1, "what is given needs no remark"


def test_columns_that_are_not_clear(model: likely.NaiveBayes) -> None:
    other = REVIEWS.select(["title", "review", "kind"]).append_column("more", pa.array(["c", "d"]))
    with pytest.raises(
        SourceError, match=r"not clear which column is the label.* was trained on text=review, label=st"
    ):
        model.evaluate(other)


def test_sources_without_columns_say_nothing(model: likely.NaiveBayes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("__label__5 good\n__label__1 dull\n")
    corpus = Corpus(tmp_path / "a.txt")
    assert model._evaluate_corpus(corpus).accuracy == 1
    assert corpus.notes() == []


def test_the_files_of_a_folder_have_no_columns(model: likely.NaiveBayes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("good")
    corpus = Corpus(tmp_path, labelled=False)
    corpus.expect(model.columns_)
    assert sum(len(batch.texts) for batch in corpus) == 1
    assert corpus.notes() == []


def test_labels_are_not_expected_where_none_are_read(model: likely.NaiveBayes) -> None:
    corpus = Corpus(pa.table({"review": ["good"], "more": ["x"]}), ReadingOptions(), labelled=False)
    corpus.expect(model.columns_)
    assert [batch.texts.to_pylist() for batch in corpus] == [["good"]]
    assert corpus.notes() == []


def test_merging_keeps_columns_that_are_the_same(model: likely.NaiveBayes) -> None:
    assert (model + model).columns_ == model.columns_
    assert sum([model, model]).columns_ == model.columns_  # type: ignore[union-attr]
    assert (model - likely.NaiveBayes()).columns_ == model.columns_
    other = likely.train(REVIEWS, text="title", label="stars")
    assert (model + other).columns_ is None
