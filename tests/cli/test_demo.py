"""`likely demo` and `likely doctor`."""

from __future__ import annotations

import likely

from .conftest import Run  # noqa: TC001


def test_demo_and_doctor(run: Run) -> None:
    shown = run("demo").out
    for verb in ("train", "predict", "explain", "evaluate"):
        assert f"$ likely {verb}" in shown
    assert "likely train yours.csv" in shown
    found = run("doctor", "--json").json
    assert found["versions"]["likely"] == likely.__version__
    assert "pip install" in run("doctor").out or all(found["optional"].values())
