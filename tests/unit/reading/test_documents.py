"""Folders and boxes with one document per file."""

from __future__ import annotations

from pathlib import Path

from likely.reading.corpus import Corpus

from .conftest import rows_of


def test_a_folder_for_each_class(tmp_path: Path) -> None:
    for label in ("ham", "spam"):
        (tmp_path / label / "deep").mkdir(parents=True)
        (tmp_path / label / "1.txt").write_text(f"one {label}")
        (tmp_path / label / "deep" / "2").write_text(f"two {label}")
        (tmp_path / label / ".hidden").write_text("no")
    assert rows_of(tmp_path) == [("one ham", "ham"), ("two ham", "ham"), ("one spam", "spam"), ("two spam", "spam")]


def test_a_file_that_is_not_text_is_a_row_with_a_problem(tmp_path: Path) -> None:
    files = {"ham/1.txt": b"so good", "ham/2.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "spam/1.txt": b"so \0dull " * 99}
    files["spam/2.txt"] = "caf\xe9 ferm\xe9, d\xe9j\xe0 vu".encode("utf-16")
    for name, data in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    corpus = Corpus(tmp_path)
    assert [label for batch in corpus for label in batch.labels or ()] == ["ham", "spam"]
    assert corpus.skipped.first == [f"{tmp_path}/ham/2.png: not text", f"{tmp_path}/spam/1.txt: not text"]
    corpus = Corpus(tmp_path, labelled=False)
    assert [problem for batch in corpus for problem in batch.problems.items()] == [(1, "not text"), (2, "not text")]


MAIL = b"From: a@b\nSubject: =?utf-8?q?Caf=C3=A9?=\nContent-Type: text/html\n\n<p>so <b>good</b></p>\n"


def test_mailboxes(tmp_path: Path) -> None:
    (tmp_path / "spam.mbox").write_bytes(
        b"From a@b Mon Jan  1 00:00:00 2026\n" + MAIL + b"\nFrom x\nSubject: 2\n\ntwo\n"
    )
    (tmp_path / "ham").mkdir()
    (tmp_path / "ham" / "1.eml").write_bytes(MAIL)
    for part in ("cur", "new", "tmp"):
        (tmp_path / "box" / part).mkdir(parents=True)
    (tmp_path / "box" / "new" / "1").write_bytes(MAIL)
    found = [(text.split(), label) for text, label in rows_of(tmp_path)]
    good = ["Café", "so", "good"]
    assert found == [(good, "box"), (good, "ham"), (good, "spam"), (["2", "two"], "spam")]
    assert [label for _, label in rows_of([tmp_path / "spam.mbox", tmp_path / "box"])] == ["spam", "spam", "box"]
