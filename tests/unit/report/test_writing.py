"""Reports are written whole or not at all, with the date that was given, and refused before anything is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from likely import NaiveBayes
from likely.errors import ArgumentError, LabelError, OptionError, OutputError
from likely.report.material import check_place, name_of_source

TEXTS, LABELS = ["good fun", "so good", "dull plot", "a dull film"], ["+", "+", "-", "-"]


@pytest.fixture
def model() -> NaiveBayes:
    return NaiveBayes().fit(TEXTS, LABELS)


def test_a_report_is_one_file_without_addresses(model: NaiveBayes, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    evaluation = model.report(path, ["good", "dull", "fun"], ["+", "-", "-"])
    page = path.read_text(encoding="utf-8")
    assert evaluation.documents == 3
    assert page.startswith("<!doctype html>")
    assert "default-src 'none'" in page
    for sign in ("http://", "https://", "src=", "@import", "url("):
        assert sign not in page.replace("http://www.w3.org/2000/svg", ""), sign
    assert os.listdir(tmp_path) == ["report.html"]


def test_without_a_date_there_is_none(model: NaiveBayes, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    model.report(path, TEXTS, LABELS)
    first = path.read_bytes()
    model.report(path, TEXTS, LABELS)
    assert path.read_bytes() == first
    assert b'<th scope="row">date</th>' not in first


def test_the_number_of_threads_does_not_change_a_byte(model: NaiveBayes, tmp_path: Path) -> None:
    pages = []
    for threads in (1, 2):
        model.set_params(threads=threads).report(tmp_path / "report.html", TEXTS, LABELS)
        pages.append((tmp_path / "report.html").read_bytes())
    assert pages[0] == pages[1]


def test_a_report_of_a_file_has_its_name(model: NaiveBayes, tmp_path: Path) -> None:
    data = tmp_path / "reviews & more.csv"
    data.write_text("text,label\ngood,+\ndull,-\n", encoding="utf-8")
    model.report(tmp_path / "report.html", data)
    assert "<title>reviews &amp; more.csv</title>" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("texts", "labels", "error"),
    [([], [], ArgumentError), (["good"], ["+", "-"], ArgumentError), (["good"], [1], LabelError)],
)
def test_bad_input_leaves_no_file(
    model: NaiveBayes, tmp_path: Path, texts: list[str], labels: list[object], error: type[Exception]
) -> None:
    path = tmp_path / "report.html"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(error):
        model.report(path, texts, labels)  # type: ignore[arg-type]
    assert path.read_text(encoding="utf-8") == "old"


def test_a_label_that_the_model_does_not_have_is_shown(model: NaiveBayes, tmp_path: Path) -> None:
    evaluation = model.report(tmp_path / "report.html", ["good", "dull"], ["+", "new"])
    assert evaluation.accuracy == 0.5
    assert "new" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_options_of_reading_are_checked(model: NaiveBayes, tmp_path: Path) -> None:
    with pytest.raises(OptionError):
        model.report(tmp_path / "report.html", str(tmp_path / "x.csv"), weight="w")
    assert not (tmp_path / "report.html").exists()


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="it is a folder"):
        check_place(tmp_path)
    with pytest.raises(OutputError, match="create it first"):
        check_place(tmp_path / "missing" / "report.html")
    check_place(tmp_path / "report.html")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(OutputError, match="permissions"):
        check_place(tmp_path / "report.html")


def test_a_full_disk_is_named(model: NaiveBayes) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    with pytest.raises(OutputError, match="make room"):
        model.report("/dev/full", TEXTS, LABELS)


def test_names_of_sources(tmp_path: Path) -> None:
    assert name_of_source(tmp_path / "a.csv") == "a.csv"
    assert name_of_source(["x/a.csv", "y/b.csv", "c", "d", "e"]) == "a.csv, b.csv, c and 2 more"
    assert name_of_source([{"text": "good"}]) is None
