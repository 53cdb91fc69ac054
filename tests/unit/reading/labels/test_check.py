"""Labels are counted and settled while they are read: the same in every container."""

from __future__ import annotations

import logging
import warnings
from pathlib import Path
from typing import Any

import likely
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import DataWarning, LabelError, SourceError
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus

from tests.unit.reading.conftest import FILES, rows_of

ROWS = [
    ("good fun", "Spam"),
    ("dull", "spam "),
    ("so so", "N/A"),
    ("fine", "spam"),
    ("a plot", "ham|spam"),
    ("text", "ham"),
    ("label", "label"),
]
OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, ["Spam", "spam ", "N/A", "spam", "ham|spam", "ham", "label"]),
    ({"strip_labels": True}, ["Spam", "spam", "N/A", "spam", "ham|spam", "ham", "label"]),
    ({"strip_labels": True, "fold_labels": True}, ["spam", "spam", "n/a", "spam", "ham|spam", "ham", "label"]),
    ({"missing_labels": "skip"}, ["Spam", "spam ", "spam", "ham|spam", "ham", "label"]),
    ({"label_separator": "|"}, ["Spam", "spam ", "N/A", "spam", "ham", "ham", "label"]),
]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(("options", "labels"), OPTIONS)
def test_labels_are_settled_in_every_container(
    tmp_path: Path, name: str, options: dict[str, Any], labels: list[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name](ROWS))
    assert [label for _, label in rows_of(path, **options)] == labels


def test_numbers_are_exact_over_files_and_readings(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(FILES["a.csv"](ROWS))
    (tmp_path / "b.jsonl").write_bytes(FILES["a.jsonl"](ROWS * 3))
    corpus = Corpus([tmp_path / "a.csv", tmp_path / "b.jsonl"])
    for _ in range(2):
        assert sum(len(batch.texts) for batch in corpus) == 28
        space, case, missing, several = corpus.labels.doubts()
        assert space.startswith("4 rows have a label with white space")
        assert case.startswith("4 rows have a label that differs only in case")
        assert missing.startswith("4 rows have a label that looks like a missing value, 'N/A' (4)")
        assert several.startswith("4 of 28 rows seem to have several labels, such as 'ham|spam'")
    assert corpus.labels.left_out() == []


def test_rows_that_an_option_leaves_out_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(FILES["a.csv"](ROWS))
    reading = ReadingOptions(missing_labels="skip", strip_labels=True, fold_labels=True)
    corpus = Corpus(tmp_path / "a.csv", reading)
    assert sum(len(batch.texts) for batch in corpus) == corpus.rows == 6
    assert corpus.labels.doubts() == []
    assert corpus.labels.left_out() == ["1 row left out because of the label: 'N/A' (1)"]


written = st.sampled_from(["a", "A", " a", "a ", "B", "b", "NA", "na ", "c;d", "x", "text"])


@given(labels=st.lists(written, min_size=1, max_size=40), at=st.integers(0, 40))
def test_settled_labels_do_not_depend_on_the_batches(labels: list[str], at: int) -> None:
    frame = pa.table({"text": ["some"] * len(labels), "label": labels})
    parts = pa.Table.from_batches([*frame.slice(0, at).to_batches(), *frame.slice(at).to_batches()])
    settled = [label.strip().casefold().partition(";")[0] for label in labels if label.strip().casefold() != "na"]
    reading = ReadingOptions(
        strip_labels=True, fold_labels=True, missing_labels="skip", label_separator=";", label="label"
    )
    for source in (frame, parts):
        corpus = Corpus(source, reading)
        if settled:
            assert [label for batch in corpus for label in batch.labels or ()] == settled
            assert corpus.rows + sum(label.strip().casefold() == "na" for label in labels) == len(labels)
            assert corpus.labels.doubts() == []
        else:
            with pytest.raises(SourceError, match="because of"):
                list(corpus)


def test_doubts_are_warnings_and_logged(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / "a.csv"
    path.write_text("review,sentiment\ngood,Pos\nbad,neg\nfine,pos\n")
    with caplog.at_level(logging.INFO, "likely"), pytest.warns(DataWarning, match="fold_labels=True") as told:
        model = likely.train(path)
    assert [each.filename for each in told] == [__file__]
    assert caplog.messages[0] == "read as CSV, text=review, label=sentiment, 3 rows"
    assert caplog.messages[1] == str(told[0].message)
    assert model.classes_.tolist() == ["Pos", "neg", "pos"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert likely.train(path, fold_labels=True).classes_.tolist() == ["neg", "pos"]
        assert likely.train(path, fold_labels=False).classes_.tolist() == ["Pos", "neg", "pos"]


def test_learning_forgetting_and_evaluating_settle_labels_too(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,label\ngood,POS \nbad,Neg\n")
    model = likely.NaiveBayes().fit(["good", "bad"], ["pos", "neg"])
    settle: dict[str, Any] = {"strip_labels": True, "fold_labels": True}
    assert model.evaluate(path, **settle).accuracy == 1
    assert model.learn(path, **settle).class_documents_.tolist() == [2, 2]
    assert model.forget(path, **settle).class_documents_.tolist() == [1, 1]
    with pytest.warns(DataWarning, match=r"2 rows have a label that differs only in case .* 'POS' from 'pos'"):
        model.evaluate(path, strip_labels=True)


def test_rows_that_are_left_out_leave_no_label_behind(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,label\ngood,pos\ntext,NA\nbad,neg\n")
    model = likely.NaiveBayes().fit(["good", "bad"], ["pos", "neg"])
    settle: dict[str, Any] = {"missing_labels": "skip"}
    assert model.evaluate(path, **settle).accuracy == 1
    assert model.learn(path, new_classes=False, **settle).class_documents_.tolist() == [2, 2]
    assert model.forget(path, **settle).class_documents_.tolist() == [1, 1]


def test_labels_of_a_model_with_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("text,label\ngood,1\nbad, 0\nso,NA\n")
    model = likely.NaiveBayes().fit(["good", "bad"], [1, 0])
    with pytest.raises(LabelError, match=r"the label ' 0' is not a number.*--strip-labels\) removes"):
        model.evaluate(path)
    with pytest.raises(LabelError, match=r"the label 'NA' is not a number.*--missing-labels skip\) leaves"):
        model.learn(path, strip_labels=True)
    assert model.learn(path, strip_labels=True, missing_labels="skip").class_documents_.tolist() == [2, 2]


@pytest.mark.parametrize(
    "wrong",
    [{"strip_labels": "yes"}, {"missing_labels": "drop"}, {"label_separator": ""}],
)
def test_other_values_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SourceError, match=f"{next(iter(wrong))}=.* is not allowed"):
        ReadingOptions(**wrong)
