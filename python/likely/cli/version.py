"""`likely --version`: the version, the kernel's features, and the optional packages."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from likely._native import kernels
from likely.core.analyzer import thread_count
from likely.extras import EXTRAS

_BASE = ("click", "numpy")
_BESIDE = ("pandas", "polars", "scikit-learn")
"""Packages that no extra installs, because whoever has their objects has them."""


def version_text() -> str:
    """Describe this installation: one line for the version, and one per part."""
    optional = EXTRAS | {package: package for package in _BESIDE}
    found = {package: _installed(package) for package in (*_BASE, *optional)}
    present = ", ".join(f"{package} {number}" for package, number in found.items() if number)
    missing = [
        f"{package} is not installed: pip install '{optional[package]}'" for package in optional if not found[package]
    ]
    return "\n".join(
        [
            f"likely {version('likely')}",
            f"Python {platform.python_version()} on {platform.system()} {platform.machine()}",
            f"kernel: {', '.join(kernels())}, {thread_count(None)} threads",
            f"packages: {present}",
            *missing,
        ]
    )


def _installed(package: str) -> str | None:
    """Look up the version of a package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
