"""`likely doctor`: what is installed, and what could be."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa
import pytest
from likely.cli.commands.doctor import as_text, diagnosis

from .conftest import Run  # noqa: TC001


def test_the_versions_are_those_of_this_interpreter(run: Run) -> None:
    found = run("doctor", "--json").json
    assert found["versions"]["numpy"] == np.__version__
    assert found["optional"]["pyarrow"] == pa.__version__
    shown = run("doctor").out
    assert np.__version__ in shown
    assert sys.version.split()[0] in shown


@pytest.mark.parametrize(
    ("module", "wanted"),
    [("pyarrow", "'likely[arrow]'"), ("python_calamine", "'likely[excel]'"), ("polars", "polars")],
)
def test_what_is_missing_is_installed_as_an_extra_if_there_is_one(module: str, wanted: str) -> None:
    found = diagnosis()
    found["optional"][module] = None
    assert f"not installed: pip install {wanted} (" in as_text(found)
