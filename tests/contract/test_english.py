"""The English of the project: patterns that a reader stumbles over are refused, with file, line and rule."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

CLEAN = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs", "python/likely", "crates"]
"""The files and folders that are checked."""

THINGS = "row|column|line|number|value|file|document|class|text|name|label|term|word|thread|option|command|batch"

RULES = {
    "write 'one X per Y'": rf"\ban? (?:{THINGS}) an? \w+",
    "write 'one per Y' or 'once per Y'": rf"\b(?:one|once|each) an? (?:processor|{THINGS})\b",
    "write 'at most this many', 'the number of'": r"\bso (?:many|much)\b(?! fun\b)",
    "write 'is not a'": r"\b(?:there )?(?:is|are|was|were) no (?!longer\b|more\b)\w+",
    "write 'of `likely`'": r"\blikely's\b",
    "write 'at most'": r"\bat the most\b",
}
"""What to write instead, and the pattern that is refused. A space stands for any white space."""

BARE_NAME = "write `likely` in backquotes in a message, and commands and calls too"


@dataclass(frozen=True)
class Passage:
    """A piece of prose and the line that it starts in."""

    line: int
    text: str


def findings(path: Path, source: str) -> Iterator[str]:
    """What is refused in a file: one string per place, with the file, the line and the rule."""
    for passage in passages(path, source):
        text = re.sub(r"\n[ \t]*(?:///?!?|#)?[ \t]*", lambda gap: "\n" + " " * (len(gap[0]) - 1), passage.text)
        for rule, pattern in RULES.items():
            for found in re.finditer(pattern.replace(" ", r"\s+"), text, re.IGNORECASE):
                if not found[0].lower().startswith("there"):  # "there is no such file" is good English
                    yield shown(path, passage.line + text.count("\n", 0, found.start()), rule, found[0])
    if path.suffix == ".py":
        for message in messages(source):
            # The name alone is a prompt or a prefix, and in quotes it is the name of the module.
            text = re.sub(r"`[^`]*`|'likely'|^\W*likely\W*$", "", message.text)
            if re.search(r"(?<![\w./-])likely(?![\w-])", text):
                yield shown(path, message.line, BARE_NAME, message.text)


def shown(path: Path, line: int, rule: str, text: str) -> str:
    """A finding in one line."""
    name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
    return f"{name}:{line}: {rule}: {' '.join(text.split())!r}"


def passages(path: Path, source: str) -> Iterator[Passage]:
    """The prose of a file: comments and strings of Python, comments of Rust, Markdown without blocks of code."""
    if path.suffix == ".py":
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if tokenize.tok_name[token.type] in ("STRING", "COMMENT", "FSTRING_MIDDLE"):
                yield Passage(token.start[0], token.string)
    elif path.suffix == ".rs":
        for found in re.finditer(r"(?:^[ \t]*//.*\n?)+", source, re.MULTILINE):
            yield Passage(source.count("\n", 0, found.start()) + 1, found[0])
    else:
        yield Passage(1, re.sub(r"^```.*?^```", lambda block: "\n" * block[0].count("\n"), source, flags=re.M | re.S))


def messages(source: str) -> Iterator[Passage]:
    """The texts of errors, warnings and notes: strings in what is raised, or passed to a function that prints."""
    for node in ast.walk(ast.parse(source)):
        is_call = isinstance(node, ast.Call) and name_of(node.func) in ("echo", "note", "warn", "secho")
        if is_call or isinstance(node, ast.Raise):
            yield from (
                Passage(part.lineno, part.value)
                for part in ast.walk(node)
                if isinstance(part, ast.Constant) and isinstance(part.value, str)
            )


def name_of(function: ast.expr) -> str:
    """The last part of the name of a function that is called."""
    return str(getattr(function, "attr", None) or getattr(function, "id", ""))


def files() -> Iterator[Path]:
    """The files of `CLEAN`, those in its folders included."""
    for name in CLEAN:
        path = ROOT / name
        assert path.exists(), f"{name} is in CLEAN, but there is no such file"
        within = sorted(path.rglob("*")) if path.is_dir() else [path]
        yield from (each for each in within if each.suffix in (".py", ".rs", ".md"))


def test_the_english_is_plain() -> None:
    found = [each for path in files() for each in findings(path, path.read_text(encoding="utf-8"))]
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize(
    ("name", "source", "line"),
    [
        ("a.py", '"""P(c given text), a row a text."""', 1),
        ("a.py", 'def f():\n    """It says\n    that a row\n    a document is enough."""\n', 3),
        ("a.py", "x = 1\n# it counts so many\n", 2),
        ("a.py", 'raise ValueError(f"{x} is no count")', 1),
        ("a.py", "# these are no words\n", 1),
        ("a.py", 'raise ValueError("likely has not written it")', 1),
        ("a.py", 'click.echo("see likely train")', 1),
        ("a.py", "# likely's own\n", 1),
        ("a.py", "# one a processor\n", 1),
        ("a.rs", "fn f() {}\n/// It makes\n/// a column\n/// a class.\n", 3),
        ("a.rs", "//! These\n//! are no words.\n", 2),
        ("a.md", "# Title\n\nIt reads a line\na document.\n", 3),
    ],
)
def test_what_is_refused(name: str, source: str, line: int) -> None:
    found = list(findings(Path(name), source))
    assert found
    assert found[0].startswith(f"{name}:{line}: write ")


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("a.py", 'raise ValueError("there is no option; it is no longer one; a.likely was not written by `likely`")'),
        ("a.py", "# There   are no documents.\n"),
        ("a.py", 'def f():\n    """Nothing if there\n    is no model."""\n'),
        ("a.py", 'x = "likely", ["a film, and so much fun"]\n# there\n'),
        ("a.rs", "let x = a row a text;\n"),
        ("a.md", "One row per text.\n\n```\na row a text\n```\n"),
    ],
)
def test_what_is_allowed(name: str, source: str) -> None:
    assert list(findings(Path(name), source)) == []
