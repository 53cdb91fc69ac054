"""`likely explain`: as text, HTML and JSON."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_explain(run: Run, model: Path, tmp_path: Path) -> None:
    text = "good plot, <b>no</b> clue"
    done = run("explain", model, text)
    assert "Decision: " in done.out
    assert "\x1b" not in done.out
    assert run("explain", model, text, "--html", "why.html").err == "wrote why.html\n"
    page = (tmp_path / "why.html").read_text()
    assert "<b>no" not in page
    assert "&lt;b&gt;" in page
    document = run("explain", model, "-", "--json", stdin=b"good plot").json
    assert document["label"] == "pos"
    assert [each["term"] for each in document["terms"]] == ["good", "plot"]


def test_standard_output_is_not_a_page(run: Run, model: Path, tmp_path: Path) -> None:
    assert "- stands for standard input or output" in run("explain", model, "fun", "--html", "-", status=2).err
    assert not (tmp_path / "-").exists()


def test_the_first_line_says_it(run: Run, model: Path) -> None:
    done = run("explain", model, "good plot")
    first = done.out.splitlines()[0]
    assert first.startswith("pos, ")
    assert '"good" x' in first
    assert run("explain", model, "good plot", "--json").json["summary"] == first


def test_forms(run: Run, model: Path) -> None:
    assert "Decision: " not in run("explain", model, "good plot", "--no-arithmetic").out
    found = run("explain", model, "good plot", "--no-arithmetic", "--top", "1")
    assert "(1 further word)" in found.out
    assert run("explain", model, "good plot", "--top", "1").out == found.out
    assert "Decision: " in run("explain", model, "good plot", "--top", "1", "--arithmetic").out
    contrast = run("explain", model, "good plot", "--contrast", "neg", "pos", "--json").json["contrast"]
    assert contrast["classes"] == ["neg", "pos"]
    assert contrast["terms"][0]["term"] == "good"
    assert contrast["terms"][0]["log_ratio"] < 0


def test_classes_that_do_not_exist_are_refused_with_the_nearest(run: Run, model: Path) -> None:
    done = run("explain", model, "good", "--contrast", "poss", "neg", status=2)
    assert "'poss' is not one of the classes 'neg', 'pos': did you mean 'pos'?" in done.err
    assert "two different classes" in run("explain", model, "good", "--contrast", "pos", "pos", status=2).err
