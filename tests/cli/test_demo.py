"""`likely demo`."""

from __future__ import annotations

from .conftest import Run  # noqa: TC001


def test_demo(run: Run) -> None:
    shown = run("demo").out
    for verb in ("train", "predict", "explain", "evaluate"):
        assert f"$ likely {verb}" in shown
    assert "likely train yours.csv" in shown
