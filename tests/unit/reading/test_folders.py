"""What a folder is: classes, tables, messages, a part to train on and a part to test on."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from likely.errors import SourceError
from likely.reading.corpus import Corpus
from likely.reading.opening import Part, kind_of_folder, left_out, parts_of

from .conftest import rows_of


def made(folder: Path, *names: str) -> Path:
    """The folder with these files. Each contains its own name."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    return folder


def test_what_a_folder_is(tmp_path: Path) -> None:
    def folder(*names: str) -> Path:
        return made(tmp_path / f"{len(list(tmp_path.iterdir()))}", *names)

    assert kind_of_folder(folder("cur/1", "new/2", "tmp/3"), labelled=True)[0] == "maildir"
    tables = folder("b.csv", "a.jsonl", "README")
    assert kind_of_folder(tables, labelled=True) == ("files", [tables / "a.jsonl", tables / "b.csv"])
    classes = folder("spam/1.txt", "ham.mbox", "README")
    assert kind_of_folder(classes, labelled=True) == ("folder", [classes / "ham.mbox", classes / "spam"])
    assert kind_of_folder(folder("1.eml", "2.eml"), labelled=True)[0] == "mail"
    for names in (["1.txt"], ["1.eml"], ["a/1.txt", "2.txt"]):
        assert kind_of_folder(folder(*names), labelled=False) == ("documents", [])
    with pytest.raises(SourceError, match=r"both folders and tables such as a\.csv"):
        kind_of_folder(folder("a.csv", "spam/1.txt"), labelled=True)
    with pytest.raises(SourceError, match="contains no sub-folders for classes, no tables and no messages"):
        kind_of_folder(folder("1.txt"), labelled=True)


@pytest.mark.parametrize(
    ("train", "test"), [("train", "test"), ("Training", "testing"), ("train", "dev"), ("train", "valid")]
)
def test_a_folder_to_train_on_and_a_folder_to_test_on(tmp_path: Path, train: str, test: str) -> None:
    made(tmp_path, f"{train}/pos/1.txt", f"{train}/neg/2.txt", f"{train}/urls.txt", f"{test}/pos/3.txt", "README")
    assert parts_of(tmp_path) == [tmp_path / train, tmp_path / test]

    def read(part: Part) -> tuple[list[str], list[str], bool]:
        corpus = Corpus(tmp_path)
        corpus.part = part
        labels = [str(label) for batch in corpus for label in batch.labels or []]
        return labels, corpus.remarks.notes, corpus.remarks.has_test

    labels, notes, has_test = read("train")
    assert labels == ["neg", "pos"]
    assert notes == [
        f"{tmp_path} contains {train} and {test}: {train} is read, {test} is not",
        f"{tmp_path / train}: ignored 1 file outside the class folders: urls.txt",
    ]
    assert has_test
    labels, notes, has_test = read("test")
    assert labels == ["pos"]
    assert notes == [f"{tmp_path} contains {train} and {test}: {test} is read, {train} is not"]
    assert not has_test


@pytest.mark.parametrize(
    ("train", "test"),
    [("train.csv", "test.csv"), ("train/a.csv", "test/b.csv"), ("Train.csv", "dev/b.csv"), ("train.tsv", "test.tsv")],
)
def test_tables_to_train_on_and_to_test_on(tmp_path: Path, train: str, test: str) -> None:
    made(tmp_path, train, test, "unlabelled/1.txt")
    for name in (train, test):
        rows = f"text,label\n{name},x\ngood,y\n"
        (tmp_path / name).write_text(rows if name.endswith("csv") else rows.replace(",", "\t"))
    for part, read, other in (("train", train, test), ("test", test, train)):
        corpus = Corpus(tmp_path)
        corpus.part = cast("Part", part)
        assert [text for batch in corpus for text in batch.texts.to_pylist()] == [read, "good"]
        (first, second), unread = (name.split("/")[0] for name in (train, test)), other.split("/")[0]
        assert corpus.remarks.notes == [
            f"{tmp_path} contains {first} and {second}: {read.split('/')[0]} is read, {unread}, unlabelled are not"
        ]


@pytest.mark.parametrize(
    "names",
    [
        ["train/1.txt", "test/2.txt"],
        ["train/2020/1.txt", "test/harbour/2.txt"],
        ["train/a/1.txt", "bus/a/2.txt"],
        ["test/a/1.txt", "dev/a/1.txt"],
    ],
)
def test_classes_may_have_the_names_of_parts(tmp_path: Path, names: list[str]) -> None:
    assert parts_of(made(tmp_path, *names)) == []
    assert sorted(label for _, label in rows_of(tmp_path)) == sorted(name.split("/")[0] for name in names)


def test_without_labels_every_file_is_a_document(tmp_path: Path) -> None:
    names = ["a.txt", "b/deep/1.txt", "c.txt", "test/x/1.txt", "train/x/1.txt"]
    assert [text for text, _ in rows_of(made(tmp_path, *names), labelled=False)] == names


def test_files_that_are_not_read_are_named(tmp_path: Path) -> None:
    folder = made(tmp_path, "spam/1.txt", *(f"{at}.txt" for at in range(7)))
    told = left_out(folder, [folder / "spam"], "outside the class folders")
    assert told == [
        f"{folder}: ignored 7 files outside the class folders: 0.txt, 1.txt, 2.txt, 3.txt, 4.txt and 2 more"
    ]
    assert left_out(folder / "spam", [folder / "spam" / "1.txt"], "the tables") == []


def test_pieces_to_train_on_are_not_read_together_with_pieces_to_test_on(tmp_path: Path) -> None:
    for name in ("train-00000-of-00002.csv", "train-00001-of-00002.csv", "test-00000-of-00001.csv"):
        (tmp_path / name).write_text("text,label\na,x\nb,y\n")
    told = r"tables to train on and tables to test on, such as train-0000.*name the files to read"
    with pytest.raises(SourceError, match=told):
        kind_of_folder(tmp_path, labelled=True)
    assert kind_of_folder(tmp_path, labelled=False)[0] == "files"
    (tmp_path / "test-00000-of-00001.csv").rename(tmp_path / "testimonials.csv")
    assert kind_of_folder(tmp_path, labelled=True)[0] == "files"
