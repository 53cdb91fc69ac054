"""The reference page of commands and options, written from the code: ``python tools/reference.py [--check]``."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from likely.cli import COMMANDS, cli
from likely.options.presets import PRESETS
from likely.options.table import FORMATS, OPTIONS
from likely.reading.formats import NAMES

PAGE = Path(__file__).parents[1] / "docs" / "reference.md"
WIDTH = 100


def page() -> str:
    """The whole page."""
    parts = [
        "# Reference",
        "Made by `make docs` from the code: change it there.",
        "## Options",
        "Each is an argument of `likely.NaiveBayes` and `likely.train`, a flag of `likely train`, and kept in the "
        "model file.",
        option_table(),
        "## Presets",
        "What `task` stands for. `likely.train` and the command line let any option that is given win; "
        "`likely.NaiveBayes` any that is not at its default. `benchmarks/presets.md` shows why these.",
        preset_table(),
        "## Formats",
        "What `--read-as` and `format=` name; without them the file's name tells the format, or else its content. "
        "All can be compressed (`.gz`, `.bz2`, `.zst`).",
        "\n".join(f"- `{name}`: {NAMES[name]}" for name in FORMATS),
        "## Commands",
        "Exit status: 0; 1 if it ran and the answer is no; 2 for bad input, with one line that says what to do.",
        help_of("likely", cli),
        *(section(name) for name in COMMANDS),
    ]
    return "\n\n".join(parts) + "\n"


def option_table() -> str:
    """A row an option."""
    rows = ["| option | default | allowed | |", "| --- | --- | --- | --- |"]
    rows += [f"| `{each.name}` | `{each.default!r}` | {each.allowed} | {each.help} |" for each in OPTIONS.values()]
    return "\n".join(rows)


def preset_table() -> str:
    """A row a task."""
    rows = ["| task | options |", "| --- | --- |"]
    for task, options in PRESETS.items():
        meant = ", ".join(f"{name}={value!r}" for name, value in options.items())
        rows.append(f"| `{task}` | `{meant}` |")
    return "\n".join(rows)


def section(name: str) -> str:
    """A command with its help."""
    command = cli.get_command(click.Context(cli), name)
    if command is None:
        raise LookupError(name)
    return f"### likely {name}\n\n{help_of(f'likely {name}', command)}"


def help_of(name: str, command: click.Command) -> str:
    """A command's help as it is printed."""
    context = click.Context(command, info_name=name, terminal_width=WIDTH, max_content_width=WIDTH)
    return f"```\n{command.get_help(context)}\n```"


def main() -> int:
    """Write the page, or with --check say whether it is as it should be."""
    if "--check" not in sys.argv:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE} is not what the code says: run make docs", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
