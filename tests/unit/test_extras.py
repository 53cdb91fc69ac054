"""A library that is not installed is an error that names the extra which brings it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from likely.errors import MissingExtraError, SourceError
from likely.extras import EXTRAS, extra


def test_a_missing_library_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "no_such_library", "likely[arrow]")
    with pytest.raises(MissingExtraError, match=r"Reading Parquet needs no_such_library, .*'likely\[arrow\]'"):
        extra("no_such_library.part", "Reading Parquet")


def test_it_is_also_an_error_of_the_source_and_of_the_import() -> None:
    assert issubclass(MissingExtraError, SourceError)
    assert issubclass(MissingExtraError, ImportError)


def test_a_command_need_not_wait_for_pandas() -> None:
    code = """
import sys
from likely.extras import extra, spare_pandas
spare_pandas()
extra("pyarrow", "Reading Parquet").array(["a"])
assert "pandas" not in sys.modules
import pandas
"""
    subprocess.run([sys.executable, "-c", code], check=True)
