"""The report about test data: measured once, of one moment of the model, and shared by all processes of a server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import likely
import pytest
from likely import NaiveBayes
from likely.server.evaluation_report import EvaluationReport, Head, State
from likely.server.keeper import Correction, Keeper
from likely.server.shared_file import SharedFile

TEST = "text,label\ngood day,+\ndull day,-\nso dull,+\n"


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[Keeper]:
    NaiveBayes().fit(["good fun", "so good", "dull plot"], ["+", "+", "-"]).save(tmp_path / "a.likely")
    (tmp_path / "test.csv").write_text(TEST)
    with Keeper.open(tmp_path / "a.likely", tmp_path / "a.store") as opened:
        yield opened


def report_of(keeper: Keeper, folder: Path, data: str = "test.csv") -> EvaluationReport:
    return EvaluationReport(keeper, shared(), (str(folder / data),))


def shared() -> tuple[SharedFile, SharedFile]:
    return SharedFile.create(), SharedFile.create()


def at_rest(report: EvaluationReport) -> tuple[State, Head | None]:
    """What is known when nothing is being measured."""
    until = time.monotonic() + 60
    while (found := report.state())[0] == "measuring":
        assert time.monotonic() < until
        time.sleep(0.01)
    return found


def test_the_first_question_measures_and_the_figures_are_those_of_evaluate(keeper: Keeper, tmp_path: Path) -> None:
    report = report_of(keeper, tmp_path)
    assert report.page() is None
    assert report.state() == ("measuring", None)
    state, head = at_rest(report)
    assert state == "measured"
    assert head is not None
    assert head.figures is not None
    expected = likely.load(tmp_path / "a.likely").evaluate(tmp_path / "test.csv")
    assert (head.figures.accuracy, head.figures.macro_f1) == (expected.accuracy, expected.macro.f)
    assert (head.figures.documents, head.figures.data, head.figures.entry) == (3, "test.csv", 0)
    assert b"dull" in (report.page() or b"")


def test_it_is_of_one_moment_until_it_is_measured_again(keeper: Keeper, tmp_path: Path) -> None:
    report = report_of(keeper, tmp_path)
    before = at_rest(report)[1]
    keeper.learn([Correction("so dull, so dull", "+")])
    assert at_rest(report)[1] == before
    report.measure()
    after = at_rest(report)[1]
    assert before is not None
    assert after is not None
    assert (before.figures and before.figures.entry, after.figures and after.figures.entry) == (0, 1)
    assert after.figures != before.figures


def test_another_process_shows_the_same(keeper: Keeper, tmp_path: Path) -> None:
    one = report_of(keeper, tmp_path)
    other = EvaluationReport(keeper, tuple(SharedFile(file.number) for file in one.shared), one.places)
    found = at_rest(one)
    assert other.state() == found
    assert other.page() == one.page()


def test_test_data_that_cannot_be_read_are_told(keeper: Keeper, tmp_path: Path) -> None:
    (tmp_path / "odd.csv").write_text("text\nonly texts\n")
    report = report_of(keeper, tmp_path, "odd.csv")
    state, head = at_rest(report)
    assert state == "failed"
    assert head is not None
    assert "label" in (head.problem or "")
    assert report.page() is None


def test_a_model_that_has_learned_nothing_cannot_be_measured(tmp_path: Path) -> None:
    (tmp_path / "test.csv").write_text(TEST)
    with Keeper.open(None, tmp_path / "new.store") as empty:
        report = report_of(empty, tmp_path)
        state, head = at_rest(report)
        assert state == "failed"
        assert head is not None
        assert head.problem == "the model has not learned anything yet: teach it, and measure again"
        empty.learn([Correction("good day", "+"), Correction("dull day", "-")])
        report.measure()
        assert at_rest(report)[0] == "measured"


def test_an_error_that_nobody_foresaw_is_in_the_log_and_not_tried_again(tmp_path: Path) -> None:
    told: list[Exception] = []
    report = EvaluationReport(None, shared(), ("test.csv",), tell=told.append)  # type: ignore[arg-type]
    state, head = at_rest(report)
    assert (state, len(told)) == ("failed", 1)
    assert head is not None
    assert "log" in (head.problem or "")


def test_without_test_data_nothing_is_measured(keeper: Keeper) -> None:
    report = EvaluationReport(keeper)
    report.measure()
    assert report.state() == ("off", None)


def test_closing_ends_it(keeper: Keeper, tmp_path: Path) -> None:
    report = report_of(keeper, tmp_path)
    report.close()
    report.measure()
    report.close()
    assert report.page() is None
