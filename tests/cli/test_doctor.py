"""`likely doctor`: what is installed, and what could be."""

from __future__ import annotations

import sys

import numpy as np
import pyarrow as pa

from .conftest import Run  # noqa: TC001


def test_the_versions_are_those_of_this_interpreter(run: Run) -> None:
    found = run("doctor", "--json").json
    assert found["versions"]["numpy"] == np.__version__
    assert found["optional"]["pyarrow"] == pa.__version__
    shown = run("doctor").out
    assert np.__version__ in shown
    assert sys.version.split()[0] in shown
