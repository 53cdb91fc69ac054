"""The house stays small: ARCHITECTURE.md has a budget of code lines per room; no module is too long."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections import Counter
from pathlib import Path

import likely
from likely.cli import COMMANDS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "likely"
LONGEST = 1_000
"""No module has more lines than this."""
MOST_MODULES, MOST_LINES = 240, 25_000
"""The package has at most this many modules, and lines of code."""
ERRORS = "likely.errors"
EMPTY = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


def code_lines(text: str) -> int:
    """The number of lines that are neither blank, nor comments, nor strings that stand alone (docstrings)."""
    alone = set[int]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            alone.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    used = set[int]()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in EMPTY:
            used.update(range(token.start[0], token.end[0] + 1))
    return len(used - alone)


def rooms() -> Counter[str]:
    """The code lines of each room; those of the root are the base."""
    found: Counter[str] = Counter()
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(PACKAGE).parts
        found[parts[0] if len(parts) > 1 else "base"] += code_lines(path.read_text(encoding="utf-8"))
    return found


def test_no_room_is_over_its_budget() -> None:
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").split("## Budget")[1]
    budget = {room: int(most.replace(",", "")) for room, most in re.findall(r"^\| (\w+) \| ([\d,]+) \|", table, re.M)}
    over = {room: lines for room, lines in rooms().items() if lines > budget.get(room, 0)}
    assert not over, (
        f"over the budget in ARCHITECTURE.md: {over}. Delete something, or raise the number with a reason"
    )


def test_no_module_is_too_long() -> None:
    long = {
        str(path): text.count("\n") for path in PACKAGE.rglob("*.py") if (text := path.read_text(encoding="utf-8"))
    }
    assert max(long.values()) <= LONGEST, max(long, key=lambda path: long[path])


def test_lines_of_code_are_counted() -> None:
    assert code_lines('"""Doc."""\n\n# why\nx = 1\ny = """\na\n"""\n') == 4


def public_classes() -> Counter[str]:
    """How many modules define a public class of each name."""
    return Counter(
        node.name
        for path in PACKAGE.rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


def test_a_class_name_exists_once() -> None:
    twice = sorted(name for name, number in public_classes().items() if number > 1)
    assert not twice, f"give each of these classes a name of its own: {twice}"


def test_the_public_api_is_small() -> None:
    errors = {each for each in vars(likely.errors).values() if isinstance(each, type) and each.__module__ == ERRORS}
    options = likely.NaiveBayes().get_params()
    members = {name for name in dir(likely.NaiveBayes) if not name.startswith("_")} - {*options}
    sizes = {
        "error and warning classes": (len(errors), 24),
        "public members of NaiveBayes": (len(members), 52),
        "options of NaiveBayes": (len(options), 32),
        "names of likely": (len(likely.__all__), 25),
        "commands": (len(COMMANDS), 18),
    }
    over = {what: size for what, (size, most) in sizes.items() if size > most}
    assert not over, f"over the bars of this test: {over}"


def test_the_package_is_small() -> None:
    assert len([*PACKAGE.rglob("*.py")]) <= MOST_MODULES
    assert rooms().total() <= MOST_LINES
