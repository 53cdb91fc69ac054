"""The types of the public API, from a user's view: what mypy infers, what it refuses, and that nothing is `Any`."""

from __future__ import annotations

import ast
import inspect
import re
import runpy
import subprocess
import sys
from pathlib import Path

import likely
import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "likely"
HERE = Path(__file__).parent
MOST_ANY = 110
"""The package may have at most this many `Any`: each is a place where mypy checks nothing."""
VECTORIZERS = [getattr(likely.vectorize, name) for name in likely.vectorize.__all__]
PUBLIC = [getattr(likely, name) for name in likely.__all__ if not inspect.ismodule(getattr(likely, name))]


def mypy(*files: str) -> str:
    """The output of mypy for a user who has installed `likely`: errors within the package are not reported."""
    cache = ROOT / ".mypy_cache" / "user"
    options = ["--strict", "--follow-imports=silent", "--config-file=", f"--cache-dir={cache}"]
    command = [sys.executable, "-m", "mypy", *options, *files]
    env = {"MYPYPATH": str(ROOT / "python")}
    return subprocess.run(command, cwd=HERE, env=env, capture_output=True, text=True, check=False).stdout


def test_mypy_infers_what_users_expect_and_refuses_wrong_calls() -> None:
    assert mypy("public_api.py", "wrong_calls.py").strip() == "Success: no issues found in 2 source files"


def test_mypy_reports_an_error_that_is_there(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import likely\n\nlikely.load(5)\nx: int = likely.evaluate(['a'], ['a'])\n")
    found = re.findall(r"wrong\.py:(\d+): error: .*\[(.*)\]$", mypy(str(wrong)), re.MULTILINE)
    assert found == [("3", "arg-type"), ("4", "assignment")]


def test_the_code_of_users_runs(tmp_path: Path) -> None:
    code = runpy.run_path(str(HERE / "public_api.py"))
    verbs = (
        "training",
        "predicting",
        "explaining",
        "evaluating",
        "measuring",
        "comparing",
        "analyzing",
        "vectorizing",
    )
    for name in verbs:
        code[name]()
    code["keeping"](tmp_path)


@pytest.mark.parametrize("public", [*PUBLIC, *VECTORIZERS], ids=lambda public: public.__name__)
def test_no_public_signature_mentions_any(public: object) -> None:
    """Only the values of `get_params` may be anything: they are given to a constructor as they are."""
    found = [name for name, signature in signatures(public) if re.search(r"\bAny\b", signature)]
    found = [name for name in found if name != "get_params"]
    assert not found, "name the type: see likely/types.py"


def test_the_package_has_few_any() -> None:
    counts = {str(path.relative_to(PACKAGE)): count_any(path) for path in PACKAGE.rglob("*.py")}
    most = sorted(counts.items(), key=lambda item: -item[1])[:10]
    assert sum(counts.values()) <= MOST_ANY, f"{sum(counts.values())} times Any, most of them here: {most}"


def count_any(path: Path) -> int:
    """How often a module writes `Any`, the import left out."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return sum("Any" in (getattr(node, "id", None), getattr(node, "attr", None)) for node in nodes)


def signatures(public: object) -> list[tuple[str, str]]:
    """The name and the annotations, as written, of a function, or of the public members and fields of a class."""
    if not inspect.isclass(public):
        return [(getattr(public, "__name__", "?"), written(public))]
    kinds = [kind for kind in public.__mro__ if kind.__module__.startswith("likely")]
    members = [
        (name, written(member))
        for kind in kinds
        for name, member in vars(kind).items()
        if name == "__init__" or not name.startswith("_")
    ]
    fields = [
        (name, str(annotation))
        for kind in kinds
        for name, annotation in inspect.get_annotations(kind).items()
        if not name.startswith("_")
    ]
    return members + fields


def written(member: object) -> str:
    """The annotations of a function, a method or a property, as they are written in its source."""
    for wrapper in ("fget", "func", "__func__"):  # property, cached_property, classmethod
        member = getattr(member, wrapper, None) or member
    return " ".join(map(str, getattr(member, "__annotations__", {}).values()))
