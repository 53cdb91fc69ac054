"""What is done already is known after a kill, and never mixed with other work."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.batch.pipeline import RECORD_NAME, InputFile, Record, RowCounts
from likely.errors import OutputError

TASK = {"model": "abc", "expression": "known > 0.5"}
DONE = RowCounts(10, 3, 1, 1000)


@pytest.fixture
def job(tmp_path: Path) -> InputFile:
    (tmp_path / "in.jsonl").write_text("{}\n")
    return InputFile(tmp_path / "in.jsonl", "sub/in.jsonl")


def opened(folder: Path, task: dict[str, str] = TASK, *, overwrite: bool = False) -> Record:
    return Record(folder / "out", task, overwrite=overwrite)


def finish(folder: Path, job: InputFile) -> None:
    record = opened(folder)
    record.begin(job)
    (folder / "out" / job.name).parent.mkdir(exist_ok=True)
    (folder / "out" / job.name).write_text("kept\n")
    record.add(job, DONE)
    record.close()


def test_finished_files_are_known_later(tmp_path: Path, job: InputFile) -> None:
    finish(tmp_path, job)
    record = opened(tmp_path)
    assert record.done(job) == DONE
    record.close()
    (tmp_path / "out" / job.name).unlink()
    record = opened(tmp_path)
    assert record.done(job) is None
    record.close()


def test_half_a_line_is_dropped(tmp_path: Path, job: InputFile) -> None:
    finish(tmp_path, job)
    path = tmp_path / "out" / RECORD_NAME
    whole = path.read_bytes()
    for end in range(whole.rindex(b'{"file"') + 1, len(whole)):
        path.write_bytes(whole[:end])
        record = opened(tmp_path)
        assert record.done(job) is None
        record.check_free(job)  # it was begun
        record.add(job, DONE)
        record.close()
        assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("task", "message"),
    [
        ({"model": "xyz"}, "the model has changed: write to another folder"),
        ({"expression": "known > 0.6"}, "expression has changed (known > 0.5, and now known > 0.6)"),
    ],
    ids=["model", "expression"],
)
def test_other_work_is_refused(tmp_path: Path, job: InputFile, task: dict[str, str], message: str) -> None:
    finish(tmp_path, job)
    with pytest.raises(OutputError) as refused:
        opened(tmp_path, TASK | task)
    assert message in str(refused.value)
    record = Record(tmp_path / "out", TASK | task, overwrite=True, jobs=[job])
    assert record.done(job) is None
    record.check_free(job)
    record.close()


def test_a_changed_input_is_refused(tmp_path: Path, job: InputFile) -> None:
    finish(tmp_path, job)
    job.source.write_text("{}\n{}\n")
    record = opened(tmp_path)
    with pytest.raises(OutputError, match="jsonl has changed since"):
        record.done(job)
    record.close()


def test_a_file_of_somebody_else_is_not_replaced(tmp_path: Path, job: InputFile) -> None:
    (tmp_path / "out" / job.name).parent.mkdir(parents=True)
    (tmp_path / "out" / job.name).write_text("mine")
    record = opened(tmp_path)
    with pytest.raises(OutputError, match="exists and was not written by this run"):
        record.check_free(job)
    record.close()


def test_a_damaged_record_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / RECORD_NAME).write_text("not JSON\n")
    with pytest.raises(OutputError, match="is damaged"):
        opened(tmp_path)


def test_two_at_once_are_refused(tmp_path: Path) -> None:
    first = opened(tmp_path)
    with pytest.raises(OutputError, match="another process is writing"):
        opened(tmp_path)
    first.close()
    opened(tmp_path).close()
