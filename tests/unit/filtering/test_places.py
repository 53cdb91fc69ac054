"""Which file becomes which file."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.batch.pipeline import jobs_of
from likely.errors import SourceError


@pytest.fixture
def web(tmp_path: Path) -> Path:
    for name in ("a/1.jsonl", "a/2.csv.gz", "b/1.jsonl", "b/_skipped.jsonl", "b/notes.txt", ".hidden/1.jsonl"):
        (tmp_path / "web" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "web" / name).write_text("{}\n")
    return tmp_path / "web"


def names(source: object, folder: Path) -> list[str]:
    return [job.name for job in jobs_of(source, folder)]  # type: ignore[arg-type]


def test_a_folder_keeps_its_folders(web: Path) -> None:
    assert names(web, web / "out") == ["a/1.jsonl", "a/2.csv.gz", "b/1.jsonl"]


def test_a_glob_keeps_the_folders_in_which_it_searches(web: Path) -> None:
    assert names(str(web / "*" / "1.jsonl"), web / "out") == ["a/1.jsonl", "b/1.jsonl"]
    assert names(str(web / "**" / "2*"), web / "out") == ["a/2.csv.gz"]
    assert names([str(web / "a" / "*.jsonl"), web / "b" / "notes.txt"], web / "out") == ["1.jsonl", "notes.txt"]


def test_the_output_is_not_read(web: Path) -> None:
    (web / "out").mkdir()
    (web / "out" / "1.jsonl").write_text("{}\n")
    assert names(web, web / "out") == ["a/1.jsonl", "a/2.csv.gz", "b/1.jsonl"]
    assert names(str(web / "*/1.jsonl"), web / "out") == ["a/1.jsonl", "b/1.jsonl"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (["a/1.jsonl", "b/1.jsonl"], "would both become 1.jsonl"),
        (["nothing.jsonl"], "is not a file"),
        (["*.nothing"], "no file matches"),
        (["-"], "standard input"),
        (["book.xlsx"], "cannot be filtered into a file of its format"),
        ([".hidden"], "would be empty"),
    ],
    ids=["same name", "missing", "no match", "standard input", "workbook", "hidden"],
)
def test_what_cannot_be_filtered(web: Path, monkeypatch: pytest.MonkeyPatch, source: list[str], message: str) -> None:
    monkeypatch.chdir(web)
    Path("book.xlsx").write_bytes(b"")
    if source == [".hidden"]:
        Path(".hidden/1.jsonl").rename(".hidden/_1.jsonl")
        message = "has no file of JSON Lines"
    with pytest.raises(SourceError, match=message):
        jobs_of(source, Path("out"))


def test_a_file_does_not_replace_itself(web: Path) -> None:
    with pytest.raises(SourceError, match="is also an input"):
        jobs_of(web / "a" / "1.jsonl", web / "a")


def test_the_output_may_be_above_the_input_but_not_be_it(web: Path) -> None:
    assert names(web, web.parent) == ["a/1.jsonl", "a/2.csv.gz", "b/1.jsonl"]
    assert names(str(web / "a" / "*.jsonl"), web) == ["1.jsonl"]
    for source in (web, str(web / "*" / "1.jsonl")):
        with pytest.raises(SourceError, match="is also an input"):
            jobs_of(source, web)
