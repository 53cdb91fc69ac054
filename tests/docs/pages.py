"""Run a page of the documentation as its reader would: every block, in order, in one empty folder.

- A `python` block with prompts is a doctest; without prompts it is run. All blocks of a page share their names.
- A `console` block has commands behind `$ `, and below them what they print, where `...` stands for anything. What is
  not shown is not compared. A command that ends with ` &` goes on until the page ends.
- `{code-block}` with a `:caption:` is a file of that name.
- Other blocks show something and are not run. `sh` is for what tests cannot do: installing, clusters, the network.

The front matter may say `needs:` with corpora of LIKELY_DATA, which then lie beside the page's files, or `spark`.
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import UnsupportedOperation
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from likely.cli import cli

DOCS = Path(__file__).parents[2] / "docs"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
SHOWN = {
    "text",
    "sh",
    "json",
    "html",
    "css",
    "javascript",
    "ini",
    "yaml",
    "toml",
    "dockerfile",
    "mermaid",
    "math",
    "csv",
    "sql",
}
DIRECTIVES = {
    "image",
    "figure",
    "toctree",
    "note",
    "tip",
    "warning",
    "admonition",
    "include",
    "eval-rst",
    "math",
    "dropdown",
    "glossary",
}
_FENCE = re.compile(
    r"^(?P<fence>`{3,}|:{3,})(?P<kind>[^\n]*)\n(?P<body>.*?)^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL
)
_SHELL = re.compile(r"[|&;<>$`*?(){}\\]")
_PATIENCE = 60


@dataclass
class Block:
    """One block of a page: its language or directive, its text, and the line where it begins."""

    kind: str
    body: str
    line: int
    file: str = ""


def blocks(text: str) -> Iterator[Block]:
    """All blocks of a page, in order."""
    for found in _FENCE.finditer(text):
        kind, body = found["kind"].strip(), found["body"]
        caption = re.search(r"\A(?::\w+:.*\n)*?:caption: (\S+)\n", body)
        options = re.match(r"(?::[\w-]+:.*\n)*\n?", body)
        yield Block(
            kind,
            body[options.end() :] if options else body,
            text.count("\n", 0, found.start()) + 2,
            caption[1] if caption else "",
        )


def needs(text: str) -> list[str]:
    """What the front matter says that the page needs."""
    found = re.match(r"---\n(.*?)^---\n", text, re.MULTILINE | re.DOTALL)
    listed = re.search(r"^needs: \[(.*)\]$", found[1], re.MULTILINE) if found else None
    return [name.strip() for name in listed[1].split(",")] if listed else []


def commands(body: str) -> Iterator[tuple[int, str, str]]:
    """The commands of a console block: the line in the block, the command, and what it prints."""
    at = 0
    for part in re.split(r"^(?=\$ )", body, flags=re.MULTILINE):
        first = at
        at += part.count("\n")
        if not part.startswith("$ "):
            assert not part.strip(), f"a console block begins with a command: {part}"
            continue
        lines = part[2:].split("\n")
        end = 1
        while lines[end - 1].endswith("\\") or _open_heredoc("\n".join(lines[:end])):
            end += 1
        yield first, "\n".join(lines[:end]), "\n".join(lines[end:])


def _open_heredoc(command: str) -> bool:
    found = re.search(r"<<\s*'?(\w+)'?", command)
    return found is not None and not re.search(rf"^{found[1]}$", command, re.MULTILINE)


@dataclass
class Reader:
    """Somebody who types what a page says, in the working directory."""

    page: Path
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    running: list[subprocess.Popen[str]] = field(default_factory=list)
    port: int = 0
    seen: int = 0

    def read(self) -> int:
        """Run all blocks, and return how many were run."""
        self.port = _free_port()
        try:
            for block in blocks(self.page.read_text(encoding="utf-8")):
                self._do(block)
        finally:
            for each in self.running:
                each.terminate()
                each.communicate(timeout=_PATIENCE)
        return self.seen

    def _do(self, block: Block) -> None:
        kind = block.kind.split()[0] if block.kind else ""
        directive = kind.strip("{}")
        body = block.body.replace(":8000", f":{self.port}")
        if block.file:
            Path(block.file).write_text(body, encoding="utf-8")
        elif kind in {"python", "pycon"}:
            self._python(body, block.line)
        elif kind == "console":
            for line, command, expected in commands(body):
                self._command(command, expected, block.line + line)
        elif kind.startswith("{"):
            assert directive in DIRECTIVES, f"{self.page}:{block.line}: unknown directive {kind}"
        else:
            assert kind in SHOWN, f"{self.page}:{block.line}: name the language of this block, not {kind!r}"

    def _python(self, body: str, line: int) -> None:
        self.seen += 1
        if ">>>" not in body:
            exec(compile("\n" * (line - 1) + body, str(self.page), "exec"), self.names)  # noqa: S102
            return
        test = doctest.DocTestParser().get_doctest(body, self.names, self.page.name, str(self.page), line - 1)
        runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
        said: list[str] = []
        runner.run(test, out=said.append, clear_globs=False)
        self.names.update(test.globs)
        assert runner.failures == 0, "".join(said)

    def _command(self, command: str, expected: str, line: int) -> None:
        self.seen += 1
        where = f"{self.page}:{line}: $ {command}"
        if command.endswith(" &"):
            self._start(command.removesuffix(" &"), where)
            return
        if command.startswith("cd "):
            os.chdir(command.removeprefix("cd "))
            return
        status, printed = self._run(command)
        assert status == 0, f"{where}\nexit status {status}\n{printed}"
        assert "Traceback" not in printed, f"{where}\n{printed}"
        if expected.strip():
            same = doctest.OutputChecker().check_output(expected.strip(), printed.strip(), FLAGS)
            assert same, f"{where}\nexpected:\n{expected}\nprinted:\n{printed}"

    def _run(self, command: str) -> tuple[int, str]:
        # One of ours runs in this process, which takes half a second less.
        outside_quotes = re.sub(r'"[^"$`\\]*"|\'[^\']*\'', "", command)
        if command.startswith("likely ") and not _SHELL.search(outside_quotes):
            done = CliRunner().invoke(cli, shlex.split(command)[1:])
            if not isinstance(done.exception, UnsupportedOperation):  # rows are written to file descriptor 1
                return done.exit_code, done.output
        ran = subprocess.run(
            ["bash", "-c", f"set -o pipefail\n{command}"], env=_environment(), stdout=subprocess.PIPE, text=True,
            stderr=subprocess.STDOUT, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return ran.returncode, ran.stdout

    def _start(self, command: str, where: str) -> None:
        if command.startswith("likely serve "):
            command += f" --port {self.port}"
        process = subprocess.Popen(
            ["bash", "-c", f"exec {command}"], env=_environment(), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.running.append(process)
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            assert process.poll() is None, f"{where}\nended with exit status {process.returncode}"
            with socket.socket() as asked:
                if asked.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError(f"{where}\ndoes not answer")


def _environment() -> dict[str, str]:
    return os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])
