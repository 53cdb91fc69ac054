"""Public names that are loaded on first use: each is there, and nothing else is."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

PACKAGES = ["spark"]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_is_there_and_no_other(name: str) -> None:
    package = import_module(f"likely.{name}")
    assert {*package.__all__} <= {*dir(package)}
    assert {*package.__all__} == {*package._HOMES}
    for public in package.__all__:
        assert getattr(package, public) is vars(package)[public]
        assert public in vars(import_module(f"likely.{name}.{package._HOMES[public]}"))
    with pytest.raises(AttributeError, match=rf"module 'likely.{name}' has no attribute 'nothing'"):
        _ = package.nothing


def test_a_name_loads_its_own_module_only() -> None:
    script = """
import sys
from likely import spark
dir(spark), hasattr(spark, "nothing")
assert not {"pyspark", "pyarrow", "likely.spark.frame"} & {*sys.modules}
import likely
likely.vectorize.vectorize(["good"])
assert not {"sklearn", "scipy", "pyarrow"} & {*sys.modules}
"""
    subprocess.run([sys.executable, "-c", script], check=True)
