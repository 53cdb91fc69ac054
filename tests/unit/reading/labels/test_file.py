"""A separate file of labels, row for row with the texts."""

from __future__ import annotations

from pathlib import Path

import likely
import pytest
from likely.errors import ArgumentError, SourceError
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus
from likely.terminal import counted

from tests.unit.reading.conftest import as_csv, as_parquet, as_xlsx, rows_of

TEXTS = ["so good", "so dull", "", "so, so"]
LABELS = ["pos", "neg", "pos", "neg, or so"]
ROWS = list(zip(TEXTS, LABELS, strict=True))


def labels_in(folder: Path, text: str = "\n".join(LABELS), name: str = "labels.txt") -> Path:
    path = folder / name
    path.write_text(text, newline="")
    return path


@pytest.mark.parametrize("name", ["t.txt", "t.csv", "t.parquet"])
@pytest.mark.parametrize(
    "text",
    [
        "\n".join(LABELS),
        "\r\n".join(LABELS) + "\r\n",
        'label\npos\nneg\n"pos"\n"neg, or so"\n',
        "\ufeffpos\nneg\npos\nneg, or so",
    ],
)
def test_labels_and_texts_row_for_row(tmp_path: Path, name: str, text: str) -> None:
    other = [(each, "another label") for each in TEXTS]
    data = {"t.txt": "\n".join(TEXTS).encode(), "t.csv": as_csv(other), "t.parquet": as_parquet(other)}
    (tmp_path / name).write_bytes(data[name])
    assert rows_of(tmp_path / name, labels_file=labels_in(tmp_path, text)) == ROWS


def test_labels_go_on_from_file_to_file(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("a\nb\n")
    (tmp_path / "2.xlsx").write_bytes(as_xlsx({"Data": [["text"], ["c"], ["d"]]}))
    found = rows_of([tmp_path / "1.txt", tmp_path / "2.xlsx"], labels_file=labels_in(tmp_path))
    assert found == list(zip("abcd", LABELS, strict=True))


def test_a_row_that_cannot_be_read_does_not_move_the_labels(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"text": "a"}\nbroken\n{"text": "c"}\n{"text": "d"}\n')
    corpus = Corpus(tmp_path / "t.jsonl", ReadingOptions(labels_file=labels_in(tmp_path, "label\nw\nx\n\nz\n")))
    (batch,) = corpus
    assert (batch.texts.to_pylist(), list(batch.labels or [])) == (["a", "d"], ["w", "z"])
    assert corpus.skipped.first == [
        f"{tmp_path}/t.jsonl row 2 (line 2): not a JSON object",
        f"{tmp_path}/labels.txt row 3 (line 4): no label",
    ]
    assert corpus.summary() == f"read as JSON Lines, text=text, labels={tmp_path}/labels.txt, 2 rows"


@pytest.mark.parametrize(("text", "number"), [("a\nb\nc\n", 3), ("a\nb\nc\nd\ne\n", 5), ("a\n", 1), ("", 0)])
def test_another_number_of_labels_is_an_error(tmp_path: Path, text: str, number: int) -> None:
    (tmp_path / "t.txt").write_text("\n".join(TEXTS))
    labels = labels_in(tmp_path, text)
    with pytest.raises(
        ArgumentError, match=rf"labels\.txt has {counted(number, 'label')} for 4 texts: give one label"
    ):
        rows_of(tmp_path / "t.txt", labels_file=labels)


def test_a_table_is_not_a_file_of_labels(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("a\nb\n")
    with pytest.raises(SourceError, match="has several columns: a file of labels has one label per line"):
        rows_of(tmp_path / "t.txt", labels_file=labels_in(tmp_path, "id,label\n1,x\n2,y\n", "labels.csv"))
    with pytest.raises(SourceError, match="No such file"):
        rows_of(tmp_path / "t.txt", labels_file=tmp_path / "none")


def test_models_learn_and_are_evaluated_with_a_file_of_labels(tmp_path: Path) -> None:
    (tmp_path / "t.txt").write_text("\n".join(TEXTS))
    labels = labels_in(tmp_path)
    model = likely.train(tmp_path / "t.txt", labels_file=labels)
    assert model.class_documents_.tolist() == [1, 1, 2]
    assert model.evaluate(tmp_path / "t.txt", labels_file=str(labels)).documents == 4
    assert model.learn(tmp_path / "t.txt", labels_file=labels).class_documents_.tolist() == [2, 2, 4]
