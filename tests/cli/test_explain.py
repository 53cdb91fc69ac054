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
