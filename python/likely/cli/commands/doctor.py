"""`likely doctor`: what is installed, and what else could be."""

from __future__ import annotations

import sys
from typing import Any, TypedDict

import click

from likely.cli.flags import Command, output_flags
from likely.cli.output import emit


class Diagnosis(TypedDict):
    """The versions and features of an installation."""

    versions: dict[str, str | None]
    machine: str
    kernel: list[str]
    threads: int
    encoding: str
    optional: dict[str, str | None]


OPTIONAL = {
    "pyarrow": "Parquet and Arrow data, and tables of counts",
    "python_calamine": "Excel workbooks",
    "duckdb": "SQL queries on any file (--sql), also on model files",
    "pandas": "pandas frames as data",
    "polars": "polars frames as data",
    "matplotlib": "pictures of evaluations and of typical words",
    "uvicorn": "likely serve",
    "msgspec": "likely serve",
    "psycopg": "stores in PostgreSQL",
    "httpx": "likely.client",
    "sklearn": "pipelines and grid search of scikit-learn",
}
_PACKAGES = {"python_calamine": "python-calamine", "sklearn": "scikit-learn"}


@click.command("doctor", cls=Command)
@output_flags
def command(**values: Any) -> None:
    """Show versions, kernel features and optional packages."""
    del values
    found = diagnosis()
    emit(found, lambda: as_text(found))


def diagnosis() -> Diagnosis:
    """The versions and features of this installation.

    Examples
    --------
    >>> sorted(diagnosis())
    ['encoding', 'kernel', 'machine', 'optional', 'threads', 'versions']
    """
    import platform

    from likely._native import kernels
    from likely.core.analyzer import thread_count

    names = ("likely", "click", "numpy")
    return {
        "versions": {"python": platform.python_version(), **{name: installed(name) for name in names}},
        "machine": f"{platform.system()} {platform.machine()}",
        "kernel": kernels(),
        "threads": thread_count(None),
        "encoding": sys.stdout.encoding,
        "optional": {name: installed(_PACKAGES.get(name, name)) for name in OPTIONAL},
    }


def installed(package: str) -> str | None:
    """The version of a package, or None if it is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _from_pip(module: str) -> str:
    """What pip installs for a module: an extra of `likely` if there is one, or else the package."""
    from likely.extras import EXTRAS

    return f"'{EXTRAS[module]}'" if module in EXTRAS else _PACKAGES.get(module, module)


def as_text(found: Diagnosis) -> str:
    """The versions and features for people."""
    from likely.terminal import table

    rows = [[name, version or "missing"] for name, version in found["versions"].items()]
    lines = [table(rows), ""]
    lines.append(f"kernel: {', '.join(found['kernel'])} on {found['machine']}, {found['threads']} threads")
    lines.append(f"output: {found['encoding']}")
    lines.append("")
    for name, version in found["optional"].items():
        package = _PACKAGES.get(name, name)
        state = version or f"not installed: pip install {_from_pip(name)}"
        lines.append(f"{package}: {state} ({OPTIONAL[name]})")
    lines += ["", 'completion: eval "$(_LIKELY_COMPLETE=bash_source likely)" in ~/.bashrc (zsh_source, fish_source)']
    return "\n".join(lines)
