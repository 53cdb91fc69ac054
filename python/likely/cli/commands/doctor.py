"""`likely doctor`: what is installed here, and what could be."""

from __future__ import annotations

import sys
from typing import Any

import click

from likely.cli.flags import output_flags
from likely.cli.output import emit

OPTIONAL = {
    "duckdb": "SQL over any file (--sql), and queries of model files",
    "pandas": "frames of pandas as data",
    "polars": "frames of polars as data",
    "sklearn": "use in pipelines and grid search of scikit-learn",
}
_PACKAGES = {"sklearn": "scikit-learn"}


@click.command("doctor")
@output_flags
def command(**values: Any) -> None:
    """Show versions, kernel features and optional parts."""
    del values
    found = diagnosis()
    emit(found, lambda: _text(found))


def diagnosis() -> dict[str, Any]:
    """What there is.

    Examples
    --------
    >>> sorted(diagnosis())
    ['encoding', 'kernel', 'machine', 'optional', 'threads', 'versions']
    """
    import platform

    from likely._native import kernels
    from likely.analysis.analyzer import thread_count

    names = ("likely", "click", "numpy", "pyarrow")
    return {
        "versions": {"python": platform.python_version(), **{name: installed(name) for name in names}},
        "machine": f"{platform.system()} {platform.machine()}",
        "kernel": kernels(),
        "threads": thread_count(None),
        "encoding": sys.stdout.encoding,
        "optional": {name: installed(_PACKAGES.get(name, name)) for name in OPTIONAL},
    }


def installed(package: str) -> str | None:
    """The version of a package, None if it is not there."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _text(found: dict[str, Any]) -> str:
    from likely.terminal import table

    rows = [[name, version or "missing"] for name, version in found["versions"].items()]
    lines = [table(rows), ""]
    lines.append(f"kernel: {', '.join(found['kernel'])} on {found['machine']}, {found['threads']} threads")
    lines.append(f"output: {found['encoding']}")
    lines.append("")
    for name, version in found["optional"].items():
        package = _PACKAGES.get(name, name)
        state = version or f"not installed: pip install {package}"
        lines.append(f"{package}: {state} ({OPTIONAL[name]})")
    lines += ["", 'completion: eval "$(_LIKELY_COMPLETE=bash_source likely)" in ~/.bashrc (zsh_source, fish_source)']
    return "\n".join(lines)
