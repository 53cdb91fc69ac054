"""`likely evaluate --html`: one page beside the usual answer; what cannot work is refused before anything is read."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_a_report_is_written_beside_the_answer(run: Run, model: Path, reviews: Path, tmp_path: Path) -> None:
    done = run("evaluate", model, reviews, "--html", "report.html")
    assert "6 documents" in done.out
    assert "wrote report.html (" in done.err
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert f"<h1>{model.name} on {reviews.name}</h1>" in page
    assert "The data were read as CSV" in page


def test_the_bytes_are_the_same_every_time(run: Run, model: Path, reviews: Path, tmp_path: Path) -> None:
    pages = []
    for _ in range(2):
        run("evaluate", model, reviews, "--html", "report.html")
        pages.append((tmp_path / "report.html").read_bytes())
    assert pages[0] == pages[1]


def test_programs_are_told_where_it_is(run: Run, model: Path, reviews: Path, tmp_path: Path) -> None:
    found = run("evaluate", model, reviews, "--html", "report.html", "--json").json["report"]
    assert found == {"path": "report.html", "bytes": (tmp_path / "report.html").stat().st_size}
    assert run("evaluate", model, reviews, "--json").json["report"] is None


def test_what_cannot_work_is_refused_first(run: Run, model: Path, reviews: Path, tmp_path: Path) -> None:
    before = model.read_bytes(), reviews.read_bytes()
    for args, said in (
        (("--html", "missing/report.html"), "create it first"),
        (("--cv", "2", "--html", "report.html"), "needs a MODEL"),
        (("--html", model), "is also an input"),
        (("--html", "-"), "name a file"),
        (("--html", reviews), "is also an input"),
    ):
        assert said in run("evaluate", model, reviews, *args, status=2).err
    assert (model.read_bytes(), reviews.read_bytes()) == before
    assert not (tmp_path / "report.html").exists()
    assert not (tmp_path / "-").exists()


def test_an_empty_test_set_leaves_no_report(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_text("review,sentiment\n")
    run("evaluate", model, "empty.csv", "--html", "report.html", status=2)
    assert not (tmp_path / "report.html").exists()
