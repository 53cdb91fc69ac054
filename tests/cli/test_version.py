"""`likely --version`: the version, the kernel and the optional packages."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version

import likely
import numpy as np
import pyarrow as pa
import pytest
from likely.cli import version as module

from .conftest import Run  # noqa: TC001


def test_the_first_line_is_the_version_and_the_others_describe_the_installation(run: Run) -> None:
    lines = run("--version").out.splitlines()
    assert lines[0] == f"likely {likely.__version__}"
    assert lines[2].startswith("kernel: ")
    assert lines[2].endswith(" threads")
    assert f"numpy {np.__version__}" in lines[3]
    assert f"pyarrow {pa.__version__}" in lines[3]


@pytest.mark.parametrize(("package", "wanted"), [("pyarrow", "likely[arrow]"), ("polars", "polars")])
def test_a_missing_package_is_named_with_what_installs_it(
    package: str, wanted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str) -> str:
        if name == package:
            raise PackageNotFoundError(name)
        return version(name)

    monkeypatch.setattr(module, "version", without)
    shown = module.version_text()
    assert f"{package} is not installed: pip install '{wanted}'" in shown
    assert f"{package} {version(package)}" not in shown
