"""What must agree with each other: option table and constructor, docs, exports."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import likely
from likely import NaiveBayes
from likely.options.model import MODEL

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "likely"
MODULES = sorted(PACKAGE.rglob("*.py"))


def test_the_constructor_has_the_options_of_the_table() -> None:
    defaults = {name: option.default for name, option in MODEL.items()}
    parameters = inspect.signature(NaiveBayes).parameters.values()
    found = {p.name: p.default for p in parameters if p.kind is p.KEYWORD_ONLY}
    assert found == defaults


def test_every_option_is_described_where_users_look() -> None:
    for option in MODEL.values():
        found = re.search(rf"^    {option.name} : .*\n((?:        .*\n)+)", NaiveBayes.__doc__ or "", re.MULTILINE)
        assert found, f"describe {option.name} in the docstring of NaiveBayes"
        assert " ".join(found[1].split()) == option.description
        option.check(option.default)


def test_exports() -> None:
    assert likely.__all__ == sorted(likely.__all__)
    assert len(likely.__all__) <= 20
    assert all(hasattr(likely, name) for name in likely.__all__)
    assert (PACKAGE / "py.typed").exists()


def test_errors_are_value_or_type_errors() -> None:
    for name, error in vars(likely.errors).items():
        if isinstance(error, type) and issubclass(error, Warning):
            assert error.__doc__, name
        elif isinstance(error, type) and error is not likely.errors.LikelyError:
            assert issubclass(error, likely.errors.LikelyError), name
            assert issubclass(error, ValueError | TypeError), name
            assert error.__doc__, name


def test_nothing_is_unpickled_or_executed() -> None:
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
                assert not {"pickle", "marshal", "shelve"} & set(names), module
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "compile", "__import__"), module


def test_importing_is_light() -> None:
    heavy = "pyarrow", "pandas", "polars", "sklearn", "scipy"
    script = f"import sys, likely; print([name for name in {heavy!r} if name in sys.modules])"
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert found.stdout.strip() == "[]"


def test_versions_agree() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    assert likely.__version__ == cargo


def test_every_target_is_described() -> None:
    described = subprocess.run(
        ["/usr/bin/env", "make", "help"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    for target in ("install", "demo", "test", "lint", "bench"):
        assert re.search(rf"^{target} +\w", described, re.MULTILINE), target
